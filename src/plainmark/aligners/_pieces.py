"""Splits long texts into pieces, at sentences that certainly correspond, so that the time of alignment is linear in length.

Anchors are sentences that share rare words or pairs of words and are each other's best match. The texts may be cut at the
longest run of anchors in the same order in both texts; pieces overlap slightly, so that each sentence is seen with its
neighbours. Anchors outside that run are moved passages: a window around each of them is a piece of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..kernels import Tokens

Ints = NDArray[np.int64]

PAIRS = 10_000  # texts with at most this number of pairs of sentences are aligned as a whole
_SENTENCES = 40  # approximate number of sentences on the longer side of a piece
_OVERLAP = 5
_RARE = 3  # largest number of sentences of each text that contain a rare word or pair of words
_ANCHORED = 0.1  # share of rare words and pairs that the two sentences of an anchor have in common
_MOVED = 300  # largest number of moved passages


def cut(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[slice, slice]]:
    """Slices of both texts that cover all sentences, to be aligned separately; empty if a text is empty."""
    n, m = len(a), len(b)
    if not n or not m:
        return
    if n * m <= PAIRS:
        yield slice(0, n), slice(0, m)
        return
    anchors = _anchors(a, b)
    run = _in_order(anchors)
    for start, end in _blocks([anchors[k] for k in run], n, m):
        yield _widened(start, end, n, m)
    in_run = set(run)
    done: list[tuple[int, int]] = []
    for k, (i, j) in enumerate(anchors):
        near = any(abs(i - x) < _OVERLAP and abs(j - y) < _OVERLAP for x, y in done[-3:])
        if k not in in_run and not near and len(done) < _MOVED:
            done.append((i, j))
            yield _widened((i, j), (i + 1, j + 1), n, m)


def _widened(start: tuple[int, int], end: tuple[int, int], n: int, m: int) -> tuple[slice, slice]:
    return (
        slice(max(start[0] - _OVERLAP, 0), min(end[0] + _OVERLAP, n)),
        slice(max(start[1] - _OVERLAP, 0), min(end[1] + _OVERLAP, m)),
    )


def _blocks(
    run: Sequence[tuple[int, int]], n: int, m: int
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Starts and ends of blocks: from anchor to anchor, and along the diagonal if there is no anchor for a long stretch."""
    start = (0, 0)
    for k, (i, j) in enumerate([*run, (n, m)]):
        following = run[k + 1] if k + 1 < len(run) else (n, m)
        large = max(following[0] - start[0], following[1] - start[1]) > _SENTENCES
        if k < len(run) and not large:
            continue
        size = max(1, -(-max(i - start[0], j - start[1]) // (2 * _SENTENCES)))
        edges = [
            (start[0] + (i - start[0]) * part // size, start[1] + (j - start[1]) * part // size)
            for part in range(size + 1)
        ]
        yield from pairwise(edges)
        start = (i, j)


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of sentences that have rare words in common and are each other's best match, in the order of a."""
    sides = [_units(texts) for texts in (a, b)]
    hashes, numbers = np.unique(np.concatenate([s.hashes for s in sides]), return_inverse=True)
    split = len(sides[0].hashes)
    entries = []
    for units, some in zip(sides, (numbers[:split], numbers[split:]), strict=True):
        sentence = np.repeat(np.arange(len(units)), units.lengths)
        entries.append(np.divmod(np.sort(some * len(units) + sentence), len(units)))
    counts = [np.bincount(word, minlength=len(hashes)) for word, _ in entries]
    rare = np.all([(c > 0) & (c <= _RARE) for c in counts], axis=0)
    # A word of only one text counts against a pair if it is rare in that text.
    sizes = [
        np.bincount(sentence[c[word] <= _RARE], minlength=len(texts))
        for (word, sentence), c, texts in zip(entries, counts, (a, b), strict=True)
    ]
    left, right = ((word[rare[word]], sentence[rare[word]]) for word, sentence in entries)
    starts, ends = (np.searchsorted(right[0], left[0], side) for side in ("left", "right"))
    repeats = ends - starts
    offsets = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    pairs, common = np.unique(
        np.repeat(left[1], repeats) * len(b) + right[1][np.repeat(starts, repeats) + offsets],
        return_counts=True,
    )
    i, j = np.divmod(pairs, len(b))
    score = 2 * common / (sizes[0][i] + sizes[1][j])
    best_a, best_b = np.zeros(len(a)), np.zeros(len(b))
    np.maximum.at(best_a, i, score)
    np.maximum.at(best_b, j, score)
    sure = (score >= _ANCHORED) & (score == best_a[i]) & (score == best_b[j])
    return list(zip(i[sure].tolist(), j[sure].tolist(), strict=True))


def _units(texts: Sequence[str]) -> Tokens:
    """The stems of each text and the pairs of neighbouring ones, without repetitions."""
    grams = kernels.ngrams(kernels.tokenize(list(texts), "porter"), 2)
    return Tokens(grams.keys, grams.offsets[::2])


def _in_order(anchors: Sequence[tuple[int, int]]) -> list[int]:
    """Indices of a longest run of anchors that ascends in both texts; anchors are sorted."""
    tails: list[int] = []
    ends: list[int] = []  # places in b of the tails
    before: dict[int, int] = {}
    # At most one of the anchors of a sentence of a may be in the run: the larger ones come first.
    for k in sorted(range(len(anchors)), key=lambda k: (anchors[k][0], -anchors[k][1])):
        place = bisect_left(ends, anchors[k][1])
        if place:
            before[k] = tails[place - 1]
        tails[place : place + 1] = [k]
        ends[place : place + 1] = [anchors[k][1]]
    run = []
    last = tails[-1] if tails else None
    while last is not None:
        run.append(last)
        last = before.get(last)
    return run[::-1]
