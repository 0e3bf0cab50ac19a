// Input from Python is checked once, at the interface, because the kernels follow every index that they receive.
// Lengths and options out of range raise ValueError, indices out of range IndexError.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "bindings/bindings.hpp"

namespace plainmark {

inline void check(bool good, const char* problem) {
  if (!good) throw std::invalid_argument(problem);
}

// An option that is a number.
inline void check_range(int64_t value, int64_t first, int64_t last, const char* name) {
  if (value < first || value > last)
    throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) + "; expected a number from " +
                                std::to_string(first) + " to " + std::to_string(last));
}

// A weight or a score. Sums of many of these are still numbers, so that they can be sorted.
inline bool is_bounded(double value) { return std::abs(value) <= 1e100; }

inline void check_weight(double value, const char* name) {
  if (!is_bounded(value))
    throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                                "; expected a finite number, at most 1e100");
}

inline void check_bounded(const Scores& values, const char* name) {
  if (!std::ranges::all_of(all(values), is_bounded))
    throw std::invalid_argument(std::string(name) + " have a score that is not finite, or is beyond 1e100");
}

// Pieces of `size` entries: offsets begin at 0 or later, never decrease, and end at or before the last entry.
inline bool are_offsets(std::span<const int64_t> values, size_t size) {
  bool falls = false;  // no early exit, so that the compiler can process several at once
  for (size_t i = 1; i < values.size(); ++i) falls |= values[i] < values[i - 1];
  return !values.empty() && !falls && values.front() >= 0 && values.back() <= static_cast<int64_t>(size);
}

inline void check_offsets(const Offsets& offsets, size_t size, const char* name) {
  if (!are_offsets(all(offsets), size))
    throw std::invalid_argument(std::string(name) + " are no offsets into an array of " + std::to_string(size) +
                                " entries: expected at least one number, from 0 up, never falling");
}

inline void check_length(size_t length, size_t expected, const char* name) {
  if (length != expected)
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(length) + " entries; expected " +
                                std::to_string(expected));
}

// Indices from 0 to size - 1.
template <class T>
void check_indices(const In<T>& indices, size_t size, const char* name) {
  auto values = all(indices);
  bool outside = false;
  for (T value : values) outside |= static_cast<uint64_t>(static_cast<int64_t>(value)) >= size;
  if (outside)
    throw std::out_of_range(std::string(name) + " has an index outside of 0 to " + std::to_string(size) + " - 1");
}

// Texts as token arrays, and pairs of a text on the left and one on the right.
template <class T>
struct TokenPairs {
  In<T> a, b;
  Offsets a_offsets, b_offsets, left, right;

  void check() const {
    check_offsets(a_offsets, a.size(), "offsets of the left texts");
    check_offsets(b_offsets, b.size(), "offsets of the right texts");
    check_length(right.size(), left.size(), "right");
    check_indices(left, a_offsets.size() - 1, "left");
    check_indices(right, b_offsets.size() - 1, "right");
  }
  size_t size() const { return left.size(); }
  std::span<const T> from(size_t pair) const { return text(a, a_offsets, left.data()[pair]); }
  std::span<const T> to(size_t pair) const { return text(b, b_offsets, right.data()[pair]); }

  static std::span<const T> text(const In<T>& tokens, const Offsets& offsets, int64_t i) {
    return {tokens.data() + offsets.data()[i], static_cast<size_t>(offsets.data()[i + 1] - offsets.data()[i])};
  }
};

}  // namespace plainmark
