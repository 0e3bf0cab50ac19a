"""Reorder sentences: the text loses its thread.

    strength = sum of |i - p(i)| / that of the reversed text

Neighbours that are still in order are exchanged at random, one pair at a time, until the text is reversed. Each exchange
leaves the sum unchanged or adds 2, so that every possible sum is reached, for any number of sentences. No pair is ever put
back in order, so that levels are nested: sentences that are out of order stay out of order. The sentences of one quotation
move together and count as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import Perturbation, Perturbed, Span, TextDocument, as_document, shortfall, steps
from ._quotations import with_whole_quotations


@dataclass(frozen=True)
class Reorder(Perturbation):
    """Moves sentences until their order is reversed."""

    criterion = "coherence"
    english_only = False

    def levels(
        self, text: str | TextDocument, strengths: Sequence[float], rng: np.random.Generator
    ) -> list[Perturbed]:
        document = with_whole_quotations(as_document(text))
        n = len(document.sentences)
        if n < 2:
            reason = f"{n or 'no'} sentence{'' if n == 1 else 's'}, nothing to reorder"
            return [Perturbed(document.text, 0.0, 0, (), reason) for _ in strengths]
        units = n * n // 4  # half the sum of the reversed text; sums are even
        requested = [steps(s, units) for s in strengths]
        orders = walk(n, sorted(set(requested)), rng)
        # Other orders have the same sum; in the reversed one, every pair is in the wrong order.
        orders[units] = np.arange(n)[::-1]
        out = []
        for strength, k in zip(strengths, requested, strict=True):
            new, spans = arrange(document, orders[k])
            out.append(Perturbed(new, k / units, n, spans, shortfall(strength, k / units, units, "")))
        return out


def walk(n: int, stops: Sequence[int], rng: np.random.Generator) -> dict[int, NDArray[np.int64]]:
    """Orders on a random path from 0 ... n - 1 to its reverse, at half-sums of displacements (ascending `stops`)."""
    order = np.arange(n)
    done = 0
    orders = {}
    left = list(stops)
    while left and left[0] == 0:
        orders[left.pop(0)] = order.copy()
    while left:
        # Exchanges without common elements can be made in one step.
        places = np.arange(int(rng.random() < 0.5), n - 1, 2)
        places = places[(order[places] < order[places + 1]) & (rng.random(len(places)) < 0.5)]
        places = places[np.argsort(rng.random(len(places)), kind="stable")]
        low, high = order[places], order[places + 1]
        before = np.abs(places - low) + np.abs(places + 1 - high)
        after = np.abs(places - high) + np.abs(places + 1 - low)
        gains = np.cumsum((after - before) // 2)
        while left and len(gains) and done + gains[-1] >= left[0]:
            reached = int(np.searchsorted(gains, left[0] - done)) + 1
            orders[left.pop(0)] = _exchange(order, places[:reached])
        order = _exchange(order, places)
        done += int(gains[-1]) if len(gains) else 0
    return orders


def _exchange(order: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    new = order.copy()
    new[places], new[places + 1] = order[places + 1], order[places]
    return new


def arrange(document: TextDocument, order: Sequence[int] | NDArray[np.int64]) -> tuple[str, tuple[Span, ...]]:
    """The document with its sentences in another order, unchanged spaces between them, and the sentences that moved."""
    text, spans = document.text, document.sentences
    out = [text[: spans[0][0]]]
    moved = []
    position = len(out[0])
    for place, i in enumerate(order):
        start, end = spans[i]
        if i != place:
            moved.append(Span(position, position + end - start, start, end))
        gap = text[spans[place][1] : spans[place + 1][0] if place + 1 < len(spans) else len(text)]
        # Adjacent sentences of the original ("it.It") need a space before other sentences.
        meets_another = place + 1 < len(spans) and order[place + 1] != i + 1
        between = gap or (" " if meets_another else "")
        out += [text[start:end], between]
        position += end - start + len(between)
    return "".join(out), tuple(moved)
