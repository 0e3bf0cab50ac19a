"""The only door to compiled code: tokenising, n-gram counts, and comparing sequences, on flat arrays.

Texts become `Tokens` (64-bit hashes in one flat array), tokens become `Grams` (unique n-grams with counts), and every
n-gram metric is arithmetic on these. The functions release the interpreter lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import _native

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# The numbers of the tokenisers in native/tokenize.hpp.
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
}

# Names of the columns that `sari` gives for every sample and order.
SARI_COLUMNS = (
    "add_good", "add_good_new", "add_output", "add_references",
    "keep_good", "keep_output", "keep_references",
    "keep_share_of_output", "keep_share_of_references", "keep_types_output", "keep_types_references",
    "delete_good", "delete_output", "delete_references", "delete_beyond",
    "delete_share_of_output", "delete_beyond_share_of_output",
    "delete_share_of_references", "delete_beyond_share_of_references",
    "delete_types_output", "delete_types_references",
)  # fmt: skip


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


def tokenize(texts: Sequence[str], mode: str, *, lowercase: bool = False) -> Tokens:
    """Hashes of the tokens of each text."""
    return Tokens(*_native.tokenize(_as_list(texts), MODES[mode], lowercase))


def words(texts: Sequence[str], mode: str, *, lowercase: bool = False) -> list[list[str]]:
    """The tokens of each text as strings."""
    return _native.words(_as_list(texts), MODES[mode], lowercase)


def stem(word: str) -> str:
    """Porter's stem of a lower-case word, with NLTK's extensions."""
    return _native.stem(word)


def treebank(sentences: Sequence[str]) -> list[str]:
    """Each sentence with its Treebank words (as NLTK's) set apart by single spaces."""
    return _native.treebank(_as_list(sentences))


def ngrams(tokens: Tokens, order: int, groups: Ints | None = None, *, peak: bool = False) -> Grams:
    """N-grams of each text, or of each group of texts: counts summed over the group, or their maximum (`peak`)."""
    if groups is None:
        groups = np.arange(len(tokens) + 1, dtype=np.int64)
    return Grams(*_native.ngrams(tokens.hashes, tokens.offsets, groups, order, peak), order)


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
    flat = None if tokens is None else tuple(a for t in tokens for a in (t.hashes, t.offsets))
    grams = [a for g in (source, output, references) for a in (g.keys, g.counts, g.offsets)]
    return _native.sari(*grams, n_references, source.order, flat)


def lcs(a: Tokens, b: Tokens, left: Ints | None = None, right: Ints | None = None) -> Ints:
    """Length of the longest common subsequence of texts left[i] of a and right[i] of b."""
    return _native.lcs(*_flat(a, b, left, right))


def lcs_match(a: Tokens, b: Tokens, left: Ints | None = None, right: Ints | None = None) -> NDArray[np.int32]:
    """For each token of a[left[i]], pair after pair, its partner's index in b[right[i]] or -1."""
    return _native.lcs_match(*_flat(a, b, left, right))


def edit_distance(a: Tokens, b: Tokens, left: Ints | None = None, right: Ints | None = None) -> Ints:
    """Levenshtein distance in tokens."""
    return _native.edit_distance(*_flat(a, b, left, right))


def translation_edits(a: Tokens, b: Tokens, left: Ints | None = None, right: Ints | None = None) -> Ints:
    """Edits with shifts that turn output a into reference b (Tercom's heuristics)."""
    return _native.translation_edits(*_flat(a, b, left, right))


def operations(
    a: Tokens,
    b: Tokens,
    left: Ints | None = None,
    right: Ints | None = None,
    *,
    marks: NDArray[np.uint64],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]:
    """What became of each token of a[left[i]] and of b[right[i]], pair after pair, then the partners of both (or -1).

    0 is kept, 1 moved, 2 replaced, 3 deleted from a or added in b (native/sequences.hpp). `marks` are the hashes of tokens that are not words: alone they never move, and they replace each other only.
    """
    return _native.operations(*_flat(a, b, left, right), marks)


def _as_list(texts: Sequence[str]) -> list[str]:
    return texts if isinstance(texts, list) else list(texts)


def _flat(
    a: Tokens, b: Tokens, left: Ints | None, right: Ints | None
) -> tuple[NDArray[np.uint64], Ints, NDArray[np.uint64], Ints, Ints, Ints]:
    if left is None or right is None:
        left = right = np.arange(len(a), dtype=np.int64)
    return a.hashes, a.offsets, b.hashes, b.offsets, left, right
