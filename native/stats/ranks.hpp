// Rank correlations of rows that count several times, one after the other for many sets of counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plainmark {

// Rows as ranks without gaps (equal values, equal rank), from 0; `order` has the rows by x.
class RankedRows {
 public:
  RankedRows(std::span<const int64_t> x, std::span<const int64_t> y);

  // Both are NaN where x or y is constant among the rows that count.
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
