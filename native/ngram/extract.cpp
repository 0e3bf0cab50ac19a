#include "ngram/extract.hpp"

#include <algorithm>

#include "ngram/lcs_rows.hpp"

namespace plainmark {

namespace {

// F1 is 2 common / (tokens + size of the target); compared without division.
struct Fit {
  int64_t common = 0, tokens = 0;
  bool better_than(const Fit& other, int64_t target) const {
    int64_t here = common * (other.tokens + target), there = other.common * (tokens + target);
    return here != there ? here > there : tokens < other.tokens;
  }
};

class Search {
 public:
  Search(const std::vector<Sequence>& sentences, Sequence target)
      : sentences_(sentences), positions_(target), target_(target.size()), hope_(sentences.size() + 1, 0) {
    std::vector<uint64_t> row(positions_.words());
    for (size_t i = sentences.size(); i-- > 0;) {
      std::fill(row.begin(), row.end(), ~0ull);
      read(i, row.data());
      hope_[i] = hope_[i + 1] + zeros(row.data(), target_);
    }
  }

  std::vector<int64_t> exact() {
    rows_.assign((sentences_.size() + 1) * positions_.words(), ~0ull);
    descend(0, 0, {});
    return best_;
  }

  std::vector<int64_t> beam(size_t width) {
    struct State {
      Fit fit;
      std::vector<uint64_t> row;
      std::vector<int64_t> chosen;
    };
    std::vector<State> states{{{}, std::vector<uint64_t>(positions_.words(), ~0ull), {}}};
    for (size_t i = 0; i < sentences_.size(); ++i) {
      size_t count = states.size();
      for (size_t k = 0; k < count; ++k) {
        State next = states[k];
        read(i, next.row.data());
        next.fit = {zeros(next.row.data(), target_), next.fit.tokens + size(i)};
        next.chosen.push_back(static_cast<int64_t>(i));
        if (next.fit.better_than(best_fit_, size())) best_fit_ = next.fit, best_ = next.chosen;
        states.push_back(std::move(next));
      }
      std::stable_sort(states.begin(), states.end(),
                       [&](const State& a, const State& b) { return a.fit.better_than(b.fit, size()); });
      if (states.size() > width) states.resize(width);
    }
    return best_;
  }

 private:
  int64_t size() const { return static_cast<int64_t>(target_); }
  int64_t size(size_t i) const { return static_cast<int64_t>(sentences_[i].size()); }

  void read(size_t i, uint64_t* row) const {
    for (uint64_t token : sentences_[i]) lcs_row(row, positions_.of(token), positions_.words(), 0);
  }

  // Whether any choice among the sentences from i on could beat the best: each can add at most its own common tokens,
  // and at least as many tokens as it adds common ones.
  bool hopeful(size_t i, const Fit& fit) const {
    int64_t more = std::min(hope_[i], size() - fit.common);
    return Fit{fit.common + more, fit.tokens + more}.better_than(best_fit_, size());
  }

  void descend(size_t i, size_t depth, Fit fit) {
    if (i == sentences_.size() || !hopeful(i, fit)) return;
    size_t words = positions_.words();
    uint64_t* row = rows_.data() + depth * words;
    std::copy_n(row, words, row + words);
    read(i, row + words);
    Fit with{zeros(row + words, target_), fit.tokens + size(i)};
    chosen_.push_back(static_cast<int64_t>(i));
    if (with.better_than(best_fit_, size())) best_fit_ = with, best_ = chosen_;
    descend(i + 1, depth + 1, with);
    chosen_.pop_back();
    descend(i + 1, depth, fit);
  }

  const std::vector<Sequence>& sentences_;
  Positions positions_;
  size_t target_;
  std::vector<int64_t> hope_;
  std::vector<uint64_t> rows_;
  std::vector<int64_t> chosen_, best_;
  Fit best_fit_;
};

}  // namespace

Extract best_extract(const std::vector<Sequence>& sentences, Sequence target, size_t limit, size_t beam) {
  Search search(sentences, target);
  bool exact = sentences.size() <= limit;
  return {exact ? search.exact() : search.beam(beam), exact};
}

}  // namespace plainmark
