// The arithmetic of a group of texts; included once per instruction set by eight_bits.cpp, which defines TARGET and the
// function `panel`. Loops run over 16 numbers at a time, so that compilers turn them into vector instructions.

TARGET inline float exponential(float x) {
  x = std::min(std::max(x, -87.0f), 88.0f);
  float shifted = x * 1.44269504f + ROUNDER;
  float n = shifted - ROUNDER;
  float r = x - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  int32_t exponent = (std::bit_cast<int32_t>(shifted) - ROUNDER_BITS + 127) << 23;
  return p * std::bit_cast<float>(exponent);
}

// x times the share of a normal distribution below x; the error function by Abramowitz and Stegun, 7.1.26.
TARGET inline float gelu(float x) {
  float z = std::fabs(x) * 0.70710678f;
  float t = 1.0f / (1.0f + 0.3275911f * z);
  float p = 1.061405429f;
  p = p * t - 1.453152027f;
  p = p * t + 1.421413741f;
  p = p * t - 0.284496736f;
  p = p * t + 0.254829592f;
  float tail = 0.5f * p * t * exponential(-z * z);
  return x * (x > 0 ? 1.0f - tail : tail);
}

TARGET inline float total(const float* partial) {
  float sums[8];
  for (size_t j = 0; j < 8; ++j) sums[j] = partial[j] + partial[j + 8];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

TARGET inline float largest(const float* partial) {
  float peak = partial[0];
  for (size_t j = 1; j < 16; ++j) peak = std::max(peak, partial[j]);
  return peak;
}

TARGET static void normalise(float* x, size_t rows, size_t size, const Norm& norm, float epsilon) {
  for (size_t i = 0; i < rows; ++i, x += size) {
    float sums[16] = {}, squares[16] = {};
    for (size_t k = 0; k < size; k += 16)
      for (size_t j = 0; j < 16; ++j) sums[j] += x[k + j];
    float mean = total(sums) / static_cast<float>(size);
    for (size_t k = 0; k < size; k += 16)
      for (size_t j = 0; j < 16; ++j) squares[j] += (x[k + j] - mean) * (x[k + j] - mean);
    float by = 1.0f / std::sqrt(total(squares) / static_cast<float>(size) + epsilon);
    const float *scale = norm.scale.data(), *shift = norm.shift.data();
    for (size_t k = 0; k < size; ++k) x[k] = (x[k] - mean) * by * scale[k] + shift[k];
  }
}

TARGET static void quantise(const float* x, size_t numbers, uint8_t* q, float* scales) {
  for (size_t start = 0; start < numbers; start += BLOCK, x += BLOCK, q += BLOCK) {
    float peaks[16] = {};
    for (size_t k = 0; k < BLOCK; k += 16)
      for (size_t j = 0; j < 16; ++j) peaks[j] = std::max(peaks[j], std::fabs(x[k + j]));
    float peak = largest(peaks);
    *scales++ = peak / 127.0f;
    float by = peak > 1e-30f ? 127.0f / peak : 0.0f;
    for (size_t k = 0; k < BLOCK; ++k)
      q[k] = static_cast<uint8_t>(std::bit_cast<int32_t>(x[k] * by + ROUNDER) - ROUNDER_BITS + 128);
  }
}

// The product of all rows with a matrix, plus bias.
TARGET static void multiply(const Linear& matrix, const float* x, size_t rows, float* out, Buffers& buffers) {
  uint8_t* q = buffers.q.data();
  float* scales = buffers.scales.data();
  quantise(x, rows * matrix.inputs, q, scales);
  for (size_t first = 0; first < matrix.results; first += PANEL) panel(matrix, first, q, scales, rows, out);
  const float *scale = matrix.scale.data(), *bias = matrix.bias.data();
  for (size_t i = 0; i < rows; ++i, out += matrix.results)
    for (size_t n = 0; n < matrix.results; ++n) out[n] = out[n] * scale[n] + bias[n];
}

// The attention of each token of one text to the others; qkv has query, key and value of each token side by side.
TARGET static void attend(const float* qkv, size_t tokens, size_t size, size_t heads, float* out, Buffers& buffers) {
  size_t width = size / heads, padded = (tokens + 15) / 16 * 16;
  float by = 1.0f / std::sqrt(static_cast<float>(width));
  float *keys = buffers.keys.data(), *shares = buffers.shares.data();
  for (size_t head = 0; head < heads; ++head) {
    const float* query = qkv + head * width;
    for (size_t d = 0; d < width; ++d)
      for (size_t j = 0; j < padded; ++j) keys[d * padded + j] = j < tokens ? query[j * 3 * size + size + d] * by : 0.0f;
    for (size_t i = 0; i < tokens; ++i) {
      const float* own = query + i * 3 * size;
      float peaks[16], sums[16] = {};
      for (size_t j = 0; j < 16; ++j) peaks[j] = -1e30f;
      for (size_t k = 0; k < padded; k += 16) {
        float dots[16] = {};
        for (size_t d = 0; d < width; ++d)
          for (size_t j = 0; j < 16; ++j) dots[j] += own[d] * keys[d * padded + k + j];
        for (size_t j = 0; j < 16; ++j) shares[k + j] = dots[j];
      }
      for (size_t j = tokens; j < padded; ++j) shares[j] = -1e30f;
      for (size_t k = 0; k < padded; k += 16)
        for (size_t j = 0; j < 16; ++j) peaks[j] = std::max(peaks[j], shares[k + j]);
      float peak = largest(peaks);
      for (size_t j = 0; j < padded; ++j) shares[j] = exponential(shares[j] - peak);
      for (size_t j = tokens; j < padded; ++j) shares[j] = 0.0f;
      for (size_t k = 0; k < padded; k += 16)
        for (size_t j = 0; j < 16; ++j) sums[j] += shares[k + j];
      float part = 1.0f / total(sums);
      float* result = out + i * size + head * width;
      for (size_t d = 0; d < width; d += 16) {
        float mix[16] = {};
        const float* values = query + 2 * size + d;
        for (size_t j = 0; j < tokens; ++j)
          for (size_t c = 0; c < 16; ++c) mix[c] += shares[j] * values[j * 3 * size + c];
        for (size_t c = 0; c < 16; ++c) result[d + c] = mix[c] * part;
      }
    }
  }
}

// One layer over the rows of texts of one length, in place.
TARGET static void run_layer(const Layer& layer, const Sizes& sizes, float epsilon, float* x, size_t texts, size_t tokens,
                             Buffers& buffers) {
  size_t rows = texts * tokens, size = sizes.size;
  float *wide = buffers.wide.data(), *narrow = buffers.narrow.data();
  multiply(layer.attention, x, rows, wide, buffers);
  for (size_t t = 0; t < texts; ++t)
    attend(wide + t * tokens * 3 * size, tokens, size, sizes.heads, narrow + t * tokens * size, buffers);
  multiply(layer.mixing, narrow, rows, wide, buffers);
  for (size_t k = 0; k < rows * size; ++k) x[k] += wide[k];
  normalise(x, rows, size, layer.mixed, epsilon);
  multiply(layer.widen, x, rows, wide, buffers);
  for (size_t k = 0; k < rows * sizes.wide; ++k) wide[k] = gelu(wide[k]);
  multiply(layer.narrow, wide, rows, narrow, buffers);
  for (size_t k = 0; k < rows * size; ++k) x[k] += narrow[k];
  normalise(x, rows, size, layer.output, epsilon);
}
