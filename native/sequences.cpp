#include "sequences.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <unordered_map>

namespace {

// Bit masks of where each distinct token stands in a sequence, for the bit-parallel algorithms.
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

// A token that occurs in b needs a mask of |b| bits; a text with 100,000 distinct tokens would need too many.
// Long sequences are therefore cut into strips of b, the carries between strips kept per row of a.
constexpr size_t kStrip = 1 << 14;

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

int64_t zeros(const uint64_t* row, size_t bits) {
  int64_t count = 0;
  for (size_t w = 0; w < bits / 64; ++w) count += std::popcount(~row[w]);
  if (size_t rest = bits % 64) count += std::popcount(~row[bits / 64] & ((1ull << rest) - 1));
  return count;
}

}  // namespace

int64_t lcs_length(Sequence a, Sequence b) {
  int64_t length = 0;
  std::vector<uint8_t> carry(a.size(), 0);
  for (size_t start = 0; start < b.size(); start += kStrip) {
    Sequence strip = b.subspan(start, std::min(kStrip, b.size() - start));
    Positions positions(strip);
    // The last strip may be ragged: its unused high bits never turn to zero because no token stands there.
    std::vector<uint64_t> row(positions.words(), ~0ull);
    for (size_t i = 0; i < a.size(); ++i)
      carry[i] = static_cast<uint8_t>(lcs_row(row.data(), positions.of(a[i]), positions.words(), carry[i]));
    length += zeros(row.data(), strip.size());
  }
  return length;
}

void lcs_match(Sequence a, Sequence b, int32_t* partner) {
  std::fill(partner, partner + a.size(), -1);
  if (a.empty() || b.empty()) return;
  // Equal ends need no search, and most simplifications keep long ends. Which of several longest common
  // subsequences is found does not change at the end that is walked from, so only that end is cut.
  size_t n = a.size(), m = b.size();
  while (n > 0 && m > 0 && a[n - 1] == b[m - 1]) {
    --n, --m;
    partner[n] = static_cast<int32_t>(m);
  }
  if (n == 0 || m == 0) return;
  Sequence head = b.first(m);
  Positions positions(head);
  size_t words = positions.words();
  if (static_cast<double>(n) * static_cast<double>(words) * 8 > 2147483648.0)
    throw std::length_error("texts of " + std::to_string(n) + " and " + std::to_string(m) +
                            " tokens are too long to align word by word");
  std::vector<uint64_t> rows((n + 1) * words, ~0ull);
  for (size_t i = 1; i <= n; ++i) {
    uint64_t* row = rows.data() + i * words;
    std::copy(row - words, row, row);
    lcs_row(row, positions.of(a[i - 1]), words, 0);
  }
  size_t i = n, j = m;
  int64_t here = zeros(rows.data() + i * words, j), above = zeros(rows.data() + (i - 1) * words, j);
  auto grows = [&](size_t row, size_t column) {  // whether the table rises from column - 1 to column
    return !(rows[row * words + (column - 1) / 64] >> ((column - 1) % 64) & 1);
  };
  while (i > 0 && j > 0) {
    if (a[i - 1] == b[j - 1]) {
      partner[i - 1] = static_cast<int32_t>(j - 1);
      here -= 1;
      --i, --j;
      if (i > 0) above = zeros(rows.data() + (i - 1) * words, j);
    } else if (here - grows(i, j) > above) {
      here -= grows(i, j);
      above -= grows(i - 1, j);
      --j;
    } else {
      here = above;
      --i;
      if (i > 0) above = zeros(rows.data() + (i - 1) * words, j);
    }
  }
}

int64_t edit_distance(Sequence a, Sequence b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) a = a.subspan(1), b = b.subspan(1);
  while (!a.empty() && !b.empty() && a.back() == b.back()) a = a.first(a.size() - 1), b = b.first(b.size() - 1);
  if (a.empty() || b.empty()) return static_cast<int64_t>(a.size() + b.size());
  if (b.size() > a.size()) std::swap(a, b);
  // Myers' bit-parallel algorithm over blocks of 64 rows of b; `into` carries the differences of the row above
  // the strip from strip to strip.
  std::vector<int8_t> into(a.size(), 1);
  for (size_t start = 0; start < b.size(); start += kStrip) {
    Sequence strip = b.subspan(start, std::min(kStrip, b.size() - start));
    Positions positions(strip);
    size_t words = positions.words();
    std::vector<uint64_t> plus(words, ~0ull), minus(words, 0);
    uint64_t last_bit = 1ull << ((strip.size() - 1) % 64);
    for (size_t i = 0; i < a.size(); ++i) {
      const uint64_t* mask = positions.of(a[i]);
      int carry = into[i];
      for (size_t w = 0; w < words; ++w) {
        uint64_t eq = mask[w], pv = plus[w], mv = minus[w];
        uint64_t negative_in = carry < 0;
        uint64_t xv = eq | mv;
        eq |= negative_in;
        uint64_t xh = (((eq & pv) + pv) ^ pv) | eq;
        uint64_t ph = mv | ~(xh | pv), mh = pv & xh;
        uint64_t top = w + 1 == words ? last_bit : 1ull << 63;
        int carry_out = (ph & top) ? 1 : (mh & top) ? -1 : 0;
        ph = ph << 1 | (carry > 0);
        mh = mh << 1 | negative_in;
        plus[w] = mh | ~(xv | ph);
        minus[w] = ph & xv;
        carry = carry_out;
      }
      into[i] = static_cast<int8_t>(carry);
    }
  }
  int64_t distance = static_cast<int64_t>(b.size());
  for (int8_t step : into) distance += step;
  return distance;
}
