"""The consistency of metrics on pairs of unperturbed and perturbed texts, as a table and as a page."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from ...meta import Consistency
from ...metric import Metric
from ...operations import operations
from ...table import Cell, Table
from ...testbed import ErrorPairs
from .. import html
from ..formatting import today
from ..marked_text import Run
from .page import PerturbedExample
from .tables import label, plain

MetricConsistency = tuple[Metric, Sequence[Consistency]]


def consistency_table(rows: Sequence[MetricConsistency], notes: Sequence[str] = ()) -> Table:
    """Metrics by errors: consistency with ties counted as right, strictly, and the ties."""
    headings = ["metric", *(c.dimension for c in rows[0][1])]
    cells = [[Cell(label(metric)), *(Cell(_shares(c), c.strict) for c in row)] for metric, row in rows]
    about = "Consistency (%): ties counted as right, as the paper does / strictly (number of ties)."
    return Table(headings, cells, [about, *notes, *(m.signature("1") for m, _ in rows)])


def _shares(c: Consistency) -> str:
    return f"{c.released:.1f} / {c.strict:.1f} ({c.ties})" if c.pairs else "–"


def consistency_rows(rows: Sequence[MetricConsistency]) -> Table:
    """Every number of the consistency table, one row per metric and error."""
    headings = [
        "metric",
        "signature",
        "error",
        "pairs",
        "right",
        "ties",
        "wrong",
        "released",
        "strict",
        "low",
        "high",
        "p",
    ]
    cells = [
        [
            Cell("", v)
            for v in (
                metric.spec, metric.signature("1"), c.dimension, c.pairs, c.right, c.ties, c.wrong, c.released, c.strict,
                c.low, c.high, c.p,
            )
        ]
        for metric, row in rows
        for c in row
    ]  # fmt: skip
    return Table(headings, cells)


def render_consistency(
    rows: Sequence[MetricConsistency],
    pairs: Sequence[ErrorPairs],
    notes: Sequence[str],
    *,
    date: datetime.date | None = None,
) -> str:
    """The consistency table as a page, with an example of each error."""
    table = consistency_table(rows, notes)
    texts = {"markdown": table.markdown(), "latex": table.latex(), "csv": consistency_rows(rows).csv()}
    return html.page(
        "consistency.html",
        title="Does the metric prefer the unperturbed text?",
        styles=("page.css", "stress.css"),
        data={"texts": texts},
        date=date or today(),
        lede=" ".join(notes),
        headings=[plain(p.name) for p in pairs],
        rows=[(label(metric), row) for metric, row in rows],
        signatures=[m.signature("1") for m, _ in rows],
        examples=[_example(p) for p in pairs if len(p.unperturbed)],
    )


def _example(pair: ErrorPairs) -> PerturbedExample:
    about = f"{pair.unperturbed.ids[0]}, {len(pair.unperturbed)} pairs"
    return PerturbedExample(
        plain(pair.name), about, _difference(pair.unperturbed.outputs[0], pair.perturbed.outputs[0])
    )


def _difference(before: str, after: str) -> list[Run]:
    """The perturbed text with the words that differ from the unperturbed one marked."""
    runs = []
    diff = operations(before, after)
    position = 0
    for token in diff.output:
        runs.append(Run(after[position : token.start]))
        op = token.op if token.op in ("keep", "move") else "add"
        runs.append(Run(after[token.start : token.end], op))
        position = token.end
    runs.append(Run(after[position:]))
    gone = " ".join(before[t.start : t.end] for t in diff.source if t.op == "delete")
    return [*runs, Run(" "), Run(gone, "delete")] if gone else runs
