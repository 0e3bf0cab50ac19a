// The doors into the kernels. Text comes as lists of str, everything else as flat arrays; work runs without the GIL.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "ngrams.hpp"
#include "readability.hpp"
#include "sequences.hpp"
#include "tokenize.hpp"

namespace {

GramView view(const Hashes& keys, const Counts& counts, const Offsets& offsets) {
  return {keys.data(), counts.data(), offsets.data()};
}

Sequence slice(const Hashes& tokens, const Offsets& offsets, int64_t i) {
  return {tokens.data() + offsets.data()[i], static_cast<size_t>(offsets.data()[i + 1] - offsets.data()[i])};
}

// Applies a measure to the pairs (left[i], right[i]) of two tokenised lists.
template <class Measure>
auto pairwise(const Hashes& a, const Offsets& a_offsets, const Hashes& b, const Offsets& b_offsets,
              const Offsets& left, const Offsets& right, Measure&& measure) {
  std::vector<int64_t> out(left.size());
  {
    nb::gil_scoped_release unlocked;
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = measure(slice(a, a_offsets, left.data()[i]), slice(b, b_offsets, right.data()[i]));
  }
  return to_numpy(std::move(out));
}

Table table(const Hashes& slots, const Offsets& starts) { return {slots.data(), starts.data(), starts.size()}; }

nb::object decode(const std::string& bytes) {
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(bytes.data(), bytes.size(), "surrogatepass"));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

}  // namespace

NB_MODULE(_native, m) {
  m.def("tokenize", [](nb::list texts, int mode, bool lowercase) {
    Texts input(texts, lowercase);
    std::pair<std::vector<uint64_t>, std::vector<int64_t>> out;
    {
      nb::gil_scoped_release unlocked;
      out = tokenize(input, static_cast<Tokenizer>(mode), lowercase);
    }
    return std::make_pair(to_numpy(std::move(out.first)), to_numpy(std::move(out.second)));
  });

  m.def("words", [](nb::list texts, int mode, bool lowercase) {
    Texts input(texts, lowercase);
    nb::list out;
    for (const auto& tokens : words(input, static_cast<Tokenizer>(mode), lowercase)) {
      nb::list row;
      for (const std::string& token : tokens) row.append(decode(token));
      out.append(row);
    }
    return out;
  });

  m.def("stem", [](std::string word) { return porter_stem(std::move(word)); });

  m.def("ngrams", [](Hashes tokens, Offsets texts, Offsets groups, int order, bool peak) {
    Grams out;
    {
      nb::gil_scoped_release unlocked;
      out = ngrams(tokens.data(), texts.data(), groups.data(), groups.size() - 1, order, peak);
    }
    return std::make_tuple(to_numpy(std::move(out.keys)), to_numpy(std::move(out.counts)),
                           to_numpy(std::move(out.offsets)));
  });

  m.def("overlap", [](Hashes a_keys, Counts a_counts, Offsets a_offsets, Hashes b_keys, Counts b_counts,
                      Offsets b_offsets, Offsets left, Offsets right, int order) {
    std::vector<double> out;
    {
      nb::gil_scoped_release unlocked;
      out = overlap(view(a_keys, a_counts, a_offsets), view(b_keys, b_counts, b_offsets), left.data(), right.data(),
                    left.size(), order);
    }
    return to_numpy(std::move(out), {left.size(), static_cast<size_t>(order)});
  });

  m.def("sari", [](Hashes s_keys, Counts s_counts, Offsets s_offsets, Hashes o_keys, Counts o_counts,
                   Offsets o_offsets, Hashes r_keys, Counts r_counts, Offsets r_offsets, Offsets n_references,
                   int order, nb::object tokens) {
    SariTokens extra{};
    std::tuple<Hashes, Offsets, Hashes, Offsets, Hashes, Offsets> held;
    bool modified = !tokens.is_none();
    if (modified) {
      held = nb::cast<decltype(held)>(tokens);
      extra = {std::get<0>(held).data(), std::get<2>(held).data(), std::get<4>(held).data(),
               std::get<1>(held).data(), std::get<3>(held).data(), std::get<5>(held).data()};
    }
    std::vector<double> out;
    {
      nb::gil_scoped_release unlocked;
      out = sari(view(s_keys, s_counts, s_offsets), view(o_keys, o_counts, o_offsets),
                 view(r_keys, r_counts, r_offsets), n_references.data(), n_references.size(), order,
                 modified ? &extra : nullptr);
    }
    return to_numpy(std::move(out), {n_references.size(), static_cast<size_t>(order), kSariColumns});
  }, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
     nb::arg(), nb::arg().none());

  m.def("lcs", [](Hashes a, Offsets ao, Hashes b, Offsets bo, Offsets left, Offsets right) {
    return pairwise(a, ao, b, bo, left, right, lcs_length);
  });
  m.def("edit_distance", [](Hashes a, Offsets ao, Hashes b, Offsets bo, Offsets left, Offsets right) {
    return pairwise(a, ao, b, bo, left, right, edit_distance);
  });
  m.def("translation_edits", [](Hashes a, Offsets ao, Hashes b, Offsets bo, Offsets left, Offsets right) {
    return pairwise(a, ao, b, bo, left, right, translation_edits);
  });

  // Partners of the tokens of a[left[i]] in b[right[i]], one pair after the other.
  m.def("lcs_match", [](Hashes a, Offsets ao, Hashes b, Offsets bo, Offsets left, Offsets right) {
    size_t total = 0;
    for (size_t i = 0; i < left.size(); ++i) total += slice(a, ao, left.data()[i]).size();
    std::vector<int32_t> out(total);
    {
      nb::gil_scoped_release unlocked;
      size_t at = 0;
      for (size_t i = 0; i < left.size(); ++i) {
        Sequence from = slice(a, ao, left.data()[i]);
        lcs_match(from, slice(b, bo, right.data()[i]), out.data() + at);
        at += from.size();
      }
    }
    return to_numpy(std::move(out));
  });

  // A row of counts per text, and the words that the table of syllables lacks.
  m.def("count_words", [](nb::list texts, int rule, Hashes syllables, Offsets syllable_starts, Hashes familiar,
                          Offsets familiar_starts) {
    auto how = static_cast<CountRule>(rule);
    Texts input(texts, false), lowered(texts, how == CountRule::textstat);
    std::vector<std::string> unknown;
    std::vector<int64_t> out;
    {
      nb::gil_scoped_release unlocked;
      out = count_words(input, lowered, how, table(syllables, syllable_starts), table(familiar, familiar_starts), unknown);
    }
    nb::list missing;
    for (const std::string& word : unknown) missing.append(decode(word));
    return std::make_pair(to_numpy(std::move(out), {input.pieces.size(), kCountColumns}), missing);
  });

  m.def("syllables", [](nb::list words, Hashes slots, Offsets starts) {
    return to_numpy(spelled_syllables(Texts(words, false), table(slots, starts)));
  });

  m.def("plain_words", [](nb::list texts) {
    Texts input(texts, false);
    std::pair<std::vector<uint64_t>, std::vector<int64_t>> out;
    {
      nb::gil_scoped_release unlocked;
      out = plain_words(input);
    }
    return std::make_pair(to_numpy(std::move(out.first)), to_numpy(std::move(out.second)));
  });

  m.def("count_found", [](Hashes tokens, Offsets offsets, Hashes slots, Offsets starts) {
    Table known = table(slots, starts);
    std::vector<int64_t> out(offsets.size() - 1);
    for (size_t i = 0; i < out.size(); ++i)
      for (uint64_t hash : slice(tokens, offsets, static_cast<int64_t>(i))) out[i] += known.find(hash) >= 0;
    return to_numpy(std::move(out));
  });
}
