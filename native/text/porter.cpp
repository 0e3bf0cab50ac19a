// Porter's stemmer with the extensions that NLTK's default mode has (rouge-score and METEOR stem with it).
#include <array>
#include <utility>

#include "text/tokenize.hpp"

namespace plainmark {

namespace {

using View = std::string_view;

bool plain_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

// A "y" is a consonant unless it follows one, so those of a run take turns.
bool consonant(View word, size_t i) {
  size_t first = i;
  while (first > 0 && word[first] == 'y' && word[first - 1] == 'y') --first;
  bool is_consonant = word[first] == 'y' ? first == 0 || plain_vowel(word[first - 1]) : !plain_vowel(word[first]);
  return is_consonant != ((i - first) % 2 == 1);
}

// Porter's m: how many times a vowel is followed by a consonant.
int measure(View stem) {
  int m = 0;
  bool after_vowel = false, was_vowel = false;
  for (size_t i = 0; i < stem.size(); ++i) {
    // "y" is a consonant unless it follows one; `was_vowel` is of the letter before.
    char c = stem[i];
    bool vowel = plain_vowel(c) || (c == 'y' && i > 0 && !was_vowel);
    was_vowel = vowel;
    if (!vowel && after_vowel) ++m;
    after_vowel = vowel;
  }
  return m;
}

bool has_vowel(View stem) {
  for (size_t i = 0; i < stem.size(); ++i)
    if (!consonant(stem, i)) return true;
  return false;
}

bool double_consonant(View w) {
  return w.size() >= 2 && w[w.size() - 1] == w[w.size() - 2] && consonant(w, w.size() - 1);
}

bool ends_cvc(View w) {
  size_t n = w.size();
  if (n == 2) return !consonant(w, 0) && consonant(w, 1);
  if (n < 3) return false;
  char last = w[n - 1];
  return consonant(w, n - 3) && !consonant(w, n - 2) && consonant(w, n - 1) && last != 'w' && last != 'x' && last != 'y';
}

void replace_end(std::string& word, size_t cut, View with) {
  word.resize(word.size() - cut);
  word += with;
}

struct Rule {
  View suffix, replacement;
};

// The first rule with a matching suffix decides: it applies if the measure of the rest exceeds `above`, else no rule does.
template <size_t N>
void apply(std::string& word, const std::array<Rule, N>& rules, int above) {
  for (const Rule& rule : rules) {
    if (!word.ends_with(rule.suffix)) continue;
    View stem = View(word).substr(0, word.size() - rule.suffix.size());
    bool fits = measure(stem) > above;
    if (rule.suffix == "logi") fits = measure(View(word).substr(0, word.size() - 3)) > above;
    if (rule.suffix == "ion") fits = fits && (stem.back() == 's' || stem.back() == 't');
    if (fits) replace_end(word, rule.suffix.size(), rule.replacement);
    return;
  }
}

constexpr std::array<std::pair<View, View>, 15> kIrregular{{
    {"sky", "sky"}, {"skies", "sky"}, {"dying", "die"}, {"lying", "lie"}, {"tying", "tie"},
    {"news", "news"}, {"innings", "inning"}, {"inning", "inning"}, {"outings", "outing"}, {"outing", "outing"},
    {"cannings", "canning"}, {"canning", "canning"}, {"howe", "howe"}, {"proceed", "proceed"}, {"exceed", "exceed"},
}};

constexpr std::array<Rule, 22> kStep2{{
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"bli", "ble"},
    {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"}, {"ation", "ate"},
    {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},
    {"iviti", "ive"}, {"biliti", "ble"}, {"fulli", "ful"}, {"logi", "log"},
}};
constexpr std::array<Rule, 7> kStep3{{
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}};
constexpr std::array<Rule, 19> kStep4{{
    {"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""},
    {"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ion", ""}, {"ou", ""}, {"ism", ""},
    {"ate", ""}, {"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""},
}};

void step1a(std::string& w) {
  if (w.ends_with("ies")) return replace_end(w, 3, w.size() == 4 ? "ie" : "i");
  if (w.ends_with("sses")) return replace_end(w, 2, "");
  if (w.ends_with("s") && !w.ends_with("ss")) w.pop_back();
}

void step1b(std::string& w) {
  if (w.ends_with("ied")) return replace_end(w, 3, w.size() == 4 ? "ie" : "i");
  if (w.ends_with("eed")) {
    if (measure(View(w).substr(0, w.size() - 3)) > 0) w.pop_back();
    return;
  }
  size_t cut = w.ends_with("ed") ? 2 : w.ends_with("ing") ? 3 : 0;
  if (cut == 0 || !has_vowel(View(w).substr(0, w.size() - cut))) return;
  w.resize(w.size() - cut);
  if (w.ends_with("at") || w.ends_with("bl") || w.ends_with("iz")) {
    w += 'e';
  } else if (double_consonant(w)) {
    if (w.back() != 'l' && w.back() != 's' && w.back() != 'z') w.pop_back();
  } else if (measure(w) == 1 && ends_cvc(w)) {
    w += 'e';
  }
}

void step1c(std::string& w) {
  if (w.ends_with("y") && w.size() > 2 && consonant(w, w.size() - 2)) w.back() = 'i';
}

void step2(std::string& w) {
  // -alli comes first and the rest of the step is tried again on what it leaves.
  while (w.ends_with("alli") && measure(View(w).substr(0, w.size() - 4)) > 0) w.resize(w.size() - 2);
  apply(w, kStep2, 0);
}

void step5(std::string& w) {
  if (w.ends_with("e")) {
    View stem = View(w).substr(0, w.size() - 1);
    int m = measure(stem);
    if (m > 1 || (m == 1 && !ends_cvc(stem))) w.pop_back();
  }
  if (w.ends_with("ll") && measure(View(w).substr(0, w.size() - 1)) > 1) w.pop_back();
}

}  // namespace

std::string porter_stem(std::string word) {
  for (const auto& [form, stem] : kIrregular)
    if (word == form) return std::string(stem);
  if (word == "succeed" || word.size() <= 2) return word;
  step1a(word);
  step1b(word);
  step1c(word);
  step2(word);
  apply(word, kStep3, 0);
  apply(word, kStep4, 1);
  step5(word);
  return word;
}

}  // namespace plainmark
