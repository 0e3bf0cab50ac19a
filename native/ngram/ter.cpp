// Translation edit rate with Tercom's shift heuristics; limits and order of preference are sacreBLEU's.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "ngram/sequences.hpp"

namespace plainmark {

namespace {

constexpr int64_t kMaxShiftSize = 10, kMaxShiftDistance = 50, kBeam = 25, kMaxCandidates = 1000;
constexpr int32_t kFar = 1 << 29;

enum Op : char { kKeep, kSubstitute, kInsert, kDelete };

struct Cell {
  int32_t cost;
  Op op;
};

class Matrix {  // edit distance inside a beam around the diagonal; rows are output words, columns reference words
 public:
  Matrix(Sequence reference, size_t n_output) : reference_(reference), n_(n_output), width_(reference.size() + 1) {
    cells_.resize((n_ + 1) * width_);
    for (size_t j = 0; j < width_; ++j) cells_[j] = {static_cast<int32_t>(j), kInsert};
    ratio_ = n_ ? static_cast<double>(reference.size()) / static_cast<double>(n_) : 1.0;
    beam_ = kBeam < ratio_ / 2 ? static_cast<int64_t>(std::ceil(ratio_ / 2 + kBeam)) : kBeam;
  }

  // Fills the rows from `first` on and returns the distance; earlier rows must already hold these words.
  int32_t fill(Sequence output, size_t first) {
    for (size_t i = first + 1; i <= n_; ++i) {
      Cell *row = cells_.data() + i * width_, *up = row - width_;
      auto diagonal = static_cast<int64_t>(std::floor(static_cast<double>(i) * ratio_));
      int64_t from = std::max<int64_t>(0, diagonal - beam_);
      int64_t to = i == n_ ? width_ : std::min<int64_t>(width_, diagonal + beam_);
      std::fill(row, row + width_, Cell{kFar, kKeep});
      for (int64_t j = from; j < to; ++j) {
        if (j == 0) {
          row[0] = {up[0].cost + 1, kDelete};
          continue;
        }
        bool same = output[i - 1] == reference_[j - 1];
        Cell best = {up[j - 1].cost + !same, same ? kKeep : kSubstitute};
        if (up[j].cost + 1 < best.cost) best = {up[j].cost + 1, kDelete};
        if (row[j - 1].cost + 1 < best.cost) best = {row[j - 1].cost + 1, kInsert};
        row[j] = best;
      }
    }
    return cells_.back().cost;
  }

  // The position of each reference word in the output, and the words of either side that are in error.
  void align(std::vector<int64_t>& goes_to, std::vector<char>& reference_error, std::vector<char>& output_error) const {
    std::vector<Op> trace;
    for (size_t i = n_, j = width_ - 1; i > 0 || j > 0;) {
      Op op = cells_[i * width_ + j].op;
      trace.push_back(op);
      i -= op != kInsert;
      j -= op != kDelete;
    }
    goes_to.clear(), reference_error.clear(), output_error.clear();
    int64_t at = -1;
    for (auto it = trace.rbegin(); it != trace.rend(); ++it) {
      char wrong = *it != kKeep;
      if (*it != kInsert) ++at, output_error.push_back(wrong);
      if (*it != kDelete) goes_to.push_back(at), reference_error.push_back(wrong);
    }
  }

 private:
  Sequence reference_;
  size_t n_, width_;
  std::vector<Cell> cells_;
  double ratio_;
  int64_t beam_;
};

void shift(Sequence words, int64_t start, int64_t length, int64_t target, std::vector<uint64_t>& out) {
  out.assign(words.begin(), words.end());
  auto at = [&](int64_t i) { return out.begin() + std::min<int64_t>(i, out.size()); };
  if (target < start) {
    std::rotate(at(target), at(start), at(start + length));
  } else if (target > start + length) {
    std::rotate(at(start), at(start + length), at(target));
  } else {
    std::rotate(at(start), at(start + length), at(length + target));
  }
}

bool any(const std::vector<char>& flags, int64_t from, int64_t length) {
  return std::any_of(flags.begin() + from, flags.begin() + from + length, [](char f) { return f; });
}

}  // namespace

int64_t translation_edits(Sequence output, Sequence reference) {
  if (reference.empty()) return static_cast<int64_t>(output.size());
  auto n = static_cast<int64_t>(output.size()), m = static_cast<int64_t>(reference.size());
  std::vector<uint64_t> words(output.begin(), output.end()), trial, best_words;
  Matrix base(reference, words.size()), scratch(reference, words.size());
  std::vector<int64_t> goes_to;
  std::vector<char> reference_error, output_error;
  int64_t shifts = 0, candidates = 0;
  int32_t distance = base.fill(words, 0);
  for (;;) {
    base.align(goes_to, reference_error, output_error);
    scratch = base;
    size_t dirty_from = words.size();  // the rows of `scratch` up to here are those of `words`
    bool found = false;
    std::tuple<int64_t, int64_t, int64_t, int64_t> best;
    for (int64_t h = 0; h < n && candidates < kMaxCandidates; ++h) {
      for (int64_t r = std::max<int64_t>(0, h - kMaxShiftDistance);
           r < m && r <= h + kMaxShiftDistance && candidates < kMaxCandidates; ++r) {
        for (int64_t length = 1; length <= kMaxShiftSize && h + length <= n && r + length <= m &&
                                 words[h + length - 1] == reference[r + length - 1];
             ++length) {
          // Shift only words that are wrong on both sides, and not within themselves.
          if (!any(output_error, h, length) || !any(reference_error, r, length)) continue;
          if (h <= goes_to[r] && goes_to[r] < h + length) continue;
          int64_t previous = -1;
          for (int64_t offset = -1; offset < length; ++offset) {
            int64_t target = r + offset == -1 ? 0 : goes_to[r + offset] + 1;
            if (target == previous) continue;
            previous = target;
            shift(words, h, length, target, trial);
            size_t unchanged = std::min<size_t>(std::min(h, target), dirty_from);
            dirty_from = std::min(h, target);
            auto gain = static_cast<int64_t>(distance - scratch.fill(trial, unchanged));
            ++candidates;
            std::tuple candidate{gain, length, -h, -target};
            if (!found || candidate > best) best = candidate, best_words = trial, found = true;
          }
          if (candidates >= kMaxCandidates) break;
        }
      }
    }
    if (candidates >= kMaxCandidates || !found || std::get<0>(best) <= 0) break;
    ++shifts;
    words = best_words;
    distance = base.fill(words, 0);
  }
  return shifts + distance;
}

}  // namespace plainmark
