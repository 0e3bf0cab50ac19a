// METEOR's alignment of two texts, as NLTK makes it.
#pragma once

#include <cstdint>
#include <span>

namespace plainmark {

using Words = std::span<const int64_t>;  // numbers of word types

// What is known of the types: their stems (numbers of their own) and, for each stem, the stems that are its synonyms.
struct Lexicon {
  const int64_t* stems;
  const int64_t* synonym_offsets;
  const int64_t* synonyms;
};

struct Alignment {
  int64_t matches, chunks;
};

// Matches words from the last to the first, each with the last word of the reference that is still free and equal;
// then the stems of what is left; then stems and synonyms. A chunk is a run of words whose partners run along.
Alignment align(Words output, Words reference, const Lexicon& lexicon);

}  // namespace plainmark
