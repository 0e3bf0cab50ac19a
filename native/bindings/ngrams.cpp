// N-grams and counts derived from them.
#include "ngram/ngrams.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings/checks.hpp"

namespace plainmark {

namespace {

constexpr int kLongestOrder = 1000;

GramView view(const Hashes& keys, const Counts& counts, const Offsets& offsets, const char* name) {
  check_length(counts.size(), keys.size(), name);
  check_offsets(offsets, keys.size(), name);
  return {keys.data(), counts.data(), offsets.data()};
}

// The number of samples with n-grams: each has one piece per order.
size_t samples(const Offsets& offsets, int order) { return order ? (offsets.size() - 1) / order : 0; }

}  // namespace

void add_ngrams(nb::module_& m) {
  m.def("ngrams", [](Hashes tokens, Offsets texts, Offsets groups, int order, int counting) {
    check_range(counting, 0, 2, "the way of counting");
    check_range(order, 0, kLongestOrder, "the order");
    check_offsets(texts, tokens.size(), "offsets of texts");
    check_offsets(groups, texts.size() - 1, "offsets of groups");
    Grams out;
    {
      nb::gil_scoped_release unlocked;
      out = ngrams(tokens.data(), texts.data(), groups.data(), groups.size() - 1, order,
                   static_cast<Counting>(counting));
    }
    return std::make_tuple(to_numpy(std::move(out.keys)), to_numpy(std::move(out.counts)),
                           to_numpy(std::move(out.offsets)));
  });

  m.def("overlap", [](Hashes a_keys, Counts a_counts, Offsets a_offsets, Hashes b_keys, Counts b_counts,
                      Offsets b_offsets, Offsets left, Offsets right, int order) {
    check_range(order, 0, kLongestOrder, "the order");
    GramView a = view(a_keys, a_counts, a_offsets, "n-grams of the left texts");
    GramView b = view(b_keys, b_counts, b_offsets, "n-grams of the right texts");
    check_length(right.size(), left.size(), "right");
    if (order) {
      check_indices(left, samples(a_offsets, order), "left");
      check_indices(right, samples(b_offsets, order), "right");
    }
    std::vector<double> out;
    {
      nb::gil_scoped_release unlocked;
      out = overlap(a, b, left.data(), right.data(), left.size(), order);
    }
    return to_numpy(std::move(out), {left.size(), static_cast<size_t>(order)});
  });

  m.def("sari", [](Hashes s_keys, Counts s_counts, Offsets s_offsets, Hashes o_keys, Counts o_counts,
                   Offsets o_offsets, Hashes r_keys, Counts r_counts, Offsets r_offsets, Offsets n_references,
                   int order, nb::object tokens) {
    check_range(order, 0, kLongestOrder, "the order");
    GramView source = view(s_keys, s_counts, s_offsets, "n-grams of the sources");
    GramView output = view(o_keys, o_counts, o_offsets, "n-grams of the outputs");
    GramView references = view(r_keys, r_counts, r_offsets, "n-grams of the references");
    size_t n = n_references.size();
    check_length(s_offsets.size(), n * order + 1, "offsets of the sources' n-grams");
    check_length(o_offsets.size(), n * order + 1, "offsets of the outputs' n-grams");
    check_length(r_offsets.size(), n * order + 1, "offsets of the references' n-grams");
    SariTokens extra{};
    std::tuple<Hashes, Offsets, Hashes, Offsets, Hashes, Offsets> held;
    bool modified = !tokens.is_none();
    if (modified) {
      if (!nb::try_cast(tokens, held))
        throw nb::type_error("expected None or token hashes and offsets of outputs, sources and plain sources");
      auto checked = [n](const Hashes& hashes, const Offsets& offsets, const char* name) {
        check_offsets(offsets, hashes.size(), name);
        check_length(offsets.size(), n + 1, name);
        return hashes.data();
      };
      extra = {checked(std::get<0>(held), std::get<1>(held), "offsets of the outputs' tokens"),
               checked(std::get<2>(held), std::get<3>(held), "offsets of the sources' tokens"),
               checked(std::get<4>(held), std::get<5>(held), "offsets of the plain sources' tokens"),
               std::get<1>(held).data(), std::get<3>(held).data(), std::get<5>(held).data()};
    }
    std::vector<double> out;
    {
      nb::gil_scoped_release unlocked;
      out = sari(source, output, references, n_references.data(), n, order, modified ? &extra : nullptr);
    }
    return to_numpy(std::move(out), {n, static_cast<size_t>(order), kSariColumns});
  }, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
     nb::arg(), nb::arg().none());
}

}  // namespace plainmark
