#include "decode/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plainmark {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kNegligible = -600;  // its exponential is still a number, and far below the rounding error of the others

// Weights of states with a common factor, the exponential of `scale`; the largest is 1.
struct Weights {
  double* of;
  double& scale;

  void normalise(size_t states, double more) {
    double top = *std::max_element(of, of + states);
    if (top <= 0) {
      scale = kNever;
      return;
    }
    for (size_t s = 0; s < states; ++s) of[s] /= top;
    scale = more + std::log(top);
  }
};

class SpanWeights {
 public:
  SpanWeights(size_t n, size_t states) : n_(n), states_(states), values_(n * n * states, 0), scales_(n * n, kNever) {}
  Weights at(size_t i, size_t j) { return {&values_[(i * n_ + j) * states_], scales_[i * n_ + j]}; }

 private:
  size_t n_, states_;
  std::vector<double> values_, scales_;
};

}  // namespace

// Inside and outside probabilities of spans, after Baker 1979.
std::vector<double> span_marginals(const double* scores, size_t n, const TreeGrammar& grammar) {
  if (n == 0) return {};
  const size_t states = grammar.states, cell = states * states;
  const auto& joins = grammar.joins;
  std::vector<double> steps(n * n * cell, 0), tops(n * n, kNever);  // exponentials of scores, the largest 1
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i; j < n; ++j) {
      const double* own = scores + (i * n + j) * cell;
      double top = *std::max_element(own, own + cell);
      tops[i * n + j] = top;
      if (top == kNever) continue;
      for (size_t c = 0; c < cell; ++c) steps[(i * n + j) * cell + c] = std::exp(own[c] - top);
    }
  }
  SpanWeights inner(n, states), shown(n, states);
  for (size_t width = 0; width < n; ++width) {
    for (size_t i = 0; i + width < n; ++i) {
      size_t j = i + width;
      Weights inside = inner.at(i, j), out = shown.at(i, j);
      if (width == 0) {
        inside.of[0] = 1;
        inside.scale = 0;
      } else {
        double top = kNever;
        for (size_t k = i; k < j; ++k) top = std::max(top, shown.at(i, k).scale + shown.at(k + 1, j).scale);
        if (top == kNever) continue;
        for (size_t k = i; k < j; ++k) {
          Weights left = shown.at(i, k), right = shown.at(k + 1, j);
          double less = left.scale + right.scale - top;
          if (!(less > kNegligible)) continue;
          double weight = std::exp(less);
          for (size_t r = 0; r < joins.size(); r += 3)
            inside.of[joins[r + 2]] += weight * left.of[joins[r]] * right.of[joins[r + 1]];
        }
        inside.normalise(states, top);
      }
      if (inside.scale == kNever || tops[i * n + j] == kNever) continue;
      const double* step = &steps[(i * n + j) * cell];
      for (size_t s = 0; s < states; ++s)
        for (size_t t = 0; t < states; ++t) out.of[t] += inside.of[s] * step[s * states + t];
      out.normalise(states, inside.scale + tops[i * n + j]);
    }
  }
  std::vector<double> result(n * n * cell, 0);
  Weights whole = shown.at(0, n - 1);
  if (whole.scale == kNever || whole.of[grammar.root] <= 0) return result;
  const double total = whole.scale + std::log(whole.of[grammar.root]);
  SpanWeights around(n, states), above(n, states);  // outside of what is shown, and of the state inside
  for (size_t width = n; width-- > 0;) {
    for (size_t i = 0; i + width < n; ++i) {
      size_t j = i + width;
      Weights outside = around.at(i, j), higher = above.at(i, j);
      if (width == n - 1) {
        outside.of[grammar.root] = 1;
        outside.scale = 0;
      } else {
        double top = kNever;
        for (size_t k = j + 1; k < n; ++k) top = std::max(top, above.at(i, k).scale + shown.at(j + 1, k).scale);
        for (size_t k = 0; k < i; ++k) top = std::max(top, above.at(k, j).scale + shown.at(k, i - 1).scale);
        if (top == kNever) continue;
        auto add = [&](Weights parent, Weights sister, bool on_right) {
          double less = parent.scale + sister.scale - top;
          if (!(less > kNegligible)) return;
          double weight = std::exp(less);
          for (size_t r = 0; r < joins.size(); r += 3) {
            size_t own = joins[r + (on_right ? 0 : 1)], other = joins[r + (on_right ? 1 : 0)];
            outside.of[own] += weight * parent.of[joins[r + 2]] * sister.of[other];
          }
        };
        for (size_t k = j + 1; k < n; ++k) add(above.at(i, k), shown.at(j + 1, k), true);
        for (size_t k = 0; k < i; ++k) add(above.at(k, j), shown.at(k, i - 1), false);
        outside.normalise(states, top);
      }
      Weights inside = inner.at(i, j);
      double own_top = tops[i * n + j];
      if (outside.scale == kNever || inside.scale == kNever || own_top == kNever) continue;
      const double* step = &steps[(i * n + j) * cell];
      double factor = std::exp(outside.scale + own_top + inside.scale - total);
      for (size_t s = 0; s < states; ++s) {
        for (size_t t = 0; t < states; ++t) {
          double through = step[s * states + t] * outside.of[t];
          higher.of[s] += through;
          result[(i * n + j) * cell + s * states + t] = std::min(1.0, inside.of[s] * through * factor);
        }
      }
      higher.normalise(states, outside.scale + own_top);
    }
  }
  return result;
}

std::vector<int64_t> best_tree(const double* scores, size_t n, const TreeGrammar& grammar) {
  if (n == 0) return {};
  const size_t states = grammar.states, cell = states * states;
  const auto& joins = grammar.joins;
  struct Choice {
    size_t split, left, right;
  };
  std::vector<double> shown(n * n * states, kNever), inside(states);
  std::vector<size_t> inner(n * n * states, 0);  // the state inside, by the one that is shown
  std::vector<Choice> choices(n * n * states);   // by the state inside
  for (size_t width = 0; width < n; ++width) {
    for (size_t i = 0; i + width < n; ++i) {
      size_t j = i + width, at = i * n + j;
      std::fill(inside.begin(), inside.end(), kNever);
      if (width == 0) inside[0] = 0;
      for (size_t k = i; k < j; ++k) {
        const double *left = &shown[(i * n + k) * states], *right = &shown[((k + 1) * n + j) * states];
        for (size_t r = 0; r < joins.size(); r += 3) {
          double sum = left[joins[r]] + right[joins[r + 1]];
          auto to = static_cast<size_t>(joins[r + 2]);
          if (sum > inside[to]) {
            inside[to] = sum;
            choices[at * states + to] = {k, static_cast<size_t>(joins[r]), static_cast<size_t>(joins[r + 1])};
          }
        }
      }
      for (size_t s = 0; s < states; ++s) {
        for (size_t t = 0; t < states; ++t) {
          double sum = inside[s] + scores[at * cell + s * states + t];
          if (sum > shown[at * states + t]) {
            shown[at * states + t] = sum;
            inner[at * states + t] = s;
          }
        }
      }
    }
  }
  std::vector<int64_t> spans;
  if (shown[(n - 1) * states + grammar.root] == kNever) return spans;
  std::vector<std::array<size_t, 3>> waiting{{0, n - 1, grammar.root}};
  while (!waiting.empty()) {
    auto [i, j, t] = waiting.back();
    waiting.pop_back();
    size_t s = inner[(i * n + j) * states + t];
    for (size_t x : {i, j, s, t}) spans.push_back(static_cast<int64_t>(x));
    if (i == j) continue;
    const Choice& c = choices[(i * n + j) * states + s];
    waiting.push_back({c.split + 1, j, c.right});
    waiting.push_back({i, c.split, c.left});
  }
  return spans;
}

}  // namespace plainmark
