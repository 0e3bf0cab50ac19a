// A BERT-like encoder whose matrix products use eight-bit integers.
//   q[i, k]   = round(127 x[i, k] / peak[i, b])       peak: the largest |x| of token i in the block b of 128 numbers
//   y[i, n]   = scale[n] * sum over b of peak[i, b] / 127 * (sum over k in b of q[i, k] w[n, k]) + bias[n]
// Everything else is in 32-bit floats. Sums of integers are exact, floats are added in a fixed order, and no product is
// fused with a sum, so each token's vector is bit-identical whatever else is in the batch, and with every instruction set
// below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plainmark::encoder {

constexpr size_t BLOCK = 128;  // numbers that share a scale; sizes are multiples of it
constexpr size_t PANEL = 64;  // results that are computed together

// A matrix of rows of results, in the order in which products read it: panel, four columns, result, column.
struct Linear {
  size_t inputs = 0, results = 0;
  std::vector<int8_t> weights;
  std::vector<int32_t> offsets;  // panel, block, result: -128 times the sum of the weights, as inputs are stored plus 128
  std::vector<float> scale, bias;
};

struct Norm {
  std::vector<float> scale, shift;
};

struct Layer {
  Linear attention, mixing, widen, narrow;
  Norm mixed, output;
};

struct Sizes {
  size_t size, wide, heads, layers, words, positions;
};

class EightBitEncoder {
 public:
  // All matrices by rows of results, one after the other: words; then of each layer query, key and value as one, mixing, widen,
  // narrow. `scales` has one number for each of their rows. `floats`: positions; scale and shift of the first normalisation;
  // then of each layer the biases of its four matrices, each of the last three followed (mixing, narrow) by its normalisation.
  EightBitEncoder(const Sizes& sizes, std::span<const int8_t> matrices, std::span<const float> scales,
                  std::span<const float> floats, float epsilon);

  static size_t matrix_numbers(const Sizes& sizes);
  static size_t scale_numbers(const Sizes& sizes);
  static size_t float_numbers(const Sizes& sizes);

  // Vectors of texts of one length after a layer (0: the embeddings), with the instruction set `level` or the next lower one that
  // the processor has: 0 portable, 1 AVX2 with FMA, 2 AVX-512 VNNI. The first two multiply whole numbers in floats.
  std::vector<float> hidden(std::span<const int32_t> ids, size_t tokens, size_t layer, int level) const;

  const Sizes& sizes() const { return sizes_; }

 private:
  Sizes sizes_;
  float epsilon_;
  std::vector<int8_t> words_;
  std::vector<float> word_scales_, positions_;
  Norm first_;
  std::vector<Layer> layers_;
};

// The best instruction set of this processor, as `hidden` numbers them.
int best_level();

}  // namespace plainmark::encoder
