// Rank correlations of weighted rows, for many sets of weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plainmark {

// Rows as ranks without gaps (equal values have equal ranks), from 0; `order` has the rows by x.
class RankedRows {
 public:
  RankedRows(std::span<const int64_t> x, std::span<const int64_t> y);

  // Both are NaN if x or y is constant among the rows with a positive weight.
  double spearman(const double* weights);
  double kendall(const double* weights);

 private:
  struct Ties {
    double pairs, tied_x, tied_y;
  };
  Ties count(const double* weights);

  std::span<const int64_t> x_, y_;
  std::vector<int64_t> order_;
  std::vector<double> by_x_, by_y_, tree_;
};

}  // namespace plainmark
