// Vectors of all spans of a sentence, from those of their first and last words, their mean and their width.
#pragma once

#include <cstddef>
#include <vector>

namespace plainmark {

// Rows of `size` numbers: first and last have one per word, total one more (sums of the rows before each word), width
// one for each number of further words.
struct SpanParts {
  const float *first, *last, *total, *width;
  const float *scale, *shift;  // of the normalisation, one row each
};

// For each span from word i to word j, both included, by i and then j: the sum of first[i], last[j], width[j - i] and the
// mean of the words' parts, normalised to mean 0 and variance 1, scaled, shifted, and 0 where that is negative.
std::vector<float> span_vectors(const SpanParts& parts, size_t words, size_t size);

}  // namespace plainmark
