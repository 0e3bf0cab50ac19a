#include "chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// A sum of exponentials in which the largest exponent is taken out.
class LogSum {
 public:
  void add(double x) {
    if (x <= top_) {
      if (x != kNever) sum_ += std::exp(x - top_);
    } else {
      sum_ = sum_ * std::exp(top_ - x) + 1;
      top_ = x;
    }
  }
  double value() const { return sum_ > 0 ? top_ + std::log(sum_) : kNever; }

 private:
  double top_ = kNever, sum_ = 0;
};

}  // namespace

// Inside and outside of spans, after Baker 1979. The second table holds columns, so that both loops run along memory.
std::vector<double> span_marginals(const double* scores, size_t n) {
  if (n == 0) return {};
  std::vector<double> rows(n * n, kNever), columns(n * n, kNever);
  auto inside = [&](size_t i, size_t j) -> double { return rows[i * n + j]; };
  for (size_t width = 0; width < n; ++width) {
    for (size_t i = 0; i + width < n; ++i) {
      size_t j = i + width;
      LogSum sum;
      if (width == 0) sum.add(0);
      for (size_t k = i; k < j; ++k) sum.add(rows[i * n + k] + columns[j * n + k + 1]);
      rows[i * n + j] = columns[j * n + i] = sum.value() + scores[i * n + j];
    }
  }
  double total = inside(0, n - 1);
  std::vector<double> from_row(n * n, kNever), from_column(n * n, kNever);  // outside and own score
  std::vector<double> out(n * n, 0);
  for (size_t width = n; width-- > 0;) {
    for (size_t i = 0; i + width < n; ++i) {
      size_t j = i + width;
      LogSum sum;
      if (width == n - 1) sum.add(0);
      for (size_t k = j + 1; k < n; ++k) sum.add(from_row[i * n + k] + columns[k * n + j + 1]);
      for (size_t k = 0; k < i; ++k) sum.add(from_column[j * n + k] + rows[k * n + i - 1]);
      double outside = sum.value();
      from_row[i * n + j] = from_column[j * n + i] = outside + scores[i * n + j];
      out[i * n + j] = std::exp(std::min(0.0, outside + inside(i, j) - total));
    }
  }
  return out;
}

std::vector<int64_t> best_tree(const double* scores, size_t n) {
  if (n == 0) return {};
  std::vector<double> rows(n * n, kNever), columns(n * n, kNever);
  std::vector<size_t> split(n * n, 0);
  for (size_t width = 0; width < n; ++width) {
    for (size_t i = 0; i + width < n; ++i) {
      size_t j = i + width;
      double best = width == 0 ? 0 : kNever;
      for (size_t k = i; k < j; ++k) {
        double sum = rows[i * n + k] + columns[j * n + k + 1];
        if (sum > best || k == i) best = sum, split[i * n + j] = k;
      }
      rows[i * n + j] = columns[j * n + i] = best + scores[i * n + j];
    }
  }
  std::vector<int64_t> spans;
  std::vector<std::pair<size_t, size_t>> waiting{{0, n - 1}};
  while (!waiting.empty()) {
    auto [i, j] = waiting.back();
    waiting.pop_back();
    spans.insert(spans.end(), {static_cast<int64_t>(i), static_cast<int64_t>(j)});
    if (i == j) continue;
    size_t k = split[i * n + j];
    waiting.push_back({k + 1, j});
    waiting.push_back({i, k});
  }
  return spans;
}
