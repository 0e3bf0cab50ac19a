// Partial outputs as the language model sees them, and their concatenation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "lm/language_model.hpp"

namespace plainmark {

// A partial output, as far as the language model can see it: the first words wait for their left context until they
// are `closed` (more words before would change nothing), and the right state is for the words after it.
struct Outside {
  std::uint8_t left_size = 0;
  bool closed = false;
  std::array<LanguageModel::Word, LanguageModel::MAX_ORDER - 1> left;
  LanguageModel::State right;

  bool operator==(const Outside& other) const {
    return left_size == other.left_size && closed == other.closed &&
           std::equal(left.begin(), left.begin() + left_size, other.left.begin()) && right == other.right;
  }
  std::uint64_t hash() const {
    std::uint64_t h = extend_hash(right.hash(), 2u * left_size + closed);
    for (int i = 0; i < left_size; ++i) h = extend_hash(h, left[i]);
    return h;
  }
};

// Concatenates words and partial outputs, and adds the language model's log probabilities.
class Joining {
 public:
  explicit Joining(const LanguageModel* model) : model_(model) {
    out_.right = LanguageModel::State();
    out_.closed = !model || model->order() == 1;
  }
  // At the beginning of a sentence nothing waits.
  void begin() {
    is_new_ = false;
    out_.closed = true;
    if (model_) out_.right = model_->begin();
  }
  void word(LanguageModel::Word word) {
    if (!model_) return;
    is_new_ = false;
    LanguageModel::State next;
    float log = model_->score(out_.right, word, next);
    if (out_.closed) {
      exact_ += log;
    } else {
      guess_ += log;
      out_.left[out_.left_size++] = word;
      // The model has no context with all these words, so it would not use further words before them.
      out_.closed = next.length < out_.left_size || out_.left_size >= model_->order() - 1;
    }
    out_.right = next;
  }
  // `log` is for the words that do not wait, `guess` for those that do, without any context.
  void part(const Outside& part, double log, double guess) {
    if (!model_) return;
    if (is_new_) {  // an unchanged part: nothing precedes it
      out_ = part;
      exact_ = log;
      guess_ = guess;
      is_new_ = false;
      return;
    }
    for (int i = 0; i < part.left_size; ++i) word(part.left[i]);
    exact_ += log;
    if (part.closed) {
      out_.closed = true;
      out_.right = part.right;
    }
  }
  const Outside& outside() const { return out_; }
  double exact() const { return exact_; }
  double guess() const { return guess_; }

 private:
  const LanguageModel* model_;
  Outside out_;
  bool is_new_ = true;
  double exact_ = 0, guess_ = 0;
};

}  // namespace plainmark
