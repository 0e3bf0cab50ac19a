#include "stats/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace plainmark {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

size_t groups(std::span<const int64_t> ranks) {
  return ranks.empty() ? 0 : static_cast<size_t>(*std::max_element(ranks.begin(), ranks.end())) + 1;
}

// Converts the weight of each group to the mid-rank of its rows minus `middle`; returns the sum of squares.
double to_ranks(std::vector<double>& sizes, double middle) {
  double before = 0, squares = 0;
  for (double& size : sizes) {
    double weight = size, rank = before + (weight + 1) / 2 - middle;
    before += weight;
    squares += weight * rank * rank;
    size = rank;
  }
  return squares;
}

double tied(const std::vector<double>& sizes) {
  double pairs = 0;
  for (double size : sizes) pairs += size * (size - 1) / 2;
  return pairs;
}

}  // namespace

RankedRows::RankedRows(std::span<const int64_t> x, std::span<const int64_t> y)
    : x_(x), y_(y), order_(x.size()), by_x_(groups(x)), by_y_(groups(y)), tree_(by_y_.size() + 1) {
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](int64_t a, int64_t b) { return x_[a] < x_[b]; });
}

RankedRows::Ties RankedRows::count(const double* weights) {
  std::fill(by_x_.begin(), by_x_.end(), 0);
  std::fill(by_y_.begin(), by_y_.end(), 0);
  double n = 0;
  for (size_t i = 0; i < x_.size(); ++i) {
    n += weights[i];
    by_x_[x_[i]] += weights[i];
    by_y_[y_[i]] += weights[i];
  }
  return {n * (n - 1) / 2, tied(by_x_), tied(by_y_)};
}

double RankedRows::spearman(const double* weights) {
  count(weights);
  double n = std::accumulate(by_x_.begin(), by_x_.end(), 0.0), middle = (n + 1) / 2;
  double xx = to_ranks(by_x_, middle), yy = to_ranks(by_y_, middle), xy = 0;
  for (size_t i = 0; i < x_.size(); ++i) xy += weights[i] * by_x_[x_[i]] * by_y_[y_[i]];
  return xx > 0 && yy > 0 ? std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0) : kUndefined;
}

// Rows are processed in order of x; a tree of sums (Fenwick 1994) has the y of previous rows with smaller x.
double RankedRows::kendall(const double* weights) {
  Ties ties = count(weights);
  std::fill(tree_.begin(), tree_.end(), 0);
  auto upto = [&](int64_t k) {  // weight of y ranks 0 to k - 1
    double sum = 0;
    for (; k > 0; k -= k & -k) sum += tree_[k];
    return sum;
  };
  double score = 0, inside = 0;
  for (size_t start = 0, end; start < order_.size(); start = end) {
    for (end = start; end < order_.size() && x_[order_[end]] == x_[order_[start]]; ++end) {
      int64_t row = order_[end];
      if (weights[row] == 0) continue;
      double below = upto(y_[row]), equal = upto(y_[row] + 1) - below;
      score += weights[row] * (2 * below + equal - inside);
    }
    for (size_t i = start; i < end; ++i) {
      double weight = weights[order_[i]];
      if (weight == 0) continue;
      inside += weight;
      for (size_t k = y_[order_[i]] + 1; k < tree_.size(); k += k & -k) tree_[k] += weight;
    }
  }
  double below = (ties.pairs - ties.tied_x) * (ties.pairs - ties.tied_y);
  return below > 0 ? score / std::sqrt(below) : kUndefined;
}

}  // namespace plainmark
