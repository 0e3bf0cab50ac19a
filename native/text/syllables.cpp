#include <algorithm>

#include "text/hash.hpp"
#include "text/readability.hpp"

namespace plainmark {

namespace {

constexpr size_t kLongestPiece = 7;  // including the marks of its ends
constexpr int kZero = 100;  // the table's code for "no correction"

// Bytes beyond ASCII are letters of other scripts, or the pronounced e of café: each run counts as one vowel group.
bool vowel(char c) {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y' || static_cast<unsigned char>(c) >= 0x80;
}

bool letter(char c) { return (c >= 'a' && c <= 'z') || c == '\'' || static_cast<unsigned char>(c) >= 0x80; }
bool numeral(char c) { return c >= '0' && c <= '9'; }

int corrections(std::string_view part, const WordTable& table) {
  std::string marked = "^" + std::string(part) + "$";
  char key[kLongestPiece + 1] = {'~'};
  int sum = 0;
  for (size_t i = 0; i < marked.size(); ++i) {
    for (size_t n = 1; n <= kLongestPiece && i + n <= marked.size(); ++n) {
      key[n] = marked[i + n - 1];
      int value = table.find(hash_bytes({key, n + 1}));
      if (value >= 0) sum += value - kZero;
    }
  }
  return sum;
}

// A run of letters: its corrected number of vowel groups; without a vowel it is spelt out.
int run_of_letters(std::string_view part, const WordTable& table) {
  int groups = 0;
  bool inside = false;
  for (char c : part) {
    bool here = vowel(c);
    groups += here && !inside;
    inside = here;
  }
  if (groups > 0) return std::max(1, groups + corrections(part, table));
  auto letters = std::count_if(part.begin(), part.end(), [](char c) { return c != '\''; });
  if (letters < 2) return static_cast<int>(letters);
  return static_cast<int>(letters + 2 * std::count(part.begin(), part.end(), 'w'));
}

bool sibilant(std::string_view stem) {
  auto ends = [&](std::string_view tail) { return stem.ends_with(tail); };
  return ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh") || ends("ce") || ends("ge") || ends("se") ||
         ends("ze") || ends("che");
}

}  // namespace

int count_syllables(std::string_view word, bool sounded, const WordTable& table) {
  std::string marked;
  int endings = 0;
  for (;; sounded = false) {
    if (!sounded)
      if (int known = table.find(hash_bytes(word)); known >= 0) return endings + known;
    if (size_t at = word.rfind('e'); sounded && at != std::string_view::npos) {
      marked = word;
      marked[at] = '\xE9';
      word = marked;
    }
    if (word.size() > 2 && word.ends_with("'s")) {
      word.remove_suffix(2);
      endings += sibilant(word);
    } else if (word.size() > 2 && word.ends_with("s'")) {
      word.remove_suffix(1);
    } else {
      break;
    }
  }
  int sum = 0;
  for (size_t i = 0; i < word.size();) {
    size_t start = i;
    if (numeral(word[i])) {
      while (i < word.size() && (numeral(word[i]) || ((word[i] == ',' || word[i] == '.') && i + 1 < word.size() &&
                                                    numeral(word[i + 1]))))
        ++i;
      ++sum;
      std::string_view rest = word.substr(i);
      if (rest == "st" || rest == "nd" || rest == "rd" || rest == "th" || rest == "s") break;
    } else if (letter(word[i])) {
      while (i < word.size() && letter(word[i])) ++i;
      std::string_view part = word.substr(start, i - start);
      sum += part.size() < word.size() ? count_syllables(part, false, table) : run_of_letters(part, table);
    } else {
      ++i;
    }
  }
  return endings + std::max(sum, 1);
}

}  // namespace plainmark
