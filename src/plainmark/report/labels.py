"""Where names stand in a plot so that they hide as little as possible."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .axes import CHARACTER, at, short
from .html import escape


def beside(names: Sequence[str], dots: Sequence[tuple[float, float]], right: float) -> list[str]:
    """Labels beside dots: each to the right, left, above or below, where it hides the fewest dots and labels."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in dots]
    out = []
    for name, (x, y) in zip(map(short, names), dots, strict=True):
        wide = CHARACTER * len(name)
        starts = [(x + 8, y + 4), (x - 8 - wide, y + 4), (x - wide / 2, y - 9), (x - wide / 2, y + 17)]

        def hidden(start: tuple[float, float], wide: float = wide) -> int:
            a, b = start
            outside = 3 * (a + wide > right + 8 or a < 30)
            return outside + sum(a < u and s < a + wide and b - 10 < v and t < b + 3 for s, t, u, v in taken)

        a, b = min(starts, key=hidden)
        taken.append((a, b - 10, a + wide, b + 3))
        out.append(f'<text class="name" x="{at(a)}" y="{at(b)}">{escape(name)}</text>')
    return out


def apart(places: Sequence[float], gap: float) -> list[float]:
    """The places, moved so that neighbours are at least `gap` apart."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    for before, here in pairwise(order):
        moved[here] = max(moved[here], moved[before] + gap)
    return moved
