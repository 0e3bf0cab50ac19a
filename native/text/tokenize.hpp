// Tokenisers. Each calls sink(token) for every token of a text.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "text/texts.hpp"

namespace plainmark {

enum class Tokenizer : int {
  none = 0,    // split at white space
  v13a = 1,    // mteval-v13a, as sacreBLEU
  intl = 2,    // mteval-v14 international, as sacreBLEU
  chars = 3,   // every character that is not white space
  space = 4,   // split at each single space: two spaces make an empty token, as str.split(" ")
  chrf = 5,    // words with one leading or trailing punctuation mark cut off, as chrF++
  rouge = 6,   // runs of a-z and 0-9, as rouge-score
  porter = 7,  // the same, stemmed when longer than three letters
  all_chars = 8,  // every character
  plain = 9,  // words of running text, in lower case and without accents, as counted by readability
  zh = 10,  // every Chinese character, and the rest similar to mteval-v13a, as in sacreBLEU
};
inline constexpr int kTokenizers = 11;

std::pair<std::vector<uint64_t>, std::vector<int64_t>> tokenize(const Texts& texts, Tokenizer mode, bool lowercase);
std::vector<std::vector<std::string>> words(const Texts& texts, Tokenizer mode, bool lowercase);
std::string porter_stem(std::string word);

}  // namespace plainmark
