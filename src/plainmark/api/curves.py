"""Coefficients by length of the source or by threshold, as `plainmark correlate --by` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..meta.curves import Curve
from ..meta.ranking import LengthBin
from ..report.correlations.tables import COEFFICIENTS
from ..report.formatting import number
from ..result import Result, Row, Titled, finite
from ..table import Cell, Table


@dataclass(frozen=True, eq=False)
class CoefficientCurves(Result):
    """One table per data set and dimension: metrics in rows, lengths or thresholds in columns."""

    curves: tuple[Curve, ...]

    title = "Coefficients by length or threshold"

    def tables(self) -> list[Titled]:
        return [(heading(group[0]), _table(group)) for group in self.groups()]

    def groups(self) -> list[list[Curve]]:
        """The curves of each data set and dimension."""
        groups: dict[tuple[str, str], list[Curve]] = {}
        for curve in self.curves:
            groups.setdefault((curve.data, curve.dimension), []).append(curve)
        return list(groups.values())

    def records(self) -> list[Row]:
        """One row per point of a curve."""
        return [
            {
                "data": c.data,
                "dimension": c.dimension,
                "metric": c.metric,
                "by": c.by,
                "from": p.low,
                "to": p.high,
                "coefficient": c.coefficient,
                "value": finite(p.value),
                "low": finite(p.interval[0]),
                "high": finite(p.interval[1]),
                "samples": p.samples,
                "reason": p.reason,
            }
            for c in self.curves
            for p in c.points
        ]

    def to_html(self) -> str:
        """A page with a plot and a table for each data set and dimension."""
        from ..report.correlations import curves

        return curves.render([(heading(g[0]), g, _table(g)) for g in self.groups()])


def heading(curve: Curve) -> str:
    """The title of a table or a plot."""
    axis = "length of the source in words" if curve.by == "length" else "similarity threshold"
    return f"{curve.title}, {curve.dimension or 'rating'}: {COEFFICIENTS[curve.coefficient]} by {axis}"


def _table(curves: Sequence[Curve]) -> Table:
    first = curves[0]
    headings = ["metric", *(_place(first, p) for p in first.points)]
    rows = [[Cell(c.metric), *(Cell(_value(p), finite(p.value)) for p in c.points)] for c in curves]
    what = "source texts and outputs" if first.by == "threshold" else "samples"
    sizes = ", ".join(f"{_place(first, p)}: {p.samples}" for p in first.points)
    notes = [f"{what}: {sizes}"] if first.by == "length" else []
    return Table(headings, rows, notes)


def _place(curve: Curve, point: LengthBin) -> str:
    return f"{point.low:g}" if curve.by == "threshold" else f"{point.low:.0f}–{point.high:.0f}"


def _value(point: LengthBin) -> str:
    low, high = point.interval
    interval = f" [{number(low, 2)}, {number(high, 2)}]" if finite(low) is not None else ""
    return f"{number(point.value, 3)}{interval}"
