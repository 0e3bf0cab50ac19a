// Comparing token sequences: longest common subsequence, edit distance, translation edit rate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

using Sequence = std::span<const uint64_t>;

int64_t lcs_length(Sequence a, Sequence b);

// For every token of a, the index of its partner in b on one longest common subsequence, or -1.
// Of several, the one found by walking back from the ends, preferring to shorten a (as rouge-score does).
// Throws std::length_error when |a| * |b| needs more than 2 GiB of bits.
void lcs_match(Sequence a, Sequence b, int32_t* partner);

int64_t edit_distance(Sequence a, Sequence b);

// Number of edits with shifts, by Tercom's heuristics as sacreBLEU has them.
int64_t translation_edits(Sequence output, Sequence reference);
