// N-gram tables and counts derived from them.
#pragma once

#include <cstdint>
#include <vector>

namespace plainmark {

struct Grams {  // unique n-grams, grouped by (sample, order): entries of group g are offsets[g] .. offsets[g + 1]
  std::vector<uint64_t> keys;
  std::vector<uint32_t> counts;
  std::vector<int64_t> offsets;
};

// The n-grams of orders 1..order of groups of texts. A group is texts groups[g] .. groups[g + 1]; the count of an
// n-gram is its sum over the group's texts, its maximum, or the number of texts that have it.
enum class Counting : int { kSum, kPeak, kTexts };
Grams ngrams(const uint64_t* tokens, const int64_t* texts, const int64_t* groups, int64_t n_groups, int order,
             Counting counting);

struct GramView {
  const uint64_t* keys;
  const uint32_t* counts;
  const int64_t* offsets;
};

// Sum of min(count in a, count in b) for every order and pair of samples (left[i], right[i]).
std::vector<double> overlap(GramView a, GramView b, const int64_t* left, const int64_t* right, int64_t n_pairs, int order);

inline constexpr int kSariColumns = 21;

// Raw counts of SARI: kSariColumns for every sample and order. See metrics/sari.py for the columns' names.
// If plain source tokens are given, column 1 counts only good additions that contain a new token or are not a
// subsequence of them (paper "Agg").
struct SariTokens {
  const uint64_t *output, *source, *plain;
  const int64_t *output_offsets, *source_offsets, *plain_offsets;
};
std::vector<double> sari(GramView source, GramView output, GramView references, const int64_t* n_references,
                         int64_t n_samples, int order, const SariTokens* tokens);

}  // namespace plainmark
