// The encoder in eight-bit arithmetic.
#include "bindings/checks.hpp"
#include "encoder/eight_bits.hpp"

namespace plainmark {

using encoder::EightBitEncoder;
using encoder::Sizes;

namespace {

Sizes checked_sizes(int64_t size, int64_t wide, int64_t heads, int64_t layers, int64_t words, int64_t positions) {
  constexpr int64_t LARGEST = 1 << 20;
  check_range(size, 1, LARGEST, "size");
  check_range(wide, 1, LARGEST, "wide");
  check_range(heads, 1, size, "heads");
  check_range(layers, 0, 1000, "layers");
  check_range(words, 1, LARGEST, "words");
  check_range(positions, 1, LARGEST, "positions");
  check(size % encoder::BLOCK == 0 && wide % encoder::BLOCK == 0, "sizes are no multiples of 128");
  check(size % heads == 0 && size / heads % 16 == 0, "the size of a head is no multiple of 16");
  auto whole = [](int64_t value) { return static_cast<size_t>(value); };
  return {whole(size), whole(wide), whole(heads), whole(layers), whole(words), whole(positions)};
}

}  // namespace

void add_encoder(nb::module_& m) {
  m.attr("ENCODER_LEVEL") = encoder::best_level();  // the best instruction set of this processor
  nb::class_<EightBitEncoder>(m, "EightBitEncoder")
      .def("__init__",
           [](EightBitEncoder* self, int64_t size, int64_t wide, int64_t heads, int64_t layers, int64_t words,
              int64_t positions, In<int8_t> matrices, In<float> scales, In<float> floats, double epsilon) {
             Sizes sizes = checked_sizes(size, wide, heads, layers, words, positions);
             check_length(matrices.size(), EightBitEncoder::matrix_numbers(sizes), "matrices");
             check_length(scales.size(), EightBitEncoder::scale_numbers(sizes), "scales");
             check_length(floats.size(), EightBitEncoder::float_numbers(sizes), "floats");
             check_weight(epsilon, "epsilon");
             auto finite = [](float value) { return std::isfinite(value); };
             check(std::ranges::all_of(all(scales), finite), "scales have a number that is not finite");
             check(std::ranges::all_of(all(floats), finite), "floats have a number that is not finite");
             new (self) EightBitEncoder(sizes, all(matrices), all(scales), all(floats), static_cast<float>(epsilon));
           })
      .def("hidden", [](const EightBitEncoder& self, In<int32_t> ids, int64_t tokens, int64_t layer, int64_t level) {
        const Sizes& sizes = self.sizes();
        check_range(tokens, 1, static_cast<int64_t>(sizes.positions), "tokens");
        check_range(layer, 0, static_cast<int64_t>(sizes.layers), "layer");
        check_range(level, 0, 2, "level");
        check(ids.size() % static_cast<size_t>(tokens) == 0, "ids are no whole number of texts");
        check_indices(ids, sizes.words, "ids");
        std::vector<float> out;
        {
          nb::gil_scoped_release unlocked;
          out = self.hidden(all(ids), static_cast<size_t>(tokens), static_cast<size_t>(layer), static_cast<int>(level));
        }
        return to_numpy(std::move(out));
      });
}

}  // namespace plainmark
