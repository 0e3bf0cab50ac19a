// CKY+ (Chappelier and Rajman 1998) finds the rules that fit each span by walking the trie of sources; cube pruning
// (Chiang 2007) takes the best combinations of rules and of what their nonterminals stand for.
#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "decode/cube.hpp"
#include "decode/derivations.hpp"
#include "decode/joining.hpp"
#include "decode/scfg.hpp"

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

// Rules of one source, the most promising first.
struct Ranked {
  std::span<const std::int32_t> rules;
  const double* estimates;
};

struct Bundle {
  Ranked ranked;
  std::array<const Items*, MAX_NONTERMINALS> children;
  int arity;
};

struct Built {
  Outside outside;
  double score, priority, lm, guess;
};

// What is the same for all sentences of a call.
struct Task {
  const Grammar& grammar;
  const LanguageModel* model;
  std::span<const std::uint32_t> lm_words;
  std::span<const double> rule_scores;
  const DecodeOptions& options;
  std::vector<std::int32_t> rules;   // by their nodes; those of a node by estimated score, once they were needed
  std::vector<double> estimates;     // of each of them
  std::vector<bool> is_ranked;

  double best_estimate(std::int32_t node) { return *best_first(node).estimates; }

  Ranked best_first(std::int32_t node) {
    std::size_t first = grammar.first_ending(node), size = grammar.ending(node).size();
    if (!is_ranked[node]) {
      is_ranked[node] = true;
      order.clear();
      for (std::int32_t rule : grammar.ending(node)) order.push_back({-estimate(rule), rule});
      std::sort(order.begin(), order.end());
      for (std::size_t k = 0; k < size; ++k) {
        rules[first + k] = order[k].second;
        estimates[first + k] = -order[k].first;
      }
    }
    return {{rules.data() + first, size}, estimates.data() + first};
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

  std::vector<std::pair<double, std::int32_t>> order;  // to sort in
};

// Room that one sentence after the other uses.
struct Room {
  Queue queue;
  Known known;
  std::vector<Built> built;
  std::vector<Bundle> bundles;
};

class Chart {
 public:
  Chart(Task& task, Room& room, const Source& source)
      : task_(task), room_(room), source_(source), n_(static_cast<int>(source.words.size())) {
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
    std::vector<Bundle>& bundles = room_.bundles;
    bundles.clear();
    for (const Found& found : found_) {
      Bundle bundle{task_.best_first(found.node), {}, 0};
      if (found.items) bundle.children[bundle.arity++] = found.items;
      for (std::int32_t at = found.parent; at > 0; at = dots_[at].parent)
        if (dots_[at].items) bundle.children[bundle.arity++] = dots_[at].items;
      std::reverse(bundle.children.begin(), bundle.children.begin() + bundle.arity);
      bundles.push_back(bundle);
    }
    made_.clear();
    room_.known.clear();
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
        Ranked ranked = task_.best_first(node);
        if (ranked.rules.empty()) continue;
        kept.push_back(std::move(items));
        bundles.push_back({ranked, {&kept.back()}, 1});
      }
      pop(bundles, depth);
    }
    here.labels = by_label(0);
    for (auto& [label, items] : here.labels) here.all.insert(here.all.end(), items.begin(), items.end());
    if (here.labels.size() > 1) sort(here.all);
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
      add({joining.outside(), score, score + task_.options.lm_weight * joining.guess(), joining.exact(), joining.guess()},
          source_.copy_labels[l], 0, {COPY, source_.words[i], {}, 0, score, joining.exact()});
    }
  }

  static void join(Joining& joining, const Item& item) { joining.part(item.outside, item.lm, item.guess); }

  Built build(const Bundle& bundle, const Candidate& at) const {
    std::int32_t rule = bundle.ranked.rules[at.rule];
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
    return {joining.outside(), score, score + task_.options.lm_weight * joining.guess(), joining.exact(),
            joining.guess()};
  }

  // Cube pruning over all bundles of a span.
  void pop(const std::vector<Bundle>& bundles, std::int32_t depth) {
    Queue& queue = room_.queue;
    queue.clear();
    room_.built.clear();
    auto push = [&](Candidate candidate) {
      const Bundle& bundle = bundles[candidate.bundle];
      candidate.priority = bundle.ranked.estimates[candidate.rule];
      for (int c = 0; c < bundle.arity; ++c) candidate.priority += (*bundle.children[c])[candidate.ranks[c]]->priority;
      candidate.built = -1;
      queue.push(candidate);
    };
    for (std::uint32_t b = 0; b < bundles.size(); ++b) push({0, b, 0, {}, -1});
    for (int pops = 0; !queue.empty() && (task_.options.pop_limit <= 0 || pops < task_.options.pop_limit);) {
      std::uint32_t number = queue.pop();
      Candidate best = queue[number];
      const Bundle& bundle = bundles[best.bundle];
      if (best.built < 0) {
        room_.built.push_back(build(bundle, best));
        queue[number].built = static_cast<std::int32_t>(room_.built.size() - 1);
        queue[number].priority = room_.built.back().priority;
        queue.push(number);
        continue;
      }
      ++pops;
      const Built& built = room_.built[best.built];
      std::int32_t rule = bundle.ranked.rules[best.rule];
      Edge edge{rule, 0, {}, bundle.arity, built.score, built.lm};
      for (int c = 0; c < bundle.arity; ++c) {
        edge.children[c] = (*bundle.children[c])[best.ranks[c]];
        edge.weight -= edge.children[c]->score;
        edge.lm -= edge.children[c]->lm;
      }
      add(built, task_.grammar.lhs(rule), depth, edge);
      // Each combination follows from one other only: that with its last number one less.
      int last = bundle.arity - 1;
      while (last >= 0 && best.ranks[last] == 0) --last;
      if (last < 0 && best.rule + 1 < bundle.ranked.rules.size()) {
        ++best.rule;
        push(best);
        --best.rule;
      }
      for (int c = std::max(last, 0); c < bundle.arity; ++c) {
        if (best.ranks[c] + 1 >= bundle.children[c]->size()) continue;
        ++best.ranks[c];
        push(best);
        --best.ranks[c];
      }
    }
  }

  // A new item, or one more way to an item that has the same future.
  void add(const Built& built, std::int32_t label, std::int32_t depth, const Edge& edge) {
    edges_.push_back(edge);
    std::uint64_t key = extend_hash(built.outside.hash(), static_cast<std::uint64_t>(label + 8) << 8 | depth);
    Item*& found = room_.known.find(key, [&](const Item& item) {
      return item.label == label && item.depth == depth && item.outside == built.outside;
    });
    if (!found) {
      items_.push_back({label, depth, begin_, end_, built.outside, built.score, built.priority, built.lm, built.guess,
                        &edges_.back(), &edges_.back(), nullptr});
      found = &items_.back();
      made_.push_back(found);
      return;
    }
    found->last->next = &edges_.back();
    found->last = &edges_.back();
    if (built.score > found->score) found->score = built.score, found->priority = built.priority, found->lm = built.lm;  // guesses of equals are equal
  }

  // By priority, the earlier one of two equals first; items come almost in order.
  static void sort(Items& items) {
    auto before = [](const Item* a, const Item* b) { return a->priority > b->priority; };
    if (items.size() > 256) return std::stable_sort(items.begin(), items.end(), before);
    for (std::size_t i = 1; i < items.size(); ++i) {
      const Item* item = items[i];
      std::size_t at = i;
      for (; at > 0 && before(item, items[at - 1]); --at) items[at] = items[at - 1];
      items[at] = item;
    }
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
    edges_.push_back({GLUE, 0, {}, 0, 0, 0});
    items_.push_back({GLUE, 0, 0, 0, nothing.outside(), 0, 0, 0, 0, &edges_.back(), &edges_.back(), nullptr});
    upto[0] = {&items_.back()};
    for (int j = 1; j <= n_; ++j) {
      std::vector<std::pair<const Items*, const Items*>> pairs;
      for (int i = std::max(0, j - limit_); i < j; ++i)
        if (!upto[i].empty() && !cell(i, j).all.empty()) pairs.push_back({&upto[i], &cell(i, j).all});
      made_.clear();
      room_.known.clear();
      pop_glue(pairs);
      upto[j].assign(made_.begin(), made_.end());
      sort(upto[j]);
    }
    made_.clear();
    room_.known.clear();
    for (const Item* item : upto[n_]) {
      Joining joining(task_.model);
      join(joining, *item);
      joining.word(LanguageModel::END);
      double end = joining.exact() - item->lm;
      double weight = task_.options.lm_weight * end;
      add({Outside(), item->score + weight, item->score + weight, joining.exact(), 0}, FINISH, 0,
          {FINISH, 0, {item}, 1, weight, end});
    }
    root_ = made_.front();
  }

  void pop_glue(const std::vector<std::pair<const Items*, const Items*>>& pairs) {
    Queue& queue = room_.queue;
    queue.clear();
    room_.built.clear();
    auto left = [&](const Candidate& at) { return (*pairs[at.bundle].first)[at.ranks[0]]; };
    auto right = [&](const Candidate& at) { return (*pairs[at.bundle].second)[at.ranks[1]]; };
    auto push = [&](Candidate candidate) {
      candidate.priority = left(candidate)->priority + right(candidate)->priority + task_.options.glue;
      candidate.built = -1;
      queue.push(candidate);
    };
    for (std::uint32_t b = 0; b < pairs.size(); ++b) push({0, b, 0, {}, -1});
    for (int pops = 0; !queue.empty() && (task_.options.pop_limit <= 0 || pops < task_.options.pop_limit);) {
      std::uint32_t number = queue.pop();
      Candidate best = queue[number];
      const Item &one = *left(best), &two = *right(best);
      if (best.built < 0) {
        Joining joining(task_.model);
        join(joining, one);
        join(joining, two);
        double lm = joining.exact();
        double score = one.score + two.score + task_.options.glue + task_.options.lm_weight * (lm - one.lm - two.lm);
        queue[number].built = static_cast<std::int32_t>(room_.built.size());
        queue[number].priority = score;
        room_.built.push_back({joining.outside(), score, score, lm, 0});
        queue.push(number);
        continue;
      }
      ++pops;
      const Built& built = room_.built[best.built];
      add(built, GLUE, 0, {GLUE, 0, {&one, &two}, 2, built.score - one.score - two.score, built.lm - one.lm - two.lm});
      if (best.ranks[1] == 0 && best.ranks[0] + 1 < pairs[best.bundle].first->size()) {
        ++best.ranks[0];
        push(best);
        --best.ranks[0];
      }
      if (best.ranks[1] + 1 < pairs[best.bundle].second->size()) {
        ++best.ranks[1];
        push(best);
      }
    }
  }

  Task& task_;
  Room& room_;
  const Source& source_;
  int n_, limit_;
  int begin_ = 0, end_ = 0;  // of the span at work
  std::vector<Cell> cells_;
  std::vector<Dot> dots_;
  std::vector<Found> found_;
  std::deque<Item> items_;
  std::deque<Edge> edges_;
  std::vector<Item*> made_;                               // in the span at work
  const Item* root_ = nullptr;
};

}  // namespace

void decode(const Grammar& grammar, const LanguageModel* model, std::span<const std::uint32_t> lm_words,
            std::span<const double> rule_scores, std::span<const Source> sources, const DecodeOptions& options,
            NBest& out) {
  Task task{grammar, model, lm_words, rule_scores, options, {}, {}, {}, {}};
  task.rules.resize(grammar.rules());
  task.estimates.resize(grammar.rules());
  task.is_ranked.resize(grammar.nodes());
  Room room;
  for (const Source& source : sources) {
    Chart chart(task, room, source);
    chart.fill();
    chart.best(out);
  }
}

}  // namespace plainmark
