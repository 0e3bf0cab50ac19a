"""The plots of the page of correlations: heat map, scatter plots, leave-one-out, lengths, orders of systems, raters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..meta.agreement import Agreement
from ..meta.coefficients import ranks
from ..meta.comparison import MetricRanking
from ..meta.correlation import Correlation, draw
from ..meta.estimates import system_values
from ..meta.evaluation import Evaluation
from ..metric import Floats
from . import relations
from .formatting import number
from .html import escape
from .svg import plots
from .svg.bump import bump

Column = tuple[Evaluation, MetricRanking]


def overview(columns: Sequence[Column]) -> str:
    """The heat map of all metrics and dimensions."""
    if not columns:
        return ""
    metrics = list(dict.fromkeys(m for e, _ in columns for m in e.metrics))
    found = [{c.metric: c for c in r.correlations} for _, r in columns]
    values = np.array([[f[m].value if m in f else math.nan for f in found] for m in metrics])

    def texts(i: int, j: int) -> tuple[str, str]:
        c = found[j][metrics[i]]
        return number(c.value), f"±{number((c.high - c.low) / 2)}" if math.isfinite(c.low) else ""

    def said(i: int, j: int) -> str:
        e, r = columns[j]
        return f"{metrics[i]} and {r.dimension} of {e.title}: {relations.value_text(found[j][metrics[i]])}"

    drawn = plots.heat_map(
        values,
        metrics,
        column_names(columns),
        texts=texts,
        titles=said,
        marked=lambda i, j: found[j][metrics[i]].significant,
        title="Correlations of metrics with people's ratings",
        description="; ".join(
            said(i, j)
            for i in range(len(metrics))
            for j in range(len(columns))
            if math.isfinite(values[i, j])
        )[:4000],
    )
    return (
        '<p class="note">Blue: what the metric scores higher, people rate higher; orange: lower. Faint: the interval '
        'includes 0. Choose a cell to look closer.</p><div class="wide">' + str(drawn) + "</div>"
    )


def figures_of(e: Evaluation, r: MetricRanking, c: Correlation, most: int) -> str:
    """Scatter plot of at most so many points, leave-one-out, lengths: what there is of them."""
    if c.reason:
        return f'<p class="notice">Undefined: {escape(c.reason)}.</p>'
    parts = []
    if c.rows is not None:
        parts.append(_figure(scatter(r, c, most), "Scores and ratings"))
    if c.without:
        rows = [plots.Interval("all systems", c.value, c.low, c.high, strong=True)]
        rows += [
            plots.Interval(s, v)
            for s, v in sorted(c.without.items(), key=lambda item: -abs(item[1] - c.value))
        ]
        drawn = plots.dot_intervals(
            rows[:16],
            title=f"{c.metric}: the coefficient without each system",
            description="; ".join(f"without {i.label}: {number(i.value, 3)}" for i in rows[1:]),
            digits=3,
        )
        parts.append(_figure(drawn, "Without one system"))
    bins = [b for b in e.lengths.get((r.dimension, c.metric), ()) if math.isfinite(b.value)]
    if len(bins) > 1:
        drawn = plots.lines(
            [
                plots.Series(
                    c.metric,
                    [(b.low + b.high) / 2 for b in bins],
                    [b.value for b in bins],
                    [b.interval[0] for b in bins],
                    [b.interval[1] for b in bins],
                )
            ],
            title=f"{c.metric}: the coefficient by length of the source text",
            description="; ".join(
                f"{b.low:.0f} to {b.high:.0f} words: {number(b.value, 3)} ({b.samples} samples)" for b in bins
            ),
            x_label="words in the source text",
            y_label=relations.COEFFICIENTS[r.task.coefficient],
        )
        parts.append(_figure(drawn, "By length of the source text"))
    return "".join(map(str, parts))


def orders(columns: Sequence[Column]) -> str:
    """Bump charts: people's order of systems beside the metrics'."""
    parts = []
    for e, r in columns:
        joined = r.joined
        if len(joined.systems) < 3 or r.task.coefficient == "pairwise":
            continue
        orders: list[Floats] = []
        names: list[str] = []
        for k, c in enumerate(r.correlations):
            people, values = system_values(joined, k)
            if not orders:
                orders.append(ranks(-people))
                names.append("people")
            if np.isfinite(values).all():
                orders.append(ranks(values if c.higher_is_better is False else -values))
                names.append(c.metric)
        by = np.argsort(orders[0], kind="stable")
        table = np.array(orders)[:, by]
        systems = [joined.systems[i] for i in by]
        drawn = bump(
            table,
            systems,
            names,
            title=f"Orders of systems by people ({r.dimension}) and by metrics",
            description="; ".join(
                f"{s}: " + ", ".join(f"{n} {number(v, 0)}" for n, v in zip(names, row, strict=True))
                for s, row in zip(systems, table.T, strict=True)
            ),
        )
        parts.append(
            f'<figure><figcaption>{escape(f"{e.title}: {r.dimension}")}</figcaption><div class="wide">{drawn}</div></figure>'
        )
    if not parts:
        return ""
    return (
        '<p class="note">Systems in the order that people put them, and in the order of each metric\'s system scores. '
        f'Lines that cross are disagreements.</p><div class="grid broad">{"".join(map(str, parts))}</div>'
    )


def rater_matrix(dimension: str, found: Agreement) -> str:
    """Kappa of every pair of raters."""
    kappas = found.measures["kappa"]
    names = [f"rater {r}" if len(r) < 4 else r for r in found.raters]

    def said(i: int, j: int) -> str:
        return f"{names[i]} and {names[j]}: kappa {number(kappas[i, j])}, {found.shared[i, j]} rated by both"

    drawn = plots.heat_map(
        kappas,
        names,
        names,
        texts=lambda i, j: (number(kappas[i, j]), f"n {found.shared[i, j]}"),
        titles=said,
        title=f"Agreement of raters on {dimension}",
        description="; ".join(said(i, j) for i in range(len(names)) for j in range(i)),
    )
    return (
        f'<figure><figcaption>{escape(dimension or "rating")} <span class="aside">kappa</span></figcaption>'
        f'<div class="wide">{drawn}</div></figure>'
    )


def scatter(r: MetricRanking, c: Correlation, most: int) -> str:
    """Scores against ratings with the line of least squares and its band."""
    rows = c.rows
    assert rows is not None
    x, y, unit = rows.x, rows.y, rows.unit
    xs = np.linspace(x.min(), x.max(), 25)
    line, low, high = _fit(x, y, unit, xs, r.task.confidence)
    taken = np.arange(len(x))
    if len(x) > most:
        taken = np.linspace(0, len(x) - 1, most).astype(np.int64)
    labels = [c.names[i] for i in rows.system] if r.task.level == "system" else None
    # Names of systems need room beside the outermost points.
    room = 0.12 * float(x.max() - x.min())
    partly = "" if len(taken) == len(x) else f" {len(taken):,} of {len(x):,} points are drawn."
    return plots.scatter(
        x[taken],
        y[taken],
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
    weights = draw(np.random.default_rng(0), 400, int(unit.max()) + 1)[:, unit]
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


def _figure(drawn: str, caption: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{drawn}</figure>"


def column_names(columns: Sequence[Column]) -> list[str]:
    """What was rated; with the data set where several have it."""
    rated = [r.dimension or "rating" for _, r in columns]
    return [
        name if rated.count(name) == 1 else f"{e.name.partition('(')[0] or e.title} {name}"
        for name, (e, _) in zip(rated, columns, strict=True)
    ]
