// Conversion of texts and arrays between Python and the kernels.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "text/texts.hpp"

namespace plainmark {

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Hashes = In<uint64_t>;
using Offsets = In<int64_t>;
using Counts = In<uint32_t>;
using Symbols = In<int32_t>;
using Scores = In<double>;

template <class T>
std::span<const T> all(const In<T>& array) {
  return {array.data(), array.size()};
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::initializer_list<size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(owned->data(), shape, owner);
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values) {
  size_t n = values.size();
  return to_numpy(std::move(values), {n});
}

// The UTF-8 bytes of a list of Python strings, lowercased if asked. Lone surrogates pass through.
// ASCII text is borrowed and lowercased later by the tokeniser; other text is lowercased by Python,
// whose rules (final sigma, dotted capital I) are those of every reference implementation.
class PythonTexts : public Texts {
 public:
  PythonTexts(nb::list texts, bool lowercase);

 private:
  nb::object strings_;  // a tuple: the list may change while the kernels work without the interpreter lock
  std::vector<std::unique_ptr<std::string>> owned_;
};

// Parts of the Python module.
void add_text(nb::module_& m);
void add_ngrams(nb::module_& m);
void add_sequences(nb::module_& m);
void add_statistics(nb::module_& m);
void add_language_model(nb::module_& m);
void add_charts(nb::module_& m);
void add_lattice(nb::module_& m);
void add_scfg(nb::module_& m);
void add_encoder(nb::module_& m);

}  // namespace plainmark
