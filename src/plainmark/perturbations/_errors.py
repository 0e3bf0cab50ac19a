"""What the six errors of Maddela and Alva-Manchego share; strength 1 is the paper's dose."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from . import Document, EditPerturbation, Piece, pick, shuffled

CITATION = "Maddela and Alva-Manchego 2025"


@dataclass(frozen=True)
class Dosed(EditPerturbation):
    """Base of the six errors."""

    variant: Annotated[
        Literal["paper", "released"],
        "the doses that the paper gives, or those of the program that was released",
    ] = "paper"

    citation = CITATION
    doses: ClassVar[dict[str, float]] = {}  # share of the sentences that are harmed

    def dose(self, n: int, least: int = 1) -> int:
        """How many of n sentences are harmed."""
        return min(n, max(least, math.floor(self.doses[self.variant] * n + 0.5)))


def deranged(n: int, rng: np.random.Generator) -> list[int]:
    """0 ... n - 1 in an order in which nothing stays at its place: a random cycle."""
    order = shuffled(n, rng)
    out = [0] * n
    for a, b in zip(order, [*order[1:], order[0]], strict=True) if n else ():
        out[a] = b
    return out


def exchanged(document: Document, places: list[int], order: list[int]) -> list[Piece]:
    """Sentences at these places in another order."""
    return [
        Piece(*document.sentences[place], document.sentence(places[other]))
        for place, other in zip(places, order, strict=True)
    ]


def some(pool: list[str], count: int, rng: np.random.Generator) -> list[str]:
    """So many different sentences, or all that there are."""
    chosen: list[str] = []
    left = list(dict.fromkeys(pool))
    for _ in range(count):
        which = pick(max(len(left), 1), rng)
        if left:
            chosen.append(left.pop(which))
    return chosen
