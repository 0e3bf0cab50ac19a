// Binary trees over the words of a sentence: how probable each span is, and the best tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// The score of the span from word i to word j, both included, is scores[i * n + j]; below the diagonal nothing is read.

// The probability of each span when a tree's weight is the exponential of the sum of its spans' scores.
std::vector<double> span_marginals(const double* scores, size_t n);

// The spans of the tree with the largest sum of scores; of equals, the one that splits further left.
std::vector<int64_t> best_tree(const double* scores, size_t n);
