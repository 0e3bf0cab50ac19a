// METEOR's alignment of two texts, as in NLTK.
#pragma once

#include <cstdint>
#include <span>

namespace plainmark {

using Words = std::span<const int64_t>;  // numbers of word types

// The data about the types: their stems (with indices of their own) and, for each stem, the stems that are its synonyms.
struct Lexicon {
  const int64_t* stems;
  const int64_t* synonym_offsets;
  const int64_t* synonyms;
};

struct Alignment {
  int64_t matches, chunks;
};

// Matches words from the last to the first, each with the last equal word of the reference that is still free;
// then the stems of the rest; then stems and synonyms. A chunk is a run of words with consecutive partners.
Alignment align(Words output, Words reference, const Lexicon& lexicon);

}  // namespace plainmark
