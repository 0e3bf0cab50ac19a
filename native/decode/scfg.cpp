// CKY+ (Chappelier and Rajman 1998) finds the rules that fit each span by walking the trie of sources; cube pruning
// (Chiang 2007) selects the best combinations of rules and of the items for their nonterminals.
#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "decode/cube.hpp"
#include "decode/derivations.hpp"
#include "decode/joining.hpp"
#include "decode/ranked_rules.hpp"
#include "decode/scfg.hpp"

namespace plainmark {

namespace {

using Word = LanguageModel::Word;
using State = LanguageModel::State;

struct Cell {
  std::vector<std::pair<std::int32_t, Items>> labels;  // sorted by label; items by priority
  Items all;
  std::vector<std::int32_t> dots;
};

// A partial match of a rule's source, starting at some word.
struct Dot {
  std::int32_t node, parent;
  const Items* items;  // items of the last nonterminal, or null for a word
};

// A place in the source where rules end.
struct Match {
  std::int32_t node, parent;
  const Items* items;
  double estimate;
  std::uint32_t number;
};

class Chart {
 public:
  Chart(RankedRules& rules, Buffers& buffers, const Source& source)
      : rules_(rules), buffers_(buffers), source_(source), n_(static_cast<int>(source.words.size())) {
    int limit = rules.options.span_limit;
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
    Derivations derivations(rules_.grammar, rules_.options.unique);
    for (std::size_t k = 0; k < rules_.options.nbest && derivations.kth(*root_, k); ++k) {
      const Kth& output = root_->kbest->ranked[k];
      std::int32_t glues = 0, copies = 0;
      derivations.write(*root_, k, out, glues, copies);
      out.scores.push_back(output.score);
      out.lm.push_back(output.lm);
      out.glues.push_back(glues);
      out.copies.push_back(copies);
      out.word_offsets.push_back(static_cast<std::int64_t>(out.words.size()));
      out.rule_offsets.push_back(static_cast<std::int64_t>(out.rules.size()));
    }
    out.sentences.push_back(static_cast<std::int64_t>(out.scores.size()));
  }

 private:
  Cell& cell(int i, int j) { return cells_[static_cast<std::size_t>(i) * limit_ + (j - i - 1)]; }
  Word lm_word(std::int32_t word) const { return rules_.model ? rules_.lm_words[word] : 0; }

  // All items for words i to j - 1.
  void fill(int i, int j) {
    Cell& current = cell(i, j);
    begin_ = i, end_ = j;
    matches_.clear();
    extend(i, j, current);
    choose();
    std::vector<Bundle>& bundles = buffers_.bundles;
    bundles.clear();
    for (const Match& match : matches_) {
      Bundle bundle{rules_.best_first(match.node), {}, 0};
      if (match.items) bundle.children[bundle.arity++] = match.items;
      for (std::int32_t at = match.parent; at > 0; at = dots_[at].parent)
        if (dots_[at].items) bundle.children[bundle.arity++] = dots_[at].items;
      std::reverse(bundle.children.begin(), bundle.children.begin() + bundle.arity);
      bundles.push_back(bundle);
    }
    new_items_.clear();
    buffers_.known.clear();
    if (j == i + 1) copy(i);
    pop(bundles, 0);
    std::size_t done = 0;
    std::deque<Items> children;  // what bundles point to
    for (int depth = 1; depth <= rules_.options.unary_limit && done < new_items_.size(); ++depth) {
      std::vector<std::pair<std::int32_t, Items>> groups = by_label(done);
      done = new_items_.size();
      bundles.clear();
      for (auto& [label, items] : groups) {
        std::int32_t node = rules_.grammar.after_label(Grammar::ROOT, label);
        if (node == Grammar::NOWHERE) continue;
        Ranked ranked = rules_.best_first(node);
        if (ranked.rules.empty()) continue;
        children.push_back(std::move(items));
        bundles.push_back({ranked, {&children.back()}, 1});
      }
      pop(bundles, depth);
    }
    current.labels = by_label(0);
    for (auto& [label, items] : current.labels) current.all.insert(current.all.end(), items.begin(), items.end());
    if (current.labels.size() > 1) sort(current.all);
    // Longer rules may begin with an item of this span.
    matches_.clear();
    step_labels(0, current, current);
  }

  void step(std::int32_t parent, std::int32_t node, const Items* items, Cell& current) {
    if (node == Grammar::NOWHERE) return;
    if (!rules_.grammar.ending(node).empty()) matches_.push_back({node, parent, items, 0, static_cast<std::uint32_t>(matches_.size())});
    if (!rules_.grammar.goes_on(node)) return;
    current.dots.push_back(static_cast<std::int32_t>(dots_.size()));
    dots_.push_back({node, parent, items});
  }

  // If sources end in more places than can be examined, the most promising ones: the language model's scores at the
  // seams are not known yet, so more are kept than are needed.
  void choose() {
    std::size_t most = 4 * static_cast<std::size_t>(std::max(rules_.options.pop_limit, 0));
    if (most == 0 || matches_.size() <= most) return;
    for (Match& match : matches_) {
      match.estimate = rules_.best_estimate(match.node) + (match.items ? match.items->front()->priority : 0);
      for (std::int32_t at = match.parent; at > 0; at = dots_[at].parent)
        if (dots_[at].items) match.estimate += dots_[at].items->front()->priority;
    }
    std::nth_element(matches_.begin(), matches_.begin() + most, matches_.end(), [](const Match& a, const Match& b) {
      return a.estimate != b.estimate ? a.estimate > b.estimate : a.number < b.number;
    });
    matches_.resize(most);
    std::sort(matches_.begin(), matches_.end(), [](const Match& a, const Match& b) { return a.number < b.number; });
  }

  // Continue with a phrase of the cell; labels are sorted on both sides, and usually one side has few.
  void step_labels(std::int32_t dot, const Cell& last, Cell& current) {
    auto steps = rules_.grammar.labels_after(dots_[dot].node);
    auto at = last.labels.begin(), end = last.labels.end();
    for (const auto& [label, node] : steps) {
      at = std::lower_bound(at, end, label, [](const auto& group, std::int32_t value) { return group.first < value; });
      if (at == end) return;
      if (at->first == label) step(dot, node, &at->second, current);
    }
  }

  // Dots of shorter spans that reach to j by the word or the phrase at the end.
  void extend(int i, int j, Cell& current) {
    const Grammar& grammar = rules_.grammar;
    auto word = [&](std::int32_t dot) {
      step(dot, grammar.after_word(dots_[dot].node, source_.words[j - 1]), nullptr, current);
    };
    if (j == i + 1) word(0);
    for (int k = i + 1; k < j; ++k) {
      const Cell& before = cell(i, k);
      const Cell& last = cell(k, j);
      for (std::int32_t dot : before.dots) {
        if (k + 1 == j) word(dot);
        step_labels(dot, last, current);
      }
    }
  }

  // The unchanged word, under each label that it may have.
  void copy(int i) {
    Joining joining(rules_.model);
    joining.word(lm_word(source_.words[i]));
    for (auto l = source_.label_offsets[i]; l < source_.label_offsets[i + 1]; ++l) {
      double score = source_.copy_scores[i] + rules_.options.lm_weight * joining.exact();
      add({joining.outside(), score, score + rules_.options.lm_weight * joining.guess(), joining.exact(), joining.guess()},
          source_.copy_labels[l], 0, {COPY, source_.words[i], {}, 0, score, joining.exact()});
    }
  }

  static void join(Joining& joining, const Item& item) { joining.part(item.outside, item.lm, item.guess); }

  Built build(const Bundle& bundle, const Candidate& at) const {
    std::int32_t rule = bundle.ranked.rules[at.rule];
    Joining joining(rules_.model);
    double score = rules_.scores[rule], lm = 0;
    for (std::int32_t symbol : rules_.grammar.target(rule)) {
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
    score += rules_.options.lm_weight * (joining.exact() - lm);
    return {joining.outside(), score, score + rules_.options.lm_weight * joining.guess(), joining.exact(),
            joining.guess()};
  }

  // Cube pruning over all bundles of a span.
  void pop(const std::vector<Bundle>& bundles, std::int32_t depth) {
    Queue& queue = buffers_.queue;
    queue.clear();
    buffers_.built.clear();
    auto push = [&](Candidate candidate) {
      const Bundle& bundle = bundles[candidate.bundle];
      candidate.priority = bundle.ranked.estimates[candidate.rule];
      for (int c = 0; c < bundle.arity; ++c) candidate.priority += (*bundle.children[c])[candidate.ranks[c]]->priority;
      candidate.built = -1;
      queue.push(candidate);
    };
    for (std::uint32_t b = 0; b < bundles.size(); ++b) push({0, b, 0, {}, -1});
    for (int pops = 0; !queue.empty() && (rules_.options.pop_limit <= 0 || pops < rules_.options.pop_limit);) {
      std::uint32_t number = queue.pop();
      Candidate best = queue[number];
      const Bundle& bundle = bundles[best.bundle];
      if (best.built < 0) {
        buffers_.built.push_back(build(bundle, best));
        queue[number].built = static_cast<std::int32_t>(buffers_.built.size() - 1);
        queue[number].priority = buffers_.built.back().priority;
        queue.push(number);
        continue;
      }
      ++pops;
      const Built& built = buffers_.built[best.built];
      std::int32_t rule = bundle.ranked.rules[best.rule];
      Edge edge{rule, 0, {}, bundle.arity, built.score, built.lm};
      for (int c = 0; c < bundle.arity; ++c) {
        edge.children[c] = (*bundle.children[c])[best.ranks[c]];
        edge.weight -= edge.children[c]->score;
        edge.lm -= edge.children[c]->lm;
      }
      add(built, rules_.grammar.lhs(rule), depth, edge);
      // Each combination is generated from only one other: the one with its last number reduced by one.
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

  // Adds a new item, or another derivation of an item with the same future.
  void add(const Built& built, std::int32_t label, std::int32_t depth, const Edge& edge) {
    edges_.push_back(edge);
    std::uint64_t key = extend_hash(built.outside.hash(), static_cast<std::uint64_t>(label + 8) << 8 | depth);
    Item*& item = buffers_.known.find(key, [&](const Item& other) {
      return other.label == label && other.depth == depth && other.outside == built.outside;
    });
    if (!item) {
      items_.push_back({label, depth, begin_, end_, built.outside, built.score, built.priority, built.lm, built.guess,
                        &edges_.back(), &edges_.back(), nullptr});
      item = &items_.back();
      new_items_.push_back(item);
      return;
    }
    item->last->next = &edges_.back();
    item->last = &edges_.back();
    if (built.score > item->score) item->score = built.score, item->priority = built.priority, item->lm = built.lm;  // guesses of equals are equal
  }

  // By priority, the earlier of two equal ones first; items are almost in order already.
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
    for (std::size_t i = from; i < new_items_.size(); ++i) {
      auto at = std::lower_bound(groups.begin(), groups.end(), new_items_[i]->label,
                                 [](const auto& group, std::int32_t label) { return group.first < label; });
      if (at == groups.end() || at->first != new_items_[i]->label) at = groups.insert(at, {new_items_[i]->label, {}});
      at->second.push_back(new_items_[i]);
    }
    for (auto& [_, items] : groups) sort(items);
    return groups;
  }

  // Consecutive pieces from the beginning on, and the end of the sentence.
  void glue() {
    std::vector<Items> upto(n_ + 1);
    Joining nothing(rules_.model);
    nothing.begin();
    edges_.push_back({GLUE, 0, {}, 0, 0, 0});
    items_.push_back({GLUE, 0, 0, 0, nothing.outside(), 0, 0, 0, 0, &edges_.back(), &edges_.back(), nullptr});
    upto[0] = {&items_.back()};
    for (int j = 1; j <= n_; ++j) {
      std::vector<std::pair<const Items*, const Items*>> pairs;
      for (int i = std::max(0, j - limit_); i < j; ++i)
        if (!upto[i].empty() && !cell(i, j).all.empty()) pairs.push_back({&upto[i], &cell(i, j).all});
      new_items_.clear();
      buffers_.known.clear();
      pop_glue(pairs);
      upto[j].assign(new_items_.begin(), new_items_.end());
      sort(upto[j]);
    }
    new_items_.clear();
    buffers_.known.clear();
    for (const Item* item : upto[n_]) {
      Joining joining(rules_.model);
      join(joining, *item);
      joining.word(LanguageModel::END);
      double end = joining.exact() - item->lm;
      double weight = rules_.options.lm_weight * end;
      add({Outside(), item->score + weight, item->score + weight, joining.exact(), 0}, FINISH, 0,
          {FINISH, 0, {item}, 1, weight, end});
    }
    root_ = new_items_.front();
  }

  void pop_glue(const std::vector<std::pair<const Items*, const Items*>>& pairs) {
    Queue& queue = buffers_.queue;
    queue.clear();
    buffers_.built.clear();
    auto left = [&](const Candidate& at) { return (*pairs[at.bundle].first)[at.ranks[0]]; };
    auto right = [&](const Candidate& at) { return (*pairs[at.bundle].second)[at.ranks[1]]; };
    auto push = [&](Candidate candidate) {
      candidate.priority = left(candidate)->priority + right(candidate)->priority + rules_.options.glue;
      candidate.built = -1;
      queue.push(candidate);
    };
    for (std::uint32_t b = 0; b < pairs.size(); ++b) push({0, b, 0, {}, -1});
    for (int pops = 0; !queue.empty() && (rules_.options.pop_limit <= 0 || pops < rules_.options.pop_limit);) {
      std::uint32_t number = queue.pop();
      Candidate best = queue[number];
      const Item &first = *left(best), &second = *right(best);
      if (best.built < 0) {
        Joining joining(rules_.model);
        join(joining, first);
        join(joining, second);
        double lm = joining.exact();
        double score = first.score + second.score + rules_.options.glue + rules_.options.lm_weight * (lm - first.lm - second.lm);
        queue[number].built = static_cast<std::int32_t>(buffers_.built.size());
        queue[number].priority = score;
        buffers_.built.push_back({joining.outside(), score, score, lm, 0});
        queue.push(number);
        continue;
      }
      ++pops;
      const Built& built = buffers_.built[best.built];
      add(built, GLUE, 0, {GLUE, 0, {&first, &second}, 2, built.score - first.score - second.score, built.lm - first.lm - second.lm});
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

  RankedRules& rules_;
  Buffers& buffers_;
  const Source& source_;
  int n_, limit_;
  int begin_ = 0, end_ = 0;  // of the span at work
  std::vector<Cell> cells_;
  std::vector<Dot> dots_;
  std::vector<Match> matches_;
  std::deque<Item> items_;
  std::deque<Edge> edges_;
  std::vector<Item*> new_items_;                               // in the span at work
  const Item* root_ = nullptr;
};

}  // namespace

void decode(const Grammar& grammar, const LanguageModel* model, std::span<const std::uint32_t> lm_words,
            std::span<const double> rule_scores, std::span<const Source> sources, const DecodeOptions& options,
            NBest& out) {
  RankedRules rules(grammar, model, lm_words, rule_scores, options);
  Buffers buffers;
  for (const Source& source : sources) {
    Chart chart(rules, buffers, source);
    chart.fill();
    chart.best(out);
  }
}

}  // namespace plainmark
