// CKY+ (Chappelier and Rajman 1998) finds the rules that fit each span by walking the trie of sources; cube pruning
// (Chiang 2007) takes the best combinations of rules and of what their nonterminals stand for; k-best lists are found
// lazily (Huang and Chiang 2005, algorithm 3), and two derivations of one output count once wherever they meet.
#include "scfg.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <queue>
#include <stdexcept>
#include <unordered_set>

namespace plainmark {

Grammar::Grammar(std::span<const std::int32_t> lhs, std::span<const std::int32_t> sources,
                 std::span<const std::int64_t> source_offsets, std::span<const std::int32_t> targets,
                 std::span<const std::int64_t> target_offsets, std::int32_t words, std::int32_t labels)
    : words_(words),
      labels_(labels),
      lhs_(lhs.begin(), lhs.end()),
      targets_(targets.begin(), targets.end()),
      target_offsets_(target_offsets.begin(), target_offsets.end()),
      takes_labels_{false} {
  std::size_t n = lhs.size();
  auto fits = [n](std::span<const std::int64_t> offsets, std::size_t size) {
    if (offsets.size() != n + 1 || offsets[0] != 0 || offsets[n] != static_cast<std::int64_t>(size)) return false;
    return std::is_sorted(offsets.begin(), offsets.end());
  };
  if (!fits(source_offsets, sources.size()) || !fits(target_offsets, targets.size()))
    throw std::invalid_argument("offsets do not fit the rules");
  if (words < 0 || labels < 0) throw std::invalid_argument("fewer than no words or labels");
  std::vector<std::int32_t> node_of(n);
  for (std::size_t r = 0; r < n; ++r) {
    if (lhs[r] < 0 || lhs[r] >= labels) throw std::invalid_argument("a rule has a label that does not exist");
    std::int32_t node = ROOT;
    int nonterminals = 0;
    if (source_offsets[r] == source_offsets[r + 1]) throw std::invalid_argument("a rule has an empty source");
    for (std::int64_t i = source_offsets[r]; i < source_offsets[r + 1]; ++i) {
      std::int64_t symbol = sources[i];
      bool is_label = symbol < 0;
      if (is_label) symbol = -1 - symbol, ++nonterminals;
      if (symbol >= (is_label ? labels : words)) throw std::invalid_argument("a rule has a symbol that does not exist");
      auto key = static_cast<std::uint64_t>(node) << 32 | (2u * static_cast<std::uint32_t>(symbol) + is_label);
      auto [found, is_new] = steps_.try_emplace(key, static_cast<std::int32_t>(takes_labels_.size()));
      if (is_label) takes_labels_[node] = true;
      if (is_new) takes_labels_.push_back(false);
      node = found->second;
    }
    if (nonterminals > MAX_NONTERMINALS) throw std::invalid_argument("a rule has more than 6 nonterminals");
    node_of[r] = node;
    std::array<int, MAX_NONTERMINALS> used{};
    int seen = 0;
    for (std::int32_t symbol : target(static_cast<std::int32_t>(r))) {
      if (symbol >= words || (symbol < 0 && -1 - symbol >= nonterminals))
        throw std::invalid_argument("a rule has a symbol that does not exist");
      if (symbol < 0) seen += used[-1 - symbol]++ == 0 ? 1 : MAX_NONTERMINALS + 1;
    }
    if (seen != nonterminals) throw std::invalid_argument("nonterminals of source and target are not the same ones");
  }
  first_.assign(takes_labels_.size() + 1, 0);
  for (std::int32_t node : node_of) ++first_[node + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  order_.resize(n);
  std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t r = 0; r < n; ++r) order_[next[node_of[r]]++] = static_cast<std::int32_t>(r);
}

namespace {

using Word = LanguageModel::Word;
using State = LanguageModel::State;
constexpr int LEFT = LanguageModel::MAX_ORDER - 1;
constexpr std::int32_t COPY = -1, GLUE = -2, FINISH = -3;  // in place of a rule's number
constexpr std::uint64_t PRIME = (1ull << 61) - 1, BASE = 0x1B873593CC9E2D51ull % PRIME;

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  std::uint64_t sum = static_cast<std::uint64_t>(product & PRIME) + static_cast<std::uint64_t>(product >> 61);
  return sum >= PRIME ? sum - PRIME : sum;
}

struct Item;

// One way to make an item: a rule and what its nonterminals stand for, in the source's order.
struct Edge {
  std::int32_t rule;
  std::int32_t word;  // that was copied
  std::array<const Item*, MAX_NONTERMINALS> children;
  int arity;
  double weight, lm;  // what it adds to the children's scores, and of that the language model's log10 probabilities

  double best() const;
};

// A partial output, as far as the language model can see: the first words wait for what comes before them until they
// are `closed` (more words before would change nothing), and the right state is for what comes after.
struct Outside {
  std::uint8_t left_size = 0;
  bool closed = false;
  std::array<Word, LEFT> left;
  State right;

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

struct Kbest;

struct Item {
  std::int32_t label;
  std::int32_t depth;  // how many unary rules are on top
  Outside outside;
  double score;     // without words that wait for their left context
  double priority;  // with a guess for them
  double lm;        // log10 probability of the words that do not wait
  std::vector<Edge> edges;
  mutable std::unique_ptr<Kbest> kbest;
};

double Edge::best() const {
  double sum = weight;
  for (int c = 0; c < arity; ++c) sum += children[c]->score;
  return sum;
}

using Items = std::vector<const Item*>;

struct Cell {
  std::vector<std::pair<std::int32_t, Items>> labels;  // sorted by label; items by priority
  Items all;
  std::vector<std::int32_t> dots;
};

// Part of a rule's source found from some word on.
struct Dot {
  std::int32_t node, parent;
  const Items* items;  // of the nonterminal that was passed last, or null for a word
};

struct Bundle {
  std::span<const std::int32_t> rules;  // by estimated score
  std::array<const Items*, MAX_NONTERMINALS> children;
  int arity;
};

struct Built {
  Outside outside;
  double score, priority, lm;
};

struct Candidate {
  Built built;
  std::uint32_t bundle, rule;
  std::array<std::uint32_t, MAX_NONTERMINALS> ranks;
  std::uint64_t number;  // the earlier one of two equals
};

struct Kth {
  const Edge* edge;
  std::array<std::uint32_t, MAX_NONTERMINALS> ranks;
  double score, lm;
  std::uint64_t hash;
  std::int32_t length;
  std::uint64_t number;
};

struct Worse {
  bool operator()(const Kth& a, const Kth& b) const {
    return a.score != b.score ? a.score < b.score : a.number > b.number;
  }
  bool operator()(const Candidate* a, const Candidate* b) const {
    return a->built.priority != b->built.priority ? a->built.priority < b->built.priority : a->number > b->number;
  }
};

struct Kbest {
  std::vector<Kth> found;
  std::priority_queue<Kth, std::vector<Kth>, Worse> waiting;
  std::unordered_set<std::uint64_t> outputs;
  bool all_edges = false;  // or only the best one, which is enough for the best output
  bool expanded = false;   // whether what follows the last one taken is among those that wait
  Kth last;
};

// What is the same for all sentences of a call.
struct Task {
  const Grammar& grammar;
  const LanguageModel* model;
  std::span<const std::uint32_t> lm_words;
  std::span<const double> rule_scores;
  const DecodeOptions& options;
  std::vector<std::vector<std::int32_t>> ranked;  // rules of a node by estimated score, once it was needed
  std::vector<bool> is_ranked;

  std::span<const std::int32_t> best_first(std::int32_t node) {
    if (!is_ranked[node]) {
      auto rules = grammar.ending(node);
      std::vector<std::pair<double, std::int32_t>> order;
      for (std::int32_t rule : rules) order.push_back({-estimate(rule), rule});
      std::sort(order.begin(), order.end());
      for (auto& [_, rule] : order) ranked[node].push_back(rule);
      is_ranked[node] = true;
    }
    return ranked[node];
  }

  double estimate(std::int32_t rule) const {
    if (!model) return rule_scores[rule];
    State state = model->nothing(), next;
    double log = 0;
    for (std::int32_t symbol : grammar.target(rule)) {
      if (symbol < 0) {
        state = model->nothing();
        continue;
      }
      log += model->score(state, lm_words[symbol], next);
      std::swap(state, next);
    }
    return rule_scores[rule] + options.lm_weight * log;
  }
};

// Puts words and partial outputs side by side, and the language model's log probabilities with them.
class Joining {
 public:
  Joining(const LanguageModel* model) : model_(model) {
    out_.right = State();
    out_.closed = !model || model->order() == 1;
  }
  // At the beginning of a sentence nothing waits.
  void begin() {
    out_.closed = true;
    if (model_) out_.right = model_->begin();
  }
  void word(Word word) {
    if (!model_) return;
    State next;
    float log = model_->score(out_.right, word, next);
    if (out_.closed) {
      exact_ += log;
    } else {
      guess_ += log;
      out_.left[out_.left_size++] = word;
      // The model knows no context that has all these words: more before them would not be looked at.
      out_.closed = next.length < out_.left_size || out_.left_size >= model_->order() - 1;
    }
    out_.right = next;
  }
  void item(const Item& item) {
    if (!model_) return;
    for (int i = 0; i < item.outside.left_size; ++i) word(item.outside.left[i]);
    exact_ += item.lm;
    if (item.outside.closed) {
      out_.closed = true;
      out_.right = item.outside.right;
    }
  }
  const Outside& outside() const { return out_; }
  double exact() const { return exact_; }
  double guess() const { return guess_; }

 private:
  const LanguageModel* model_;
  Outside out_;
  double exact_ = 0, guess_ = 0;
};

class Chart {
 public:
  Chart(Task& task, const Source& source) : task_(task), source_(source), n_(static_cast<int>(source.words.size())) {
    int limit = task.options.span_limit;
    limit_ = limit > 0 ? std::min(limit, n_) : n_;
    cells_.resize(static_cast<std::size_t>(n_) * std::max(limit_, 1));
    dots_.push_back({Grammar::ROOT, -1, nullptr});
    powers_.push_back(1);
  }

  void fill() {
    for (int width = 1; width <= limit_; ++width)
      for (int i = 0; i + width <= n_; ++i) fill(i, i + width);
    glue();
  }

  void best(NBest& out) {
    for (std::size_t k = 0; k < task_.options.nbest && kth(*root_, k); ++k) {
      const Kth& found = root_->kbest->found[k];
      std::int32_t glues = 0, copies = 0;
      write(found, out, glues, copies);
      out.scores.push_back(found.score);
      out.lm.push_back(found.lm);
      out.glues.push_back(glues);
      out.copies.push_back(copies);
      out.word_offsets.push_back(static_cast<std::int64_t>(out.words.size()));
      out.rule_offsets.push_back(static_cast<std::int64_t>(out.rules.size()));
    }
    out.sentences.push_back(static_cast<std::int64_t>(out.scores.size()));
  }

 private:
  Cell& cell(int i, int j) { return cells_[static_cast<std::size_t>(i) * limit_ + (j - i - 1)]; }
  Word lm_word(std::int32_t word) const { return task_.model ? task_.lm_words[word] : 0; }

  // All that words i to j - 1 can be.
  void fill(int i, int j) {
    Cell& here = cell(i, j);
    extend(i, j, here);
    std::vector<Bundle> bundles;
    for (std::int32_t dot : here.dots) {
      auto rules = task_.best_first(dots_[dot].node);
      if (rules.empty()) continue;
      Bundle bundle{rules, {}, 0};
      for (std::int32_t at = dot; at > 0; at = dots_[at].parent)
        if (dots_[at].items) bundle.children[bundle.arity++] = dots_[at].items;
      std::reverse(bundle.children.begin(), bundle.children.begin() + bundle.arity);
      bundles.push_back(bundle);
    }
    made_.clear();
    known_.clear();
    if (j == i + 1) copy(i);
    pop(bundles, 0);
    std::size_t done = 0;
    std::deque<Items> kept;  // what bundles point to
    for (int depth = 1; depth <= task_.options.unary_limit && done < made_.size(); ++depth) {
      std::vector<std::pair<std::int32_t, Items>> groups = by_label(done);
      done = made_.size();
      bundles.clear();
      for (auto& [label, items] : groups) {
        std::int32_t node = task_.grammar.after_label(Grammar::ROOT, label);
        if (node == Grammar::NOWHERE) continue;
        auto rules = task_.best_first(node);
        if (rules.empty()) continue;
        kept.push_back(std::move(items));
        bundles.push_back({rules, {&kept.back()}, 1});
      }
      pop(bundles, depth);
    }
    here.labels = by_label(0);
    for (auto& [label, items] : here.labels) here.all.insert(here.all.end(), items.begin(), items.end());
    sort(here.all);
    // Longer rules may begin with what this span is.
    for (auto& [label, items] : here.labels) step(0, task_.grammar.after_label(Grammar::ROOT, label), &items, here);
  }

  void step(std::int32_t parent, std::int32_t node, const Items* items, Cell& here) {
    if (node == Grammar::NOWHERE) return;
    here.dots.push_back(static_cast<std::int32_t>(dots_.size()));
    dots_.push_back({node, parent, items});
  }

  // Dots of shorter spans that reach to j by the word or the phrase at the end.
  void extend(int i, int j, Cell& here) {
    const Grammar& grammar = task_.grammar;
    auto word = [&](std::int32_t dot) {
      step(dot, grammar.after_word(dots_[dot].node, source_.words[j - 1]), nullptr, here);
    };
    if (j == i + 1) word(0);
    for (int k = i + 1; k < j; ++k) {
      const Cell& before = cell(i, k);
      const Cell& last = cell(k, j);
      for (std::int32_t dot : before.dots) {
        if (k + 1 == j) word(dot);
        std::int32_t node = dots_[dot].node;
        if (!grammar.takes_labels(node)) continue;
        for (const auto& [label, items] : last.labels) step(dot, grammar.after_label(node, label), &items, here);
      }
    }
  }

  // The word as it is, under each label that it may have.
  void copy(int i) {
    Joining joining(task_.model);
    joining.word(lm_word(source_.words[i]));
    for (auto l = source_.label_offsets[i]; l < source_.label_offsets[i + 1]; ++l) {
      double score = source_.copy_scores[i] + task_.options.lm_weight * joining.exact();
      add({joining.outside(), score, score + task_.options.lm_weight * joining.guess(), joining.exact()},
          source_.copy_labels[l], 0, {COPY, source_.words[i], {}, 0, score, joining.exact()});
    }
  }

  Built build(const Bundle& bundle, const Candidate& at) const {
    std::int32_t rule = bundle.rules[at.rule];
    Joining joining(task_.model);
    double score = task_.rule_scores[rule], lm = 0;
    for (std::int32_t symbol : task_.grammar.target(rule)) {
      if (symbol >= 0)
        joining.word(lm_word(symbol));
      else
        joining.item(*(*bundle.children[-1 - symbol])[at.ranks[-1 - symbol]]);
    }
    for (int c = 0; c < bundle.arity; ++c) {
      const Item& child = *(*bundle.children[c])[at.ranks[c]];
      score += child.score;
      lm += child.lm;
    }
    score += task_.options.lm_weight * (joining.exact() - lm);
    return {joining.outside(), score, score + task_.options.lm_weight * joining.guess(), joining.exact()};
  }

  // Cube pruning over all bundles of a span.
  void pop(const std::vector<Bundle>& bundles, std::int32_t depth) {
    std::deque<Candidate> candidates;
    std::priority_queue<Candidate*, std::vector<Candidate*>, Worse> waiting;
    auto push = [&](Candidate candidate) {
      candidate.built = build(bundles[candidate.bundle], candidate);
      candidate.number = candidates.size();
      candidates.push_back(candidate);
      waiting.push(&candidates.back());
    };
    for (std::uint32_t b = 0; b < bundles.size(); ++b) push({{}, b, 0, {}, 0});
    for (int pops = 0; !waiting.empty() && (task_.options.pop_limit <= 0 || pops < task_.options.pop_limit); ++pops) {
      const Candidate& best = *waiting.top();
      waiting.pop();
      const Bundle& bundle = bundles[best.bundle];
      std::int32_t rule = bundle.rules[best.rule];
      Edge edge{rule, 0, {}, bundle.arity, best.built.score, best.built.lm};
      for (int c = 0; c < bundle.arity; ++c) {
        edge.children[c] = (*bundle.children[c])[best.ranks[c]];
        edge.weight -= edge.children[c]->score;
        edge.lm -= edge.children[c]->lm;
      }
      add(best.built, task_.grammar.lhs(rule), depth, edge);
      // Each combination follows from one other only: that with its last number one less.
      int last = bundle.arity - 1;
      while (last >= 0 && best.ranks[last] == 0) --last;
      Candidate next = best;
      if (last < 0 && best.rule + 1 < bundle.rules.size()) {
        ++next.rule;
        push(next);
        --next.rule;
      }
      for (int c = std::max(last, 0); c < bundle.arity; ++c) {
        if (best.ranks[c] + 1 >= bundle.children[c]->size()) continue;
        ++next.ranks[c];
        push(next);
        --next.ranks[c];
      }
    }
  }

  // A new item, or one more way to an item that has the same future.
  void add(const Built& built, std::int32_t label, std::int32_t depth, const Edge& edge) {
    std::uint64_t key = extend_hash(built.outside.hash(), static_cast<std::uint64_t>(label + 8) << 8 | depth);
    for (;; ++key) {
      auto [found, is_new] = known_.try_emplace(key, nullptr);
      if (is_new) {
        items_.push_back({label, depth, built.outside, built.score, built.priority, built.lm, {edge}, nullptr});
        found->second = &items_.back();
        made_.push_back(found->second);
        return;
      }
      Item& item = *found->second;
      if (item.label != label || item.depth != depth || !(item.outside == built.outside)) continue;
      item.edges.push_back(edge);
      if (built.score > item.score) item.score = built.score, item.priority = built.priority, item.lm = built.lm;
      return;
    }
  }

  static void sort(Items& items) {
    std::stable_sort(items.begin(), items.end(), [](auto a, auto b) { return a->priority > b->priority; });
  }

  std::vector<std::pair<std::int32_t, Items>> by_label(std::size_t from) const {
    std::vector<std::pair<std::int32_t, Items>> groups;
    for (std::size_t i = from; i < made_.size(); ++i) {
      auto at = std::lower_bound(groups.begin(), groups.end(), made_[i]->label,
                                 [](const auto& group, std::int32_t label) { return group.first < label; });
      if (at == groups.end() || at->first != made_[i]->label) at = groups.insert(at, {made_[i]->label, {}});
      at->second.push_back(made_[i]);
    }
    for (auto& [_, items] : groups) sort(items);
    return groups;
  }

  // Pieces side by side from the beginning on, and the end of the sentence.
  void glue() {
    std::vector<Items> upto(n_ + 1);
    Joining nothing(task_.model);
    nothing.begin();
    items_.push_back({GLUE, 0, nothing.outside(), 0, 0, 0, {{GLUE, 0, {}, 0, 0, 0}}, nullptr});
    upto[0] = {&items_.back()};
    for (int j = 1; j <= n_; ++j) {
      std::vector<std::pair<const Items*, const Items*>> pairs;
      for (int i = std::max(0, j - limit_); i < j; ++i)
        if (!upto[i].empty() && !cell(i, j).all.empty()) pairs.push_back({&upto[i], &cell(i, j).all});
      made_.clear();
      known_.clear();
      pop_glue(pairs);
      upto[j].assign(made_.begin(), made_.end());
      sort(upto[j]);
    }
    made_.clear();
    known_.clear();
    for (const Item* item : upto[n_]) {
      Joining joining(task_.model);
      joining.item(*item);
      joining.word(LanguageModel::END);
      double end = joining.exact() - item->lm;
      double weight = task_.options.lm_weight * end;
      add({Outside(), item->score + weight, item->score + weight, joining.exact()}, FINISH, 0,
          {FINISH, 0, {item}, 1, weight, end});
    }
    root_ = made_.front();
  }

  void pop_glue(const std::vector<std::pair<const Items*, const Items*>>& pairs) {
    std::deque<Candidate> candidates;
    std::priority_queue<Candidate*, std::vector<Candidate*>, Worse> waiting;
    auto push = [&](Candidate candidate) {
      const Item& left = *(*pairs[candidate.bundle].first)[candidate.ranks[0]];
      const Item& right = *(*pairs[candidate.bundle].second)[candidate.ranks[1]];
      Joining joining(task_.model);
      joining.item(left);
      joining.item(right);
      double lm = joining.exact();
      double score = left.score + right.score + task_.options.glue + task_.options.lm_weight * (lm - left.lm - right.lm);
      candidate.built = {joining.outside(), score, score, lm};
      candidate.number = candidates.size();
      candidates.push_back(candidate);
      waiting.push(&candidates.back());
    };
    for (std::uint32_t b = 0; b < pairs.size(); ++b) push({{}, b, 0, {}, 0});
    for (int pops = 0; !waiting.empty() && (task_.options.pop_limit <= 0 || pops < task_.options.pop_limit); ++pops) {
      const Candidate& best = *waiting.top();
      waiting.pop();
      const Item* left = (*pairs[best.bundle].first)[best.ranks[0]];
      const Item* right = (*pairs[best.bundle].second)[best.ranks[1]];
      add(best.built, GLUE, 0,
          {GLUE, 0, {left, right}, 2, best.built.score - left->score - right->score, best.built.lm - left->lm - right->lm});
      Candidate next = best;
      if (best.ranks[1] == 0 && best.ranks[0] + 1 < pairs[best.bundle].first->size()) {
        ++next.ranks[0];
        push(next);
        --next.ranks[0];
      }
      if (best.ranks[1] + 1 < pairs[best.bundle].second->size()) {
        ++next.ranks[1];
        push(next);
      }
    }
  }

  // The symbols of an edge's output: words from 0, -1 - k for its k-th child.
  std::span<const std::int32_t> output(const Edge& edge) const {
    static constexpr std::array<std::int32_t, 2> in_order{-1, -2};
    if (edge.rule >= 0) return task_.grammar.target(edge.rule);
    if (edge.rule == COPY) return {&edge.word, 1};
    return {in_order.data(), static_cast<std::size_t>(edge.arity)};
  }

  // Sees to it that the k-th best output of an item is known; false if there are fewer.
  bool kth(const Item& item, std::size_t k) {
    if (!item.kbest) {
      item.kbest = std::make_unique<Kbest>();
      Kbest& kbest = *item.kbest;
      auto best = std::max_element(item.edges.begin(), item.edges.end(),
                                   [](const Edge& a, const Edge& b) { return a.best() < b.best(); });
      kbest.last = derivation(*best, {});
      kbest.outputs.insert(kbest.last.hash);
      kbest.found.push_back(kbest.last);
    }
    Kbest& kbest = *item.kbest;
    while (kbest.found.size() <= k) {
      if (!kbest.all_edges) {
        kbest.all_edges = true;
        for (const Edge& edge : item.edges)
          if (&edge != kbest.last.edge) kbest.waiting.push(derivation(edge, {}));
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
      if (!task_.options.unique || kbest.outputs.insert(kbest.last.hash).second) kbest.found.push_back(kbest.last);
    }
    return true;
  }

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

  std::uint64_t power(std::int32_t exponent) {
    while (static_cast<std::size_t>(exponent) >= powers_.size()) powers_.push_back(multiply(powers_.back(), BASE));
    return powers_[exponent];
  }

  void write(const Kth& found, NBest& out, std::int32_t& glues, std::int32_t& copies) {
    const Edge& edge = *found.edge;
    if (edge.rule >= 0) out.rules.push_back(edge.rule);
    copies += edge.rule == COPY;
    glues += edge.rule == GLUE && edge.arity > 0;
    for (std::int32_t symbol : output(edge)) {
      if (symbol >= 0) {
        out.words.push_back(symbol);
      } else {
        const Item& child = *edge.children[-1 - symbol];
        write(child.kbest->found[found.ranks[-1 - symbol]], out, glues, copies);
      }
    }
  }

  Task& task_;
  const Source& source_;
  int n_, limit_;
  std::vector<Cell> cells_;
  std::vector<Dot> dots_;
  std::deque<Item> items_;
  std::vector<Item*> made_;                               // in the span at work
  std::unordered_map<std::uint64_t, Item*> known_;        // the same by what the future can see of them
  std::vector<std::uint64_t> powers_;
  const Item* root_ = nullptr;
  std::uint64_t derivations_ = 0;
};

}  // namespace

void decode(const Grammar& grammar, const LanguageModel* model, std::span<const std::uint32_t> lm_words,
            std::span<const double> rule_scores, std::span<const Source> sources, const DecodeOptions& options,
            NBest& out) {
  Task task{grammar, model, lm_words, rule_scores, options, {}, {}};
  task.ranked.resize(grammar.nodes());
  task.is_ranked.resize(grammar.nodes());
  for (const Source& source : sources) {
    Chart chart(task, source);
    chart.fill();
    chart.best(out);
  }
}

}  // namespace plainmark
