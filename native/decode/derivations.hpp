// The chart's items, the ways to make them, and the best outputs that these give: found lazily (Huang and Chiang 2005,
// algorithm 3), and two derivations of one output count once wherever they meet.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <unordered_set>
#include <vector>

#include "decode/joining.hpp"
#include "decode/scfg.hpp"

namespace plainmark {

constexpr std::int32_t COPY = -1, GLUE = -2, FINISH = -3;  // in place of a rule's number

struct Item;

// One way to make an item: a rule and what its nonterminals stand for, in the source's order.
struct Edge {
  std::int32_t rule;
  std::int32_t word;  // that was copied
  std::array<const Item*, MAX_NONTERMINALS> children;
  int arity;
  double weight, lm;  // what it adds to the children's scores, and of that the language model's log10 probabilities
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

// An output of an item: an edge and which outputs of the children it takes.
struct Kth {
  const Edge* edge;
  std::array<std::uint32_t, MAX_NONTERMINALS> ranks;
  double score, lm;
  std::uint64_t hash;
  std::int32_t length;
  std::uint64_t number;  // the earlier one of two equals

  bool operator<(const Kth& other) const { return score != other.score ? score < other.score : number > other.number; }
};

struct Kbest {
  std::vector<Kth> found;
  std::priority_queue<Kth> waiting;
  std::unordered_set<std::uint64_t> outputs;
  bool all_edges = false;  // or only the best one, which is enough for the best output
  bool expanded = false;   // whether what follows the last one taken is among those that wait
  Kth last;
};

class Derivations {
 public:
  Derivations(const Grammar& grammar, bool unique) : grammar_(grammar), unique_(unique) {}

  // Sees to it that the k-th best output of an item is known; false if there are fewer.
  bool kth(const Item& item, std::size_t k) {
    if (!item.kbest) {
      item.kbest = std::make_unique<Kbest>();
      Kbest& kbest = *item.kbest;
      const Edge* best = item.edges;
      for (const Edge* edge = best->next; edge; edge = edge->next)
        if (edge->best() > best->best()) best = edge;
      kbest.last = derivation(*best, {});
      kbest.outputs.insert(kbest.last.hash);
      kbest.found.push_back(kbest.last);
    }
    Kbest& kbest = *item.kbest;
    while (kbest.found.size() <= k) {
      if (!kbest.all_edges) {
        kbest.all_edges = true;
        for (const Edge* edge = item.edges; edge; edge = edge->next)
          if (edge != kbest.last.edge) kbest.waiting.push(derivation(*edge, {}));
      }
      if (!kbest.expanded) {
        kbest.expanded = true;
        // Each combination follows from one other only: that with its last number one less.
        Kth next = kbest.last;
        int last = next.edge->arity - 1;
        while (last > 0 && next.ranks[last] == 0) --last;
        for (int c = std::max(last, 0); c < next.edge->arity; ++c) {
          ++next.ranks[c];
          if (kth(*next.edge->children[c], next.ranks[c])) kbest.waiting.push(derivation(*next.edge, next.ranks));
          --next.ranks[c];
        }
      }
      if (kbest.waiting.empty()) return false;
      kbest.last = kbest.waiting.top();
      kbest.waiting.pop();
      kbest.expanded = false;
      if (!unique_ || kbest.outputs.insert(kbest.last.hash).second) kbest.found.push_back(kbest.last);
    }
    return true;
  }

  // Appends the words and rules of an output of an item, and counts what was glued and copied.
  void write(const Item& item, std::size_t rank, NBest& out, std::int32_t& glues, std::int32_t& copies) const {
    const Kth& found = item.kbest->found[rank];
    const Edge& edge = *found.edge;
    auto place = [&] { return static_cast<std::int32_t>(out.words.size() - out.word_offsets.back()); };
    std::size_t used = out.rules.size();
    if (edge.rule >= 0) {
      out.rules.push_back(edge.rule);
      out.rule_spans.insert(out.rule_spans.end(), {item.begin, item.end, place(), 0});
    }
    copies += edge.rule == COPY;
    glues += edge.rule == GLUE && edge.arity > 0;
    for (std::int32_t symbol : output(edge)) {
      if (symbol >= 0) {
        out.words.push_back(symbol);
        out.word_places.push_back(edge.rule == COPY ? item.begin : -1);
      } else {
        write(*edge.children[-1 - symbol], found.ranks[-1 - symbol], out, glues, copies);
      }
    }
    if (edge.rule >= 0) out.rule_spans[4 * used + 3] = place();
  }

 private:
  Kth derivation(const Edge& edge, const std::array<std::uint32_t, MAX_NONTERMINALS>& ranks) {
    Kth made{&edge, ranks, edge.weight, edge.lm, 0, 0, ++derivations_};
    for (int c = 0; c < edge.arity; ++c) {
      kth(*edge.children[c], ranks[c]);
      const Kth& child = edge.children[c]->kbest->found[ranks[c]];
      made.score += child.score;
      made.lm += child.lm;
    }
    for (std::int32_t symbol : output(edge)) {
      if (symbol >= 0) {
        made.hash = (multiply(made.hash, BASE) + static_cast<std::uint64_t>(symbol) + 1) % PRIME;
        ++made.length;
      } else {
        const Kth& child = edge.children[-1 - symbol]->kbest->found[ranks[-1 - symbol]];
        made.hash = (multiply(made.hash, power(child.length)) + child.hash) % PRIME;
        made.length += child.length;
      }
    }
    return made;
  }

  // Hashes of outputs can be put side by side: numbers to a base, modulo a prime.
  static constexpr std::uint64_t PRIME = (1ull << 61) - 1, BASE = 0x1B873593CC9E2D51ull % PRIME;

  static std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    std::uint64_t sum = static_cast<std::uint64_t>(product & PRIME) + static_cast<std::uint64_t>(product >> 61);
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
  std::vector<std::uint64_t> powers_{1};
  std::uint64_t derivations_ = 0;
};

}  // namespace plainmark
