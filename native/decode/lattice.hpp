// Monotone decoding: the best paths through a lattice of phrases, given weights and a language model.
#pragma once

#include <cstdint>
#include <vector>

#include "lm/language_model.hpp"

namespace plainmark {

// Edges of many sentences, in order of their sentences. An edge leads from one gap between source words to a later one
// and writes the words targets[e] .. targets[e + 1]. Words are indices into `lm_words`, which has the language model's
// index of each, so that words unknown to the model still differ.
struct Lattices {
  const int64_t* lengths;  // in source words
  const int64_t* edges;    // sentence i has the edges edges[i] .. edges[i + 1]
  int64_t sentences;
  const int32_t *starts, *ends;
  const double* scores;
  const int64_t* targets;
  const int32_t* words;
  const uint32_t* lm_words;
};

struct Search {
  double lm_weight;
  int beam;          // hypotheses kept at each gap
  double threshold;  // how far below the best one they may be
  int paths;  // number of different outputs requested
};

// Paths of each sentence, best first; edges are numbered from the beginning of `Lattices`.
struct Paths {
  std::vector<int64_t> sentences{0};
  std::vector<double> scores, lm;
  std::vector<int64_t> offsets{0};
  std::vector<int64_t> edges;
};

Paths best_paths(const LanguageModel& model, const Lattices& lattices, const Search& search, int threads);

// The gain of each edge in log10 probability if only that edge is taken and the rest of the sentence is unchanged.
// Words of the sentences: sources[offsets[i]] .. sources[offsets[i + 1]].
std::vector<float> context_gains(const LanguageModel& model, const Lattices& lattices, const int32_t* sources,
                                 const int64_t* offsets);

}  // namespace plainmark
