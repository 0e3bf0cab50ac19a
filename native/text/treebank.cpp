#include "text/treebank.hpp"

#include <array>
#include <cstdint>

#include "text/characters.hpp"

namespace plainmark {

namespace {

using View = std::u32string_view;

// The character classes are Python's own, so that every Python version finds the same words as its `re`.
inline bool is_space(char32_t c) {
  if (c < 128) return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31);
  return character(c).is(Character::kSpace);
}
inline bool is_digit(char32_t c) { return c < 128 ? c >= '0' && c <= '9' : character(c).is(Character::kDecimal); }
inline bool is_word(char32_t c) {
  if (c < 128) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  return character(c).is(Character::kAlnum);
}

// Lower case as far as a comparison with ASCII letters needs it: the dotted and dotless i, the long s and the
// Kelvin sign count as i, s and k.
inline char32_t fold(char32_t c) {
  if (c < 128) return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
  return c == 0x130 || c == 0x131 ? U'i' : c == 0x17F ? U's' : c == 0x212A ? U'k' : c;
}

enum : uint8_t {
  kPad = 1,          // always a token
  kPadEarly = 2,  // and already so when apostrophes are handled
  kOpenQuote = 4,
  kCloseQuote = 8,
  kCloser = 16,  // may occur between the final full stop and the end
  kOpensQuote = 32,  // a double quote after it opens
};

struct Marks {
  uint8_t of[128] = {};
  constexpr Marks() {
    for (char c : {';', '@', '#', '$', '%', '&', '?', '!'}) of[static_cast<int>(c)] |= kPad | kPadEarly;
    for (char c : {'*', '(', ')', '[', ']', '{', '}', '<', '>'}) of[static_cast<int>(c)] |= kPad;
    for (char c : {']', ')', '}', '>', '"', '\'', ' '}) of[static_cast<int>(c)] |= kCloser;
    for (char c : {' ', '(', '[', '{', '<'}) of[static_cast<int>(c)] |= kOpensQuote;
  }
};
constexpr Marks kMarks;

inline uint8_t marks(char32_t c) {
  if (c < 128) return kMarks.of[c];
  switch (c) {
    case U'«': case U'“': case U'‘': case U'„': return kOpenQuote;
    case U'»': case U'”': case U'’': return kCloseQuote | kCloser;
    default: return 0;
  }
}

size_t run(View text, size_t from) {
  size_t to = from;
  while (to < text.size() && text[to] == text[from]) ++to;
  return to - from;
}

// Opening quotes are separated and double ones become ``; an apostrophe is separated from a single letter that is
// not the rest of a contraction ('m, 't, 's, 'd, 'n).
void open_quotes(View text, std::u32string& out) {
  char32_t before = 0;  // the character before this one after single and back quotes have been separated
  for (size_t i = 0; i < text.size(); ++i) {
    char32_t c = text[i];
    if (c == '"' && i == 0) {
      out += U" `` ";
      before = ' ';
      continue;
    }
    if (c == '`') {
      size_t left = run(text, i);
      i += left - 1;
      for (out += ' '; left >= 2; left -= 2) out += U" `` ";
      if (left) out += '`';
      out += ' ';
      before = ' ';
      continue;
    }
    if (marks(c) & kOpenQuote) {
      out += ' ', out += c, out += ' ';
      before = ' ';
      continue;
    }
    bool two = c == '\'' && i + 1 < text.size() && text[i + 1] == '\'';
    if ((c == '"' || two) && before < 128 && kMarks.of[before] & kOpensQuote) {
      out += U" `` ";
      i += two;
      before = c;
      continue;
    }
    out += c;
    before = c;
    if (c == '\'' && i + 1 < text.size() && is_word(text[i + 1]) && (i + 2 == text.size() || !is_word(text[i + 2]))) {
      char32_t letter = fold(text[i + 1]);
      if (letter != 'm' && letter != 't' && letter != 's' && letter != 'd' && letter != 'n') out += ' ';
    }
  }
}

// Separates the full stop that ends the sentence, before any closing quotes and brackets.
void final_stop(std::u32string& text) {
  size_t end = text.size();
  while (end > 0 && is_space(text[end - 1])) --end;
  size_t stop = end;
  while (stop > 0 && marks(text[stop - 1]) & kCloser) --stop;
  if (stop < 2 || text[stop - 1] != '.' || text[stop - 2] == '.') return;
  text.resize(end);
  text.insert(stop, 1, ' ');
  text.insert(stop - 1, 1, ' ');
  text += ' ';
}

// Text in which no two spaces follow each other.
class Spaced {
 public:
  Spaced() : text(1, ' ') {}
  void space() {
    if (text.back() != ' ') text += ' ';
  }
  void plain(char32_t c) { is_space(c) ? space() : text.push_back(c); }
  void apart(View token) { space(), text += token, text += ' '; }
  void apart(char32_t c) { space(), text += c, text += ' '; }
  std::u32string text;
};

// Whether a colon or comma is followed by something other than a digit, or by nothing.
bool ends_clause(View text, size_t i) { return i + 1 == text.size() || !is_digit(text[i + 1]); }

// Whether a space is inserted after position i before brackets and quotes are separated.
bool space_follows(View text, size_t i) {
  if (++i == text.size()) return false;
  char32_t c = text[i];
  if (c == ' ' || marks(c) & kPadEarly) return true;
  if (c == ':' || c == ',') return ends_clause(text, i);
  return c == '.' && i + 1 < text.size() && text[i + 1] == '.';
}

void set_apart(View text, Spaced& out) {
  bool taken = false;  // the character has served as the neighbour of a colon or comma
  for (size_t i = 0; i < text.size(); ++i) {
    char32_t c = text[i];
    bool was_taken = taken;
    taken = false;
    if (marks(c) & (kPad | kCloseQuote)) {
      out.apart(c);
    } else if (c == ':' || c == ',') {
      bool last = i + 1 == text.size() || (i + 2 == text.size() && text[i + 1] == '\n');
      if (last || (!was_taken && ends_clause(text, i))) {
        out.apart(c);
        taken = !was_taken;
      } else {
        out.plain(c);
      }
    } else if (c == '.' || c == '-') {
      size_t left = run(text, i);
      i += left - 1;
      if (c == '.' && left > 1) {
        out.apart(text.substr(i + 1 - left, left));
      } else {
        for (; left >= 2; left -= 2) out.apart(U"--");
        if (left) out.plain(c);
      }
    } else if (c == '"') {
      out.apart(U"''");
    } else if (c == '\'') {
      size_t left = run(text, i);
      if (left == 1 && space_follows(text, i)) out.space();
      i += left - 1;
      for (; left >= 2; left -= 2) out.apart(U"''");
      if (left) out.plain(c);
    } else {
      out.plain(c);
    }
  }
  out.space();
}

struct Contraction {
  View letters;
  size_t first;  // how many of them are the first token
  bool at_end;
};

constexpr std::array<Contraction, 8> kContractions{{
    {U"cannot", 3, false}, {U"d'ye", 1, false}, {U"gimme", 3, false}, {U"gonna", 3, false},
    {U"gotta", 3, false}, {U"lemme", 3, false}, {U"more'n", 4, false}, {U"wanna", 3, true},
}};

bool begins(View text, View letters) {
  if (text.size() < letters.size()) return false;
  for (size_t i = 0; i < letters.size(); ++i)
    if (fold(text[i]) != letters[i]) return false;
  return true;
}

class Output {
 public:
  explicit Output(std::u32string& text) : text_(text) {}

  // Emits a token without its clitics: first 's, 'm, 'd or a lone apostrophe, then 'll, 're, 've or n't before it.
  void clitics(View token) {
    size_t cut = token.size() - clitic(token);
    View rest = token.substr(0, cut);
    size_t inner = rest.size() - negation(rest);
    contractions(rest.substr(0, inner));
    if (inner < rest.size()) contractions(rest.substr(inner));
    if (cut < token.size()) contractions(token.substr(cut));
  }

 private:
  static size_t clitic(View token) {
    size_t n = token.size();
    if (n >= 2 && token[n - 1] == '\'') return token[n - 2] != '\'';
    if (n < 3 || token[n - 2] != '\'' || token[n - 3] == '\'') return 0;
    switch (token[n - 1]) {
      case 's': case 'S': case 'm': case 'M': case 'd': case 'D': return 2;
      default: return 0;
    }
  }

  static size_t negation(View token) {
    if (token.size() < 4 || token[token.size() - 4] == '\'') return 0;
    View end = token.substr(token.size() - 3);
    for (View one : {U"'ll", U"'LL", U"'re", U"'RE", U"'ve", U"'VE", U"n't", U"N'T"})
      if (end == one) return 3;
    return 0;
  }

  void contractions(View token) {
    size_t done = 0;
    for (size_t i = 0; i + 4 <= token.size(); ++i) {
      if (i > 0 && is_word(token[i - 1])) continue;
      View here = token.substr(i);
      for (const Contraction& one : kContractions) {
        size_t size = one.letters.size();
        if (!begins(here, one.letters) || (here.size() > size && (one.at_end || is_word(here[size])))) continue;
        archaic(token.substr(done, i - done));
        emit(here.substr(0, one.first));
        emit(here.substr(one.first, size - one.first));
        done = i + size;
        i = done - 1;
        break;
      }
    }
    archaic(token.substr(done));
  }

  // 'tis and 'twas.
  void archaic(View token) {
    for (View verb : {U"'tis", U"'twas"}) {
      if (!begins(token, verb) || (token.size() > verb.size() && is_word(token[verb.size()]))) continue;
      emit(token.substr(0, 2));
      emit(token.substr(2, verb.size() - 2));
      token.remove_prefix(verb.size());
    }
    emit(token);
  }

  void emit(View token) {
    if (token.empty()) return;
    if (!text_.empty()) text_ += ' ';
    text_ += token;
  }

  std::u32string& text_;
};

}  // namespace

std::u32string treebank(View sentence) {
  std::u32string quoted, out;
  quoted.reserve(2 * sentence.size());
  open_quotes(sentence, quoted);
  final_stop(quoted);
  Spaced spaced;
  spaced.text.reserve(2 * quoted.size());
  set_apart(quoted, spaced);
  out.reserve(spaced.text.size());
  Output output(out);
  View rest = View(spaced.text).substr(1);
  while (!rest.empty()) {
    size_t end = rest.find(U' ');
    output.clitics(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace plainmark
