// Decoding with synchronous context-free grammars: a chart over the source, cube pruning with a language model, and the
// best distinct outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lm/language_model.hpp"

namespace plainmark {

constexpr int MAX_NONTERMINALS = 6;  // of one rule

// Rules by their source sides, as a trie of words and labels.
class Grammar {
 public:
  // Symbols of rule r are [offsets[r], offsets[r + 1]): words are numbers from 0; in sources -1 - label is a nonterminal,
  // in targets -1 - k is the k-th nonterminal of the source. Throws std::invalid_argument if they are anything else.
  Grammar(std::span<const std::int32_t> lhs, std::span<const std::int32_t> sources,
          std::span<const std::int64_t> source_offsets, std::span<const std::int32_t> targets,
          std::span<const std::int64_t> target_offsets, std::int32_t words, std::int32_t labels);

  std::size_t rules() const { return lhs_.size(); }
  std::size_t nodes() const { return first_.size() - 1; }
  std::int32_t labels() const { return labels_; }
  std::int32_t words() const { return words_; }
  std::int32_t lhs(std::int32_t rule) const { return lhs_[rule]; }
  std::span<const std::int32_t> target(std::int32_t rule) const {
    return {targets_.data() + target_offsets_[rule], static_cast<std::size_t>(target_offsets_[rule + 1] - target_offsets_[rule])};
  }

  static constexpr std::int32_t ROOT = 0, NOWHERE = -1;
  std::int32_t after_word(std::int32_t node, std::int32_t word) const { return step(node, 2u * word); }
  std::int32_t after_label(std::int32_t node, std::int32_t label) const { return step(node, 2u * label + 1); }
  // Whether a longer source continues after a node.
  bool goes_on(std::int32_t node) const { return goes_on_[node]; }
  // Labels that may follow a node, sorted, and the nodes that they lead to.
  std::span<const std::pair<std::int32_t, std::int32_t>> labels_after(std::int32_t node) const {
    return {label_steps_.data() + first_step_[node], static_cast<std::size_t>(first_step_[node + 1] - first_step_[node])};
  }
  // The rules whose source ends at a node.
  std::span<const std::int32_t> ending(std::int32_t node) const {
    return {order_.data() + first_ending(node), static_cast<std::size_t>(first_[node + 1] - first_[node])};
  }
  // Where those of a node begin among all rules by their nodes.
  std::int32_t first_ending(std::int32_t node) const { return first_[node]; }

 private:
  std::int32_t step(std::int32_t node, std::uint32_t symbol) const {
    auto next = steps_.find(static_cast<std::uint64_t>(node) << 32 | symbol);
    return next == steps_.end() ? NOWHERE : next->second;
  }

  std::int32_t words_, labels_;
  std::vector<std::int32_t> lhs_, targets_;
  std::vector<std::int64_t> target_offsets_;
  std::unordered_map<std::uint64_t, std::int32_t> steps_;
  std::vector<std::pair<std::int32_t, std::int32_t>> label_steps_;
  std::vector<std::int32_t> first_step_;
  std::vector<bool> goes_on_;
  std::vector<std::int32_t> first_, order_;
};

struct DecodeOptions {
  double lm_weight = 0;    // of log10 probabilities
  double glue = 0;         // for each piece of the output that stands beside the others
  int span_limit = 20;     // longest source of a rule with all that its nonterminals stand for; 0 for none
  int pop_limit = 100;     // hypotheses looked at for a span; 0 for all, which makes the search exact
  int unary_limit = 3;  // largest chain of rules that are a single nonterminal over the same words
  std::size_t nbest = 1;
  bool unique = true;
};

// Outputs of all sentences, concatenated; rules are indices of rules, with repetition, in the order of the output.
struct NBest {
  std::vector<std::int64_t> sentences{0};  // where the outputs of each sentence begin
  std::vector<double> scores, lm;
  std::vector<std::int32_t> glues, copies;
  std::vector<std::int32_t> words, rules;
  std::vector<std::int32_t> word_places;  // the source word that a word is a copy of, or -1
  std::vector<std::int32_t> rule_spans;   // of each rule used: first and last + 1 word of the source, and of the output
  std::vector<std::int64_t> word_offsets{0}, rule_offsets{0};
};

struct Source {
  std::span<const std::int32_t> words;
  std::span<const double> copy_scores;           // of each word left as it is
  std::span<const std::int32_t> copy_labels;     // what a copied word counts as
  std::span<const std::int64_t> label_offsets;   // of each word, into copy_labels, and one more
};

// `model` may be null; lm_words has the model's index of each word of the grammar and the sources.
void decode(const Grammar& grammar, const LanguageModel* model, std::span<const std::uint32_t> lm_words,
            std::span<const double> rule_scores, std::span<const Source> sources, const DecodeOptions& options,
            NBest& out);

}  // namespace plainmark
