// The rules of a grammar with the weights of one call: those of one source side, the most promising first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "decode/scfg.hpp"
#include "lm/language_model.hpp"

namespace plainmark {

struct Ranked {
  std::span<const std::int32_t> rules;
  const double* estimates;
};

// Data that all sentences of a call share.
class RankedRules {
 public:
  const Grammar& grammar;
  const LanguageModel* model;
  std::span<const std::uint32_t> lm_words;
  std::span<const double> scores;
  const DecodeOptions& options;

  RankedRules(const Grammar& grammar_, const LanguageModel* model_, std::span<const std::uint32_t> lm_words_,
              std::span<const double> scores_, const DecodeOptions& options_)
      : grammar(grammar_),
        model(model_),
        lm_words(lm_words_),
        scores(scores_),
        options(options_),
        rules_(grammar_.rules()),
        estimates_(grammar_.rules()),
        is_ranked_(grammar_.nodes()) {}

  double best_estimate(std::int32_t node) { return *best_first(node).estimates; }

  // The rules whose source ends at a node, ranked on first use.
  Ranked best_first(std::int32_t node) {
    std::size_t first = grammar.first_ending(node), size = grammar.ending(node).size();
    if (!is_ranked_[node]) {
      is_ranked_[node] = true;
      order_.clear();
      for (std::int32_t rule : grammar.ending(node)) order_.push_back({-estimate(rule), rule});
      std::sort(order_.begin(), order_.end());
      for (std::size_t k = 0; k < size; ++k) {
        rules_[first + k] = order_[k].second;
        estimates_[first + k] = -order_[k].first;
      }
    }
    return {{rules_.data() + first, size}, estimates_.data() + first};
  }

 private:
  // The score including the language model's scores of each run of words alone.
  double estimate(std::int32_t rule) const {
    if (!model) return scores[rule];
    LanguageModel::State state = model->nothing(), next;
    double log = 0;
    for (std::int32_t symbol : grammar.target(rule)) {
      if (symbol < 0) {
        state = model->nothing();
        continue;
      }
      log += model->score(state, lm_words[symbol], next);
      std::swap(state, next);
    }
    return scores[rule] + options.lm_weight * log;
  }

  std::vector<std::int32_t> rules_;  // by their nodes
  std::vector<double> estimates_;    // of each of them
  std::vector<bool> is_ranked_;      // of each node
  std::vector<std::pair<double, std::int32_t>> order_;  // to sort in
};

}  // namespace plainmark
