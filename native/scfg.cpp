// CKY+ (Chappelier and Rajman 1998) finds the rules that fit each span by walking the trie of sources; cube pruning
// (Chiang 2007) takes the best combinations of rules and of what their nonterminals stand for.
#include <algorithm>
#include <array>
#include <deque>
#include <queue>

#include "derivations.hpp"
#include "joining.hpp"
#include "scfg.hpp"

namespace plainmark {

namespace {

using Word = LanguageModel::Word;
using State = LanguageModel::State;
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

// A place in the source where rules end.
struct Found {
  std::int32_t node, parent;
  const Items* items;
  double estimate;
  std::uint32_t number;
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

struct Worse {
  bool operator()(const Candidate* a, const Candidate* b) const {
    return a->built.priority != b->built.priority ? a->built.priority < b->built.priority : a->number > b->number;
  }
};

// What is the same for all sentences of a call.
struct Task {
  const Grammar& grammar;
  const LanguageModel* model;
  std::span<const std::uint32_t> lm_words;
  std::span<const double> rule_scores;
  const DecodeOptions& options;
  std::vector<std::vector<std::int32_t>> ranked;  // rules of a node by estimated score, once it was needed
  std::vector<double> estimates;                  // of the first of them
  std::vector<bool> is_ranked;

  double best_estimate(std::int32_t node) {
    best_first(node);
    return estimates[node];
  }

  std::span<const std::int32_t> best_first(std::int32_t node) {
    if (!is_ranked[node]) {
      auto rules = grammar.ending(node);
      std::vector<std::pair<double, std::int32_t>> order;
      for (std::int32_t rule : rules) order.push_back({-estimate(rule), rule});
      std::sort(order.begin(), order.end());
      for (auto& [_, rule] : order) ranked[node].push_back(rule);
      if (!order.empty()) estimates[node] = -order.front().first;
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

class Chart {
 public:
  Chart(Task& task, const Source& source) : task_(task), source_(source), n_(static_cast<int>(source.words.size())) {
    int limit = task.options.span_limit;
    limit_ = limit > 0 ? std::min(limit, n_) : n_;
    cells_.resize(static_cast<std::size_t>(n_) * std::max(limit_, 1));
    dots_.push_back({Grammar::ROOT, -1, nullptr});
  }

  void fill() {
    for (int width = 1; width <= limit_; ++width)
      for (int i = 0; i + width <= n_; ++i) fill(i, i + width);
    glue();
  }

  void best(NBest& out) {
    Derivations derivations(task_.grammar, task_.options.unique);
    for (std::size_t k = 0; k < task_.options.nbest && derivations.kth(*root_, k); ++k) {
      const Kth& found = root_->kbest->found[k];
      std::int32_t glues = 0, copies = 0;
      derivations.write(*root_, k, out, glues, copies);
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
    begin_ = i, end_ = j;
    found_.clear();
    extend(i, j, here);
    choose();
    std::vector<Bundle> bundles;
    for (const Found& found : found_) {
      Bundle bundle{task_.best_first(found.node), {}, 0};
      if (found.items) bundle.children[bundle.arity++] = found.items;
      for (std::int32_t at = found.parent; at > 0; at = dots_[at].parent)
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
    found_.clear();
    step_labels(0, here, here);
  }

  void step(std::int32_t parent, std::int32_t node, const Items* items, Cell& here) {
    if (node == Grammar::NOWHERE) return;
    if (!task_.grammar.ending(node).empty()) found_.push_back({node, parent, items, 0, static_cast<std::uint32_t>(found_.size())});
    if (!task_.grammar.goes_on(node)) return;
    here.dots.push_back(static_cast<std::int32_t>(dots_.size()));
    dots_.push_back({node, parent, items});
  }

  // Where sources end in more places than can be looked at, the most promising ones: what the language model thinks of
  // the seams is not known yet, so more are kept than are needed.
  void choose() {
    std::size_t most = 4 * static_cast<std::size_t>(std::max(task_.options.pop_limit, 0));
    if (most == 0 || found_.size() <= most) return;
    for (Found& found : found_) {
      found.estimate = task_.best_estimate(found.node) + (found.items ? found.items->front()->priority : 0);
      for (std::int32_t at = found.parent; at > 0; at = dots_[at].parent)
        if (dots_[at].items) found.estimate += dots_[at].items->front()->priority;
    }
    std::nth_element(found_.begin(), found_.begin() + most, found_.end(), [](const Found& a, const Found& b) {
      return a.estimate != b.estimate ? a.estimate > b.estimate : a.number < b.number;
    });
    found_.resize(most);
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.number < b.number; });
  }

  // Past a phrase that the cell has; labels are sorted on both sides, and mostly there are few on one.
  void step_labels(std::int32_t dot, const Cell& last, Cell& here) {
    auto steps = task_.grammar.labels_after(dots_[dot].node);
    auto at = last.labels.begin(), end = last.labels.end();
    for (const auto& [label, node] : steps) {
      at = std::lower_bound(at, end, label, [](const auto& group, std::int32_t wanted) { return group.first < wanted; });
      if (at == end) return;
      if (at->first == label) step(dot, node, &at->second, here);
    }
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
        step_labels(dot, last, here);
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

  static void join(Joining& joining, const Item& item) { joining.part(item.outside, item.lm); }

  Built build(const Bundle& bundle, const Candidate& at) const {
    std::int32_t rule = bundle.rules[at.rule];
    Joining joining(task_.model);
    double score = task_.rule_scores[rule], lm = 0;
    for (std::int32_t symbol : task_.grammar.target(rule)) {
      if (symbol >= 0)
        joining.word(lm_word(symbol));
      else
        join(joining, *(*bundle.children[-1 - symbol])[at.ranks[-1 - symbol]]);
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
        items_.push_back({label, depth, begin_, end_, built.outside, built.score, built.priority, built.lm, {edge}, nullptr});
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
    items_.push_back({GLUE, 0, 0, 0, nothing.outside(), 0, 0, 0, {{GLUE, 0, {}, 0, 0, 0}}, nullptr});
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
      join(joining, *item);
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
      join(joining, left);
      join(joining, right);
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

  Task& task_;
  const Source& source_;
  int n_, limit_;
  int begin_ = 0, end_ = 0;  // of the span at work
  std::vector<Cell> cells_;
  std::vector<Dot> dots_;
  std::vector<Found> found_;
  std::deque<Item> items_;
  std::vector<Item*> made_;                               // in the span at work
  std::unordered_map<std::uint64_t, Item*> known_;        // the same by what the future can see of them
  const Item* root_ = nullptr;
};

}  // namespace

void decode(const Grammar& grammar, const LanguageModel* model, std::span<const std::uint32_t> lm_words,
            std::span<const double> rule_scores, std::span<const Source> sources, const DecodeOptions& options,
            NBest& out) {
  Task task{grammar, model, lm_words, rule_scores, options, {}, {}, {}};
  task.estimates.resize(grammar.nodes());
  task.ranked.resize(grammar.nodes());
  task.is_ranked.resize(grammar.nodes());
  for (const Source& source : sources) {
    Chart chart(task, source);
    chart.fill();
    chart.best(out);
  }
}

}  // namespace plainmark
