#include "text/tokenize.hpp"

#include <algorithm>

#include "text/hash.hpp"
#include "text/plain_words.hpp"
#include "text/unicode_classes.hpp"

Texts::Texts(nb::list texts, bool lowercase) {
  pieces.reserve(texts.size());
  for (nb::handle text : texts) {
    if (!PyUnicode_Check(text.ptr())) {
      std::string found = Py_TYPE(text.ptr())->tp_name;
      throw nb::type_error(("expected a list of str, found " + found).c_str());
    }
    bool ascii = PyUnicode_IS_ASCII(text.ptr());
    nb::object lowered;
    PyObject* source = text.ptr();
    if (lowercase && !ascii) {
      lowered = text.attr("lower")();
      source = lowered.ptr();
    }
    Py_ssize_t size = 0;
    if (const char* bytes = PyUnicode_AsUTF8AndSize(source, &size); bytes && !lowered.is_valid()) {
      pieces.push_back({{bytes, static_cast<size_t>(size)}, ascii});
    } else if (bytes) {
      owned_.push_back(std::make_unique<std::string>(bytes, size));
      pieces.push_back({*owned_.back(), false});
    } else {
      PyErr_Clear();
      nb::object encoded = nb::steal(PyUnicode_AsEncodedString(source, "utf-8", "surrogatepass"));
      if (!encoded.is_valid()) throw nb::python_error();
      owned_.push_back(std::make_unique<std::string>(PyBytes_AS_STRING(encoded.ptr()),
                                                     PyBytes_GET_SIZE(encoded.ptr())));
      pieces.push_back({*owned_.back(), false});
    }
  }
}

namespace {

// Length in bytes of the white space (as str.split has it) that starts at p, or 0.
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

// Cuts white space off the end, as str.rstrip does.
void trim_end(std::string& text) {
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

void replace_all(std::string& text, std::string_view from, std::string_view to) {
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

inline bool digit(char c) { return c >= '0' && c <= '9'; }
inline bool stop(char c) { return c == '.' || c == ','; }

// What mteval-v13a does at a byte. Marks, always set apart, are all ASCII punctuation but ' , - .
enum Kind : uint8_t { kWord, kWhite, kMark, kStop, kDash, kMaybeWhite };

struct Kinds13a {
  Kind of[256] = {};
  constexpr Kinds13a() {
    auto set = [&](int first, int last, Kind kind) {
      for (int c = first; c <= last; ++c) of[c] = kind;
    };
    set('{', '~', kMark);
    set('[', '`', kMark);
    set('!', '&', kMark);
    set('(', '+', kMark);
    set(':', '@', kMark);
    set('/', '/', kMark);
    set(0x09, 0x0D, kWhite);
    set(0x1C, 0x20, kWhite);
    of[','] = of['.'] = kStop;
    of['-'] = kDash;
    for (int lead : {0xC2, 0xE1, 0xE2, 0xE3}) of[lead] = kMaybeWhite;
  }
};
constexpr Kinds13a kKinds13a;

// Whether a text needs the substitutions one after the other: entities, line ends, or stops in a row.
// Written without branches so that the compiler can look at many bytes at once.
bool is_intricate(std::string_view text) {
  auto stop_at = [&](size_t i) { return static_cast<unsigned>((text[i] == '.') | (text[i] == ',')); };
  unsigned found = 0;
  for (char c : text) found |= static_cast<unsigned>((c == '&') | (c == '<') | (c == '\n'));
  for (size_t i = 1; i < text.size(); ++i) found |= stop_at(i) & stop_at(i - 1);
  return found;
}

// In all other texts a stop is set apart unless it stands between two digits, and a dash if a digit precedes it:
// every token is a slice of the text.
template <class Sink>
void split_plain_13a(std::string_view text, Sink&& sink) {
  const char *begin = text.data(), *end = begin + text.size(), *start = begin;
  auto cut = [&](const char* p) {
    if (p > start) sink(std::string_view(start, p - start));
  };
  for (const char* p = begin;;) {
    while (p < end && kKinds13a.of[static_cast<unsigned char>(*p)] == kWord) ++p;
    if (p == end) break;
    size_t width = 1;
    switch (kKinds13a.of[static_cast<unsigned char>(*p)]) {
      case kMaybeWhite:
        width = white_space(p, end);
        if (width == 0) {
          ++p;
          continue;
        }
        [[fallthrough]];
      case kWhite:
        cut(p);
        start = p += width;
        continue;
      case kStop:
        if (p > begin && digit(p[-1]) && p + 1 < end && digit(p[1])) {
          ++p;
          continue;
        }
        break;
      case kDash:
        if (p == begin || !digit(p[-1])) {
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
// They act on bytes: every character they look for is ASCII.
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
  // Every pass at most trebles the text; write through a raw pointer.
  spare.resize(3 * (text.size() + 2));
  char* out = spare.data();
  *out++ = ' ';
  for (char c : text) {
    bool mark = kKinds13a.of[static_cast<unsigned char>(c)] == kMark;
    if (mark) *out++ = ' ';
    *out++ = c;
    if (mark) *out++ = ' ';
  }
  *out++ = ' ';
  size_t n = out - spare.data();

  text.resize(2 * n + 2);
  out = text.data();
  const char* in = spare.data();
  for (size_t i = 0; i < n;) {
    if (!digit(in[i]) && i + 1 < n && stop(in[i + 1])) {
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
    if (stop(in[i]) && i + 1 < n && !digit(in[i + 1])) {
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
    if (digit(in[i]) && i + 1 < n && in[i + 1] == '-') {
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

template <size_t N>
bool within(const CodeRange (&ranges)[N], uint32_t point) {
  auto* after = std::upper_bound(std::begin(ranges), std::end(ranges), point,
                                 [](uint32_t p, const CodeRange& r) { return p < r.first; });
  return after != std::begin(ranges) && point <= (after - 1)->last;
}

struct Glyph {
  std::string_view bytes;
  bool punctuation, symbol, number;
};

const Glyph kBlank{" ", false, false, false};

std::vector<Glyph> glyphs(std::string_view text) {
  std::vector<Glyph> out;
  out.reserve(text.size());
  split_chars(text, true, [&](std::string_view bytes) {
    auto lead = static_cast<unsigned char>(bytes[0]);
    uint32_t point = bytes.size() == 1 ? lead : lead & (0xFFu >> (bytes.size() + 1));
    for (size_t i = 1; i < bytes.size(); ++i) point = point << 6 | (bytes[i] & 0x3F);
    out.push_back({bytes, within(kPunctuation, point), within(kSymbols, point), within(kNumbers, point)});
  });
  return out;
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

template <class Sink>
void split_single_spaces(std::string_view text, Sink&& sink) {
  size_t start = 0;
  for (;;) {
    size_t at = text.find(' ', start);
    sink(text.substr(start, at == std::string_view::npos ? at : at - start));
    if (at == std::string_view::npos) return;
    start = at + 1;
  }
}

inline bool ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

template <class Sink>
void split_chrf(std::string_view text, Sink&& sink) {
  split_white(text, [&](std::string_view word) {
    if (word.size() > 1 && ascii_punctuation(word.back())) {
      sink(word.substr(0, word.size() - 1));
      sink(word.substr(word.size() - 1));
    } else if (word.size() > 1 && ascii_punctuation(word.front())) {
      sink(word.substr(0, 1));
      sink(word.substr(1));
    } else {
      sink(word);
    }
  });
}

template <class Sink>
void split_rouge(std::string_view text, bool stem, Sink&& sink) {
  auto inside = [](char c) { return (c >= 'a' && c <= 'z') || digit(c); };
  size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && !inside(text[i])) ++i;
    size_t start = i;
    while (i < text.size() && inside(text[i])) ++i;
    if (i == start) break;
    std::string_view word = text.substr(start, i - start);
    if (stem && word.size() > 3) {
      sink(std::string_view(porter_stem(std::string(word))));
    } else {
      sink(word);
    }
  }
}

template <class Sink>
void split_plain_words(std::string_view text, Sink&& sink) {
  thread_local PlainReader reader;
  const PlainText& plain = reader.read(text);
  for (const PlainWord& word : plain.words) sink(plain.of(word));
}

template <class Sink>
void split(const Texts::Piece& piece, Tokenizer mode, bool lowercase, std::string& work, std::string& spare,
           Sink&& sink) {
  std::string_view text = piece.bytes;
  bool lower_here = lowercase && piece.ascii;
  if (lower_here || mode == Tokenizer::v13a) {
    work.assign(text);
    if (lower_here)
      for (char& c : work) c = static_cast<char>(c | ((c >= 'A') & (c <= 'Z')) << 5);
    text = work;
  }
  switch (mode) {
    case Tokenizer::none: return split_white(text, sink);
    case Tokenizer::v13a: return split_13a(work, spare, sink);
    case Tokenizer::intl: return split_intl(text, spare, sink);
    case Tokenizer::chars: return split_chars(text, false, sink);
    case Tokenizer::all_chars: return split_chars(text, true, sink);
    case Tokenizer::space: return split_single_spaces(text, sink);
    case Tokenizer::chrf: return split_chrf(text, sink);
    case Tokenizer::rouge: return split_rouge(text, false, sink);
    case Tokenizer::plain: return split_plain_words(text, sink);
    case Tokenizer::porter: return split_rouge(text, true, sink);
  }
}

}  // namespace

std::pair<std::vector<uint64_t>, std::vector<int64_t>> tokenize(const Texts& texts, Tokenizer mode, bool lowercase) {
  std::vector<uint64_t> hashes;
  std::vector<int64_t> offsets{0};
  offsets.reserve(texts.pieces.size() + 1);
  size_t bytes = 0;
  for (const auto& piece : texts.pieces) bytes += piece.bytes.size();
  hashes.reserve(bytes / 4);
  std::string work, spare;
  for (const auto& piece : texts.pieces) {
    split(piece, mode, lowercase, work, spare, [&](std::string_view token) { hashes.push_back(hash_bytes(token)); });
    offsets.push_back(static_cast<int64_t>(hashes.size()));
  }
  return {std::move(hashes), std::move(offsets)};
}

std::vector<std::vector<std::string>> words(const Texts& texts, Tokenizer mode, bool lowercase) {
  std::vector<std::vector<std::string>> out;
  std::string work, spare;
  for (const auto& piece : texts.pieces) {
    auto& tokens = out.emplace_back();
    split(piece, mode, lowercase, work, spare, [&](std::string_view token) { tokens.emplace_back(token); });
  }
  return out;
}
