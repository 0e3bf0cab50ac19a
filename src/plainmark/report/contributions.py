"""The contribution of every n-gram or word to a score, as text for the terminal and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..explanation.breakdown import Breakdown, Contribution, Share
from ..explanation.contributions import ranked
from ..table import Cell, Table
from . import html

_SHOWN = 12  # n-grams shown per operation in the terminal
_NAMES = {"add": "added", "keep": "kept", "delete": "deleted", "match": "in the output", "word": "words"}


@dataclass(frozen=True)
class ShownOperation:
    """The n-grams of one operation."""

    name: str
    points: str
    table: Table


@dataclass(frozen=True)
class ShownBreakdown:
    """A sample with its texts and tables."""

    name: str
    score: str
    sum: str
    texts: Sequence[tuple[str, str]]
    shares: Table
    operations: Sequence[ShownOperation]


def text(breakdown: Breakdown, name: str, metric: str) -> str:
    """Text for the terminal: the score, its sum, and the n-grams that contribute most to each operation."""
    lines = [f"{name}: {metric} {_number(breakdown.score)} = {_sum(breakdown)}"]
    lines += [f"  {label:<12} {content}" for label, content in _texts(breakdown)]
    for operation in _operations(breakdown):
        rows = list(ranked(breakdown, operation))
        lines.append(f"  {_name(operation)}: {_number(sum(c.points for c in rows))} points")
        lines += [f"    {c.points:7.3f}  {_gram(c)}  ({c.verdict})" for c in rows[:_SHOWN]]
        if rows[_SHOWN:]:
            rest = sum(c.points for c in rows[_SHOWN:])
            lines.append(f"    {rest:7.3f}  {len(rows) - _SHOWN} more; --format json or html has all")
    return "\n".join(
        "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in line) for line in lines
    )


def render(
    breakdowns: Sequence[Breakdown],
    *,
    names: Sequence[str],
    metric: str,
    subject: str = "",
    signature: str = "",
) -> str:
    """The page as text."""
    return html.page(
        "contributions.html",
        title=f"How {metric} comes about",
        styles=("page.css", "contributions.css"),
        data={},
        metric=metric,
        subject=subject,
        signature=signature,
        formula=breakdowns[0].formula if breakdowns else "",
        samples=[_sample(b, name) for b, name in zip(breakdowns, names, strict=True)],
    )


def _sample(breakdown: Breakdown, name: str) -> ShownBreakdown:
    operations = []
    for operation in _operations(breakdown):
        rows = list(ranked(breakdown, operation))
        points = _number(sum(c.points for c in rows))
        operations.append(ShownOperation(_name(operation), points, _table(rows)))
    return ShownBreakdown(
        name,
        _number(breakdown.score),
        _sum(breakdown),
        _texts(breakdown),
        _shares(breakdown.shares),
        operations,
    )


def _table(rows: Sequence[Contribution]) -> Table:
    def count(value: int | None) -> Cell:
        return Cell("–" if value is None else str(value), None if value is None else float(value))

    headings = ["n-gram", "n", "points", "in source", "in output", "references with it", "verdict"]
    body = [
        [
            Cell(_gram(c)),
            Cell(str(c.order or "–"), float(c.order)),
            Cell(f"{c.points:.3f}", c.points),
            *map(count, (c.source, c.output, c.references)),
            Cell(c.verdict),
        ]
        for c in rows
    ]
    return Table(headings, body)


def _shares(shares: Sequence[Share]) -> Table:
    def ratio(value: float | None) -> Cell:
        return Cell("–" if value is None else f"{100 * value:.1f}", value)

    body = [
        [
            Cell(f"{s.operation}{f', n = {s.order}' if s.order else ''}"),
            ratio(s.precision),
            ratio(s.recall),
            Cell(f"{s.points:.3f}", s.points),
        ]
        for s in shares
    ]
    return Table(["part", "precision, %", "recall, %", "points"], body)


def _operations(breakdown: Breakdown) -> list[str]:
    return list(dict.fromkeys(c.operation for c in breakdown.contributions))


def _name(operation: str) -> str:
    return _NAMES.get(operation, operation)


def _sum(breakdown: Breakdown) -> str:
    """The sum of the points of all operations."""
    if breakdown.score != breakdown.score:
        return "undefined: the text has no words"
    totals = [
        (operation, sum(c.points for c in breakdown.contributions if c.operation == operation))
        for operation in _operations(breakdown)
    ]
    return " + ".join(f"{_name(o)} {_number(p)}" for o, p in totals) or "0"


def _texts(breakdown: Breakdown) -> list[tuple[str, str]]:
    sample = breakdown.sample
    texts = [("source", sample.source or ""), ("output", sample.output)]
    texts += [(f"reference {i}", t) for i, t in enumerate(sample.references, 1)]
    return [(label, t) for label, t in texts if t or label == "output"]


def _gram(contribution: Contribution) -> str:
    return contribution.text or "–"


def _number(value: float) -> str:
    return "undefined" if value != value else f"{value:.2f}"
