// Character properties from Python's own tables: the same Unicode version as the calling program and its `re`.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace plainmark {

struct Character {
  enum : std::uint8_t { kSpace = 1, kAlpha = 2, kUpper = 4, kLower = 8, kDecimal = 16, kNumeric = 32, kAlnum = 64 };
  std::uint8_t properties;
  std::uint32_t lower;  // the first character of its lower case

  bool is(std::uint8_t property) const { return properties & property; }
};

using CharacterPage = std::array<Character, 256>;

inline constexpr std::uint32_t kCharacterPages = 0x110000 / 256;
extern std::array<std::atomic<const CharacterPage*>, kCharacterPages> character_pages;

// Asks Python for the characters of a page, once; acquires the interpreter lock. Defined in bindings/characters.cpp.
const CharacterPage& load_characters(std::uint32_t page);

inline const Character& character(std::uint32_t point) {
  std::uint32_t page = std::min(point / 256, kCharacterPages - 1);
  const CharacterPage* known = character_pages[page].load(std::memory_order_acquire);
  return (known ? *known : load_characters(page))[point % 256];
}

}  // namespace plainmark
