"""Placing names in a figure so that they hide as little as possible."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..formatting import short
from .axes import CHARACTER
from .elements import Element, text


def beside(names: Sequence[str], dots: Sequence[tuple[float, float]], right: float) -> list[Element]:
    """Labels beside dots: each to the right, left, above or below, where it hides the fewest dots and labels."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in dots]
    labels = []
    for name, (x, y) in zip(map(short, names), dots, strict=True):
        wide = CHARACTER * len(name)
        starts = [(x + 8, y + 4), (x - 8 - wide, y + 4), (x - wide / 2, y - 9), (x - wide / 2, y + 17)]

        def hidden(start: tuple[float, float], wide: float = wide) -> int:
            a, b = start
            outside = 3 * (a + wide > right + 8 or a < 30)
            return outside + sum(a < u and s < a + wide and b - 10 < v and t < b + 3 for s, t, u, v in taken)

        a, b = min(starts, key=hidden)
        taken.append((a, b - 10, a + wide, b + 3))
        labels.append(text("name", name, a, b))
    return labels


def apart(places: Sequence[float], gap: float) -> list[float]:
    """The places, moved so that neighbours are at least `gap` apart."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + gap)
    return moved
