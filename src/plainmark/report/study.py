"""What a study found, as one self-contained HTML page: findings, tables with intervals, plots, people and flags."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..metric import Floats, __version__
from ..study.analysis import Analysis
from ..study.comprehension import Comprehension
from ..table import Cell, Table
from . import html, plots
from .axes import at, figure, label_width, row_label
from .html import escape
from .plots import Interval, Series
from .study_tables import METRICS, MODEL, STABILITY, SUPPORT, UNANSWERED, UNDERSTOOD, tables

# How the navigation calls sections whose headings are sentences.
_SHORT = {
    UNDERSTOOD: "Understood",
    STABILITY: "Ranking",
    UNANSWERED: "Unanswerable",
    SUPPORT: "Support",
    METRICS: "Metrics",
    MODEL: "Model",
    "In short": "Summary",
    "How this was made": "Method",
}


def render(
    found: Analysis,
    *,
    people: Mapping[str, int] | None = None,
    figures: Mapping[str, float | None] | None = None,
    flags: Sequence[tuple[int, str, str]] = (),
    date: datetime.date | None = None,
) -> str:
    """The page as text; `people` by outcome, `figures` of the store and `flags` (participant, kind, detail) if known."""
    definition = found.study.definition
    date = date or datetime.datetime.now(tz=datetime.UTC).astimezone().date()
    drawn = _plots(found)
    sections = [("summary", "In short", _findings(found))]
    for number, (heading, table) in enumerate(tables(found)):
        sections.append((f"part-{number}", heading, drawn.get(heading, "") + table.html()))
    sections.append(("people", "People", _people(people or {}, figures or {}, flags)))
    sections.append(("method", "How this was made", _method(found)))
    links = "".join(
        f'<li><a href="#{key}">{escape(_SHORT.get(name, name.partition(": ")[2] or name))}</a></li>'
        for key, name, body in sections
        if body
    )
    texts = {
        "markdown": "\n".join(f"{name}\n\n{t.markdown()}" for name, t in tables(found)),
        "latex": "\n".join(t.latex() for _, t in tables(found)),
        "csv": "\n".join(t.csv() for _, t in tables(found)),
    }
    pilot = " A pilot: do not report it." if definition.mode == "pilot" else ""
    lede = (
        f"{len(found.responses):,} answers{f' of {len({r.rater for r in found.responses}):,} people' if people else ''} to {_counted(len(found.study.items), 'item')}"
        f" in {_counted(len(definition.conditions), 'condition')}.{pilot}"
    )
    copies = "".join(
        f'<button type="button" class="quiet" data-text="{key}">{name}</button>'
        for key, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV"))
    )
    body = f"""<a class="skip" href="#part-0">Skip to the tables</a>
<header class="masthead">
<p class="eyebrow">plainmark study <span aria-hidden="true">·</span> <time datetime="{date.isoformat()}">{date.day} {date:%B %Y}</time></p>
<h1>{escape(definition.title)}</h1>
<p class="lede">{escape(lede)}</p>
<nav aria-label="Sections"><ul>{links}</ul>
<button type="button" id="theme" class="quiet">Theme: auto</button></nav>
</header>
<main>{"".join(f'<section id="{k}"><h2>{escape(n)}</h2>{b}</section>' for k, n, b in sections if b)}
<p class="copies scripted">Copy all tables as {copies}</p></main>
<footer><p class="note">Made by plainmark {escape(__version__)} from study {escape(definition.id)}, revision {found.study.digest[:12]}.
This file is complete: it loads nothing and sends nothing.</p></footer>
<p id="said" class="unseen" role="status" aria-live="polite"></p>"""
    return html.document(
        definition.title,
        body,
        style=html.asset("page.css"),
        script=html.script("page.js"),
        data={"texts": texts},
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _findings(found: Analysis) -> str:
    items: list[tuple[str, str]] = []
    read = found.comprehension
    if read:
        best = [s for s, r in zip(read.systems, read.ranks, strict=True) if r == 1]
        low = int(np.argmin(read.accuracy))
        items.append(
            (
                "Understood",
                f"{' and '.join(best)} best: {read.accuracy.max():.1f}% of questions answered right;"
                f" {read.systems[low]} least: {read.accuracy[low]:.1f}%.",
            )
        )
        first = read.letters[int(np.argmax(read.accuracy))]
        alike = [s for s, mark in zip(read.systems, read.letters, strict=True) if set(mark) & set(first)]
        items.append(
            (
                "Differences",
                f"{len(alike) - 1} of the other {len(read.systems) - 1} do not differ significantly from the best with these answers."
                if len(alike) > 1
                else "The best differs significantly from all others.",
            )
        )
        lost = int(np.argmin(read.answerability))
        items.append(
            (
                "Lost content",
                f"Readers of {read.systems[lost]} marked {100 - read.answerability[lost]:.1f}% of questions as not answered by"
                f" the text; of the most complete version {100 - read.answerability.max():.1f}%.",
            )
        )
    if found.stability and len(found.stability.sizes) > 1:
        s = found.stability
        size, mean, fifth = s.sizes[-2], s.mean[-2], s.fifth[-2]
        items.append(
            (
                "Sample size",
                f"With {size} passages the ranking agrees with the full one at rho {mean:.2f} (5th percentile {fifth:.2f}).",
            )
        )
    agreed = found.answer_agreement
    if agreed and agreed.pairs:
        chance = "undefined" if math.isnan(agreed.kappa_right) else f"{agreed.kappa_right:.2f}"
        items.append(
            (
                "Agreement",
                f"Two people answered the same {agreed.pairs} questions about the same text; {100 * agreed.choice:.0f}% alike,"
                f" kappa of right and wrong {chance}{' (few pairs)' if agreed.pairs < 30 else ''}.",
            )
        )
    scores = {s.id for s in found.study.definition.scores}
    for m in [m for m in found.means if m.dimension in scores or not scores][:8]:
        top, bottom = m.order()[0], m.order()[-1]
        words = f"{m.systems[top]} {m.values[top]:.2f} to {m.systems[bottom]} {m.values[bottom]:.2f}"
        shared = set(m.letters[top]) & set(m.letters[bottom])
        items.append(
            (m.dimension, f"{words}; the two {'do not differ' if shared else 'differ'} significantly.")
        )
    for dimension, won in found.preferences.items():
        overall = np.nansum(np.where(won.pairs > 0, won.shares * won.pairs, 0), axis=1) / np.maximum(
            won.pairs.sum(axis=1), 1
        )
        top = int(np.argmax(overall))
        items.append(
            (dimension, f"{won.systems[top]} is preferred in {100 * overall[top]:.0f}% of its pairs.")
        )
    for r in found.rewritten:
        each = f"at least {r.fewest} for each sentence" if r.fewest else "some sentences have none yet"
        items.append(
            (r.question, f"{r.rewritings} rewritings of {r.sources} sentences by {r.people} people; {each}.")
        )
    items += [("Note", note) for note in found.notes]
    rows = "".join(f"<div><dt>{escape(h)}</dt><dd>{escape(t)}</dd></div>" for h, t in items)
    return f'<dl class="findings">{rows}</dl>'


def _plots(found: Analysis) -> dict[str, str]:
    """Plots by the heading of the table that they stand above."""
    out: dict[str, str] = {}
    read = found.comprehension
    if read:
        order = sorted(range(len(read.systems)), key=lambda i: read.ranks[i])
        both = [
            ("Right answers, percent", read.accuracy, read.accuracy_interval),
            ("Answerable, percent", read.answerability, read.answerability_interval),
        ]
        out[UNDERSTOOD] = _side_by_side(
            plots.dot_intervals(
                [_dot(read.systems[i], v[i], w[i], read.ranks[i] == 1) for i in order],
                title=name,
                description="; ".join(f"{read.systems[i]} {v[i]:.1f}" for i in order),
                label=name,
                digits=1,
            )
            for name, v, w in both
        )
        out[UNANSWERED] = f'<div class="wide">{_marks(read)}</div>'
    if found.stability:
        s = found.stability
        out[STABILITY] = _side_by_side(
            [
                plots.lines(
                    [Series("mean", s.sizes, s.mean), Series("5th percentile", s.sizes, s.fifth)],
                    title="Agreement of rankings from fewer passages with the full ranking",
                    description="; ".join(
                        f"{k} passages {m:.2f}, 5th percentile {f:.2f}"
                        for k, m, f in zip(s.sizes, s.mean, s.fifth, strict=True)
                    ),
                    x_label="passages",
                    y_label="Spearman's rho",
                )
            ]
        )
    if found.support:
        out[SUPPORT] = _side_by_side(
            [
                plots.lines(
                    [
                        Series(
                            name.replace("Support", "").replace(" ", ""),
                            *_thinned(curve.false_rate, curve.true_rate),
                        )
                        for name, curve in found.support.curves.items()
                    ],
                    title="Unanswerable questions told by little overlap with the text",
                    description="; ".join(f"{n}: area {c.area:.3f}" for n, c in found.support.curves.items()),
                    x_label="false positive rate",
                    y_label="true positive rate",
                )
            ]
        )
    for m in found.means:
        order = m.order()
        out[f"Rated: {m.dimension}"] = _side_by_side(
            [
                plots.dot_intervals(
                    [_dot(m.systems[i], m.values[i], m.intervals[i]) for i in order],
                    title=f"Mean {m.dimension}",
                    description="; ".join(f"{m.systems[i]} {m.values[i]:.2f}" for i in order),
                    label=m.dimension,
                )
            ]
        )
    return out


def _dot(name: str, value: float, interval: Floats, strong: bool = False) -> Interval:
    return Interval(name, float(value), float(interval[0]), float(interval[1]), strong)


def _marks(read: Comprehension) -> str:
    """One small square for each passage and system, darker the more of its questions were marked UA."""
    order = np.argsort(read.unanswerable.sum(axis=1), kind="stable")
    columns = np.argsort(-read.unanswerable.sum(axis=0), kind="stable")
    cell, left = 13, label_width(read.systems) + 8
    parts, names = [], []
    for y, i in enumerate(order):
        names.append(row_label(read.systems[i], left - 8, y * (cell + 3) + cell / 2 + 4))
        for x, j in enumerate(columns):
            asked, marked = read.counts[i, j], read.unanswerable[i, j]
            box = f'x="{at(left + x * (cell + 1))}" y="{at(4 + y * (cell + 3))}" width="{cell}" height="{cell}" rx="2"'
            if not asked:
                parts.append(
                    f'<rect class="empty" {box}><title>{escape(read.items[j])}: no answers</title></rect>'
                )
                continue
            said = f"{read.systems[i]}, {read.items[j]}: {marked:.0f} of {asked:.0f}"
            shade = 0.06 + 0.84 * marked / asked
            parts.append(
                f'<rect class="negative" fill-opacity="{shade:.2f}" {box}><title>{escape(said)}</title></rect>'
            )
    width = left + len(columns) * (cell + 1) + 4
    described = "; ".join(f"{read.systems[i]}: {read.unanswerable[i].sum():.0f} questions" for i in order)
    return figure(
        width,
        8 + len(order) * (cell + 3),
        f'{"".join(names)}<g class="cell">{"".join(parts)}</g>',
        title="Questions marked as unanswerable: a column for each passage, those with the most marks first",
        description=described,
        kind="heat",
    )


def _thinned(x: Floats, y: Floats, count: int = 24) -> tuple[Floats, Floats]:
    """A curve at few points, its ends among them: markers at every step would hide it."""
    keep = np.unique(np.linspace(0, len(x) - 1, min(count, len(x))).astype(int))
    return x[keep], y[keep]


def _side_by_side(drawn: Iterable[str]) -> str:
    return f'<div class="grid">{"".join(drawn)}</div>'


def _people(
    people: Mapping[str, int], figures: Mapping[str, float | None], flags: Sequence[tuple[int, str, str]]
) -> str:
    parts = []
    if people:
        rows = [[Cell(k.replace("_", " ")), Cell(f"{n:,}", float(n))] for k, n in people.items() if n]
        parts.append(Table(["outcome", "people"], rows).html())
    known = {k: v for k, v in figures.items() if v is not None}
    if known:
        rows = [[Cell(k), Cell(f"{v:,.1f}" if v % 1 else f"{v:,.0f}", float(v))] for k, v in known.items()]
        parts.append(Table(["", "value"], rows).html())
    if flags:
        rows = [[Cell(str(who)), Cell(kind), Cell(detail)] for who, kind, detail in flags[:200]]
        more = [f"{len(flags) - 200} more are left out."] if len(flags) > 200 else []
        parts.append("<h3>Flags: look at these people's answers</h3>")
        parts.append(Table(["participant", "flag", "what"], rows, more).html())
    return "".join(parts)


def _method(found: Analysis) -> str:
    design = found.study.definition.design
    lines = [
        f"Design: {design.kind}, {design.per_participant} items for each person, {design.replicates} for each item and condition"
        f"{f', {design.overlap} items once more for agreement' if design.overlap else ''}; no person saw an item twice.",
        f"Only answers of mode {found.study.definition.mode} are counted; late answers, answers of people whose work was rejected"
        " and answers to questions that were not to be asked are kept in the export and not counted.",
        "Intervals are 95% percentile intervals of 10,000 resamples of items (seed 0).",
    ]
    return "".join(f"<p>{escape(line)}</p>" for line in lines)
