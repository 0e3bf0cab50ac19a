#include "text/readability.hpp"

#include <algorithm>
#include <array>

#include "text/characters.hpp"
#include "text/hash.hpp"
#include "text/plain_words.hpp"

namespace plainmark {

namespace {

constexpr int kSampleWords = 100;  // Linsear Write uses the first hundred words
constexpr uint32_t kLongWord = 7;

// The regular endings of words on the list of familiar ones, and what they replace.
constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
    {"s", ""},    {"es", ""},   {"ies", "y"}, {"d", ""},    {"ed", ""},  {"ied", "y"}, {"ing", ""},
    {"ing", "e"}, {"r", ""},    {"er", ""},   {"ier", "y"}, {"st", ""},  {"est", ""},  {"iest", "y"},
    {"ly", ""},   {"ily", "y"}, {"'s", ""},   {"'", ""},    {"n", ""},
};

bool listed(std::string_view word, const WordTable& familiar) { return familiar.find(hash_bytes(word)) >= 0; }

// Whether a word without a hyphen is on the list, possibly after removing a regular ending.
bool familiar_form(std::string_view word, const WordTable& familiar) {
  if (listed(word, familiar)) return true;
  std::string stem;
  for (auto [ending, instead] : kEndings) {
    if (word.size() < ending.size() + 2 || !word.ends_with(ending)) continue;
    stem.assign(word.substr(0, word.size() - ending.size())).append(instead);
    if (listed(stem, familiar)) return true;
    // stopped, bigger: the doubled consonant
    if (instead.empty() && stem.size() > 2 && stem.back() == stem[stem.size() - 2] &&
        listed(std::string_view(stem).substr(0, stem.size() - 1), familiar))
      return true;
  }
  return false;
}

// A hyphenated word is familiar if it is listed itself or all its parts are familiar.
bool familiar_word(std::string_view word, const WordTable& familiar) {
  while (!listed(word, familiar)) {
    size_t at = word.find('-');
    if (at == std::string_view::npos) return familiar_form(word, familiar);
    if (!familiar_form(word.substr(0, at), familiar)) return false;
    word.remove_prefix(at + 1);
  }
  return true;
}

// Whether -es, -ed or -ing adds a syllable, which Gunning does not count.
bool sounded_ending(std::string_view word) {
  if (word.size() < 4) return false;
  if (word.ends_with("ing")) return true;
  char before = word[word.size() - 3];
  if (word.ends_with("ed")) return before == 't' || before == 'd';
  if (word.ends_with("ches") || word.ends_with("shes")) return true;
  return word.ends_with("es") && std::string_view("sxzcg").find(before) != std::string_view::npos;
}

struct Known {
  int syllables;
  bool complex, familiar;
};

void count_plain(const Texts& texts, const WordTable& syllables, const WordTable& familiar, int64_t* row) {
  PlainReader reader;
  Memo<Known> memo;
  std::vector<uint64_t> unfamiliar;
  for (const auto& piece : texts.pieces) {
    const PlainText& text = reader.read(piece.bytes);
    unfamiliar.clear();
    for (const PlainWord& word : text.words) {
      std::string_view spelling = text.of(word);
      uint64_t hash = hash_bytes(spelling);
      auto [known, fresh] = memo.at(hash ^ static_cast<uint64_t>(word.sounded));
      if (fresh) {
        known.syllables = count_syllables(spelling, word.sounded, syllables);
        known.complex = known.syllables - sounded_ending(spelling) >= 3 && spelling.find('-') == spelling.npos;
        known.familiar = familiar_word(spelling, familiar);
      }
      // A capital inside a sentence is a name; names and numbers count as familiar.
      bool name = word.capital && !word.starts_sentence;
      bool first = row[kWords]++ < kSampleWords;
      row[kSentences] += word.starts_sentence;
      row[kParagraphs] += word.starts_paragraph;
      row[kSyllables] += known.syllables;
      row[kLetters] += word.letters;
      row[kCharacters] += word.letters + word.digits;
      row[kPolysyllables] += known.syllables >= 3;
      row[kLongWords] += word.letters >= kLongWord;
      row[kComplexWords] += known.complex && !name;
      if (first) {
        ++row[known.syllables < 3 ? kSampleEasy : kSampleHard];
        row[kSampleSentences] += word.starts_sentence;
      }
      if (!known.familiar && !name && word.digits == 0) {
        ++row[kUnfamiliar];
        unfamiliar.push_back(hash);
      }
    }
    std::sort(unfamiliar.begin(), unfamiliar.end());
    row[kUnfamiliarTypes] = std::unique(unfamiliar.begin(), unfamiliar.end()) - unfamiliar.begin();
    row += kCountColumns;
  }
}

enum Class : uint8_t { kSpace = 1, kWord = 2, kStop = 4, kMark = 8 };  // \s, \w, [.!?], ['=‘’]

uint8_t ascii_class(unsigned char c) {
  if (c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F)) return kSpace;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_') return kWord;
  if (c == '.' || c == '!' || c == '?') return kStop;
  return c == '\'' || c == '=' ? kMark : 0;
}

uint8_t wide_class(std::string_view bytes) {
  auto lead = static_cast<unsigned char>(bytes[0]);
  uint32_t point = lead & (0xFFu >> (bytes.size() + 1));
  for (size_t i = 1; i < bytes.size(); ++i) point = point << 6 | (bytes[i] & 0x3F);
  if (point == 0x2018 || point == 0x2019) return kMark;
  const Character& known = character(point);
  if (known.is(Character::kSpace)) return kSpace;
  return known.is(Character::kAlnum) ? kWord : 0;
}

// Calls visit(character's bytes, class) for each character.
template <class Visit>
void each_character(std::string_view text, Visit&& visit) {
  static const auto ascii = [] {
    std::array<uint8_t, 128> table{};
    for (int c = 0; c < 128; ++c) table[c] = ascii_class(static_cast<unsigned char>(c));
    return table;
  }();
  for (size_t i = 0; i < text.size();) {
    auto lead = static_cast<unsigned char>(text[i]);
    size_t width = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::string_view bytes = text.substr(i, width);
    visit(bytes, width == 1 ? ascii[lead] : wide_class(bytes));
    i += width;
  }
}

// Words as counted by textstat, piece by piece between white space and [.!?]; pieces of at most two words are not
// sentences.
struct SentenceCounter {
  int64_t sentences = 0, words = 0;
  bool word = false;

  void space() {
    words += word;
    word = false;
  }
  void stop() {
    space();
    sentences += words > 2;
    words = 0;
  }
  int64_t total() const { return std::max<int64_t>(1, sentences + (words + word > 2)); }
};

class TextstatCounter {
 public:
  TextstatCounter(const WordTable& syllables, const WordTable& familiar, std::vector<std::string>& unknown)
      : syllables_(syllables), familiar_(familiar), unknown_(unknown) {}

  void count(std::string_view plain, std::string_view lowered, int64_t* row) {
    SentenceCounter sentences;
    int64_t tokens = 0;
    bool token = false, word = false;
    auto end_token = [&] {
      if (!token) return;
      row[kWords] += word;
      if (++tokens == kSampleWords) row[kSampleSentences] = sentences.total();
      token = word = false;
    };
    each_character(plain, [&](std::string_view, uint8_t kind) {
      if (kind == kSpace) {
        end_token();
        sentences.space();
        return;
      }
      token = true;
      ++row[kCharacters];
      if (kind == kWord) {
        word = sentences.word = true;
        ++row[kLetters];
      } else if (kind == kStop) {
        sentences.stop();
      }
    });
    end_token();
    row[kSentences] = sentences.total();
    if (tokens < kSampleWords) row[kSampleSentences] = row[kSentences];
    count_lowered(lowered, row);
  }

 private:
  void count_lowered(std::string_view text, int64_t* row) {
    int64_t tokens = 0;
    bool token = false;
    clean_.clear();
    run_.clear();
    types_.clear();
    auto end_run = [&] {
      if (!run_.empty()) types_.emplace_back(hash_bytes(run_), syllables(run_clean_));
      run_.clear();
      run_clean_.clear();
    };
    auto end_token = [&] {
      if (!token) return;
      int n = syllables(clean_);
      row[kSyllables] += n;
      row[kPolysyllables] += n >= 3;
      if (++tokens <= kSampleWords) ++row[n < 3 ? kSampleEasy : kSampleHard];
      clean_.clear();
      token = false;
    };
    each_character(text, [&](std::string_view bytes, uint8_t kind) {
      if (kind == kSpace) {
        end_token();
        end_run();
        return;
      }
      token = true;
      if (kind == kWord) {
        clean_ += bytes;
        run_clean_ += bytes;
      }
      if (kind == kWord || kind == kMark)
        run_ += bytes;
      else
        end_run();
    });
    end_token();
    end_run();
    std::sort(types_.begin(), types_.end());
    types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
    for (auto [hash, n] : types_) {
      if (familiar_.find(hash) >= 0) continue;
      ++row[kUnfamiliar];
      row[kUnfamiliarTypes] += n >= 2;
      row[kComplexWords] += n >= 3;
    }
  }

  int syllables(std::string_view word) {
    if (word.empty()) return 0;
    auto [known, fresh] = memo_.at(hash_bytes(word));
    if (fresh) {
      known = syllables_.find(hash_bytes(word));
      if (known < 0) {
        unknown_.emplace_back(word);
        known = 0;
      }
    }
    return known;
  }

  const WordTable &syllables_, &familiar_;
  std::vector<std::string>& unknown_;
  Memo<int> memo_;
  std::string clean_, run_, run_clean_;
  std::vector<std::pair<uint64_t, int>> types_;
};

int vowel_groups(std::string_view part) {
  auto vowel = [](char c) { return std::string_view("aeiouyAEIOUY").find(c) != std::string_view::npos; };
  int groups = 0;
  for (size_t i = 0; i < part.size(); ++i) groups += vowel(part[i]) && (i == 0 || !vowel(part[i - 1]));
  size_t n = part.size();
  // A final e is silent after anything but a, e, i, o, u.
  if (n > 1 && (part[n - 1] | 0x20) == 'e' && std::string_view("aeiouAEIOU").find(part[n - 2]) == std::string_view::npos)
    --groups;
  return std::max(groups, 1);
}

// Every part of a hyphenated token has a syllable, even an empty first part: -lrb- has two.
int token_syllables(std::string_view token) {
  while (!token.empty() && token.back() == '-') token.remove_suffix(1);
  if (token.empty()) return 1;
  int sum = 0;
  for (;;) {
    size_t at = token.find('-');
    sum += vowel_groups(token.substr(0, at));
    if (at == token.npos) return sum;
    token.remove_prefix(at + 1);
  }
}

void count_tokens(const Texts& texts, int64_t* row) {
  std::string token;
  for (const auto& piece : texts.pieces) {
    auto end_token = [&] {
      if (token.empty()) return;
      ++row[kWords];
      row[kSyllables] += token_syllables(token);
      token.clear();
    };
    each_character(piece.bytes, [&](std::string_view bytes, uint8_t kind) {
      if (kind == kSpace)
        end_token();
      else
        token += bytes;
    });
    end_token();
    row[kSentences] = row[kWords] > 0;
    row += kCountColumns;
  }
}

}  // namespace

std::vector<int64_t> count_words(const Texts& texts, const Texts& lowered, CountRule rule, const WordTable& syllables,
                                 const WordTable& familiar, std::vector<std::string>& unknown) {
  std::vector<int64_t> out(texts.pieces.size() * kCountColumns, 0);
  if (rule == CountRule::plain) {
    count_plain(texts, syllables, familiar, out.data());
  } else if (rule == CountRule::tokens) {
    count_tokens(texts, out.data());
  } else {
    TextstatCounter counter(syllables, familiar, unknown);
    std::string work;
    for (size_t i = 0; i < texts.pieces.size(); ++i) {
      work.assign(lowered.pieces[i].bytes);
      if (lowered.pieces[i].ascii)
        for (char& c : work)
          if (c >= 'A' && c <= 'Z') c |= 0x20;
      counter.count(texts.pieces[i].bytes, work, out.data() + i * kCountColumns);
    }
  }
  return out;
}

std::vector<int64_t> spelled_syllables(const Texts& words, const WordTable& table) {
  std::vector<int64_t> out;
  PlainReader reader;
  for (const auto& piece : words.pieces) {
    const PlainText& text = reader.spell(piece.bytes);
    out.push_back(piece.bytes.empty() ? 0 : count_syllables(text.of(text.words[0]), text.words[0].sounded, table));
  }
  return out;
}

}  // namespace plainmark
