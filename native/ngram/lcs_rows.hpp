// Bit-parallel longest common subsequences, row by row.
#pragma once

#include <bit>
#include <unordered_map>
#include <vector>

#include "ngram/sequences.hpp"

namespace plainmark {

// Bit masks of the positions of each distinct token in a sequence, for the bit-parallel algorithms.
class Positions {
 public:
  explicit Positions(Sequence b) : words_((b.size() + 63) / 64), none_(words_, 0) {
    rows_.reserve(b.size());
    for (size_t j = 0; j < b.size(); ++j) {
      auto [it, fresh] = rows_.try_emplace(b[j], masks_.size());
      if (fresh) masks_.resize(masks_.size() + words_, 0);
      masks_[it->second + j / 64] |= 1ull << (j % 64);
    }
  }
  const uint64_t* of(uint64_t token) const {
    auto it = rows_.find(token);
    return it == rows_.end() ? none_.data() : masks_.data() + it->second;
  }
  size_t words() const { return words_; }

 private:
  size_t words_;
  std::vector<uint64_t> none_, masks_;
  std::unordered_map<uint64_t, size_t> rows_;
};

// One row of the bit-parallel LCS of Hyyrö: a zero bit j says that the LCS grows at column j. Returns the carry out.
inline uint64_t lcs_row(uint64_t* row, const uint64_t* mask, size_t words, uint64_t carry) {
  for (size_t w = 0; w < words; ++w) {
    uint64_t hit = row[w] & mask[w];
    uint64_t sum = row[w] + hit;
    uint64_t out = sum < row[w];
    uint64_t with_carry = sum + carry;
    out |= with_carry < sum;
    row[w] = with_carry | (row[w] & ~mask[w]);
    carry = out;
  }
  return carry;
}

inline int64_t zeros(const uint64_t* row, size_t bits) {
  int64_t count = 0;
  for (size_t w = 0; w < bits / 64; ++w) count += std::popcount(~row[w]);
  if (size_t rest = bits % 64) count += std::popcount(~row[bits / 64] & ((1ull << rest) - 1));
  return count;
}

}  // namespace plainmark
