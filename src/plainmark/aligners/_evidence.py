"""Similarities of the sentences of two texts, pair by pair: words, stems, letters, numbers, names, neighbours.

For each similarity, further features compare a pair with its competitors (by how much it exceeds the best other pair of its
row and column, and how many exceed it) and with the neighbouring pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from .. import kernels
from ..kernels import Tokens
from ..wordlists import ranks
from ._overlap import (
    Floats,
    Weighted,
    cosine,
    dice,
    distinct,
    jaccard,
    rarity,
    share,
    tfidf_cosine,
    word_tokens,
)

# Similarities for which competitors and neighbours are computed.
_COMPETING = ("jaccard", "weighted_jaccard", "tfidf", "characters", "stems", "letters", "cosine")
_NEIGHBOURS = ("weighted_jaccard", "characters", "stems", "letters", "cosine")
_LOWEST_RANK = 5
_MOST_SHARED = 30.0
_DECIMALS = 9  # equal sentences are equally similar, whatever the order of summation

_NUMBER = re.compile(
    r"(?<!\S)[^\s\d]*\d\S*"
)  # only from the start of a token, so that the time is linear in its length
# Capitals inside a sentence, acronyms, and words with a capital inside.
_NAME = re.compile(r"(?<=[\w,;(] )\(?[A-Z][\w-]+|\b[A-Z]{2,}\w*|\b\w*[a-z][A-Z]\w*")


def features(a: list[str], b: list[str], cosines: Floats | None = None) -> Iterator[tuple[str, Floats]]:
    """The features of every pair, as names and matrices; one at a time, to save memory."""
    words_a, words_b = word_tokens(a), word_tokens(b)
    rivals: dict[str, Floats] = {}
    for name, values in _similarities(words_a, words_b, a, b, cosines):
        rounded = np.round(values, _DECIMALS)
        yield name, rounded
        if name in _COMPETING:
            rivals[name] = rounded
    length_a, length_b = words_a.lengths[:, None], words_b.lengths[None, :]
    yield "length", length_b / np.maximum(length_a + length_b, 1)
    for name, values in rivals.items():
        for axis, side in ((1, "row"), (0, "column")):
            margin, rank = competition(values, axis)
            yield f"{name}_margin_{side}", margin
            yield f"{name}_rank_{side}", rank
        if name in _NEIGHBOURS:
            yield from neighbours(name, values)
    n, m = len(a), len(b)
    for name, echo in zip(("echo_before", "echo_after"), _echoes(b), strict=True):
        yield name, np.broadcast_to(echo, (n, m))
    place_a, place_b = (np.arange(n) + 0.5) / n, (np.arange(m) + 0.5) / m
    yield "distance", np.abs(place_a[:, None] - place_b[None, :])


def _similarities(
    words_a: Tokens, words_b: Tokens, a: list[str], b: list[str], cosines: Floats | None
) -> Iterator[tuple[str, Floats]]:
    yield "jaccard", jaccard(kernels.ngrams(words_a, 1), kernels.ngrams(words_b, 1))
    words = Weighted(words_a, words_b)
    rare = _rarity_in_english(words.hashes)[words.columns]
    shared, covered_a, covered_b, union = _covered(words, rare)
    yield "weighted_jaccard", share(shared, union)
    yield "covered_a", covered_a
    yield "covered_b", covered_b
    yield "tfidf", tfidf_cosine(words_a, words_b)
    letters = [
        kernels.ngrams(kernels.tokenize([_letters(t) for t in texts], "all-char"), 4) for texts in (a, b)
    ]
    yield "characters", dice(*letters)
    yield "bigrams", dice(kernels.ngrams(words_a, 2), kernels.ngrams(words_b, 2))
    yield "numbers", _common_matches(_NUMBER, a, b)
    yield "names", _common_matches(_NAME, a, b)
    stems = Weighted(kernels.tokenize(a, "porter"), kernels.tokenize(b, "porter"))
    grams = Weighted(*map(distinct, letters))
    for name, units in (("stems", stems), ("letters", grams)):
        rare = rarity(units)
        yield name, cosine(units, np.sqrt(units.counts) * rare)
        shared, covered_a, covered_b, _ = _covered(units, rare)
        yield f"{name}_covered_a", covered_a
        yield f"{name}_covered_b", covered_b
        if units is stems:
            yield "stems_shared", np.minimum(shared, _MOST_SHARED)
    if cosines is not None:
        yield "cosine", cosines


def _echoes(b: list[str]) -> tuple[Floats, Floats]:
    """The similarity of each sentence to the previous and the next one, as between a definition and the defined term."""
    tokens = kernels.tokenize(b, "porter")
    stems = Weighted(tokens, tokens)
    similar = np.round(cosine(stems, np.sqrt(stems.counts) * rarity(stems)).diagonal(1), _DECIMALS)
    return np.concatenate([[0.0], similar]), np.concatenate([similar, [0.0]])


def _covered(words: Weighted, weights: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The weight of common words, its share of each sentence's weight, and the weight of all words of both."""
    # The product of two square roots is the weight itself, so that common words are summed with their weight.
    shared = words.product(np.sqrt(weights))
    weight_a, weight_b = (
        side.reshape(shape) for side, shape in zip(words.sums(weights), ((-1, 1), (1, -1)), strict=True)
    )
    return shared, share(shared, weight_a), share(shared, weight_b), weight_a + weight_b - shared


def _common_matches(pattern: re.Pattern[str], a: list[str], b: list[str]) -> Floats:
    """The share of common numbers or names; 0 if there are none."""
    return jaccard(
        *(kernels.ngrams(word_tokens([" ".join(pattern.findall(t)) for t in side]), 1) for side in (a, b))
    )


def _letters(text: str) -> str:
    return f" {' '.join(''.join(c if c.isalnum() else ' ' for c in text.lower()).split())} "


def _rarity_in_english(hashes: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> Floats:
    """Rarity from near 0 for "the" to 1 for words outside the frequency list."""
    rank = ranks(hashes)
    return np.where(rank >= 0, np.log1p(np.maximum(rank, 0.5)) / np.log1p(30_000), 1.0)


def neighbours(name: str, values: Floats) -> Iterator[tuple[str, Floats]]:
    """The values of the pairs around each pair; 0 beyond the ends of the texts."""
    padded = np.pad(values, 1)
    yield f"{name}_before", padded[:-2, :-2]
    yield f"{name}_after", padded[2:, 2:]
    yield f"{name}_above", padded[:-2, 1:-1]
    yield f"{name}_below", padded[2:, 1:-1]
    yield f"{name}_left", padded[1:-1, :-2]
    yield f"{name}_right", padded[1:-1, 2:]


def competition(values: Floats, axis: int) -> tuple[Floats, Floats]:
    """The difference of a pair from the best other one of its row (axis 1) or column (axis 0), and the number of better
    ones.
    """
    size = values.shape[axis]
    ranked = min(size, _LOWEST_RANK)
    top = np.sort(
        np.partition(values, size - ranked, axis=axis).take(range(size - ranked, size), axis=axis), axis=axis
    )
    best = top.take([-1], axis=axis)
    second = top.take([-2], axis=axis) if size > 1 else np.zeros_like(best)
    rank = np.zeros_like(values)
    for k in range(ranked):
        rank += values < top.take([k], axis=axis)
    return values - np.where(values == best, second, best), rank / _LOWEST_RANK
