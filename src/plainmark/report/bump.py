"""A bump chart: the places of systems in several orders, joined by lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .axes import CHARACTER, at, figure, marker, number, short
from .html import escape

STEP, COLUMN = 26, 96


def bump(
    ranks: ArrayLike, systems: Sequence[str], orders: Sequence[str], *, title: str, description: str
) -> str:
    """Ranks of shape (orders, systems), 1 at the top; equal ranks share a place. The first order is on the left."""
    table = np.asarray(ranks, dtype=np.float64)
    names = CHARACTER * max((len(short(s)) for s in systems), default=0) + 20
    top = 16 + min(CHARACTER * max((len(short(o)) for o in orders), default=0) * 0.74, 110)
    column = max(58.0, min(COLUMN, 4 * COLUMN / max(len(orders) - 1, 1)))
    width = names * 2 + column * (len(orders) - 1)
    across = [names + column * k for k in range(len(orders))]
    parts = [
        f'<text class="name" transform="translate({at(x - 4)} {at(top - 8)}) rotate(-40)">{escape(short(o))}</text>'
        for x, o in zip(across, orders, strict=True)
    ]
    parts += [f'<path class="grid" d="M{at(x)} {at(top)}V{at(top + STEP * len(systems))}"/>' for x in across]
    up = top + STEP * (table - 0.5)
    for i, system in enumerate(systems):
        known = [k for k in range(len(orders)) if math.isfinite(table[k, i])]
        said = "; ".join(
            f"{orders[k]} {number(table[k, i], 0 if table[k, i] % 1 == 0 else 1)}" for k in known
        )
        line = "L".join(f"{at(across[k])} {at(up[k, i])}" for k in known)
        parts.append(f'<g class="series s{i % 8}"><title>{escape(f"{system}: {said}")}</title>')
        if known:
            parts.append(f'<path class="line" d="M{line}"/>')
        parts += [marker(i, across[k], float(up[k, i])) for k in known]
        parts.append("</g>")
    for side, k in (("end", 0), ("start", len(orders) - 1)):
        places: dict[float, list[str]] = {}
        for i, system in enumerate(systems):
            if math.isfinite(table[k, i]):
                places.setdefault(float(up[k, i]), []).append(system)
        x = across[k] + (-10 if side == "end" else 10)
        for y, here in places.items():
            start = y - 13 * (len(here) - 1) / 2  # equal ranks: names one below the other
            parts += [
                f'<text class="name" x="{at(x)}" y="{at(start + 13 * j + 4)}" text-anchor="{side}">{escape(short(s))}</text>'
                for j, s in enumerate(here)
            ]
    last = CHARACTER * len(short(orders[-1])) * 0.77
    return figure(
        max(width, across[-1] + last),
        top + STEP * len(systems) + 8,
        "".join(parts),
        title=title,
        description=description,
        kind="bump",
    )
