"""The page of `plainmark correlate --by`: coefficients by length or threshold, one line per metric."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...meta.curves import Curve
from ...table import Table
from .. import html
from ..formatting import number
from ..svg import plots
from ..svg.elements import Figure
from .tables import COEFFICIENTS


def render(groups: Sequence[tuple[str, Sequence[Curve], Table]]) -> str:
    """The page as text: for each group of curves its heading, a plot and a table."""
    return html.page(
        "curves.html",
        title="Coefficients by length or threshold",
        data={},
        panels=[(heading, _plot(heading, curves), table) for heading, curves, table in groups],
    )


def _plot(heading: str, curves: Sequence[Curve]) -> Figure | None:
    series = []
    for curve in curves:
        points = [p for p in curve.points if math.isfinite(p.value)]
        if len(points) > 1:
            middles = [(p.low + p.high) / 2 for p in points]
            series.append(plots.Series(curve.metric, middles, [p.value for p in points]))
    if not series:
        return None
    drawing = plots.lines(
        series,
        title=heading,
        description="; ".join(
            f"{c.metric}: " + ", ".join(f"{number(p.value, 3)} at {(p.low + p.high) / 2:g}" for p in c.points)
            for c in curves
        ),
        x_label="words in the source text" if curves[0].by == "length" else "similarity threshold",
        y_label=COEFFICIENTS[curves[0].coefficient],
    )
    return Figure(drawing, COEFFICIENTS[curves[0].coefficient])
