// 64-bit hashes of tokens and n-grams. Two different n-grams of one sample share a hash with a
// probability of about 1e-13 for a sentence and 1e-8 for a 100,000-word document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if !defined(__SIZEOF_INT128__) && defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
#include <intrin.h>
#endif

namespace plainmark {

// The 128 bits of a product.
struct Product {
  uint64_t low, high;
};

// For compilers without wider numbers: schoolbook multiplication on halves.
constexpr Product multiply_halves(uint64_t a, uint64_t b) {
  uint64_t a_low = a & 0xFFFFFFFF, a_high = a >> 32, b_low = b & 0xFFFFFFFF, b_high = b >> 32;
  uint64_t low = a_low * b_low;
  uint64_t middle = a_high * b_low + (low >> 32);
  uint64_t other = a_low * b_high + (middle & 0xFFFFFFFF);
  return {other << 32 | (low & 0xFFFFFFFF), a_high * b_high + (middle >> 32) + (other >> 32)};
}
static_assert(multiply_halves(~0ull, ~0ull).low == 1 && multiply_halves(~0ull, ~0ull).high == ~0ull - 1);
static_assert(multiply_halves(0x9E3779B97F4A7C15ull, 0xD1B54A32D192ED03ull).low ==
              0x9E3779B97F4A7C15ull * 0xD1B54A32D192ED03ull);

inline Product multiply(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
  unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return {static_cast<uint64_t>(product), static_cast<uint64_t>(product >> 64)};
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
  return {a * b, __umulh(a, b)};
#else
  return multiply_halves(a, b);
#endif
}

inline uint64_t fold_multiply(uint64_t a, uint64_t b) {
  Product product = multiply(a, b);
  return product.low ^ product.high;
}

// The last `left` < 8 bytes at p as a number, in wide loads: copying byte by byte would stall the next read.
inline uint64_t tail_bytes(const char* p, size_t left, size_t size) {
  if (left == 0) return 0;
  if (size >= 8) {
    uint64_t word;
    std::memcpy(&word, p + left - 8, 8);
    return word >> (64 - 8 * left);
  }
  auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(p[i])); };
  if (left < 4) return byte(0) | byte(left / 2) << (8 * (left / 2)) | byte(left - 1) << (8 * (left - 1));
  uint32_t low, high;
  std::memcpy(&low, p, 4);
  std::memcpy(&high, p + left - 4, 4);
  return low | static_cast<uint64_t>(high) << (8 * (left - 4));
}

// The word lists in src/plainmark/wordlists contain these hashes; a change of the function requires rebuilding the lists.
inline uint64_t hash_bytes(std::string_view text) {
  constexpr uint64_t k0 = 0x9E3779B97F4A7C15ull, k1 = 0xD1B54A32D192ED03ull, k2 = 0xABC98388FB8FAC03ull;
  const char* p = text.data();
  size_t left = text.size();
  uint64_t h = k0 ^ left;
  while (left >= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    h = fold_multiply(h ^ k1, word ^ k2);
    p += 8;
    left -= 8;
  }
  h = fold_multiply(h ^ k2, tail_bytes(p, left, text.size()) ^ k1);
  return fold_multiply(h ^ k0, k1);
}

// The hash of an n-gram from that of its first n-1 tokens and that of its last one.
inline uint64_t extend_hash(uint64_t prefix, uint64_t token) {
  return fold_multiply(prefix ^ 0xE7037ED1A0B428DBull, token ^ 0x8EBC6AF09C88C6E3ull);
}

}  // namespace plainmark
