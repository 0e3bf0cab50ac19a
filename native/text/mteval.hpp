// The tokenisers of mteval, as in sacreBLEU: version 13a, its use for Chinese, and the international one of version 14.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode_classes.hpp"
#include "text/white_space.hpp"

namespace plainmark {

inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  size_t at = text.find(from);
  if (at == std::string::npos) return;
  std::string out;
  size_t done = 0;
  for (; at != std::string::npos; at = text.find(from, done)) {
    out.append(text, done, at - done).append(to);
    done = at + from.size();
  }
  out.append(text, done);
  text.swap(out);
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_stop(char c) { return c == '.' || c == ','; }

// What mteval-v13a does at a byte. Marks, always set apart, are all ASCII punctuation but ' , - .
enum class Kind13a : uint8_t { word, white, mark, stop, dash, maybe_white };

struct Kinds13a {
  Kind13a of[256] = {};
  constexpr Kinds13a() {
    auto set = [&](int first, int last, Kind13a kind) {
      for (int c = first; c <= last; ++c) of[c] = kind;
    };
    set('{', '~', Kind13a::mark);
    set('[', '`', Kind13a::mark);
    set('!', '&', Kind13a::mark);
    set('(', '+', Kind13a::mark);
    set(':', '@', Kind13a::mark);
    set('/', '/', Kind13a::mark);
    set(0x09, 0x0D, Kind13a::white);
    set(0x1C, 0x20, Kind13a::white);
    of[','] = of['.'] = Kind13a::stop;
    of['-'] = Kind13a::dash;
    for (int lead : {0xC2, 0xE1, 0xE2, 0xE3}) of[lead] = Kind13a::maybe_white;
  }
};
inline constexpr Kinds13a kKinds13a;

// Whether a text needs sequential substitutions: entities, line ends, or several stops in a row.
// Written without branches so that the compiler can process many bytes at once.
inline bool is_intricate(std::string_view text) {
  auto stop_at = [&](size_t i) { return static_cast<unsigned>((text[i] == '.') | (text[i] == ',')); };
  unsigned found = 0;
  for (char c : text) found |= static_cast<unsigned>((c == '&') | (c == '<') | (c == '\n'));
  for (size_t i = 1; i < text.size(); ++i) found |= stop_at(i) & stop_at(i - 1);
  return found;
}

// In all other texts, a stop is separated unless it is between two digits, and a dash if a digit precedes it:
// every token is a slice of the text.
template <class Sink>
void split_plain_13a(std::string_view text, Sink&& sink) {
  const char *begin = text.data(), *end = begin + text.size(), *start = begin;
  auto cut = [&](const char* p) {
    if (p > start) sink(std::string_view(start, p - start));
  };
  for (const char* p = begin;;) {
    while (p < end && kKinds13a.of[static_cast<unsigned char>(*p)] == Kind13a::word) ++p;
    if (p == end) break;
    size_t width = 1;
    switch (kKinds13a.of[static_cast<unsigned char>(*p)]) {
      case Kind13a::maybe_white:
        width = white_space(p, end);
        if (width == 0) {
          ++p;
          continue;
        }
        [[fallthrough]];
      case Kind13a::white:
        cut(p);
        start = p += width;
        continue;
      case Kind13a::stop:
        if (p > begin && is_digit(p[-1]) && p + 1 < end && is_digit(p[1])) {
          ++p;
          continue;
        }
        break;
      case Kind13a::dash:
        if (p == begin || !is_digit(p[-1])) {
          ++p;
          continue;
        }
        break;
      default: break;
    }
    cut(p);
    sink(std::string_view(p, 1));
    start = ++p;
  }
  cut(end);
}

// The four substitutions of mteval-v13a, one pass each so that overlaps resolve as in a regular-expression engine.
// They act on bytes, because every character they search for is ASCII. At the ends of a text they depend on the
// surrounding character (`edge`): a space for 13a, none for zh.
template <class Sink>
void substitute_13a(std::string& text, std::string& spare, std::string_view edge, Sink&& sink) {
  // Every pass at most triples the text; write through a raw pointer.
  spare.resize(3 * (text.size() + 2));
  char* out = spare.data();
  out = std::copy(edge.begin(), edge.end(), out);
  for (char c : text) {
    bool mark = kKinds13a.of[static_cast<unsigned char>(c)] == Kind13a::mark;
    if (mark) *out++ = ' ';
    *out++ = c;
    if (mark) *out++ = ' ';
  }
  out = std::copy(edge.begin(), edge.end(), out);
  size_t n = out - spare.data();

  text.resize(2 * n + 2);
  out = text.data();
  const char* in = spare.data();
  for (size_t i = 0; i < n;) {
    if (!is_digit(in[i]) && i + 1 < n && is_stop(in[i + 1])) {
      *out++ = in[i];
      *out++ = ' ';
      *out++ = in[i + 1];
      *out++ = ' ';
      i += 2;
    } else {
      *out++ = in[i++];
    }
  }
  n = out - text.data();

  spare.resize(2 * n + 2);
  out = spare.data();
  in = text.data();
  for (size_t i = 0; i < n;) {
    if (is_stop(in[i]) && i + 1 < n && !is_digit(in[i + 1])) {
      *out++ = ' ';
      *out++ = in[i];
      *out++ = ' ';
      *out++ = in[i + 1];
      i += 2;
    } else {
      *out++ = in[i++];
    }
  }
  n = out - spare.data();

  text.resize(2 * n + 2);
  out = text.data();
  in = spare.data();
  for (size_t i = 0; i < n;) {
    if (is_digit(in[i]) && i + 1 < n && in[i + 1] == '-') {
      *out++ = in[i];
      *out++ = ' ';
      *out++ = '-';
      *out++ = ' ';
      i += 2;
    } else {
      *out++ = in[i++];
    }
  }
  split_white(std::string_view(text.data(), out - text.data()), sink);
}

template <class Sink>
void split_13a(std::string& text, std::string& spare, Sink&& sink) {
  if (!is_intricate(text)) return split_plain_13a(text, sink);
  // sacreBLEU's metrics strip the end first; it matters to a hyphen before a last line break.
  trim_end(text);
  if (text.find('<') != std::string::npos) replace_all(text, "<skipped>", "");
  if (text.find('\n') != std::string::npos) {
    replace_all(text, "-\n", "");
    replace_all(text, "\n", " ");
  }
  if (text.find('&') != std::string::npos) {
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
  }
  substitute_13a(text, spare, " ", sink);
}

template <size_t N>
bool within(const CodeRange (&ranges)[N], uint32_t point) {
  auto* after = std::upper_bound(std::begin(ranges), std::end(ranges), point,
                                 [](uint32_t p, const CodeRange& r) { return p < r.first; });
  return after != std::begin(ranges) && point <= (after - 1)->last;
}

inline uint32_t code_point(std::string_view bytes) {
  auto lead = static_cast<unsigned char>(bytes[0]);
  uint32_t point = bytes.size() == 1 ? lead : lead & (0xFFu >> (bytes.size() + 1));
  for (size_t i = 1; i < bytes.size(); ++i) point = point << 6 | (bytes[i] & 0x3F);
  return point;
}

struct Glyph {
  std::string_view bytes;
  bool punctuation, symbol, number;
};

inline const Glyph kBlank{" ", false, false, false};

inline std::vector<Glyph> glyphs(std::string_view text) {
  std::vector<Glyph> out;
  out.reserve(text.size());
  split_chars(text, true, [&](std::string_view bytes) {
    uint32_t point = code_point(bytes);
    out.push_back({bytes, within(kPunctuation, point), within(kSymbols, point), within(kNumbers, point)});
  });
  return out;
}

// The characters that sacreBLEU's zh sets apart. Its two ranges beyond the first 65,536 characters are written with too few
// digits, and so are U+2001 to U+2A6D, among them general punctuation, and part of the radicals.
inline constexpr CodeRange kChinese[] = {
    {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31EF},
    {0x3200, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F},
    {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
};

template <class Sink>
void split_zh(std::string& text, std::string& spare, Sink&& sink) {
  trim_end(text);
  size_t start = 0;
  for (size_t width; start < text.size(); start += width)
    if (!(width = white_space(text.data() + start, text.data() + text.size()))) break;
  spare.clear();
  split_chars(std::string_view(text).substr(start), true, [&](std::string_view bytes) {
    bool chinese = within(kChinese, code_point(bytes));
    if (chinese) spare.push_back(' ');
    spare.append(bytes);
    if (chinese) spare.push_back(' ');
  });
  text.swap(spare);
  substitute_13a(text, spare, "", sink);
}

template <class Sink>
void split_intl(std::string_view text, std::string& spare, Sink&& sink) {
  std::vector<Glyph> in = glyphs(text), out;
  out.reserve(2 * in.size());
  for (size_t i = 0; i < in.size();) {
    if (!in[i].number && i + 1 < in.size() && in[i + 1].punctuation) {
      out.insert(out.end(), {in[i], kBlank, in[i + 1], kBlank});
      i += 2;
    } else {
      out.push_back(in[i++]);
    }
  }
  in.swap(out);
  out.clear();
  for (size_t i = 0; i < in.size();) {
    if (in[i].punctuation && i + 1 < in.size() && !in[i + 1].number) {
      out.insert(out.end(), {kBlank, in[i], kBlank, in[i + 1]});
      i += 2;
    } else {
      out.push_back(in[i++]);
    }
  }
  spare.clear();
  for (const Glyph& glyph : out) {
    if (glyph.symbol) spare.push_back(' ');
    spare.append(glyph.bytes);
    if (glyph.symbol) spare.push_back(' ');
  }
  split_white(spare, sink);
}

}  // namespace plainmark
