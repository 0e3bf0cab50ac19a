#include "ngram/sequences.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "ngram/lcs_rows.hpp"

namespace plainmark {

namespace {

// A token that occurs in b needs a mask of |b| bits; a text with 100,000 distinct tokens would need too many.
// Long sequences are therefore cut into strips of b, the carries between strips kept per row of a.
constexpr size_t kStrip = 1 << 14;

// The positions of each distinct token in a sequence: as sorted lists, which need less memory than masks for a long text,
// and as masks for the few tokens that are so frequent that their lists would be longer.
class Occurrences {
 public:
  explicit Occurrences(Sequence b) : words_((b.size() + 63) / 64), lists_(b.size()) {
    std::vector<uint32_t> ids(b.size());
    for (size_t j = 0; j < b.size(); ++j) {
      auto [it, fresh] = entries_.try_emplace(b[j], static_cast<uint32_t>(starts_.size()));
      if (fresh) starts_.push_back(0);
      ids[j] = it->second;
      ++starts_[ids[j]];
    }
    uint32_t sum = 0;
    for (uint32_t& start : starts_) sum += std::exchange(start, sum);
    starts_.push_back(sum);
    std::vector<uint32_t> at(starts_.begin(), starts_.end() - 1);
    for (size_t j = 0; j < b.size(); ++j) lists_[at[ids[j]]++] = static_cast<uint32_t>(j);
    masks_.resize(starts_.size() - 1);
    for (size_t id = 0; id < masks_.size(); ++id) {
      if (starts_[id + 1] - starts_[id] < 2 * words_ + 8) continue;
      masks_[id].assign(words_, 0);
      for (size_t k = starts_[id]; k < starts_[id + 1]; ++k) masks_[id][lists_[k] / 64] |= 1ull << (lists_[k] % 64);
    }
  }

  // The next row of the bit-parallel LCS; words without the token change only where a carry runs through them.
  void step(uint64_t* row, uint64_t token) const {
    auto it = entries_.find(token);
    if (it == entries_.end()) return;
    uint32_t id = it->second;
    if (!masks_[id].empty()) {
      lcs_row(row, masks_[id].data(), words_, 0);
      return;
    }
    uint64_t carry = 0;
    const uint32_t *at = lists_.data() + starts_[id], *end = lists_.data() + starts_[id + 1];
    for (size_t w = 0; w < words_ && (carry || at < end); ++w) {
      if (!carry) w = *at / 64;
      uint64_t mask = 0;
      for (; at < end && *at / 64 == w; ++at) mask |= 1ull << (*at % 64);
      carry = lcs_row(row + w, &mask, 1, carry);
    }
  }

 private:
  size_t words_;
  std::vector<uint32_t> starts_, lists_;
  std::vector<std::vector<uint64_t>> masks_;
  std::unordered_map<uint64_t, uint32_t> entries_;
};

constexpr size_t kRowsInMemory = (64 << 20) / sizeof(uint64_t);

}  // namespace

int64_t lcs_length(Sequence a, Sequence b) {
  int64_t length = 0;
  std::vector<uint8_t> carry(a.size(), 0);
  for (size_t start = 0; start < b.size(); start += kStrip) {
    Sequence strip = b.subspan(start, std::min(kStrip, b.size() - start));
    Positions positions(strip);
    // The last strip may be ragged: its unused high bits never become zero because no token is there.
    std::vector<uint64_t> row(positions.words(), ~0ull);
    for (size_t i = 0; i < a.size(); ++i)
      carry[i] = static_cast<uint8_t>(lcs_row(row.data(), positions.of(a[i]), positions.words(), carry[i]));
    length += zeros(row.data(), strip.size());
  }
  return length;
}

void lcs_match(Sequence a, Sequence b, int32_t* partner) {
  std::fill(partner, partner + a.size(), -1);
  // Equal ends need no search, and most simplifications keep long ends. Which of several longest common
  // subsequences is found does not change at the end that is walked from, so only that end is cut.
  size_t n = a.size(), m = b.size();
  while (n > 0 && m > 0 && a[n - 1] == b[m - 1]) {
    --n, --m;
    partner[n] = static_cast<int32_t>(m);
  }
  if (n == 0 || m == 0) return;
  Occurrences occurrences(b.first(m));
  size_t words = (m + 63) / 64;
  // Walking back needs every row. Rows that do not fit are stored at every `block`-th row and recomputed from there.
  size_t block = (n + 1) * words <= kRowsInMemory ? n : static_cast<size_t>(std::sqrt(static_cast<double>(n))) + 1;
  size_t first = (n - 1) / block * block;  // the row before the last block
  std::vector<uint64_t> marks((first / block + 1) * words, ~0ull), rows((std::min(block, n) + 1) * words, ~0ull);
  for (size_t i = 0; i < first; ++i) {
    if (i % block == 0) std::copy_n(rows.data(), words, marks.data() + i / block * words);
    occurrences.step(rows.data(), a[i]);
  }
  std::copy_n(rows.data(), words, marks.data() + first / block * words);
  auto fill = [&](size_t last) {  // rows first .. last
    std::copy_n(marks.data() + first / block * words, words, rows.data());
    for (size_t i = first; i < last; ++i) {
      uint64_t* row = rows.data() + (i + 1 - first) * words;
      std::copy_n(row - words, words, row);
      occurrences.step(row, a[i]);
    }
  };
  fill(n);

  size_t i = n, j = m;
  auto row = [&](size_t k) { return rows.data() + (k - first) * words; };
  auto grows = [&](size_t k, size_t column) {  // whether the table rises from column - 1 to column
    return !(row(k)[(column - 1) / 64] >> ((column - 1) % 64) & 1);
  };
  auto step_up = [&] {
    if (--i == first && i > 0) {
      size_t last = first;
      first -= block;
      fill(last);
    }
  };
  int64_t here = zeros(row(i), j), above = zeros(row(i - 1), j);
  while (i > 0 && j > 0) {
    if (a[i - 1] == b[j - 1]) {
      partner[i - 1] = static_cast<int32_t>(--j);
      step_up();
      here -= 1;
      if (i > 0) above = zeros(row(i - 1), j);
    } else if (here - grows(i, j) > above) {
      here -= grows(i, j);
      above -= grows(i - 1, j);
      --j;
    } else {
      step_up();
      here = above;
      if (i > 0) above = zeros(row(i - 1), j);
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

}  // namespace plainmark
