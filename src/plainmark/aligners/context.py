"""Context: a small logistic regression that also looks at the other sentences a pair competes with.

Features of a pair are common words and characters, common numbers, the encoder's cosine, lengths and positions; then
for each similarity by how much it beats the best other candidate in its row and column, its rank there, and the
similarities of neighbouring pairs. The competition is what helps most: F1 .90 without it, .93 with it, on links derived
from SWiPE by cross-validation over documents. docs/models.md has the card, training/context_aligner.py the training.

Reference: links from Laban et al. 2023, SWiPE; the idea of context after Jiang et al. 2020.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from .. import kernels
from ..kernels import Tokens
from ..models import MODEL
from ..wordlists import ranks
from . import Aligner, Floats
from ._overlap import Weighted, dice, jaccard, tfidf_cosine, word_tokens
from .embedding import Embedding, cosine

WEIGHTS = Path(__file__).with_name("context.json")

# Similarities that take part in the competition, and those whose neighbours are looked at.
_COMPETING = ("jaccard", "weighted_jaccard", "tfidf", "characters", "cosine")
_NEIGHBOURS = ("weighted_jaccard", "characters", "cosine")
_LOWEST_RANK = 5


@dataclass(frozen=True)
class ContextAligner(Aligner):
    """Learned from sentence links, with the rivals of each pair in view; the default."""

    encoder: Annotated[
        Literal["minilm", "none"], MODEL, "the sentence encoder; none uses words and characters alone"
    ] = "minilm"

    citation = "Laban et al. 2023, SWiPE; Jiang et al. 2020, ACL"

    def missing(self) -> str:
        if self.encoder == "none" or not (reason := Embedding(self.encoder).missing()):
            return ""
        return f"{reason}, or use context(encoder='none')"

    def prepare(self, sentences: Sequence[str]) -> None:
        if self.encoder != "none":
            Embedding(self.encoder).prepare(sentences)

    def similarity(self, a: list[str], b: list[str]) -> Floats:
        weights = _weights()[self.encoder]
        score = np.full((len(a), len(b)), weights["bias"])
        for name, values in features(a, b, None if self.encoder == "none" else cosine(self.encoder, a, b)):
            score += weights[name] * values
        result: Floats = 1 / (1 + np.exp(-np.clip(score, -500, 500)))
        return result


def features(a: list[str], b: list[str], cosines: Floats | None) -> Iterator[tuple[str, Floats]]:
    """What the regression sees of every pair: names and matrices, one after the other to spare memory."""
    words_a, words_b = word_tokens(a), word_tokens(b)
    rivals = {} if cosines is None else {"cosine": cosines}
    for name, values in _similarities(words_a, words_b, a, b):
        yield name, values
        if name in _COMPETING:
            rivals[name] = values
    if cosines is not None:
        yield "cosine", cosines
    length_a, length_b = words_a.lengths[:, None], words_b.lengths[None, :]
    yield "length", length_b / np.maximum(length_a + length_b, 1)
    for name, values in rivals.items():
        for axis, side in ((1, "row"), (0, "column")):
            margin, rank = _competition(values, axis)
            yield f"{name}_margin_{side}", margin
            yield f"{name}_rank_{side}", rank
        if name in _NEIGHBOURS:
            padded = np.pad(values, 1)
            yield f"{name}_before", padded[:-2, :-2]
            yield f"{name}_after", padded[2:, 2:]
            yield f"{name}_above", padded[:-2, 1:-1]
            yield f"{name}_below", padded[2:, 1:-1]
            yield f"{name}_left", padded[1:-1, :-2]
            yield f"{name}_right", padded[1:-1, 2:]
    n, m = len(a), len(b)
    place_a, place_b = (np.arange(n) + 0.5) / n, (np.arange(m) + 0.5) / m
    yield "distance", np.abs(place_a[:, None] - place_b[None, :])
    for name, corner in (("both_first", (0, 0)), ("both_last", (-1, -1))):
        both = np.zeros((n, m))
        both[corner] = 1
        yield name, both
    yield "sentences_a", np.full((n, m), np.log1p(n))
    yield "sentences_b", np.full((n, m), np.log1p(m))


def _similarities(
    words_a: Tokens, words_b: Tokens, a: list[str], b: list[str]
) -> Iterator[tuple[str, Floats]]:
    yield "jaccard", jaccard(kernels.ngrams(words_a, 1), kernels.ngrams(words_b, 1))
    words = Weighted(words_a, words_b)
    rarity = _rarity(words.hashes)[words.columns]
    # The product of two square roots is the weight itself, so common words are summed with their weight.
    shared = words.product(np.sqrt(rarity))
    weight_a, weight_b = words.sums(rarity)
    yield "weighted_jaccard", _share(shared, weight_a[:, None] + weight_b[None, :] - shared)
    yield "covered_a", _share(shared, weight_a[:, None])
    yield "covered_b", _share(shared, weight_b[None, :])
    yield "tfidf", tfidf_cosine(words_a, words_b)
    letters = [
        kernels.ngrams(kernels.tokenize([_letters(t) for t in texts], "all-char"), 4) for texts in (a, b)
    ]
    yield "characters", dice(*letters)
    yield "bigrams", dice(kernels.ngrams(words_a, 2), kernels.ngrams(words_b, 2))
    yield "numbers", _numbers(a, b)


def _numbers(a: list[str], b: list[str]) -> Floats:
    """Share of numbers in common; 0 where there are none."""
    with_digits = [
        [" ".join(w for w in t.split() if any(c.isdigit() for c in w)) for t in texts] for texts in (a, b)
    ]
    return jaccard(*(kernels.ngrams(word_tokens(texts), 1) for texts in with_digits))


def _letters(text: str) -> str:
    return f" {' '.join(''.join(c if c.isalnum() else ' ' for c in text.lower()).split())} "


def _rarity(hashes: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> Floats:
    """From near 0 for "the" to 1 for words outside the frequency list."""
    rank = ranks(hashes)
    return np.where(rank >= 0, np.log1p(np.maximum(rank, 0.5)) / np.log1p(30_000), 1.0)


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(np.broadcast_shapes(part.shape, whole.shape)), where=whole > 0)


def _competition(values: Floats, axis: int) -> tuple[Floats, Floats]:
    """By how much a pair beats the best other one of its row (axis 1) or column (axis 0), and how many beat it."""
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


@cache
def _weights() -> dict[str, dict[str, float]]:
    weights: dict[str, dict[str, float]] = json.loads(WEIGHTS.read_text("utf-8"))["weights"]
    return weights
