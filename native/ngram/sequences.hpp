// Comparing token sequences: longest common subsequence, edit distance, translation edit rate.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace plainmark {

using Sequence = std::span<const uint64_t>;

int64_t lcs_length(Sequence a, Sequence b);

// For every token of a, the index of its partner in b in one longest common subsequence, or -1.
// If there are several, the one found by walking back from the ends, preferring to shorten a (like rouge-score).
void lcs_match(Sequence a, Sequence b, int32_t* partner);

int64_t edit_distance(Sequence a, Sequence b);

// Number of edits with shifts, by Tercom's heuristics as in sacreBLEU.
int64_t translation_edits(Sequence output, Sequence reference);

enum class Operation : uint8_t { keep = 0, move = 1, replace = 2, lone = 3 };  // lone: deleted from a, or added in b

struct Operations {  // one entry for every token of a or b; a partner is an index into the other text or -1
  Operation *a, *b;
  int32_t *a_partner, *b_partner;
};

// Kept tokens are those of lcs_match; of the rest, phrases that occur elsewhere in the other text have moved, and
// tokens opposite each other between two kept tokens are replaced. `marks` are tokens that are not words.
void compare(Sequence a, Sequence b, const std::unordered_set<uint64_t>& marks, Operations out);

}  // namespace plainmark
