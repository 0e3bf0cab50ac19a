"""Metrics against people as one self-contained HTML page: findings, tables, heat map, scatter plots, orders of systems."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..meta.coefficients import ranks
from ..meta.comparison import MetricRanking
from ..meta.correlation import Correlation, draw
from ..meta.estimates import system_values
from ..meta.evaluation import Evaluation
from ..metric import Floats, __version__
from . import html, plots, relations
from .axes import number
from .bump import bump
from .html import escape, select
from .table import Table
from .verdicts import findings

POINTS = 120_000  # points that a page draws, over all scatter plots
MATRIX = 12  # raters that a matrix shows


def render(evaluations: Sequence[Evaluation], *, title: str = "", date: datetime.date | None = None) -> str:
    """The page as text."""
    if not evaluations:
        raise InputError("nothing to report: expected at least one data set.")
    title = title or "Which metric may I believe?"
    date = date or datetime.datetime.now(tz=datetime.UTC).astimezone().date()
    columns = [(e, r) for e in evaluations for r in e.rankings]
    consistency = relations.consistency_table(evaluations)
    texts = {
        "markdown": relations.markdown(evaluations),
        "latex": relations.latex(evaluations),
        "csv": relations.as_csv(evaluations),
    }
    sections = [
        ("summary", "In short", _summary(evaluations)),
        ("overview", "Overview", _overview(columns)),
        ("tables", "Tables", _tables(evaluations, consistency)),
        ("closer", "Closer look", _closer(columns)),
        ("orders", "Orders of systems", _orders(columns)),
        ("raters", "Raters", _raters(evaluations)),
        ("notes", "Notes", _notes(evaluations)),
    ]
    shown = [(key, name, body) for key, name, body in sections if body]
    links = "".join(f'<li><a href="#{key}">{name}</a></li>' for key, name, _ in shown)
    metrics = list(dict.fromkeys(m for e in evaluations for m in e.metrics))
    lede = f"{_count(len(metrics), 'metric')} against people's ratings on {_count(len(evaluations), 'data set')}."
    body = f"""<a class="skip" href="#tables">Skip to the tables</a>
<header class="masthead">
<p class="eyebrow">plainmark correlate <span aria-hidden="true">·</span> <time datetime="{date.isoformat()}">{date.day} {date:%B %Y}</time></p>
<h1>{escape(title)}</h1>
<p class="lede">{escape(lede)}</p>
<nav aria-label="Sections"><ul>{links}</ul>
<button type="button" id="theme" class="quiet">Theme: auto</button></nav>
</header>
<main>{"".join(f'<section id="{key}"><h2>{name}</h2>{part}</section>' for key, name, part in shown)}</main>
<footer><p class="note">Made by plainmark {escape(__version__)}. This file is complete: it loads nothing and sends nothing.</p></footer>
<p id="said" class="unseen" role="status" aria-live="polite"></p>"""
    script = html.script("page.js", "correlations.js")
    return html.document(title, body, style=html.asset("page.css"), script=script, data={"texts": texts})


def _summary(evaluations: Sequence[Evaluation]) -> str:
    items = "".join(
        f"<div><dt>{escape(head)}</dt><dd>{escape(text)}</dd></div>" for head, text in findings(evaluations)
    )
    return f'<dl class="findings">{items}</dl>'


def _overview(columns: Sequence[tuple[Evaluation, MetricRanking]]) -> str:
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
        _column_names(columns),
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
        'includes 0. Choose a cell to look closer.</p><div class="wide">' + drawn + "</div>"
    )


def _tables(evaluations: Sequence[Evaluation], consistency: Table | None) -> str:
    parts = []
    for e in evaluations:
        if e.rankings:
            parts.append(f"<h3>{escape(relations.caption(e))}</h3>{_score_table(e)}")
            left = relations.leave_out_table(e)
            if left:
                parts.append(
                    '<p class="note">The same without the system that changes the coefficient most, and what knowing '
                    f"only the system would give:</p>{_html_table(left)}"
                )
    if consistency:
        parts.append(f"<h3>Consistency under errors</h3>{_html_table(consistency)}")
    copies = "".join(
        f'<button type="button" class="quiet" data-text="{key}">{name}</button>'
        for key, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV"))
    )
    signed = "".join(f"<li><code>{escape(s)}</code></li>" for s in relations.signatures(evaluations))
    if signed:
        parts.append(f'<h3>Signatures</h3><ul class="signatures">{signed}</ul>')
    return "".join(parts) + f'<p class="copies scripted">Copy all tables as {copies}</p>'


def _score_table(e: Evaluation) -> str:
    """Coefficients with letters and, below them, intervals."""
    heads = "".join(
        f'<th scope="col" class="number" aria-sort="none" data-better="1">'
        f'<button type="button">{escape(r.dimension or "rating")}</button></th>'
        for r in e.rankings
    )
    rows = []
    for k, metric in enumerate(e.metrics):
        cells = []
        for r in e.rankings:
            c = r.correlations[k]
            value = number(c.value, 3)
            shown = f"<strong>{value}</strong>" if len(e.metrics) > 1 and k == r.order()[0] else value
            letters = f' <span class="letters">{escape(r.letters[k])}</span>' if len(e.metrics) > 1 else ""
            interval = f"[{number(c.low)}, {number(c.high)}]" if math.isfinite(c.low) else ""
            key = f"{c.value:.12g}" if math.isfinite(c.value) else ""
            cells.append(
                f'<td class="number" data-value="{key}">{shown}{letters}<span class="interval">{interval}</span></td>'
            )
        arrow = " ↓" if e.rankings[0].correlations[k].higher_is_better is False else ""
        rows.append(f'<tr><th scope="row">{escape(metric)}{arrow}</th>{"".join(cells)}</tr>')
    notes = "".join(f'<p class="note">{escape(n)}</p>' for n in relations.table_notes(e))
    return (
        f'<div class="wide"><table class="scores"><thead><tr><th scope="col">metric</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{notes}"
    )


def _html_table(table: Table) -> str:
    sortable = any(c.value is not None for row in table.rows for c in row)
    heads = "".join(
        f'<th scope="col" class="number" aria-sort="none" data-better="1"><button type="button">{escape(h)}</button></th>'
        if sortable
        else f'<th scope="col" class="number">{escape(h)}</th>'
        for h in table.headings[1:]
    )
    rows = []
    for row in table.rows:
        cells = []
        for c in row[1:]:
            value = f"{c.value:.12g}" if isinstance(c.value, float) else ""
            text = f"<strong>{escape(c.text)}</strong>" if c.best else escape(c.text)
            cells.append(f'<td class="number" data-value="{value}">{text}</td>')
        rows.append(f'<tr><th scope="row">{escape(row[0].text)}</th>{"".join(cells)}</tr>')
    notes = "".join(f'<p class="note">{escape(n)}</p>' for n in table.notes)
    return (
        f'<div class="wide"><table><thead><tr><th scope="col">{escape(table.headings[0])}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{notes}"
    )


def _closer(columns: Sequence[tuple[Evaluation, MetricRanking]]) -> str:
    """One panel for each dimension and metric: scatter plot, leave-one-out, lengths."""
    if not columns:
        return ""
    metrics = list(dict.fromkeys(m for e, _ in columns for m in e.metrics))
    total = sum(len(r.correlations) for _, r in columns)
    most = max(100, POINTS // max(total, 1))
    panels = []
    for j, (e, r) in enumerate(columns):
        for c in r.correlations:
            heading = f"{c.metric} and {r.dimension or 'rating'} of {e.title}"
            drawn = _figures(e, r, c, most)
            key = f"{j} {metrics.index(c.metric)}"
            panels.append(
                f'<div class="panel" data-panel="{key}"><h3>{escape(heading)} '
                f'<span class="aside">{escape(relations.value_text(c))}</span></h3><div class="grid">{drawn}</div></div>'
            )
    ratings = [f"{e.title}: {r.dimension}" for e, r in columns]
    return f"""<p class="note">Scatter plot: each point is one output (or system), the line is the straight line of least
squares with its {columns[0][1].task.confidence:.0%} band from resampled source texts. Without one system: the coefficient when all its outputs are
left out. Lengths: the coefficient among source texts of about the same length.</p>
<div class="controls scripted">{select("of-rating", "Rated", ratings)}{select("of-metric", "Metric", metrics)}</div>
{"".join(panels)}"""


def _figures(e: Evaluation, r: MetricRanking, c: Correlation, most: int) -> str:
    if c.reason:
        return f'<p class="notice">Undefined: {escape(c.reason)}.</p>'
    parts = []
    if c.rows is not None:
        parts.append(_figure(_scatter(r, c, most), "Scores and ratings"))
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
    return "".join(parts)


def _scatter(r: MetricRanking, c: Correlation, most: int) -> str:
    rows = c.rows
    assert rows is not None
    x, y, unit = rows.x, rows.y, rows.unit
    xs = np.linspace(x.min(), x.max(), 25)
    line, low, high = _fit(x, y, unit, xs, r.task.confidence)
    taken = np.arange(len(x))
    if len(x) > most:
        taken = np.linspace(0, len(x) - 1, most).astype(np.int64)
    labels = [c.names[i] for i in rows.system] if r.task.level == "system" else None
    partly = "" if len(taken) == len(x) else f" {len(taken):,} of {len(x):,} points are drawn."
    return plots.scatter(
        x[taken],
        y[taken],
        labels=labels,
        trend=(xs, line),
        band=(xs, low, high),
        title=f"{c.metric} and {c.dimension}",
        description=f"{c}.{partly}",
        x_label=c.metric,
        y_label=c.dimension or "rating",
        width=plots.WIDTH,
        height=280,
    )


def _fit(
    x: Floats, y: Floats, unit: np.ndarray[tuple[int], np.dtype[np.int64]], xs: Floats, level: float
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


def _orders(columns: Sequence[tuple[Evaluation, MetricRanking]]) -> str:
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
        f'Lines that cross are disagreements.</p><div class="grid broad">{"".join(parts)}</div>'
    )


def _raters(evaluations: Sequence[Evaluation]) -> str:
    """Agreement of raters with each other: means, and a matrix where they are few."""
    parts = []
    for e in evaluations:
        rows = []
        for d, a in e.agreements.items():
            cells = [
                _measure(a.mean("absolute")),
                _measure(a.mean("kappa")),
                _measure(a.mean("spearman")),
                _measure(a.alpha),
            ]
            rows.append(
                f'<tr><th scope="row">{escape(d or "rating")}</th><td class="number">{len(a.raters)}</td>'
                + "".join(f'<td class="number">{c}</td>' for c in cells)
                + "</tr>"
            )
        if not rows:
            continue
        heads = "".join(
            f'<th scope="col" class="number">{h}</th>'
            for h in ("raters", "equal", "kappa", "Spearman", "alpha")
        )
        matrices = "".join(_matrix(d, a) for d, a in e.agreements.items() if 3 <= len(a.raters) <= MATRIX)
        parts.append(
            f'<h3>{escape(e.title)}</h3><div class="wide"><table><thead><tr><th scope="col">rated</th>{heads}</tr></thead>'
            f'<tbody>{"".join(rows)}</tbody></table></div><div class="grid">{matrices}</div>'
        )
    if not parts:
        return ""
    return (
        '<p class="note">Raters against each other: means over pairs of raters of the share of equal ratings, Cohen\'s '
        "kappa with quadratic weights and Spearman's rho; Krippendorff's alpha (interval) over all. A metric cannot be "
        "expected to agree with people more than they do.</p>" + "".join(parts)
    )


def _matrix(dimension: str, found: object) -> str:
    from ..meta.agreement import Agreement

    assert isinstance(found, Agreement)
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


def _notes(evaluations: Sequence[Evaluation]) -> str:
    parts = []
    for e in evaluations:
        tasks = list(dict.fromkeys(r.task.spec for r in e.rankings))
        items = [*e.notes, *(f"Task: {t}" for t in tasks if t)]
        if items:
            listed = "".join(f"<li>{escape(n)}</li>" for n in items)
            parts.append(f"<h3>{escape(e.title)}</h3><ul>{listed}</ul>")
    return "".join(parts)


def _figure(drawn: str, caption: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{drawn}</figure>"


def _column_names(columns: Sequence[tuple[Evaluation, MetricRanking]]) -> list[str]:
    """What was rated; with the data set where several have it."""
    rated = [r.dimension or "rating" for _, r in columns]
    return [
        name if rated.count(name) == 1 else f"{e.name.partition('(')[0] or e.title} {name}"
        for name, (e, _) in zip(rated, columns, strict=True)
    ]


def _measure(value: float) -> str:
    return number(value)


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
