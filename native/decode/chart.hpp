// Binary trees over the words of a sentence: the probability of each span, and the best tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plainmark {

// A grammar with few states. A span has an inner state, determined by the states that its two parts show, and shows a
// state to the outside; the inner state of a word is 0. The score of the span from word i to word j, both included, with
// the inner state s and the shown state t is scores[((i * n + j) * states + s) * states + t]; nothing below the diagonal
// is read.
struct TreeGrammar {
  size_t states;
  size_t root;                  // what the whole must show
  std::vector<int64_t> joins;   // (left, right, inside), one after the other
};

// The probability of each span and its states when a tree's weight is the exponential of the sum of its spans' scores.
std::vector<double> span_marginals(const double* scores, size_t n, const TreeGrammar& grammar);

// Spans and states (i, j, s, t) of the tree with the largest sum of scores; if several are equal, the one that splits
// furthest left.
std::vector<int64_t> best_tree(const double* scores, size_t n, const TreeGrammar& grammar);

}  // namespace plainmark
