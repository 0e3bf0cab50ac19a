#include "decode/span_vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace plainmark {

namespace {

constexpr size_t kLanes = 16;  // partial sums side by side, which the compiler makes vectors of
constexpr float kEpsilon = 1e-5F;

using Lanes = std::array<float, kLanes>;

float total_of(const Lanes& lanes) {
  float sum = 0;
  for (float lane : lanes) sum += lane;
  return sum;
}

// The mean of f(k) over k from 0 to size - 1.
template <class F>
float mean(size_t size, F f) {
  Lanes lanes{};
  size_t k = 0;
  for (; k + kLanes <= size; k += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += f(k + lane);
  for (; k < size; ++k) lanes[0] += f(k);
  return total_of(lanes) / static_cast<float>(size);
}

}  // namespace

std::vector<float> span_vectors(const SpanParts& parts, size_t words, size_t size) {
  std::vector<float> out(words * (words + 1) / 2 * size);
  float* row = out.data();
  for (size_t i = 0; i < words; ++i) {
    const float *first = parts.first + i * size, *before = parts.total + i * size;
    for (size_t j = i; j < words; ++j, row += size) {
      const float *last = parts.last + j * size, *after = parts.total + (j + 1) * size;
      const float* width = parts.width + (j - i) * size;
      const float share = 1 / static_cast<float>(j - i + 1);
      for (size_t k = 0; k < size; ++k) row[k] = (after[k] - before[k]) * share + first[k] + last[k] + width[k];
      const float middle = mean(size, [&](size_t k) { return row[k]; });
      const float variance = mean(size, [&](size_t k) { return (row[k] - middle) * (row[k] - middle); });
      const float factor = 1 / std::sqrt(variance + kEpsilon);
      for (size_t k = 0; k < size; ++k)
        row[k] = std::max((row[k] - middle) * factor * parts.scale[k] + parts.shift[k], 0.0F);
    }
  }
  return out;
}

}  // namespace plainmark
