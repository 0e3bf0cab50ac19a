"""Base of the six errors of Maddela and Alva-Manchego; strength 1 is the dose of the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from . import EditPerturbation, Replacement, TextDocument, pick, shuffled

CITATION = "Maddela and Alva-Manchego 2025"


@dataclass(frozen=True)
class Dosed(EditPerturbation):
    """Base of the six errors."""

    variant: Annotated[
        Literal["paper", "released"],
        "the doses of the paper, or those of the released program",
    ] = "paper"

    citation = CITATION
    doses: ClassVar[dict[str, float]] = {}  # share of the sentences that are perturbed

    def dose(self, n: int, least: int = 1) -> int:
        """The number of sentences to perturb, out of n."""
        return min(n, max(least, math.floor(self.doses[self.variant] * n + 0.5)))


def deranged(n: int, rng: np.random.Generator) -> list[int]:
    """A random cyclic permutation of 0 ... n - 1, which moves every element."""
    order = shuffled(n, rng)
    out = [0] * n
    for a, b in zip(order, [*order[1:], order[0]], strict=True) if n else ():
        out[a] = b
    return out


def exchanged(document: TextDocument, places: list[int], order: list[int]) -> list[Replacement]:
    """Sentences at these places in another order."""
    return [
        Replacement(*document.sentences[place], document.sentence(places[other]))
        for place, other in zip(places, order, strict=True)
    ]


def some(pool: list[str], count: int, rng: np.random.Generator) -> list[str]:
    """Up to `count` different sentences, drawn at random."""
    picked: list[str] = []
    left = list(dict.fromkeys(pool))
    for _ in range(count):
        which = pick(max(len(left), 1), rng)
        if left:
            picked.append(left.pop(which))
    return picked
