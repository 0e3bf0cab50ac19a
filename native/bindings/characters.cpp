// Properties of characters from Python's `str`: its stable interface has no other way to ask.
#include "text/characters.hpp"

#include <nanobind/nanobind.h>

#include <memory>

namespace nb = nanobind;

namespace plainmark {

std::array<std::atomic<const CharacterPage*>, kCharacterPages> character_pages{};

const CharacterPage& load_characters(std::uint32_t page) {
  nb::gil_scoped_acquire locked;
  auto loaded = std::make_unique<CharacterPage>();
  nb::object chr = nb::module_::import_("builtins").attr("chr");
  for (std::uint32_t i = 0; i < 256; ++i) {
    nb::object text = chr(page * 256 + i);
    Character& entry = (*loaded)[i];
    auto set = [&](const char* method, std::uint8_t property) {
      if (nb::cast<bool>(text.attr(method)())) entry.properties |= property;
    };
    set("isspace", Character::kSpace);
    set("isalpha", Character::kAlpha);
    set("isupper", Character::kUpper);
    set("islower", Character::kLower);
    set("isdecimal", Character::kDecimal);
    set("isnumeric", Character::kNumeric);
    set("isalnum", Character::kAlnum);
    nb::object lower = text.attr("lower")();
    entry.lower = static_cast<std::uint32_t>(PyUnicode_ReadChar(lower.ptr(), 0));
  }
  // Pages stay for as long as the program runs; of two threads that load one, the first wins.
  const CharacterPage* known = nullptr;
  if (character_pages[page].compare_exchange_strong(known, loaded.get(), std::memory_order_acq_rel))
    return *loaded.release();
  return *known;
}

}  // namespace plainmark
