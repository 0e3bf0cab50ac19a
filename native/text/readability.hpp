// The counts of readability formulas: words, sentences, syllables, letters, hard words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/texts.hpp"
#include "text/word_table.hpp"

namespace plainmark {

// The columns of a row of counts; see kernels.COUNT_COLUMNS.
enum Count : int {
  kWords, kSentences, kSyllables, kLetters, kCharacters, kPolysyllables, kLongWords, kComplexWords, kUnfamiliar,
  kUnfamiliarTypes, kSampleEasy, kSampleHard, kSampleSentences, kParagraphs, kCountColumns
};

enum class CountRule : int {
  plain = 0,     // running text; syllables by table and rule
  textstat = 1,  // textstat 0.7.3, whose syllables the table must give
  tokens = 2,    // tokens between white space, vowel groups: the program of Xu et al. 2016
};
inline constexpr int kCountRules = 3;

// Syllables of a word in plain spelling. The table has the words for which the rule is wrong, and the rule's own
// corrections of the number of vowel groups: the value of "~" and a piece of a word, with ^ and $ for its ends, is 100
// plus the correction.
int count_syllables(std::string_view word, bool sounded, const WordTable& table);

// One row of counts per text. For the textstat rule `unknown` gets the words that the table lacks; the rows are
// complete when there are none.
std::vector<int64_t> count_words(const Texts& texts, const Texts& lowered, CountRule rule, const WordTable& syllables,
                                 const WordTable& familiar, std::vector<std::string>& unknown);

// Syllables of each text taken as one word.
std::vector<int64_t> spelled_syllables(const Texts& words, const WordTable& table);

}  // namespace plainmark
