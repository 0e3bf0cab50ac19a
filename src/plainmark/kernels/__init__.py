"""The only interface to compiled code: tokenising, counting words and n-grams, comparing sequences, on flat arrays.

Texts become `Tokens` (64-bit hashes in one flat array), tokens become `Grams` (unique n-grams with counts), and every
n-gram metric is arithmetic on these. The functions release the interpreter lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import ENCODER_LEVEL as ENCODER_LEVEL
from ._native import SOURCE as SOURCE
from ._native import EightBitEncoder as EightBitEncoder
from ._native import Grammar as Grammar
from ._native import LanguageModel as LanguageModel
from ._native import decode_scfg as decode_scfg

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

# Edges of lattices (native/decode/lattice.hpp): sentences' lengths, the first edge of each; for edges the first gap, the
# last
# gap, the score, the first word; words, and the index of each word in the language model.
LatticeArrays = tuple[
    Ints,
    Ints,
    NDArray[np.int32],
    NDArray[np.int32],
    Floats,
    Ints,
    NDArray[np.int32],
    NDArray[np.uint32],
]

# The numbers of the tokenisers in native/text/tokenize.hpp.
MODES = {
    "none": 0,
    "13a": 1,
    "intl": 2,
    "char": 3,
    "space": 4,
    "chrf": 5,
    "rouge": 6,
    "porter": 7,
    "all-char": 8,
    "plain": 9,
    "zh": 10,
}

# The numbers of the measures in native/bindings/sequences.cpp.
_LCS, _EDIT_DISTANCE, _TRANSLATION_EDITS = range(3)

# The count of an n-gram in a group of texts: its sum over the texts, its maximum, or the number of texts that have it.
Counting = Literal["sum", "peak", "texts"]
_COUNTINGS: tuple[Counting, ...] = get_args(Counting)  # numbered as in native/ngram/ngrams.hpp

# Names of the columns that `sari` returns for every sample and order.
SARI_COLUMNS = (
    "add_good", "add_good_new", "add_output", "add_references",
    "keep_good", "keep_output", "keep_references",
    "keep_share_of_output", "keep_share_of_references", "keep_types_output", "keep_types_references",
    "delete_good", "delete_output", "delete_references", "delete_beyond",
    "delete_share_of_output", "delete_beyond_share_of_output",
    "delete_share_of_references", "delete_beyond_share_of_references",
    "delete_types_output", "delete_types_references",
)  # fmt: skip

# Names of the columns that `count_words` returns for every text, and the numbers of its rules in
# native/text/readability.hpp.
COUNT_COLUMNS = (
    "words", "sentences", "syllables", "letters", "characters", "polysyllables", "long_words", "complex_words",
    "unfamiliar", "unfamiliar_types", "sample_easy", "sample_hard", "sample_sentences", "paragraphs",
)  # fmt: skip
COUNT_RULES = {"plain": 0, "textstat": 1, "tokens": 2}


@dataclass(frozen=True, eq=False)
class Tokens:
    """Token hashes of many texts: text i is hashes[offsets[i]:offsets[i + 1]]."""

    hashes: NDArray[np.uint64]
    offsets: Ints

    @property
    def lengths(self) -> Ints:
        return np.diff(self.offsets)

    @property
    def nbytes(self) -> int:
        return self.hashes.nbytes + self.offsets.nbytes

    def count(self, flags: NDArray[np.bool_]) -> Ints:
        """The number of flagged tokens of each text."""
        before = np.concatenate([[0], np.cumsum(flags)])
        result: Ints = before[self.offsets[1:]] - before[self.offsets[:-1]]
        return result

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, eq=False)
class Grams:
    """Unique n-grams of orders 1..order of groups of texts, with counts."""

    keys: NDArray[np.uint64]
    counts: NDArray[np.uint32]
    offsets: Ints
    order: int

    @property
    def nbytes(self) -> int:
        return self.keys.nbytes + self.counts.nbytes + self.offsets.nbytes

    def __len__(self) -> int:
        return (len(self.offsets) - 1) // self.order


@dataclass(frozen=True, eq=False)
class WordTable:
    """A number from 0 to 255 for each of many words, which are stored as hashes.

    `slots` are sorted: 56 bits of the hash, then the number. `starts` has the start of each run of equal leading bits.
    """

    slots: NDArray[np.uint64]
    starts: Ints

    @classmethod
    def of(cls, hashes: NDArray[np.uint64], values: NDArray[np.uint8] | int) -> WordTable:
        """The table of these hashes and numbers."""
        low = np.uint64(255)
        return cls.sorted(np.unique((hashes & ~low) | np.asarray(values, dtype=np.uint64)))

    @classmethod
    def sorted(cls, slots: NDArray[np.uint64]) -> WordTable:
        """The table of sorted slots."""
        bits = max(1, len(slots).bit_length())
        edges = np.arange(2**bits, dtype=np.uint64) << np.uint64(64 - bits)
        starts = np.append(np.searchsorted(slots, edges), len(slots)).astype(np.int64)
        return cls(slots, starts)

    @classmethod
    def words(cls, words: Sequence[str], values: NDArray[np.uint8] | int = 1) -> WordTable:
        """The table of these words (without spaces)."""
        return cls.of(tokenize(words, "space").hashes, values)

    @classmethod
    def read(cls, path: Path) -> WordTable:
        """The table that a file of little-endian slots holds."""
        return cls.sorted(np.fromfile(path, dtype="<u8").astype(np.uint64))

    def write(self, path: Path) -> None:
        self.slots.astype("<u8").tofile(path)

    def holds(self, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Whether the table contains the words with these hashes."""
        low = np.uint64(255)
        return np.isin(hashes & ~low, self.slots & ~low)

    def __len__(self) -> int:
        return len(self.slots)


def tokenize(texts: Sequence[str], mode: str, *, lowercase: bool = False) -> Tokens:
    """Hashes of the tokens of each text."""
    hashes, offsets = _native.tokenize(_as_list(texts), MODES[mode], lowercase)
    return Tokens(
        hashes.view(np.uint64), offsets
    )  # equivalent to the type to which NumPy would convert tables


def words(texts: Sequence[str], mode: str, *, lowercase: bool = False) -> list[list[str]]:
    """The tokens of each text as strings."""
    return _native.words(_as_list(texts), MODES[mode], lowercase)


def stem(word: str) -> str:
    """Porter's stem of a lower-case word, with NLTK's extensions."""
    return _native.stem(word)


def treebank(sentences: Sequence[str]) -> list[str]:
    """The Treebank words (like NLTK's) of each sentence, separated by single spaces."""
    return _native.treebank(_as_list(sentences))


def ngrams(tokens: Tokens, order: int, groups: Ints | None = None, *, counting: Counting = "sum") -> Grams:
    """N-grams of each text, or of each group of texts, counted over the group as `counting` says."""
    if groups is None:
        groups = np.arange(len(tokens) + 1, dtype=np.int64)
    return Grams(
        *_native.ngrams(tokens.hashes, tokens.offsets, groups, order, _COUNTINGS.index(counting)), order
    )


def overlap(a: Grams, b: Grams, left: Ints | None = None, right: Ints | None = None) -> Floats:
    """Common n-grams, clipped, of samples left[i] of a and right[i] of b: shape (pairs, order)."""
    if left is None or right is None:
        left = right = np.arange(len(a), dtype=np.int64)
    return _native.overlap(a.keys, a.counts, a.offsets, b.keys, b.counts, b.offsets, left, right, a.order)


def sari(
    source: Grams,
    output: Grams,
    references: Grams,
    n_references: Ints,
    tokens: tuple[Tokens, Tokens, Tokens] | None,
) -> Floats:
    """Counts of kept, deleted and added n-grams: shape (samples, order, len(SARI_COLUMNS)).

    `tokens` (output, source, source split at white space) asks for the column add_good_new.
    """
    flat = None
    if tokens is not None:
        out, src, plain = tokens
        flat = (out.hashes, out.offsets, src.hashes, src.offsets, plain.hashes, plain.offsets)
    return _native.sari(
        *(source.keys, source.counts, source.offsets),
        *(output.keys, output.counts, output.offsets),
        *(references.keys, references.counts, references.offsets),
        n_references,
        source.order,
        flat,
    )


def lcs(a: Tokens, b: Tokens, left: Ints | None = None, right: Ints | None = None) -> Ints:
    """Length of the longest common subsequence of texts left[i] of a and right[i] of b."""
    return _native.measure(_LCS, *_flat(a, b, left, right))


def lcs_match(a: Tokens, b: Tokens, left: Ints | None = None, right: Ints | None = None) -> NDArray[np.int32]:
    """For each token of a[left[i]], pair after pair, its partner's index in b[right[i]] or -1."""
    return _native.lcs_match(*_flat(a, b, left, right))


def edit_distance(a: Tokens, b: Tokens, left: Ints | None = None, right: Ints | None = None) -> Ints:
    """Levenshtein distance in tokens."""
    return _native.measure(_EDIT_DISTANCE, *_flat(a, b, left, right))


def translation_edits(a: Tokens, b: Tokens, left: Ints | None = None, right: Ints | None = None) -> Ints:
    """Edits with shifts that turn output a into reference b (Tercom's heuristics)."""
    return _native.measure(_TRANSLATION_EDITS, *_flat(a, b, left, right))


def best_extract(sentences: Tokens, target: Tokens, *, limit: int = 16, beam: int = 64) -> tuple[Ints, bool]:
    """The sentences that together have the highest ROUGE-L F1 with the one target, and whether the search was exact."""
    return _native.best_extract(sentences.hashes, sentences.offsets, target.hashes, limit, beam)


def meteor(
    output: tuple[Ints, Ints],
    reference: tuple[Ints, Ints],
    left: Ints,
    right: Ints,
    stems: Ints,
    synonyms: tuple[Ints, Ints],
) -> Ints:
    """Matched words and chunks of METEOR's alignment of outputs left[i] and references right[i]: shape (pairs, 2).

    Texts are word types and offsets; `stems` has the stem of each type, `synonyms` offsets and stems for each stem.
    """
    return _native.meteor(*output, *reference, left, right, stems, *synonyms)


def operations(
    a: Tokens,
    b: Tokens,
    left: Ints | None = None,
    right: Ints | None = None,
    *,
    marks: NDArray[np.uint64],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]:
    """The operation on each token of a[left[i]] and of b[right[i]], pair by pair, then the partners of both (or -1).

    0 is kept, 1 moved, 2 replaced, 3 deleted from a or added in b (native/ngram/sequences.hpp). `marks` are the hashes of
    tokens that are not words: they never move on their own, and they only replace each other.
    """
    return _native.operations(*_flat(a, b, left, right), marks)


def count_words(
    texts: Sequence[str], rule: str, syllables: WordTable, familiar: WordTable
) -> tuple[Ints, list[str]]:
    """Counts of each text, shape (texts, len(COUNT_COLUMNS)), and the words that the table of syllables lacks.

    Only the rule "textstat" needs all words in the table; its counts are complete if none is missing.
    """
    arrays = (syllables.slots, syllables.starts, familiar.slots, familiar.starts)
    return _native.count_words(_as_list(texts), COUNT_RULES[rule], *arrays)


def syllables(words: Sequence[str], table: WordTable) -> Ints:
    """Syllables of each word, by the table and its rule."""
    return _native.syllables(_as_list(words), table.slots, table.starts)


def rank_correlation(kind: str, x: Ints, y: Ints, weights: Floats) -> Floats:
    """Spearman's rho or Kendall's tau-b (by kind) of rows repeated weights[i] times, for each i.

    x and y are ranks without gaps from 0, equal for equal values; weights has shape (resamples, rows).
    """
    return _native.rank_correlation(
        {"spearman": 0, "kendall": 1}[kind], x, y, np.ascontiguousarray(weights).reshape(-1)
    )


def span_marginals(
    scores: Floats, joins: Sequence[tuple[int, int, int]] = ((0, 0, 0),), root: int = 0
) -> Floats:
    """Probabilities of spans in binary trees weighted by the exponential of the sum of their spans' scores.

    scores[i, j] is the score of the span from word i to word j, both included; shape (words, words) in and out.
    With a grammar, scores[i, j, s, t] is the score of the span with inner state s and shown state t; `joins` are (left,
    right, inner), a word has the inner state 0, and the whole span shows `root`. All 0 if no tree is possible.
    """
    flat, states = _chart(scores, joins, root)
    result = _native.span_marginals(flat, len(scores), states, root, np.array(joins, dtype=np.int64).ravel())
    return result.reshape(scores.shape)


def best_tree(scores: Floats, joins: Sequence[tuple[int, int, int]] = ((0, 0, 0),), root: int = 0) -> Ints:
    """The spans (first word, last word) of the binary tree with the largest sum of scores, from the root down.

    With a grammar (see span_marginals) also their states: (first, last, inner, shown). Empty if no tree is possible.
    """
    flat, states = _chart(scores, joins, root)
    result = _native.best_tree(flat, len(scores), states, root, np.array(joins, dtype=np.int64).ravel())
    return result if scores.ndim == 4 else result[:, :2]


def span_vectors(
    first: Floats32, last: Floats32, total: Floats32, width: Floats32, scale: Floats32, shift: Floats32
) -> Floats32:
    """A vector for each span (i, j), in the order of np.triu_indices: shape (spans, size).

    The sum of first[i], last[j], width[j - i] and the mean over the span of the rows whose running sums (from 0 on) are
    `total`, normalised to mean 0 and variance 1, scaled, shifted, and 0 where that is negative.
    """
    a, b, c, d, e, f = (
        np.ascontiguousarray(x, np.float32).reshape(-1) for x in (first, last, total, width, scale, shift)
    )
    return _native.span_vectors(a, b, c, d, e, f, len(first))


def _chart(scores: Floats, joins: Sequence[tuple[int, int, int]], root: int) -> tuple[Floats, int]:
    n, states = len(scores), scores.shape[-1] if scores.ndim == 4 else 1
    if scores.shape not in ((n, n), (n, n, states, states)):
        raise ValueError(
            f"scores of shape {scores.shape}, expected a square, or a square of squares of states"
        )
    if not all(0 <= s < states for s in (root, *(s for join in joins for s in join))):
        raise ValueError(f"a grammar with states beyond the {states} that have scores")
    return np.ascontiguousarray(scores, dtype=np.float64).ravel(), states


def best_paths(
    model: LanguageModel,
    lm_weight: float,
    lattice: LatticeArrays,
    *,
    beam: int,
    threshold: float,
    paths: int,
    threads: int = 1,
) -> tuple[Ints, Floats, Floats, Ints, Ints]:
    """The best paths with different outputs through each lattice, best first.

    Returns the first path of each sentence, the scores and log10 probabilities of paths, the first edge of each path, and
    the edges.
    """
    return _native.best_paths(model, lm_weight, *lattice, beam, threshold, paths, threads)


def context_gains(
    model: LanguageModel, lattice: LatticeArrays, words: NDArray[np.int32], offsets: Ints
) -> NDArray[np.float32]:
    """The gain in log10 probability by each edge alone; `words` and `offsets` are the sentences."""
    return _native.context_gains(model, *lattice, words, offsets)


def _as_list(texts: Sequence[str]) -> list[str]:
    return texts if isinstance(texts, list) else list(texts)


def _flat(
    a: Tokens, b: Tokens, left: Ints | None, right: Ints | None
) -> tuple[NDArray[np.uint64], Ints, NDArray[np.uint64], Ints, Ints, Ints]:
    if left is None or right is None:
        left = right = np.arange(len(a), dtype=np.int64)
    return a.hashes, a.offsets, b.hashes, b.offsets, left, right
