// The chart's items, their derivations, and their best outputs: computed lazily (Huang and Chiang 2005, algorithm 3);
// two derivations of one output count once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "decode/joining.hpp"
#include "decode/scfg.hpp"

namespace plainmark {

constexpr std::int32_t COPY = -1, GLUE = -2, FINISH = -3;  // instead of the index of a rule

struct Item;

// One derivation step of an item: a rule and the items of its nonterminals, in the source's order.
struct Edge {
  std::int32_t rule;
  std::int32_t word;  // that was copied
  std::array<const Item*, MAX_NONTERMINALS> children;
  int arity;
  double weight, lm;  // its addition to the children's scores, and the language model's log10 probabilities in it
  const Edge* next = nullptr;  // of the same item

  double best() const;
};

struct Kbest;

struct Item {
  std::int32_t label;
  std::int32_t depth;  // how many unary rules are on top
  std::int32_t begin, end;  // of the source
  Outside outside;
  double score;     // without words that wait for their left context
  double priority;  // with a guess for them
  double lm;        // log10 probability of the words that do not wait
  double guess;     // of those that do
  const Edge* edges;  // the first, and the last
  Edge* last;
  mutable std::unique_ptr<Kbest> kbest;
};

inline double Edge::best() const {
  double sum = weight;
  for (int c = 0; c < arity; ++c) sum += children[c]->score;
  return sum;
}

using Ranks = std::array<std::uint32_t, MAX_NONTERMINALS>;

// An edge and the chosen outputs of its children.
struct Step {
  const Edge* edge;
  Ranks ranks;
};

// An output of an item.
struct Kth {
  const Edge* edge;
  Ranks ranks;
  double score, lm;
  std::uint64_t hash;
  std::int32_t length;
  std::uint64_t number;  // the earlier one of two equals

  bool operator<(const Kth& other) const { return score != other.score ? score < other.score : number > other.number; }
};

struct Kbest {
  std::vector<Kth> ranked;  // the best outputs as far as they are known
  std::priority_queue<Kth> waiting;
  std::unordered_set<std::uint64_t> hashes;
  std::vector<Step> steps;  // that still have to join those that wait, the next one last
  bool all_edges = false;   // or only the best one, which is enough for the best output
  bool expanded = false;    // whether what follows the last one taken is among those that wait
  bool exhausted = false;
  Kth last;
};

class Derivations {
 public:
  Derivations(const Grammar& grammar, bool unique) : grammar_(grammar), unique_(unique) {}

  // Makes sure that the k-th best output of an item is known; returns false if there are fewer. Items can be nested as
  // deeply as a sentence is long, so the items that an item waits for are on an explicit stack.
  bool kth(const Item& item, std::size_t k) {
    demands_.assign(1, {&item, k});
    while (!demands_.empty()) {
      auto [current, rank] = demands_.back();
      if (!current->kbest) start(*current);
      Kbest& kbest = *current->kbest;
      if (kbest.ranked.size() > rank || kbest.exhausted)
        demands_.pop_back();
      else
        advance(*current, kbest);
    }
    return item.kbest->ranked.size() > k;
  }

  // Appends the words and rules of an output of an item, and counts what was glued and copied.
  void write(const Item& item, std::size_t rank, NBest& out, std::int32_t& glues, std::int32_t& copies) const {
    auto place = [&] { return static_cast<std::int32_t>(out.words.size() - out.word_offsets.back()); };
    struct Open {
      const Item* item;
      const Kth* kth;
      std::span<const std::int32_t> symbols;  // that are left
      std::size_t rule;
    };
    std::vector<Open> open;
    auto enter = [&](const Item& next, std::size_t number) {
      const Kth& taken = next.kbest->ranked[number];
      const Edge& edge = *taken.edge;
      open.push_back({&next, &taken, output(edge), out.rules.size()});
      if (edge.rule >= 0) {
        out.rules.push_back(edge.rule);
        out.rule_spans.insert(out.rule_spans.end(), {next.begin, next.end, place(), 0});
      }
      copies += edge.rule == COPY;
      glues += edge.rule == GLUE && edge.arity > 0;
    };
    enter(item, rank);
    while (!open.empty()) {
      Open& top = open.back();
      const Edge& edge = *top.kth->edge;
      if (top.symbols.empty()) {
        if (edge.rule >= 0) out.rule_spans[4 * top.rule + 3] = place();
        open.pop_back();
        continue;
      }
      std::int32_t symbol = top.symbols.front();
      top.symbols = top.symbols.subspan(1);
      if (symbol >= 0) {
        out.words.push_back(symbol);
        out.word_places.push_back(edge.rule == COPY ? top.item->begin : -1);
      } else {
        enter(*edge.children[-1 - symbol], top.kth->ranks[-1 - symbol]);
      }
    }
  }

 private:
  // Begins with the best output of the best edge.
  static void start(const Item& item) {
    item.kbest = std::make_unique<Kbest>();
    const Edge* best = item.edges;
    for (const Edge* edge = best->next; edge; edge = edge->next)
      if (edge->best() > best->best()) best = edge;
    item.kbest->steps.push_back({best, {}});
  }

  // One step towards the next output of an item, or towards that of a child that must be known first.
  void advance(const Item& item, Kbest& kbest) {
    if (!kbest.steps.empty()) {
      Step step = kbest.steps.back();
      for (int c = 0; c < step.edge->arity; ++c) {
        const Item& child = *step.edge->children[c];
        if (child.kbest && child.kbest->ranked.size() > step.ranks[c]) continue;
        if (child.kbest && child.kbest->exhausted)
          kbest.steps.pop_back();  // there is no such combination
        else
          demands_.push_back({&child, step.ranks[c]});
        return;
      }
      kbest.steps.pop_back();
      if (kbest.ranked.empty())
        take(kbest, derivation(*step.edge, step.ranks));
      else
        kbest.waiting.push(derivation(*step.edge, step.ranks));
      return;
    }
    if (!kbest.expanded) {
      kbest.expanded = true;
      if (!kbest.all_edges) {
        kbest.all_edges = true;
        for (const Edge* edge = item.edges; edge; edge = edge->next)
          if (edge != kbest.last.edge) kbest.steps.push_back({edge, {}});
      }
      // Each combination is generated from only one other: the one with its last number reduced by one.
      Step next{kbest.last.edge, kbest.last.ranks};
      int last = next.edge->arity - 1;
      while (last > 0 && next.ranks[last] == 0) --last;
      for (int c = std::max(last, 0); c < next.edge->arity; ++c) {
        ++next.ranks[c];
        kbest.steps.push_back(next);
        --next.ranks[c];
      }
      std::reverse(kbest.steps.begin(), kbest.steps.end());
      return;
    }
    if (kbest.waiting.empty()) {
      kbest.exhausted = true;
      return;
    }
    Kth best = kbest.waiting.top();
    kbest.waiting.pop();
    take(kbest, best);
  }

  void take(Kbest& kbest, const Kth& output) {
    kbest.last = output;
    kbest.expanded = false;
    if (kbest.hashes.insert(output.hash).second || !unique_) kbest.ranked.push_back(output);
  }

  // The outputs of the children are known.
  Kth derivation(const Edge& edge, const Ranks& ranks) {
    Kth result{&edge, ranks, edge.weight, edge.lm, 0, 0, ++derivations_};
    for (int c = 0; c < edge.arity; ++c) {
      const Kth& child = edge.children[c]->kbest->ranked[ranks[c]];
      result.score += child.score;
      result.lm += child.lm;
    }
    for (std::int32_t symbol : output(edge)) {
      if (symbol >= 0) {
        result.hash = (multiply(result.hash, BASE) + static_cast<std::uint64_t>(symbol) + 1) % PRIME;
        ++result.length;
      } else {
        const Kth& child = edge.children[-1 - symbol]->kbest->ranked[ranks[-1 - symbol]];
        result.hash = (multiply(result.hash, power(child.length)) + child.hash) % PRIME;
        result.length += child.length;
      }
    }
    return result;
  }

  // Hashes of outputs can be concatenated: numbers to a base, modulo a prime.
  static constexpr std::uint64_t PRIME = (1ull << 61) - 1, BASE = 0x1B873593CC9E2D51ull % PRIME;

  static std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    Product product = plainmark::multiply(a, b);
    std::uint64_t sum = (product.low & PRIME) + (product.high << 3 | product.low >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
  }

  std::uint64_t power(std::int32_t exponent) {
    while (static_cast<std::size_t>(exponent) >= powers_.size()) powers_.push_back(multiply(powers_.back(), BASE));
    return powers_[exponent];
  }

  // The symbols of an edge's output: words from 0, -1 - k for its k-th child.
  std::span<const std::int32_t> output(const Edge& edge) const {
    static constexpr std::array<std::int32_t, 2> in_order{-1, -2};
    if (edge.rule >= 0) return grammar_.target(edge.rule);
    if (edge.rule == COPY) return {&edge.word, 1};
    return {in_order.data(), static_cast<std::size_t>(edge.arity)};
  }

  const Grammar& grammar_;
  bool unique_;
  std::vector<std::pair<const Item*, std::size_t>> demands_;
  std::vector<std::uint64_t> powers_{1};
  std::uint64_t derivations_ = 0;
};

}  // namespace plainmark
