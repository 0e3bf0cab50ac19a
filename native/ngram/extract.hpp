// The sentences of a text that together are most similar to a summary.
#pragma once

#include "ngram/sequences.hpp"

namespace plainmark {

struct Extract {
  std::vector<int64_t> sentences;  // indices, in order
  bool exact;                      // every subset was considered, if only by a bound
};

// The subset whose tokens, in order, have the highest F1 of the longest common subsequence with the target; if several
// are equal, the one with fewest tokens. Texts of at most `limit` sentences are searched exactly, longer ones by a beam.
Extract best_extract(const std::vector<Sequence>& sentences, Sequence target, size_t limit, size_t beam);

}  // namespace plainmark
