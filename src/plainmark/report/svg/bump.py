"""A bump chart: the places of systems in several orders, joined by lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..formatting import number, short
from .axes import CHARACTER, figure, marker, polyline, slanted_height, slanted_label, vertical
from .elements import Element, group, path, text

STEP, COLUMN = 26, 96


def bump(
    ranks: ArrayLike, systems: Sequence[str], orders: Sequence[str], *, title: str, description: str
) -> Element:
    """Ranks of shape (orders, systems), 1 at the top; equal ranks share a place. The first order is on the left."""
    table = np.asarray(ranks, dtype=np.float64)
    margin = CHARACTER * max((len(short(s)) for s in systems), default=0) + 20
    top = slanted_height(orders)
    column = max(58.0, min(COLUMN, 4 * COLUMN / max(len(orders) - 1, 1)))
    across = np.asarray(margin + column * np.arange(len(orders)), dtype=np.float64)
    up = top + STEP * (table - 0.5)
    marks = [slanted_label(order, x - 4, top - 8) for x, order in zip(across, orders, strict=True)]
    marks += [path("grid", vertical(x, top, top + STEP * len(systems))) for x in across]
    for i, system in enumerate(systems):
        known = np.flatnonzero(np.isfinite(table[:, i])).tolist()
        ranked = [f"{orders[k]} {number(table[k, i], 0 if table[k, i] % 1 == 0 else 1)}" for k in known]
        line = [path("line", polyline(across[known], up[known, i]))] if len(known) else []
        line += [marker(i, across[k], up[k, i]) for k in known]
        marks.append(group(line, title=f"{system}: {'; '.join(ranked)}", class_=f"series s{i % 8}"))
    for anchor, k in (("end", 0), ("start", len(orders) - 1)):
        places: dict[float, list[str]] = {}
        for i, system in enumerate(systems):
            if math.isfinite(table[k, i]):
                places.setdefault(float(up[k, i]), []).append(system)
        x = across[k] + (-10 if anchor == "end" else 10)
        for y, tied in places.items():
            start = y - 13 * (len(tied) - 1) / 2  # equal ranks: names one below the other
            marks += [text("name", short(s), x, start + 13 * j + 4, anchor) for j, s in enumerate(tied)]
    width = margin * 2 + column * (len(orders) - 1)
    last = CHARACTER * len(short(orders[-1])) * 0.77
    return figure(
        max(width, across[-1] + last),
        top + STEP * len(systems) + 8,
        marks,
        title=title,
        description=description,
        kind="bump",
    )
