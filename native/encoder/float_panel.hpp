// Products of integers in floats, for processors without instructions for eight-bit integers; included once per
// instruction set by eight_bits.cpp, which defines TARGET, WIDTH, Vector and multiply_add. No sum over a block exceeds
// 128 * 128 * 127 < 2^24, so floats represent each exactly.

#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
constexpr size_t TILE_ROWS = 6;
constexpr size_t COLUMNS = 2 * WIDTH;

// The products of R rows with COLUMNS columns of an unpacked block. Variables, not arrays, which compilers keep in memory.
template <size_t R>
TARGET static inline void dot_block(const float* x, const float* w, float* dots) {
#define START(r) [[maybe_unused]] Vector left##r = {}, right##r = {};
  EACH_ROW(START)
  for (size_t k = 0; k < BLOCK; ++k, w += PANEL) {
#define MULTIPLY(r)                                            \
  if constexpr (r < R) {                                       \
    left##r = multiply_add(x[r * BLOCK + k], w, left##r);      \
    right##r = multiply_add(x[r * BLOCK + k], w + WIDTH, right##r); \
  }
    EACH_ROW(MULTIPLY)
  }
#define STORE(r)                                                            \
  if constexpr (r < R) {                                                    \
    std::memcpy(dots + r * COLUMNS, &left##r, sizeof(Vector));              \
    std::memcpy(dots + r * COLUMNS + WIDTH, &right##r, sizeof(Vector));     \
  }
  EACH_ROW(STORE)
#undef START
#undef MULTIPLY
#undef STORE
}

// Adds the products of R rows with a block of the matrix to the results.
template <size_t R>
TARGET static void add_block(const Linear& m, const float* w, const uint8_t* q, const float* scales, bool first, float* out) {
  size_t blocks = m.inputs / BLOCK;
  float x[R * BLOCK], dots[R * COLUMNS];
  for (size_t r = 0; r < R; ++r)
    for (size_t k = 0; k < BLOCK; ++k) x[r * BLOCK + k] = static_cast<float>(static_cast<int32_t>(q[r * m.inputs + k]) - 128);
  for (size_t n = 0; n < PANEL; n += COLUMNS) {
    dot_block<R>(x, w + n, dots);
    for (size_t r = 0; r < R; ++r) {
      float *row = out + r * m.results + n, scale = scales[r * blocks];
      for (size_t c = 0; c < COLUMNS; ++c) {
        float part = dots[r * COLUMNS + c] * scale;
        row[c] = first ? part : row[c] + part;
      }
    }
  }
}

TARGET static void panel(const Linear& m, size_t first, const uint8_t* q, const float* scales, size_t rows, float* out) {
  size_t blocks = m.inputs / BLOCK;
  const int8_t* packed = m.weights.data() + first * m.inputs;
  alignas(64) float w[BLOCK * PANEL];
  for (size_t b = 0; b < blocks; ++b, q += BLOCK, ++scales) {
    for (size_t k = 0; k < BLOCK; k += 4, packed += 4 * PANEL)
      for (size_t j = 0; j < 4; ++j)
        for (size_t n = 0; n < PANEL; ++n) w[(k + j) * PANEL + n] = packed[4 * n + j];
    size_t i = 0;
    for (; i + TILE_ROWS <= rows; i += TILE_ROWS)
      add_block<TILE_ROWS>(m, w, q + i * m.inputs, scales + i * blocks, b == 0, out + i * m.results + first);
    for (; i < rows; ++i)
      add_block<1>(m, w, q + i * m.inputs, scales + i * blocks, b == 0, out + i * m.results + first);
  }
}

#undef EACH_ROW
