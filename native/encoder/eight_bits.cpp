#include "encoder/eight_bits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))
#define PLAINMARK_X86 1
#include <immintrin.h>
#endif

namespace plainmark::encoder {
namespace {

constexpr float ROUNDER = 12582912.0f;  // adding it rounds to an integer, in the lowest bits
constexpr int32_t ROUNDER_BITS = 0x4B400000;
constexpr size_t GROUP_TOKENS = 256;  // processed together, so that intermediate results stay in the cache

struct Buffers {
  std::vector<float> wide, narrow, scales, keys, shares;
  std::vector<uint8_t> q;
};

// Each namespace has a function `panel`: the product of all rows with PANEL results, without scale and bias.

namespace portable {
#define TARGET
constexpr size_t WIDTH = 4;
#if defined(__GNUC__) || defined(__clang__)
typedef float Vector __attribute__((vector_size(4 * WIDTH)));
#else
struct Vector {
  float numbers[WIDTH];
};
#endif

// sums + x * w; whole numbers, which are exact whether product and sum are fused or not.
static inline Vector multiply_add(float x, const float* w, Vector sums) {
#if defined(__GNUC__) || defined(__clang__)
  Vector v;
  std::memcpy(&v, w, sizeof v);
  return sums + x * v;
#else
  for (size_t n = 0; n < WIDTH; ++n) sums.numbers[n] += x * w[n];
  return sums;
#endif
}

#include "encoder/float_panel.hpp"
#include "encoder/rows.hpp"
#undef TARGET
}  // namespace portable

#ifdef PLAINMARK_X86

namespace avx2 {
#define TARGET __attribute__((target("avx2,fma")))
constexpr size_t WIDTH = 8;
typedef __m256 Vector;

TARGET static inline Vector multiply_add(float x, const float* w, Vector sums) {
  return _mm256_fmadd_ps(_mm256_set1_ps(x), _mm256_load_ps(w), sums);
}

#include "encoder/float_panel.hpp"
#include "encoder/rows.hpp"
#undef TARGET
}  // namespace avx2

namespace vnni {
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,prefer-vector-width=512")))
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
constexpr size_t TILE_ROWS = 6;

// Four inputs of one token, sixteen times.
TARGET static inline __m512i four(const uint8_t* q) {
  int32_t values;
  std::memcpy(&values, q, sizeof values);
  return _mm512_set1_epi32(values);
}

// In assembly, because in the compiler's own code GCC keeps the sums in memory.
TARGET static inline void dot(__m512i& sums, __m512i x, __m512i w) { asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(x), "v"(w)); }

TARGET static inline void add(float* sums, __m512i dots, float scale, bool first) {
  __m512 part = _mm512_mul_ps(_mm512_cvtepi32_ps(dots), _mm512_set1_ps(scale));
  _mm512_store_ps(sums, first ? part : _mm512_add_ps(_mm512_load_ps(sums), part));
}

template <size_t R>
TARGET static void tile(const Linear& m, size_t first, const uint8_t* q, const float* scales, float* out) {
  size_t blocks = m.inputs / BLOCK;
  const int8_t* w = m.weights.data() + first * m.inputs;
  const int32_t* offsets = m.offsets.data() + first * blocks;
  alignas(64) float sums[R][PANEL];
  for (size_t b = 0; b < blocks; ++b, offsets += PANEL) {
    // Variables, not arrays, which compilers keep in memory.
    __m512i c0 = _mm512_loadu_si512(offsets), c1 = _mm512_loadu_si512(offsets + 16);
    __m512i c2 = _mm512_loadu_si512(offsets + 32), c3 = _mm512_loadu_si512(offsets + 48);
#define START(r) __m512i dots##r##0 = c0, dots##r##1 = c1, dots##r##2 = c2, dots##r##3 = c3;
    EACH_ROW(START)
    for (size_t k = 0; k < BLOCK; k += 4, w += 4 * PANEL) {
      __m512i w0 = _mm512_loadu_si512(w), w1 = _mm512_loadu_si512(w + 64);
      __m512i w2 = _mm512_loadu_si512(w + 128), w3 = _mm512_loadu_si512(w + 192);
#define MULTIPLY(r)                                                   \
  if constexpr (r < R) {                                              \
    __m512i x = four(q + r * m.inputs + b * BLOCK + k);               \
    dot(dots##r##0, x, w0);\
    dot(dots##r##1, x, w1);\
    dot(dots##r##2, x, w2);\
    dot(dots##r##3, x, w3);\
  }
      for (int c = 0; c < 4; ++c) _mm_prefetch(reinterpret_cast<const char*>(w + 24 * PANEL + 64 * c), _MM_HINT_T0);
      EACH_ROW(MULTIPLY)
    }
#define ADD(r)                                                        \
  if constexpr (r < R) {                                              \
    add(sums[r], dots##r##0, scales[r * blocks + b], b == 0);         \
    add(sums[r] + 16, dots##r##1, scales[r * blocks + b], b == 0);    \
    add(sums[r] + 32, dots##r##2, scales[r * blocks + b], b == 0);    \
    add(sums[r] + 48, dots##r##3, scales[r * blocks + b], b == 0);    \
  }
    EACH_ROW(ADD)
  }
  for (size_t r = 0; r < R; ++r) std::memcpy(out + r * m.results, sums[r], sizeof sums[r]);
}

TARGET static void panel(const Linear& m, size_t first, const uint8_t* q, const float* scales, size_t rows, float* out) {
  size_t i = 0, blocks = m.inputs / BLOCK;
  for (; i + TILE_ROWS <= rows; i += TILE_ROWS)
    tile<TILE_ROWS>(m, first, q + i * m.inputs, scales + i * blocks, out + i * m.results + first);
  for (; i < rows; ++i) tile<1>(m, first, q + i * m.inputs, scales + i * blocks, out + i * m.results + first);
}

#include "encoder/rows.hpp"
#undef TARGET
}  // namespace vnni

#endif

// Takes numbers from the front of a span.
template <class T>
std::span<const T> take(std::span<const T>& values, size_t n) {
  auto front = values.first(n);
  values = values.subspan(n);
  return front;
}

std::vector<float> take_floats(std::span<const float>& values, size_t n) {
  auto front = take(values, n);
  return {front.begin(), front.end()};
}

Linear pack(size_t results, size_t inputs, std::span<const int8_t>& matrices, std::span<const float>& scales,
            std::span<const float>& floats) {
  Linear out{inputs, results, {}, {}, take_floats(scales, results), take_floats(floats, results)};
  auto rows = take(matrices, results * inputs);
  out.weights.reserve(results * inputs);
  for (size_t first = 0; first < results; first += PANEL) {
    for (size_t k = 0; k < inputs; k += 4)
      for (size_t n = 0; n < PANEL; ++n)
        for (size_t j = 0; j < 4; ++j) out.weights.push_back(rows[(first + n) * inputs + k + j]);
    for (size_t b = 0; b < inputs; b += BLOCK)
      for (size_t n = 0; n < PANEL; ++n) {
        int32_t sum = 0;
        for (size_t k = 0; k < BLOCK; ++k) sum += rows[(first + n) * inputs + b + k];
        out.offsets.push_back(-128 * sum);
      }
  }
  return out;
}

Norm take_norm(std::span<const float>& floats, size_t size) {
  auto scale = take_floats(floats, size);
  return {std::move(scale), take_floats(floats, size)};
}

}  // namespace

size_t EightBitEncoder::matrix_numbers(const Sizes& s) {
  return s.words * s.size + s.layers * (4 * s.size * s.size + 2 * s.size * s.wide);
}

size_t EightBitEncoder::scale_numbers(const Sizes& s) { return s.words + s.layers * (5 * s.size + s.wide); }

size_t EightBitEncoder::float_numbers(const Sizes& s) {
  return s.positions * s.size + 2 * s.size + s.layers * (9 * s.size + s.wide);
}

EightBitEncoder::EightBitEncoder(const Sizes& sizes, std::span<const int8_t> matrices, std::span<const float> scales,
                                 std::span<const float> floats, float epsilon)
    : sizes_(sizes), epsilon_(epsilon) {
  auto words = take(matrices, sizes.words * sizes.size);
  words_.assign(words.begin(), words.end());
  word_scales_ = take_floats(scales, sizes.words);
  positions_ = take_floats(floats, sizes.positions * sizes.size);
  first_ = take_norm(floats, sizes.size);
  for (size_t i = 0; i < sizes.layers; ++i) {
    Layer layer;
    layer.attention = pack(3 * sizes.size, sizes.size, matrices, scales, floats);
    layer.mixing = pack(sizes.size, sizes.size, matrices, scales, floats);
    layer.mixed = take_norm(floats, sizes.size);
    layer.widen = pack(sizes.wide, sizes.size, matrices, scales, floats);
    layer.narrow = pack(sizes.size, sizes.wide, matrices, scales, floats);
    layer.output = take_norm(floats, sizes.size);
    layers_.push_back(std::move(layer));
  }
}

std::vector<float> EightBitEncoder::hidden(std::span<const int32_t> ids, size_t tokens, size_t layer, int level) const {
  auto run_layer = portable::run_layer;
  auto normalise = portable::normalise;
#ifdef PLAINMARK_X86
  level = std::min(level, best_level());
  if (level == 1) run_layer = avx2::run_layer, normalise = avx2::normalise;
  if (level == 2) run_layer = vnni::run_layer, normalise = vnni::normalise;
#else
  (void)level;
#endif
  size_t size = sizes_.size, texts = ids.size() / tokens;
  std::vector<float> out(ids.size() * size);
  for (size_t i = 0; i < ids.size(); ++i) {
    const int8_t* word = words_.data() + static_cast<size_t>(ids[i]) * size;
    const float* position = positions_.data() + i % tokens * size;
    float scale = word_scales_[static_cast<size_t>(ids[i])];
    for (size_t k = 0; k < size; ++k) out[i * size + k] = static_cast<float>(word[k]) * scale + position[k];
  }
  normalise(out.data(), ids.size(), size, first_, epsilon_);
  size_t together = std::max<size_t>(1, std::min(texts, GROUP_TOKENS / tokens)), rows = together * tokens;
  size_t widest = std::max(3 * size, sizes_.wide), padded = (tokens + 15) / 16 * 16;
  Buffers buffers{std::vector<float>(rows * widest), std::vector<float>(rows * size),
                  std::vector<float>(rows * widest / BLOCK), std::vector<float>(size / sizes_.heads * padded),
                  std::vector<float>(padded), std::vector<uint8_t>(rows * widest)};
  for (size_t first = 0; first < texts; first += together) {
    size_t count = std::min(together, texts - first);
    for (size_t i = 0; i < layer; ++i)
      run_layer(layers_[i], sizes_, epsilon_, out.data() + first * tokens * size, count, tokens, buffers);
  }
  return out;
}

int best_level() {
#ifdef PLAINMARK_X86
  static const int level = [] {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
      return 2;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1 : 0;
  }();
  return level;
#else
  return 0;
#endif
}

}  // namespace plainmark::encoder
