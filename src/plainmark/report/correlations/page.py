"""Metrics against human ratings as one self-contained HTML page."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...meta.agreement import Agreement
from ...meta.coefficients import ranks
from ...meta.comparison import MetricRanking
from ...meta.correlation import Correlation
from ...meta.estimates import system_values
from ...meta.evaluation import Evaluation
from ...metric import Floats
from ...resampling import bootstrap_weights
from ...table import Table
from .. import html
from ..formatting import ScoreCell, count, number, score_cell, today
from ..svg import plots
from ..svg.bump import bump
from ..svg.elements import Element, Figure
from . import tables
from .findings import findings

POINTS = 120_000  # points drawn on a page, over all scatter plots
MATRIX = 12  # raters shown in a matrix

Ranked = tuple[Evaluation, MetricRanking]


@dataclass(frozen=True)
class CoefficientTable:
    """Coefficients of one data set: a table of metrics by dimensions, and one without the most influential system."""

    caption: str
    dimensions: Sequence[str]
    rows: Sequence[tuple[str, Sequence[ScoreCell]]]
    notes: Sequence[str]
    leave_out: Table | None
    rivals: Table | None


@dataclass(frozen=True)
class CloserPanel:
    """One dimension and metric: figures, or why the coefficient is undefined."""

    key: str
    heading: str
    value: str
    reason: str
    figures: Sequence[Figure]


@dataclass(frozen=True)
class RaterAgreementTable:
    """Agreement of raters on one data set: a row per dimension, and matrices if there are few raters."""

    title: str
    rows: Sequence[Sequence[str]]
    matrices: Sequence[Figure]


def render(evaluations: Sequence[Evaluation], *, title: str = "", date: datetime.date | None = None) -> str:
    """The page as text."""
    if not evaluations:
        raise InputError("nothing to report: expected at least one data set.")
    ranked = [(e, r) for e in evaluations for r in e.rankings]
    metrics = list(dict.fromkeys(m for e in evaluations for m in e.metrics))
    return html.page(
        "correlations.html",
        title=title or "Which metric should I trust?",
        scripts=("page.js", "correlations.js"),
        data={
            "texts": {
                "markdown": tables.markdown(evaluations),
                "latex": tables.latex(evaluations),
                "csv": tables.as_csv(evaluations),
            }
        },
        date=date or today(),
        lede=f"{count(len(metrics), 'metric')} against human ratings on {count(len(evaluations), 'data set')}.",
        findings=findings(evaluations),
        overview=_overview(ranked) if ranked else None,
        tables=[_table(e) for e in evaluations if e.rankings],
        consistency=tables.consistency_table(evaluations),
        biases=tables.bias_table(evaluations),
        signatures=tables.signatures(evaluations),
        panels=_panels(ranked),
        ratings=[f"{e.title}: {r.dimension}{_variant(e, r, ranked)}" for e, r in ranked],
        metrics=list(dict.fromkeys(m for e, _ in ranked for m in e.metrics)),
        confidence=ranked[0][1].task.confidence if ranked else math.nan,
        orders=[figure for e, r in ranked if (figure := _orders(e, r))],
        raters=[_raters(e) for e in evaluations if e.agreements],
        notes=[(e.title, notes) for e in evaluations if (notes := _notes(e))],
    )


def _notes(e: Evaluation) -> list[str]:
    return [*e.notes, *(f"Task: {t}" for t in dict.fromkeys(r.task.spec for r in e.rankings) if t)]


def _overview(ranked: Sequence[Ranked]) -> Element:
    """The heat map of all metrics and dimensions."""
    metrics = list(dict.fromkeys(m for e, _ in ranked for m in e.metrics))
    columns = [{c.metric: c for c in r.correlations} for _, r in ranked]
    values = np.array([[f[m].value if m in f else math.nan for f in columns] for m in metrics])

    def texts(i: int, j: int) -> tuple[str, str]:
        c = columns[j][metrics[i]]
        return number(c.value), f"±{number((c.high - c.low) / 2)}" if math.isfinite(c.low) else ""

    def described(i: int, j: int) -> str:
        e, r = ranked[j]
        value = tables.value_text(columns[j][metrics[i]])
        return f"{metrics[i]} and {r.dimension} of {e.title}: {value}"

    defined = zip(*np.nonzero(np.isfinite(values)), strict=True)
    return plots.heat_map(
        values,
        metrics,
        _column_names(ranked),
        texts=texts,
        titles=described,
        marked=lambda i, j: columns[j][metrics[i]].significant,
        title="Correlations of metrics with human ratings",
        description="; ".join(described(i, j) for i, j in defined)[:4000],
    )


def _column_names(ranked: Sequence[Ranked]) -> list[str]:
    """What was rated, with the name of the data set if several data sets have it."""
    sets: dict[str, set[str]] = {}
    for e, r in ranked:
        sets.setdefault(r.dimension, set()).add(e.name)
    return [
        f"{e.name.partition('(')[0] or e.title} {r.dimension}".strip() + _variant(e, r, ranked)
        if len(sets[r.dimension]) > 1
        else (r.dimension or "rating") + _variant(e, r, ranked)
        for e, r in ranked
    ]


def _variant(e: Evaluation, r: MetricRanking, ranked: Sequence[Ranked]) -> str:
    """How a task differs from others on the same ratings: by its level, else by all its options."""
    same = [o.task for f, o in ranked if (f.name, o.dimension) == (e.name, r.dimension)]
    if len(same) == 1:
        return ""
    levels = {task.level for task in same}
    return f", {r.task.level if len(levels) == len(same) else replace(r.task, dimension='').spec}"


def _table(e: Evaluation) -> CoefficientTable:
    """Coefficients with letters and intervals."""
    several = len(e.metrics) > 1
    rows = []
    for k in range(len(e.metrics)):
        cells = []
        for r in e.rankings:
            c, letters = r.correlations[k], r.letters[k] if several else None
            cells.append(score_cell(c.value, c.low, c.high, (3, 2), letters, several and k == r.order()[0]))
        rows.append((tables.labelled(e, k), cells))
    dimensions = [r.dimension or "rating" for r in e.rankings]
    return CoefficientTable(
        tables.caption(e),
        dimensions,
        rows,
        tables.table_notes(e),
        tables.leave_out_table(e),
        tables.rivals_table(e),
    )


def _panels(ranked: Sequence[Ranked]) -> list[CloserPanel]:
    """One panel for each dimension and metric: scatter plot, leave-one-out, lengths."""
    metrics = list(dict.fromkeys(m for e, _ in ranked for m in e.metrics))
    most = max(100, POINTS // max(sum(len(r.correlations) for _, r in ranked), 1))
    return [
        CloserPanel(
            f"{j} {metrics.index(c.metric)}",
            f"{c.metric} and {r.dimension or 'rating'} of {e.title}",
            tables.value_text(c),
            c.reason,
            [] if c.reason else _figures(e, r, c, most),
        )
        for j, (e, r) in enumerate(ranked)
        for c in r.correlations
    ]


def _figures(e: Evaluation, r: MetricRanking, c: Correlation, most: int) -> list[Figure]:
    """A scatter plot of at most `most` points, leave-one-out coefficients and coefficients by length, if available."""
    figures = []
    if c.rows is not None:
        figures.append(Figure(_scatter(r, c, most), "Scores and ratings"))
    if c.without:
        rows = [plots.Interval("all systems", c.value, c.low, c.high, strong=True)]
        rows += [
            plots.Interval(s, v)
            for s, v in sorted(c.without.items(), key=lambda item: -abs(item[1] - c.value))
        ]
        drawing = plots.dot_intervals(
            rows[:16],
            title=f"{c.metric}: the coefficient without each system",
            description="; ".join(f"without {i.label}: {number(i.value, 3)}" for i in rows[1:]),
            digits=3,
        )
        figures.append(Figure(drawing, "Without one system"))
    bins = [b for b in e.lengths.get((r.dimension, c.metric), ()) if math.isfinite(b.value)]
    if len(bins) > 1:
        middles = [(b.low + b.high) / 2 for b in bins]
        lows, highs = zip(*(b.interval for b in bins), strict=True)
        drawing = plots.lines(
            [plots.Series(c.metric, middles, [b.value for b in bins], lows, highs)],
            title=f"{c.metric}: the coefficient by length of the source text",
            description="; ".join(
                f"{b.low:.0f} to {b.high:.0f} words: {number(b.value, 3)} ({b.samples} samples)" for b in bins
            ),
            x_label="words in the source text",
            y_label=tables.COEFFICIENTS[r.task.coefficient],
        )
        figures.append(Figure(drawing, "By length of the source text"))
    return figures


def _orders(e: Evaluation, r: MetricRanking) -> Figure | None:
    """A bump chart: the order of systems by human ratings beside the orders by metrics."""
    joined = r.joined
    if len(joined.systems) < 3 or r.task.coefficient == "pairwise":
        return None
    orders: list[Floats] = []
    names: list[str] = []
    for k, c in enumerate(r.correlations):
        people, values = system_values(joined, k)
        if not orders:
            orders.append(ranks(people if c.task.better == "lower" else -people))
            names.append("people")
        if np.isfinite(values).all():
            orders.append(ranks(values if c.higher_is_better is False else -values))
            names.append(c.metric)
    rated = np.argsort(orders[0], kind="stable")
    table = np.array(orders)[:, rated]
    systems = [joined.systems[i] for i in rated]
    drawing = bump(
        table,
        systems,
        names,
        title=f"Orders of systems by human ratings ({r.dimension}) and by metrics",
        description="; ".join(
            f"{s}: " + ", ".join(f"{n} {number(v, 0)}" for n, v in zip(names, row, strict=True))
            for s, row in zip(systems, table.T, strict=True)
        ),
    )
    return Figure(drawing, f"{e.title}: {r.dimension}")


def _raters(e: Evaluation) -> RaterAgreementTable:
    """Agreement of raters with each other: means, and a matrix if there are few raters."""
    rows = []
    for dimension, a in e.agreements.items():
        values = (a.mean("absolute"), a.mean("kappa"), a.mean("spearman"), a.alpha)
        rows.append([dimension or "rating", str(len(a.raters)), *map(number, values)])
    matrices = [_rater_matrix(d, a) for d, a in e.agreements.items() if 3 <= len(a.raters) <= MATRIX]
    return RaterAgreementTable(e.title, rows, matrices)


def _rater_matrix(dimension: str, agreement: Agreement) -> Figure:
    """Kappa of every pair of raters."""
    kappas, shared = agreement.measures["kappa"], agreement.shared
    names = [f"rater {r}" if len(r) < 4 else r for r in agreement.raters]

    def described(i: int, j: int) -> str:
        return f"{names[i]} and {names[j]}: kappa {number(kappas[i, j])}, {shared[i, j]} rated by both"

    drawing = plots.heat_map(
        kappas,
        names,
        names,
        texts=lambda i, j: (number(kappas[i, j]), f"n {shared[i, j]}"),
        titles=described,
        title=f"Agreement of raters on {dimension}",
        description="; ".join(described(i, j) for i in range(len(names)) for j in range(i)),
    )
    return Figure(drawing, dimension or "rating", "kappa")


def _scatter(r: MetricRanking, c: Correlation, most: int) -> Element:
    """Scores against ratings with the line of least squares and its band."""
    rows = c.rows
    assert rows is not None
    x, y, unit = rows.x, rows.y, rows.unit
    xs = np.linspace(x.min(), x.max(), 25)
    line, low, high = _fit(x, y, unit, xs, r.task.confidence)
    drawn = np.arange(len(x))
    if len(x) > most:
        drawn = np.linspace(0, len(x) - 1, most).astype(np.int64)
    labels = [c.names[i] for i in rows.system] if r.task.level == "system" else None
    # Names of systems need room beside the outermost points.
    room = 0.12 * float(x.max() - x.min())
    partly = "" if len(drawn) == len(x) else f" {len(drawn):,} of {len(x):,} points are drawn."
    return plots.scatter(
        x[drawn],
        y[drawn],
        labels=labels,
        x_range=(float(x.min()) - room, float(x.max()) + room) if labels else None,
        trend=(xs, line),
        band=(xs, low, high),
        title=f"{c.metric} and {c.dimension}",
        description=f"{c}.{partly}",
        x_label=c.metric,
        y_label=c.dimension or "rating",
        width=plots.WIDTH,
        height=380 if labels else 280,
    )


def _fit(
    x: Floats, y: Floats, unit: NDArray[np.int64], xs: Floats, level: float
) -> tuple[Floats, Floats, Floats]:
    """The least-squares line at xs, and its band from 400 resamples of source texts."""
    weights = bootstrap_weights(np.random.default_rng(0), 400, int(unit.max()) + 1)[:, unit]
    weights = np.concatenate([np.ones((1, len(x))), weights])
    n = weights.sum(axis=1)
    mx, my = weights @ x / n, weights @ y / n
    spread = weights @ (x * x) / n - mx**2
    defined = spread > 1e-12 * max(float(np.abs(x).max()) ** 2, 1e-300)
    slope = np.where(defined, (weights @ (x * y) / n - mx * my) / np.where(defined, spread, 1.0), np.nan)
    lines = my[:, None] + slope[:, None] * (xs - mx[:, None])
    tail = 50 * (1 - level)
    low, high = np.nanpercentile(lines[1:], [tail, 100 - tail], axis=0)
    return lines[0], low, high
