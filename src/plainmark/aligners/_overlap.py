"""Common words of sentences, counted for all pairs of two lists without a Python loop over pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..kernels import Grams, Tokens

Floats = NDArray[np.float64]

# Largest number of pairs that are compared at once, so that 5,000 x 5,000 sentences need little more than the result.
_PAIRS = 2_000_000
_WORDS = 2_000


def word_tokens(sentences: Sequence[str]) -> Tokens:
    """The words of each sentence: lower case, no punctuation."""
    return kernels.tokenize(list(sentences), "plain")


def common(a: Grams, b: Grams) -> Floats:
    """The number of common n-grams (of the highest order) of each pair: shape (len(a), len(b))."""
    out = np.empty((len(a), len(b)))
    step = max(1, _PAIRS // max(len(b), 1))
    every = np.arange(len(b), dtype=np.int64)
    for start in range(0, len(a), step):
        rows = np.arange(start, min(start + step, len(a)), dtype=np.int64)
        left, right = np.repeat(rows, len(b)), np.tile(every, len(rows))
        out[start : start + len(rows)] = kernels.overlap(a, b, left, right)[:, -1].reshape(len(rows), len(b))
    return out


def distinct(grams: Grams) -> Tokens:
    """The n-grams of the highest order as tokens, without repetitions within a text."""
    ends = grams.offsets[grams.order :: grams.order]
    starts = grams.offsets[grams.order - 1 :: grams.order][: len(ends)]
    edges = np.zeros(len(grams.keys) + 1, np.int64)
    np.add.at(edges, starts, 1)
    np.add.at(edges, ends, -1)
    inside = np.cumsum(edges[:-1]) > 0
    return Tokens(grams.keys[inside], np.concatenate([[0], np.cumsum(ends - starts)]).astype(np.int64))


def once(grams: Grams) -> Grams:
    """The same n-grams, with every count set to 1."""
    return Grams(grams.keys, np.ones_like(grams.counts), grams.offsets, grams.order)


def sizes(grams: Grams) -> Floats:
    """The number of n-grams of the highest order in each text."""
    sums = np.concatenate([[0], np.cumsum(grams.counts, dtype=np.int64)])
    ends = grams.offsets[grams.order :: grams.order]
    starts = grams.offsets[grams.order - 1 :: grams.order][: len(ends)]
    result: Floats = (sums[ends] - sums[starts]).astype(np.float64)
    return result


def dice(a: Grams, b: Grams) -> Floats:
    """Twice the common n-grams divided by all n-grams, 0 if there are none."""
    total = sizes(a)[:, None] + sizes(b)[None, :]
    return 2 * common(a, b) / np.maximum(total, 1)


def jaccard(a: Grams, b: Grams) -> Floats:
    """Common n-grams divided by different ones, 0 if there are none."""
    shared = common(once(a), once(b))
    union = sizes(once(a))[:, None] + sizes(once(b))[None, :] - shared
    return shared / np.maximum(union, 1)


class Weighted:
    """Sentences of two texts as weighted words, with sums of weights over common words."""

    def __init__(self, a: Tokens, b: Tokens) -> None:
        hashes, self.columns = np.unique(np.concatenate([a.hashes, b.hashes]), return_inverse=True)
        self.hashes = hashes
        self.rows = np.repeat(np.arange(len(a) + len(b)), np.concatenate([a.lengths, b.lengths]))
        self.n, self.total = len(a), len(a) + len(b)
        # One entry per word and sentence, with its count.
        pairs, counts = np.unique(self.rows * max(len(hashes), 1) + self.columns, return_counts=True)
        self.rows, self.columns = np.divmod(pairs, max(len(hashes), 1))
        self.counts = counts.astype(np.float64)

    def frequency(self) -> Floats:
        """The number of sentences of both texts in which each word occurs."""
        return np.bincount(self.columns, minlength=len(self.hashes)).astype(np.float64)

    def product(self, values: Floats) -> Floats:
        """Sum over common words of value in a times value in b: shape (len(a), len(b))."""
        in_a = self.rows < self.n
        both = np.zeros((2, len(self.hashes)), bool)
        both[0, self.columns[in_a]] = True
        both[1, self.columns[~in_a]] = True
        shared = np.flatnonzero(both.all(axis=0))  # only words of both texts contribute
        out = np.zeros((self.n, self.total - self.n))
        place = np.full(len(self.hashes), -1)
        for start in range(0, len(shared), _WORDS):
            words = shared[start : start + _WORDS]
            place[:] = -1
            place[words] = np.arange(len(words))
            in_both = place[self.columns] >= 0
            dense = np.zeros((self.total, len(words)))
            dense[self.rows[in_both], place[self.columns[in_both]]] = values[in_both]
            out += dense[: self.n] @ dense[self.n :].T
        return out

    def sums(self, values: Floats) -> tuple[Floats, Floats]:
        """Sum of values over the words of each sentence of a, and of b."""
        total = np.bincount(self.rows, values, minlength=self.total).astype(np.float64)
        return total[: self.n], total[self.n :]


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, or 0 if the whole is 0."""
    return np.divide(part, whole, out=np.zeros(np.broadcast_shapes(part.shape, whole.shape)), where=whole > 0)


def rarity(words: Weighted) -> Floats:
    """The rarity of each entry's word in the two texts: the logarithm of all sentences divided by those with the word."""
    values: Floats = np.log((words.total + 1) / np.maximum(words.frequency(), 1))[words.columns]
    return values


def cosine(words: Weighted, values: Floats) -> Floats:
    """The cosine of two sentences whose words have these values."""
    norm_a, norm_b = words.sums(values**2)
    return share(words.product(values), np.sqrt(norm_a)[:, None] * np.sqrt(norm_b)[None, :])


def tfidf_cosine(a: Tokens, b: Tokens) -> Floats:
    """Cosine of word counts weighted by the rarity of words in the two texts."""
    words = Weighted(a, b)
    return cosine(words, words.counts * rarity(words))
