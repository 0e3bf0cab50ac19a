// How text and arrays cross between Python and the kernels.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Hashes = In<uint64_t>;
using Offsets = In<int64_t>;
using Counts = In<uint32_t>;

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
// whose rules (final sigma, dotted capital I) are those of every peer.
struct Texts {
  struct Piece {
    std::string_view bytes;
    bool ascii;
  };
  std::vector<Piece> pieces;
  Texts(nb::list texts, bool lowercase);

 private:
  std::vector<std::unique_ptr<std::string>> owned_;
};
