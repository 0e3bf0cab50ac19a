#include "decode/lattice.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "text/hash.hpp"

namespace plainmark {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct Arc {
  int32_t from;  // node
  int64_t edge;
  double gain, lm;  // what the arc adds to the score, and the language model's part of it unweighted
};

// A gap in the source with a state of the language model; paths that meet here have the same future.
struct Node {
  LanguageModel::State state;
  double best = kNever;
  std::vector<Arc> arcs;
  bool sorted = false;
};

struct StateHash {
  size_t operator()(const LanguageModel::State& state) const { return static_cast<size_t>(state.hash()); }
};

// A path from its end: the arcs after `node`, whose own arc comes next.
struct Suffix {
  double bound;  // score of the best whole path that ends like this
  int32_t node;
  int32_t arc;
  int32_t after;  // index of the suffix that follows, -1 at the end of the sentence
  double gain, lm;
};

class SentenceSearch {
 public:
  SentenceSearch(const LanguageModel& model, const Lattices& lattices, const Search& search, int64_t sentence)
      : model_(model), all_(lattices), search_(search), length_(lattices.lengths[sentence]) {
    leaving_.resize(length_ + 1);
    for (int64_t e = lattices.edges[sentence]; e < lattices.edges[sentence + 1]; ++e)
      leaving_[lattices.starts[e]].push_back(e);
  }

  void run(Paths& out) {
    build();
    extract(out);
  }

 private:
  void build() {
    std::vector<std::unordered_map<LanguageModel::State, int32_t, StateHash>> known(length_ + 1);
    gaps_.resize(length_ + 1);
    nodes_.push_back({model_.begin(), 0.0, {}, false});
    gaps_[0].push_back(0);
    for (int64_t gap = 0; gap < length_; ++gap) {
      prune(gaps_[gap]);
      for (int32_t from : gaps_[gap])
        for (int64_t edge : leaving_[gap]) follow(from, edge, known[all_.ends[edge]]);
      known[gap].clear();
    }
    prune(gaps_[length_]);
    end_ = static_cast<int32_t>(nodes_.size());
    Node end{model_.nothing(), kNever, {}, false};
    for (int32_t from : gaps_[length_]) {
      LanguageModel::State after;
      double lm = model_.score(nodes_[from].state, model_.end_word(), after);
      double gain = search_.lm_weight * lm;
      end.arcs.push_back({from, -1, gain, lm});
      end.best = std::max(end.best, nodes_[from].best + gain);
    }
    nodes_.push_back(std::move(end));
  }

  void follow(int32_t from, int64_t edge, std::unordered_map<LanguageModel::State, int32_t, StateHash>& known) {
    LanguageModel::State state = nodes_[from].state, after;
    double lm = 0;
    for (int64_t w = all_.targets[edge]; w < all_.targets[edge + 1]; ++w) {
      lm += model_.score(state, all_.lm_words[all_.words[w]], after);
      state = after;
    }
    double gain = all_.scores[edge] + search_.lm_weight * lm;
    auto [place, fresh] = known.try_emplace(state, static_cast<int32_t>(nodes_.size()));
    if (fresh) {
      nodes_.push_back({state, kNever, {}, false});
      gaps_[all_.ends[edge]].push_back(place->second);
    }
    Node& node = nodes_[place->second];
    node.arcs.push_back({from, edge, gain, lm});
    node.best = std::max(node.best, nodes_[from].best + gain);
  }

  void prune(std::vector<int32_t>& gap) const {
    auto better = [&](int32_t a, int32_t b) {
      return nodes_[a].best != nodes_[b].best ? nodes_[a].best > nodes_[b].best : a < b;
    };
    size_t keep = std::min(gap.size(), static_cast<size_t>(search_.beam));
    std::partial_sort(gap.begin(), gap.begin() + keep, gap.end(), better);
    gap.resize(keep);
    while (!gap.empty() && nodes_[gap.back()].best < nodes_[gap.front()].best - search_.threshold) gap.pop_back();
  }

  // Best first from the end of the sentence, where the best score before each node is known exactly.
  void extract(Paths& out) {
    std::vector<Suffix> suffixes;
    auto worse = [&](int32_t a, int32_t b) {
      return suffixes[a].bound != suffixes[b].bound ? suffixes[a].bound < suffixes[b].bound : a > b;
    };
    std::priority_queue<int32_t, std::vector<int32_t>, decltype(worse)> queue(worse);
    auto push = [&](int32_t node, int32_t arc, int32_t after) {
      sort(nodes_[node]);
      if (arc >= static_cast<int32_t>(nodes_[node].arcs.size())) return;
      const Arc& taken = nodes_[node].arcs[arc];
      double gain = taken.gain + (after < 0 ? 0 : suffixes[after].gain);
      double lm = taken.lm + (after < 0 ? 0 : suffixes[after].lm);
      suffixes.push_back({nodes_[taken.from].best + gain, node, arc, after, gain, lm});
      queue.push(static_cast<int32_t>(suffixes.size()) - 1);
    };
    std::unordered_set<uint64_t> seen;
    push(end_, 0, -1);
    // Different derivations of one output may fill the list, so the number of examined paths is limited.
    int64_t tries = 20 + 10 * static_cast<int64_t>(search_.paths);
    int outputs = 0;
    while (outputs < search_.paths && tries > 0 && !queue.empty()) {
      int32_t top = queue.top();
      queue.pop();
      Suffix path = suffixes[top];
      push(path.node, path.arc + 1, path.after);
      int32_t from = nodes_[path.node].arcs[path.arc].from;
      if (from != 0) {
        push(from, 0, top);
        continue;
      }
      --tries;
      if (!seen.insert(output_hash(suffixes, top)).second) continue;
      ++outputs;
      for (int32_t s = top; s >= 0; s = suffixes[s].after) {
        int64_t edge = nodes_[suffixes[s].node].arcs[suffixes[s].arc].edge;
        if (edge >= 0) out.edges.push_back(edge);
      }
      out.offsets.push_back(static_cast<int64_t>(out.edges.size()));
      out.scores.push_back(path.gain);
      out.lm.push_back(path.lm);
    }
    out.sentences.push_back(static_cast<int64_t>(out.scores.size()));
  }

  void sort(Node& node) {
    if (node.sorted) return;
    std::stable_sort(node.arcs.begin(), node.arcs.end(), [&](const Arc& a, const Arc& b) {
      return nodes_[a.from].best + a.gain > nodes_[b.from].best + b.gain;
    });
    node.sorted = true;
  }

  uint64_t output_hash(const std::vector<Suffix>& suffixes, int32_t first) const {
    uint64_t hash = 0;
    for (int32_t s = first; s >= 0; s = suffixes[s].after) {
      int64_t edge = nodes_[suffixes[s].node].arcs[suffixes[s].arc].edge;
      if (edge < 0) continue;
      for (int64_t w = all_.targets[edge]; w < all_.targets[edge + 1]; ++w)
        hash = extend_hash(hash, static_cast<uint64_t>(all_.words[w]) + 1);
    }
    return hash;
  }

  const LanguageModel& model_;
  const Lattices& all_;
  const Search& search_;
  int64_t length_;
  int32_t end_ = 0;
  std::vector<std::vector<int64_t>> leaving_;
  std::vector<std::vector<int32_t>> gaps_;
  std::vector<Node> nodes_;
};

void append(Paths& all, const Paths& part) {
  int64_t paths = all.sentences.back(), edges = all.offsets.back();
  for (size_t i = 1; i < part.sentences.size(); ++i) all.sentences.push_back(paths + part.sentences[i]);
  for (size_t i = 1; i < part.offsets.size(); ++i) all.offsets.push_back(edges + part.offsets[i]);
  all.scores.insert(all.scores.end(), part.scores.begin(), part.scores.end());
  all.lm.insert(all.lm.end(), part.lm.begin(), part.lm.end());
  all.edges.insert(all.edges.end(), part.edges.begin(), part.edges.end());
}

}  // namespace

Paths best_paths(const LanguageModel& model, const Lattices& lattices, const Search& search, int threads) {
  std::vector<Paths> parts(lattices.sentences);
  std::atomic<int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  auto fail = [&](std::exception_ptr problem) {
    next = lattices.sentences;  // threads that are at work stop after their sentence
    std::lock_guard lock(failing);
    if (!failure) failure = problem;
  };
  auto work = [&] {
    try {
      for (int64_t i; (i = next++) < lattices.sentences;) SentenceSearch(model, lattices, search, i).run(parts[i]);
    } catch (...) {
      fail(std::current_exception());
    }
  };
  std::vector<std::thread> others;
  try {
    for (int t = 1; t < threads && t < lattices.sentences; ++t) others.emplace_back(work);
  } catch (const std::system_error& error) {
    fail(std::make_exception_ptr(std::runtime_error("cannot start thread " + std::to_string(others.size() + 2) + " of " +
                                                    std::to_string(threads) + " (" + error.code().message() +
                                                    "); use fewer threads")));
  } catch (...) {
    fail(std::current_exception());
  }
  work();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
  Paths all;
  for (const Paths& part : parts) append(all, part);
  return all;
}

std::vector<float> context_gains(const LanguageModel& model, const Lattices& lattices, const int32_t* sources,
                                 const int64_t* offsets) {
  std::vector<float> gains;
  gains.reserve(lattices.edges[lattices.sentences]);
  std::vector<LanguageModel::State> states;
  std::vector<double> before;  // log probability of the sentence up to each gap
  for (int64_t s = 0; s < lattices.sentences; ++s) {
    int64_t n = lattices.lengths[s];
    auto word = [&](int64_t i) {
      return i < n ? lattices.lm_words[sources[offsets[s] + i]] : model.end_word();
    };
    states.resize(n + 2);
    before.assign(n + 2, 0);
    states[0] = model.begin();
    for (int64_t i = 0; i <= n; ++i) before[i + 1] = before[i] + model.score(states[i], word(i), states[i + 1]);
    for (int64_t e = lattices.edges[s]; e < lattices.edges[s + 1]; ++e) {
      LanguageModel::State state = states[lattices.starts[e]], after;
      double lm = 0;
      auto follow = [&](LanguageModel::Word next) {
        lm += model.score(state, next, after);
        state = after;
      };
      for (int64_t w = lattices.targets[e]; w < lattices.targets[e + 1]; ++w) follow(lattices.lm_words[lattices.words[w]]);
      int64_t end = lattices.ends[e], stop = std::min(n + 1, end + model.order() - 1);
      for (int64_t i = end; i < stop; ++i) follow(word(i));
      gains.push_back(static_cast<float>(lm - (before[stop] - before[lattices.starts[e]])));
    }
  }
  return gains;
}

}  // namespace plainmark
