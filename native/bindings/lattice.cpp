// The door from Python to the lattice decoder.
#include <nanobind/stl/tuple.h>

#include <stdexcept>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "decode/lattice.hpp"

using plainmark::LanguageModel;

namespace {

// Arrays come from files that anyone may have written: nothing is followed that leads outside of them.
Lattices checked(const Offsets& lengths, const Offsets& edges, const In<int32_t>& starts, const In<int32_t>& ends,
                 const In<double>& scores, const Offsets& targets, const In<int32_t>& words,
                 const In<uint32_t>& lm_words) {
  auto check = [](bool good) {
    if (!good) throw std::invalid_argument("a lattice whose arrays do not fit together");
  };
  int64_t n = static_cast<int64_t>(lengths.size()), all = static_cast<int64_t>(starts.size());
  check(edges.size() == lengths.size() + 1 && ends.size() == starts.size() && scores.size() == starts.size());
  check(targets.size() == starts.size() + 1 && edges.data()[0] == 0 && edges.data()[n] == all);
  check(targets.data()[0] == 0 && targets.data()[all] == static_cast<int64_t>(words.size()));
  for (int64_t s = 0; s < n; ++s) {
    check(lengths.data()[s] >= 0 && edges.data()[s] <= edges.data()[s + 1] && edges.data()[s + 1] <= all);
    for (int64_t e = edges.data()[s]; e < edges.data()[s + 1]; ++e)
      check(0 <= starts.data()[e] && starts.data()[e] < ends.data()[e] && ends.data()[e] <= lengths.data()[s]);
  }
  for (int64_t e = 0; e < all; ++e) check(targets.data()[e] <= targets.data()[e + 1]);
  for (size_t w = 0; w < words.size(); ++w)
    check(0 <= words.data()[w] && words.data()[w] < static_cast<int64_t>(lm_words.size()));
  return {lengths.data(), edges.data(),   n,            starts.data(),   ends.data(),
          scores.data(),  targets.data(), words.data(), lm_words.data()};
}

}  // namespace

void add_lattice(nb::module_& m) {
  m.def("best_paths", [](const LanguageModel& model, double lm_weight, Offsets lengths, Offsets edges, In<int32_t> starts,
                         In<int32_t> ends, In<double> scores, Offsets targets, In<int32_t> words,
                         In<uint32_t> lm_words, int beam, double threshold, int paths, int threads) {
    Paths found;
    {
      nb::gil_scoped_release unlocked;
      Lattices lattices = checked(lengths, edges, starts, ends, scores, targets, words, lm_words);
      found = best_paths(model, lattices, {lm_weight, beam, threshold, paths}, threads);
    }
    return std::make_tuple(to_numpy(std::move(found.sentences)), to_numpy(std::move(found.scores)),
                           to_numpy(std::move(found.lm)), to_numpy(std::move(found.offsets)),
                           to_numpy(std::move(found.edges)));
  });

  m.def("context_gains", [](const LanguageModel& model, Offsets lengths, Offsets edges, In<int32_t> starts,
                            In<int32_t> ends, In<double> scores, Offsets targets, In<int32_t> words,
                            In<uint32_t> lm_words, In<int32_t> sources, Offsets offsets) {
    std::vector<float> gains;
    {
      nb::gil_scoped_release unlocked;
      Lattices lattices = checked(lengths, edges, starts, ends, scores, targets, words, lm_words);
      if (offsets.size() != lengths.size() + 1) throw std::invalid_argument("sentences do not fit the lattice");
      for (size_t s = 0; s < lengths.size(); ++s)
        if (offsets.data()[s + 1] - offsets.data()[s] != lengths.data()[s] || offsets.data()[s] < 0 ||
            offsets.data()[s + 1] > static_cast<int64_t>(sources.size()))
          throw std::invalid_argument("sentences do not fit the lattice");
      for (size_t w = 0; w < sources.size(); ++w)
        if (sources.data()[w] < 0 || sources.data()[w] >= static_cast<int64_t>(lm_words.size()))
          throw std::invalid_argument("sentences do not fit the lattice");
      gains = context_gains(model, lattices, sources.data(), offsets.data());
    }
    return to_numpy(std::move(gains));
  });
}
