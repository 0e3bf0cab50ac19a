#include "text/plain_words.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "text/characters.hpp"

namespace plainmark {

namespace {

// kBreak: characters that may separate two words without white space.
enum Class : uint8_t { kSpace = 1, kLetter = 2, kDigit = 4, kUpper = 8, kLower = 16, kBreak = 32 };
enum Terminator : unsigned { kPeriod = 1, kMark = 2, kEllipsis = 4, kFull = 8 };

constexpr uint8_t ascii_class(unsigned char c) {
  if (c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F)) return kSpace;
  if (c >= 'a' && c <= 'z') return kLetter | kLower;
  if (c >= 'A' && c <= 'Z') return kLetter | kUpper;
  if (c == '/' || c == '-' || c == '.') return kBreak;
  return c >= '0' && c <= '9' ? kDigit : 0;
}

constexpr auto kAscii = [] {
  std::array<uint8_t, 128> table{};
  for (int c = 0; c < 128; ++c) table[c] = ascii_class(static_cast<unsigned char>(c));
  return table;
}();

// The class of a character beyond ASCII, from Python's own tables.
uint8_t classify(uint32_t point) {
  const Character& known = character(point);
  if (known.is(Character::kSpace)) return kSpace;
  if ((point >= 0x2013 && point <= 0x2015) || point == 0x2026 || point == 0x3002 || point == 0xFF01 || point == 0xFF1F)
    return kBreak;
  if (known.is(Character::kAlpha))
    return kLetter | (known.is(Character::kUpper) ? kUpper : known.is(Character::kLower) ? kLower : 0);
  return known.is(Character::kNumeric) ? kDigit : 0;
}

// U+00C0 to U+017F without accents; * marks letters that become two letters or none.
constexpr std::string_view kFolded =
    "aaaaaa*ceeeeiiiidnooooo*ouuuuyt*aaaaaa*ceeeeiiiidnooooo*ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooo**rrrrrrsssssssstttttt"
    "uuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kFolded.size() == 0x180 - 0xC0);

bool apostrophe(uint32_t point) { return point == '\'' || point == 0x2019 || point == 0x2018; }

char* put_utf8(char* to, uint32_t point) {
  if (point < 0x80) {
    *to++ = static_cast<char>(point);
    return to;
  }
  if (point < 0x800) {
    *to++ = static_cast<char>(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      *to++ = static_cast<char>(0xE0 | point >> 12);
    } else {
      *to++ = static_cast<char>(0xF0 | point >> 18);
      *to++ = static_cast<char>(0x80 | (point >> 12 & 0x3F));
    }
    *to++ = static_cast<char>(0x80 | (point >> 6 & 0x3F));
  }
  *to++ = static_cast<char>(0x80 | (point & 0x3F));
  return to;
}

template <size_t N>
bool among(const std::string_view (&sorted)[N], std::string_view word) {
  return std::binary_search(std::begin(sorted), std::end(sorted), word);
}

// After these a period never ends a sentence.
constexpr std::string_view kTitles[] = {
    "adm", "approx", "ca",    "capt",  "cf",  "cmdr", "col", "cpl", "det", "dr",   "e.g", "esp",  "fr",
    "gen", "gov",    "hon",   "i.e",   "insp", "lt",  "maj", "messrs", "mlle", "mme", "mr", "mrs", "ms",
    "mt",  "mx",     "pres",  "prof",  "rep", "rev",  "sen", "sgt", "st",  "ste",  "supt", "viz", "vs",
};
// After these, a period does not end a sentence before a number.
constexpr std::string_view kBeforeNumbers[] = {
    "apr", "art", "aug", "ch",  "dec", "eq", "feb", "fig", "figs", "jan", "jul", "jun", "mar", "no",
    "nos", "nov", "nr",  "oct", "p",   "para", "pp", "sec", "sep", "sept", "vol", "vols",
};
// After these, after initials and after dotted abbreviations, it does so only before a word that often begins a sentence.
constexpr std::string_view kPerhaps[] = {
    "al", "ave", "blvd", "bros", "co", "corp", "dept", "esq", "etc", "ft", "inc", "jr", "ltd", "ph.d", "sr", "univ",
};
constexpr std::string_view kStarters[] = {
    "a",     "after", "all",  "although", "an",    "and",   "another", "as",    "at",    "because", "before", "both",
    "but",   "by",    "during", "each",   "for",   "from",  "he",    "her",   "here",  "his",   "how",   "however",
    "i",     "if",    "in",   "it",       "its",   "many",  "most",  "my",    "no",    "not",   "now",   "on",
    "once",  "one",   "only", "or",       "other", "our",   "she",   "since", "so",    "some",  "such",  "that",
    "the",   "their", "then", "there",    "these", "they",  "this",  "those", "to",    "today", "under", "until",
    "we",    "what",  "when", "where",    "which", "while", "who",   "why",   "with",  "you",
};
static_assert(std::is_sorted(std::begin(kTitles), std::end(kTitles)));
static_assert(std::is_sorted(std::begin(kBeforeNumbers), std::end(kBeforeNumbers)));
static_assert(std::is_sorted(std::begin(kPerhaps), std::end(kPerhaps)));
static_assert(std::is_sorted(std::begin(kStarters), std::end(kStarters)));

// A single letter, or letters with periods between them: J, U.S, a.m
bool initials(std::string_view word) {
  if (word.size() % 2 == 0) return false;
  for (size_t i = 0; i < word.size(); ++i)
    if (i % 2 ? word[i] != '.' : word[i] < 'a' || word[i] > 'z') return false;
  return true;
}

}  // namespace

void PlainReader::decode(std::string_view text) {
  points_.resize(text.size());
  classes_.resize(text.size());
  out_.words.clear();
  // No letter needs more than four bytes, and a word of initials gets one period.
  if (out_.spelling.size() < 4 * text.size() + 1) out_.spelling.resize(4 * text.size() + 1);
  spelled_ = 0;
  uint32_t* points = points_.data();
  uint8_t* classes = classes_.data();
  size_t n = 0;
  uint8_t seen = 0;
  for (size_t i = 0; i < text.size(); ++n) {
    auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      points[n] = lead;
      classes[n] = kAscii[lead];
      ++i;
    } else {
      size_t width = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      uint32_t point = lead & (0xFFu >> (width + 1));
      for (size_t k = 1; k < width && i + k < text.size(); ++k) point = point << 6 | (text[i + k] & 0x3F);
      points[n] = point;
      classes[n] = classify(point);
      i += width;
    }
    seen |= classes[n];
  }
  points_.resize(n);
  classes_.resize(n);
  cased_ = seen & kUpper;
}

const PlainText& PlainReader::read(std::string_view text) {
  decode(text);
  paragraph_ = open_ = false;
  pending_ = 0;
  size_t n = points_.size();
  for (size_t i = 0; i < n;) {
    int breaks = 0;
    for (; i < n && classes_[i] & kSpace; ++i) breaks += points_[i] == '\n' || points_[i] == 0x2029;
    paragraph_ |= breaks > 1;
    size_t end = i;
    while (end < n && !(classes_[end] & kSpace)) ++end;
    for (size_t begin = i; begin < end;) {
      // A piece ends after a run of dashes, slashes, periods or East Asian full stops.
      size_t k = begin;
      auto separates = [&](size_t at) {
        if (!(classes_[at] & kBreak)) return false;
        uint32_t p = points_[at];
        if (p != '-' && p != '.') return true;
        return (at + 1 < end && points_[at + 1] == p) || (at > begin && points_[at - 1] == p);
      };
      while (k < end && !separates(k)) ++k;
      while (k < end && separates(k)) ++k;
      piece(begin, k, begin == i && k == end);
      if (k < end) open_ = false;
      begin = k;
    }
    i = end;
  }
  return out_;
}

const PlainText& PlainReader::spell(std::string_view word) {
  decode(word);
  PlainWord whole{};
  add_spelling(0, points_.size(), whole);
  out_.words.push_back(whole);
  return out_;
}

void PlainReader::piece(size_t begin, size_t end, bool alone) {
  size_t first = begin, last = end;
  while (first < end && !(classes_[first] & (kLetter | kDigit))) ++first;
  if (first == end) {
    // A period that a tokeniser separated ends the sentence whatever follows.
    pending_ |= alone && end - begin == 1 && points_[begin] == '.' ? static_cast<unsigned>(kFull) : terminators(begin, end);
    open_ = false;
    return;
  }
  while (!(classes_[last - 1] & (kLetter | kDigit))) --last;
  if (bracket(begin, first, last, end)) return;
  if (joins(begin, first, last, end)) {
    add_spelling(apostrophe(points_[begin]) ? begin : first, last, out_.words.back());
  } else {
    bool beginning = out_.words.empty();
    PlainWord& word = out_.words.emplace_back();
    word.begin = spelled_;
    word.capital = classes_[first] & kUpper;
    add_spelling(first, last, word);
    if (word.end - word.begin > 2 && initials(out_.of(word))) {  // "U.S." with its last period: "u.s" would be U's
      out_.spelling[spelled_] = '.';
      word.end = ++spelled_;
    }
    word.starts_paragraph = beginning || paragraph_;
    bool quoted = std::any_of(points_.begin() + begin, points_.begin() + first,
                              [](uint32_t p) { return p == '"' || p == '`' || p == 0x201C || p == 0xAB; });
    bool small = classes_[first] & kLower && cased_ && !quoted;
    word.starts_sentence =
        word.starts_paragraph || ends_sentence(out_.words[out_.words.size() - 2], word, small, classes_[first] & kDigit);
  }
  paragraph_ = false;
  pending_ = terminators(last, end);
  open_ = last == end;
}

void PlainReader::add_spelling(size_t begin, size_t end, PlainWord& word) {
  char *start = out_.spelling.data(), *to = start + spelled_;
  uint32_t letters = 0, digits = 0;
  for (size_t i = begin; i < end; ++i) {
    uint32_t p = points_[i];
    uint8_t kind = classes_[i];
    letters += (kind & kLetter) / kLetter;
    digits += (kind & kDigit) / kDigit;
    if (p < 0x80) {
      *to++ = static_cast<char>(kind & kUpper ? p | 0x20 : p);
      if (word.sounded && kind & kLetter && (p | 0x20) != 's') word.sounded = false;
    } else if (apostrophe(p)) {
      *to++ = '\'';
    } else if (p >= 0x300 && p <= 0x36F) {
      word.sounded = to > start && to[-1] == 'e';
    } else if (p == 0xAD) {
      continue;  // a soft hyphen
    } else if (char folded = p >= 0xC0 && p < 0x180 ? kFolded[p - 0xC0] : '*'; folded != '*') {
      word.sounded = folded == 'e';
      *to++ = folded;
    } else {
      word.sounded = false;
      std::string_view two = p == 0xC6 || p == 0xE6 ? "ae" : p == 0x152 || p == 0x153 ? "oe" : p == 0xDF ? "ss" : "";
      to = two.empty() ? put_utf8(to, character(p).lower) : std::copy(two.begin(), two.end(), to);
    }
  }
  spelled_ = static_cast<uint32_t>(to - start);
  word.letters += letters;
  word.digits += digits;
  word.end = spelled_;
}

// -LRB- and similar tokens, which tokenisers write for brackets.
bool PlainReader::bracket(size_t begin, size_t first, size_t last, size_t end) const {
  if (first == begin || last == end || points_[first - 1] != '-' || points_[last] != '-' || last - first != 3) return false;
  auto in = [&](size_t at, std::string_view letters) {
    return points_[at] < 128 && letters.find(static_cast<char>(points_[at] | 0x20)) != std::string_view::npos;
  };
  return in(first, "lr") && in(first + 1, "rsc") && in(first + 2, "b");
}

bool PlainReader::joins(size_t begin, size_t first, size_t last, size_t end) const {
  if (out_.words.empty() || !open_ || paragraph_ || begin == 0 || !(classes_[begin - 1] & kSpace)) return false;
  auto is = [&](size_t at, std::string_view letters) {
    if (last - at != letters.size()) return false;
    for (size_t k = 0; k < letters.size(); ++k)
      if (letters[k] == '\'' ? !apostrophe(points_[at + k]) : (points_[at + k] | 0x20) != static_cast<uint32_t>(letters[k]))
        return false;
    return true;
  };
  if (first == begin) return is(first, "n't");
  if (first != begin + 1 || !apostrophe(points_[begin]) || (last < end && apostrophe(points_[last]))) return false;
  return is(first, "s") || is(first, "re") || is(first, "ve") || is(first, "ll") || is(first, "d") || is(first, "m");
}

unsigned PlainReader::terminators(size_t begin, size_t end) const {
  unsigned found = 0;
  for (size_t i = begin; i < end; ++i) {
    switch (points_[i]) {
      case '.': found |= i + 1 < end && points_[i + 1] == '.' ? kEllipsis : kPeriod; break;
      case '!': case '?': found |= kMark; break;
      case 0x2026: found |= kEllipsis; break;
      case 0x3002: case 0xFF01: case 0xFF1F: found |= kFull; break;
      default: break;
    }
  }
  return found;
}

bool PlainReader::ends_sentence(const PlainWord& before, const PlainWord& word, bool small, bool number) const {
  if (pending_ == 0) return false;
  if (pending_ & kFull) return true;
  if (small) return false;
  if (pending_ & (kMark | kEllipsis)) return true;
  std::string_view last = out_.of(before);
  if (last.ends_with('.')) last.remove_suffix(1);
  if (before.starts_sentence && before.letters == 0) return false;  // the number of a list item
  if (among(kTitles, last)) return false;
  if (number && among(kBeforeNumbers, last)) return false;
  if (initials(last) || among(kPerhaps, last)) return among(kStarters, out_.of(word));
  return true;
}

}  // namespace plainmark
