// Character properties for programs without Python.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "text/characters.hpp"

namespace plainmark {

std::array<std::atomic<const CharacterPage*>, kCharacterPages> character_pages{};

// A few classes by code point are enough to reach all code.
const CharacterPage& load_characters(std::uint32_t page) {
  auto loaded = std::make_unique<CharacterPage>();
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t point = page * 256 + i;
    std::uint32_t ascii = point == ' ' ? 1 : point >= 'a' ? 74 : 48;
    (*loaded)[i] = {static_cast<std::uint8_t>(point < 128 ? ascii : point % 128), point};
  }
  const CharacterPage* known = nullptr;
  return character_pages[page].compare_exchange_strong(known, loaded.get()) ? *loaded.release() : *known;
}

}  // namespace plainmark
