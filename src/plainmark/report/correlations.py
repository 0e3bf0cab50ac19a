"""Metrics against people as one self-contained HTML page: findings, tables, heat map, scatter plots, orders of systems."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence

from ..errors import InputError
from ..meta.comparison import MetricRanking
from ..meta.evaluation import Evaluation
from ..metric import __version__
from ..table import Table
from . import correlation_figures, html, relations
from .axes import number
from .html import escape, select
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
        ("overview", "Overview", correlation_figures.overview(columns)),
        ("tables", "Tables", _tables(evaluations, consistency)),
        ("closer", "Closer look", _closer(columns)),
        ("orders", "Orders of systems", correlation_figures.orders(columns)),
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


def _tables(evaluations: Sequence[Evaluation], consistency: Table | None) -> str:
    parts = []
    for e in evaluations:
        if e.rankings:
            parts.append(f"<h3>{escape(relations.caption(e))}</h3>{_score_table(e)}")
            left = relations.leave_out_table(e)
            if left:
                parts.append(
                    '<p class="note">The same without the system that changes the coefficient most, and what knowing '
                    f"only the system would give:</p>{left.html()}"
                )
    if consistency:
        parts.append(f"<h3>Consistency under errors</h3>{consistency.html()}")
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
            drawn = correlation_figures.figures_of(e, r, c, most)
            key = f"{j} {metrics.index(c.metric)}"
            panels.append(
                f'<div class="panel" data-panel="{key}"><h3>{escape(heading)} '
                f'<span class="aside">{escape(relations.value_text(c))}</span></h3><div class="grid">{drawn}</div></div>'
            )
    ratings = [f"{e.title}: {r.dimension}" for e, r in columns]
    return f"""<p class="note">Scatter plot: each point is one output (or system), the line is the straight line of least
squares with its {columns[0][1].task.confidence:.0%} band from resampled source texts (or systems). Without one system: the coefficient when all its outputs are
left out. Lengths: the coefficient among source texts of about the same length.</p>
<div class="controls scripted">{select("of-rating", "Rated", ratings)}{select("of-metric", "Metric", metrics)}</div>
{"".join(panels)}"""


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
        matrices = "".join(
            correlation_figures.rater_matrix(d, a)
            for d, a in e.agreements.items()
            if 3 <= len(a.raters) <= MATRIX
        )
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


def _notes(evaluations: Sequence[Evaluation]) -> str:
    parts = []
    for e in evaluations:
        tasks = list(dict.fromkeys(r.task.spec for r in e.rankings))
        items = [*e.notes, *(f"Task: {t}" for t in tasks if t)]
        if items:
            listed = "".join(f"<li>{escape(n)}</li>" for n in items)
            parts.append(f"<h3>{escape(e.title)}</h3><ul>{listed}</ul>")
    return "".join(parts)


def _measure(value: float) -> str:
    return number(value)


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
