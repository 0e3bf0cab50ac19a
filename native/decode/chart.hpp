// Binary trees over the words of a sentence: how probable each span is, and the best tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plainmark {

// A grammar of few states. A span has a state inside, which comes from the states that its two parts show, and shows a
// state to the outside; a word's inside is 0. The score of the span from word i to word j, both included, with the
// inside s and the state t shown is scores[((i * n + j) * states + s) * states + t]; below the diagonal nothing is read.
struct TreeGrammar {
  size_t states;
  size_t root;                  // what the whole must show
  std::vector<int64_t> joins;   // (left, right, inside), one after the other
};

// The probability of each span and its states when a tree's weight is the exponential of the sum of its spans' scores.
std::vector<double> span_marginals(const double* scores, size_t n, const TreeGrammar& grammar);

// Spans and states (i, j, s, t) of the tree with the largest sum of scores; of equals, the one that splits further left.
std::vector<int64_t> best_tree(const double* scores, size_t n, const TreeGrammar& grammar);

}  // namespace plainmark
