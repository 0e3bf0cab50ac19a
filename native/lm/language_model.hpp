// An immutable back-off n-gram language model: the compiled part of Python's language model.
// Log probabilities are log10, as in ARPA files.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "text/hash.hpp"

namespace plainmark {

class LanguageModel {
 public:
  using Word = std::uint32_t;
  static constexpr int MAX_ORDER = 6;
  static constexpr Word UNKNOWN = 0, BEGIN = 1, END = 2;

  // The relevant past: the previous words, the latest first, and their back-offs.
  // Equal words imply equal back-offs, so back-offs are not compared.
  struct State {
    std::uint8_t length = 0;
    std::array<Word, MAX_ORDER - 1> words;
    std::array<float, MAX_ORDER - 1> back_offs;

    bool operator==(const State& other) const {
      if (length != other.length) return false;
      for (int i = 0; i < length; ++i)
        if (words[i] != other.words[i]) return false;
      return true;
    }
    std::uint64_t hash() const {
      std::uint64_t h = length;
      for (int i = 0; i < length; ++i) h = extend_hash(h, words[i]);
      return h;
    }
  };

  // Throws std::invalid_argument if the bytes are not a whole model.
  explicit LanguageModel(std::string_view bytes);

  int order() const { return order_; }
  std::size_t vocabulary_size() const { return words_.size(); }
  std::string_view text(Word word) const { return words_[word]; }
  Word word(std::string_view text) const;  // UNKNOWN for words that the model lacks
  Word end_word() const { return END; }
  State begin() const;  // at the beginning of a sentence
  State nothing() const { return State(); }

  // log10 P(next | before). `after` keeps the longest context that the model knows, so that pasts that no longer matter
  // become equal; it must not be `before` itself.
  float score(const State& before, Word next, State& after) const {
    int matched;
    return score(before, next, after, matched);
  }

  // Also returns the length of the longest known n-gram that ends in `next`, of at most before.length + 1 words.
  float score(const State& before, Word next, State& after, int& matched) const {
    if (next >= unigrams_.size()) next = UNKNOWN;
    const Entry& one = unigrams_[next];
    float result = one.log_probability;
    after.length = 0;
    keep(after, 0, next, one.back_off);
    std::uint64_t key = first_key(next);
    int k = 0;
    for (; k < before.length; ++k) {
      key = extend_hash(key, before.words[k]);
      const Slot* slot = slots_.find(key);
      if (!slot) break;
      result = slot->log_probability;
      if (k + 2 < order_) keep(after, k + 1, before.words[k], slot->back_off);
    }
    matched = k + 1;
    for (; k < before.length; ++k) result += before.back_offs[k];
    return result;
  }

 private:
  // A back-off that is not a number: no n-gram of the model begins with these words, so they need not be stored.
  static constexpr float NOTHING_FOLLOWS = std::numeric_limits<float>::quiet_NaN();
  struct Slot {
    std::uint64_t key;  // hash of the words from the last to the first; 0 is a free slot
    float log_probability, back_off;
  };
  // Open addressing by groups of slots that fill one cache line: most look-ups load one.
  class Slots {
   public:
    void reserve(std::size_t count);
    void insert(std::uint64_t key, float log_probability, float back_off);
    const Slot* find(std::uint64_t key) const {
      key |= key == 0;
      for (std::size_t g = scale(key, size_);; g = g + 1 == size_ ? 0 : g + 1) {
        const Group& group = groups_[g];
        for (const Slot& slot : group.slots)
          if (slot.key == key) return &slot;
        if (group.slots[3].key == 0) return nullptr;  // slots of a group fill from the first
      }
    }

   private:
    struct alignas(64) Group {
      Slot slots[4];
    };
    struct Free {
      std::align_val_t alignment;
      Free() : alignment() {}
      explicit Free(std::align_val_t alignment_) : alignment(alignment_) {}
      void operator()(Group* groups) const { ::operator delete(groups, alignment); }
    };
    std::unique_ptr<Group[], Free> groups_;
    std::size_t size_ = 0;
  };
  struct Numbered {
    std::uint64_t hash;
    Word word;
  };
  struct Entry {
    float log_probability, back_off;
  };
  static std::uint64_t first_key(Word word) { return extend_hash(0x2545F4914F6CDD1Dull, word); }

  // An index below `size` for a hash.
  static std::size_t scale(std::uint64_t hash, std::size_t size) {
    return static_cast<std::size_t>(multiply(hash, size).high);
  }

  static void keep(State& state, int k, Word word, float back_off) {
    state.words[k] = word;
    bool follows = !std::isnan(back_off);
    state.back_offs[k] = follows ? back_off : 0;
    if (follows) state.length = static_cast<std::uint8_t>(k + 1);
  }

  void read_words(std::string_view block, std::size_t count);

  int order_ = 0;
  std::string text_;                      // all words, one after the other
  std::vector<std::string_view> words_;   // into text_
  std::vector<Numbered> numbers_;         // of words by their hashes, open addressing; a hash of 0 is a free place
  std::vector<Entry> unigrams_;
  Slots slots_;                           // longer n-grams
};

}  // namespace plainmark
