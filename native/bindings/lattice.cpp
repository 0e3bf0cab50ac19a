// The lattice decoder.
#include "decode/lattice.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings/checks.hpp"

namespace plainmark {

namespace {

constexpr int64_t kLongestSentence = 1 << 20, kMostThreads = 1024, kMost = 1 << 30;

// Arrays may come from untrusted files, so no index that leads outside of them is followed.
Lattices checked(const Offsets& lengths, const Offsets& edges, const Symbols& starts, const Symbols& ends,
                 const Scores& scores, const Offsets& targets, const Symbols& words, const In<uint32_t>& lm_words) {
  auto fits = [](bool good) { check(good, "a lattice whose arrays do not fit together"); };
  int64_t n = static_cast<int64_t>(lengths.size()), all_edges = static_cast<int64_t>(starts.size());
  fits(edges.size() == lengths.size() + 1 && ends.size() == starts.size() && scores.size() == starts.size());
  fits(targets.size() == starts.size() + 1 && edges.data()[0] == 0 && edges.data()[n] == all_edges);
  fits(targets.data()[0] == 0 && targets.data()[all_edges] == static_cast<int64_t>(words.size()));
  for (int64_t s = 0; s < n; ++s) {
    fits(lengths.data()[s] >= 0 && edges.data()[s] <= edges.data()[s + 1] && edges.data()[s + 1] <= all_edges);
    check_range(lengths.data()[s], 0, kLongestSentence, "the length of a sentence");
    for (int64_t e = edges.data()[s]; e < edges.data()[s + 1]; ++e)
      fits(0 <= starts.data()[e] && starts.data()[e] < ends.data()[e] && ends.data()[e] <= lengths.data()[s]);
  }
  for (int64_t e = 0; e < all_edges; ++e) fits(targets.data()[e] <= targets.data()[e + 1]);
  for (int32_t word : all(words)) fits(0 <= word && word < static_cast<int64_t>(lm_words.size()));
  check_bounded(scores, "a lattice's scores");
  return {lengths.data(), edges.data(),   n,            starts.data(),   ends.data(),
          scores.data(),  targets.data(), words.data(), lm_words.data()};
}

}  // namespace

void add_lattice(nb::module_& m) {
  m.def("best_paths", [](const LanguageModel& model, double lm_weight, Offsets lengths, Offsets edges, Symbols starts,
                         Symbols ends, Scores scores, Offsets targets, Symbols words, In<uint32_t> lm_words, int64_t beam,
                         double threshold, int64_t paths, int64_t threads) {
    check_weight(lm_weight, "the language model's weight");
    check(threshold >= 0, "the threshold is not a number from 0 up");
    check_range(beam, 1, kMost, "the beam");
    check_range(paths, 1, kMost, "the number of paths");
    check_range(threads, 1, kMostThreads, "the number of threads");
    Paths best;
    {
      nb::gil_scoped_release unlocked;
      Lattices lattices = checked(lengths, edges, starts, ends, scores, targets, words, lm_words);
      Search search{lm_weight, static_cast<int>(beam), threshold, static_cast<int>(paths)};
      best = best_paths(model, lattices, search, static_cast<int>(threads));
    }
    return std::make_tuple(to_numpy(std::move(best.sentences)), to_numpy(std::move(best.scores)),
                           to_numpy(std::move(best.lm)), to_numpy(std::move(best.offsets)),
                           to_numpy(std::move(best.edges)));
  });

  m.def("context_gains", [](const LanguageModel& model, Offsets lengths, Offsets edges, Symbols starts, Symbols ends,
                            Scores scores, Offsets targets, Symbols words, In<uint32_t> lm_words, Symbols sources,
                            Offsets offsets) {
    std::vector<float> gains;
    {
      nb::gil_scoped_release unlocked;
      Lattices lattices = checked(lengths, edges, starts, ends, scores, targets, words, lm_words);
      check_length(offsets.size(), lengths.size() + 1, "offsets of sentences");
      check_offsets(offsets, sources.size(), "offsets of sentences");
      for (size_t s = 0; s < lengths.size(); ++s)
        check(offsets.data()[s + 1] - offsets.data()[s] == lengths.data()[s], "sentences do not fit the lattice");
      check_indices(sources, lm_words.size(), "words of sentences");
      gains = context_gains(model, lattices, sources.data(), offsets.data());
    }
    return to_numpy(std::move(gains));
  });
}

}  // namespace plainmark
