// White space and characters of UTF-8 text, as in Python's str.split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace plainmark {

// Length in bytes of the white space (as in str.split) that starts at p, or 0.
inline size_t white_space(const char* p, const char* end) {
  auto c = static_cast<unsigned char>(*p);
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  auto at = [&](int i) { return p + i < end ? static_cast<unsigned char>(p[i]) : 0; };
  if (c == 0xC2) return at(1) == 0x85 || at(1) == 0xA0 ? 2 : 0;
  if (c == 0xE1) return at(1) == 0x9A && at(2) == 0x80 ? 3 : 0;
  if (c == 0xE2) {
    unsigned char b = at(1), d = at(2);
    if (b == 0x80 && ((d >= 0x80 && d <= 0x8A) || d == 0xA8 || d == 0xA9 || d == 0xAF)) return 3;
    return b == 0x81 && d == 0x9F ? 3 : 0;
  }
  return c == 0xE3 && at(1) == 0x80 && at(2) == 0x80 ? 3 : 0;
}

// Removes white space from the end, like str.rstrip.
inline void trim_end(std::string& text) {
  for (size_t width = 1; width <= std::min<size_t>(3, text.size()); ++width) {
    const char* end = text.data() + text.size();
    if (white_space(end - width, end) == width) {
      text.resize(text.size() - width);
      width = 0;
    }
  }
}

template <class Sink>
void split_white(std::string_view text, Sink&& sink) {
  const char *p = text.data(), *end = p + text.size(), *start = p;
  while (p < end) {
    if (size_t width = white_space(p, end)) {
      if (p > start) sink(std::string_view(start, p - start));
      p += width;
      start = p;
    } else {
      ++p;
    }
  }
  if (p > start) sink(std::string_view(start, p - start));
}

inline size_t char_width(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

template <class Sink>
void split_chars(std::string_view text, bool keep_white, Sink&& sink) {
  const char *p = text.data(), *end = p + text.size();
  while (p < end) {
    size_t white = keep_white ? 0 : white_space(p, end);
    if (white) {
      p += white;
      continue;
    }
    size_t width = std::min<size_t>(char_width(static_cast<unsigned char>(*p)), end - p);
    sink(std::string_view(p, width));
    p += width;
  }
}

}  // namespace plainmark
