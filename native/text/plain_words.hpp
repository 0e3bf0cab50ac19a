// Words and sentences of running text, as counted by readability formulas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plainmark {

struct PlainWord {
  uint32_t begin, end;        // where its spelling is in PlainText::spelling
  uint32_t letters, digits;
  bool starts_sentence, starts_paragraph;
  bool capital;               // begins with a capital letter
  bool sounded;               // its last e has an accent: café
};

// A word's spelling is in lower case, Latin letters without accents, apostrophes straight.
struct PlainText {
  std::string spelling;
  std::vector<PlainWord> words;
  std::string_view of(const PlainWord& word) const {
    return std::string_view(spelling).substr(word.begin, word.end - word.begin);
  }
};

// A word is a piece between white space, dashes and slashes that has a letter or a digit, without the punctuation
// around it; a clitic separated by a tokeniser ("do n't", "it 's") belongs to the word before it. Sentences end at
// . ! ? … unless the next word is in lower case or the period belongs to an abbreviation; a blank line ends a paragraph.
class PlainReader {
 public:
  const PlainText& read(std::string_view text);
  // A whole string as one word.
  const PlainText& spell(std::string_view word);

 private:
  void decode(std::string_view text);
  void piece(size_t begin, size_t end, bool alone);
  void add_spelling(size_t begin, size_t end, PlainWord& word);
  bool bracket(size_t begin, size_t first, size_t last, size_t end) const;
  bool joins(size_t begin, size_t first, size_t last, size_t end) const;
  bool ends_sentence(const PlainWord& before, const PlainWord& word, bool small, bool number) const;
  unsigned terminators(size_t begin, size_t end) const;

  std::vector<uint32_t> points_;
  std::vector<uint8_t> classes_;
  PlainText out_;
  uint32_t spelled_ = 0;     // how much of the spelling is used
  bool cased_ = false;  // the text has capitals, so that a lower-case letter is informative
  bool paragraph_ = false;   // a blank line came since the last word
  bool open_ = false;        // nothing but one stretch of white space came since the last word
  unsigned pending_ = 0;     // terminators since the last word
};

}  // namespace plainmark
