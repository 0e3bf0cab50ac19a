"""The results of a study as one self-contained HTML page: findings, tables with intervals, plots, people and flags."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..metric import Floats
from ..study.analysis.analyse import Analysis
from ..study.analysis.comprehension import Comprehension
from ..table import Cell, Table
from . import html
from .formatting import count, today
from .study_effects import (
    CHECKS,
    DIFFERENCES,
    EXCLUDED,
    EXCLUDED_PEOPLE,
    ITEMS,
    QUESTIONS,
    SUBGROUPS,
    SURVEYS,
    TIMES,
    answers_first,
)
from .study_sessions import RETURNS, SESSIONS
from .study_tables import METRICS, MODEL, MODEL_QUESTIONS, STABILITY, SUPPORT, UNANSWERED, UNDERSTOOD, tables
from .svg import plots
from .svg.axes import figure, label_width, row_label
from .svg.elements import Element, element, group
from .svg.plots import Interval, Series

MOST_FLAGS = 200  # that the page lists

# How the navigation calls sections whose headings are sentences.
_SHORT = {
    UNDERSTOOD: "Understood",
    STABILITY: "Ranking",
    UNANSWERED: "Unanswerable",
    SUPPORT: "Support",
    METRICS: "Metrics",
    MODEL: "Model",
    MODEL_QUESTIONS: "Model by question",
    DIFFERENCES: "Differences",
    EXCLUDED: "Excluded",
    EXCLUDED_PEOPLE: "Excluded people",
    ITEMS: "Items",
    QUESTIONS: "Questions",
    SUBGROUPS: "Subgroups",
    CHECKS: "Design",
    TIMES: "Times",
    SURVEYS: "Survey",
    "In short": "Summary",
    "How this was made": "Method",
    SESSIONS: "Sessions",
    RETURNS: "Coming back",
}


@dataclass(frozen=True)
class StudySection:
    """A table with its heading and the drawings above it."""

    key: str
    heading: str
    table: Table
    drawings: Sequence[Element]


def render(
    analysis: Analysis,
    *,
    people: Mapping[str, int] | None = None,
    figures: Mapping[str, float | None] | None = None,
    flags: Sequence[tuple[str, str, str]] = (),
    date: datetime.date | None = None,
) -> str:
    """The page as text; `people` by outcome, `figures` of the store and `flags` (participant, kind, detail) if known."""
    definition = analysis.study.definition
    drawings = _drawings(analysis)
    parts = [
        StudySection(f"part-{i}", heading, table, drawings.get(heading, []))
        for i, (heading, table) in enumerate(tables(analysis))
    ]
    participants = _participants(people or {}, figures or {}, flags)
    sections = [("summary", "In short"), *((p.key, p.heading) for p in parts)]
    sections += [("people", "People")] if participants else []
    sections.append(("method", "How this was made"))
    texts = {
        "markdown": "\n".join(f"{p.heading}\n\n{p.table.markdown()}" for p in parts),
        "latex": "\n".join(p.table.latex() for p in parts),
        "csv": "\n".join(p.table.csv() for p in parts),
    }
    return html.page(
        "study.html",
        title=definition.title,
        data={"texts": texts},
        date=date or today(),
        lede=_lede(analysis, bool(people)),
        links=[(key, _SHORT.get(name, name.partition(": ")[2] or name)) for key, name in sections],
        findings=_findings(analysis),
        parts=parts,
        unanswered=UNANSWERED,
        participants=participants,
        method=_method(analysis),
        origin=f" from study {definition.id}, revision {analysis.study.digest[:12]}",
    )


def _lede(analysis: Analysis, people: bool) -> str:
    definition = analysis.study.definition
    raters = f" of {len({r.rater for r in analysis.responses}):,} people" if people else ""
    pilot = " A pilot: do not report it." if definition.mode == "pilot" else ""
    return (
        f"{len(analysis.responses):,} answers{raters} to {count(len(analysis.study.items), 'item')} in "
        f"{count(len(definition.conditions), 'condition')}.{pilot}"
    )


def _findings(analysis: Analysis) -> list[tuple[str, str]]:
    """What a reader should know first: headings and sentences."""
    items: list[tuple[str, str]] = [("Note", n) for n in analysis.notes if "definition changed" in n]
    items += answers_first(analysis)
    read = analysis.comprehension
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
    if analysis.stability and len(analysis.stability.sizes) > 1:
        s = analysis.stability
        size, mean, fifth = s.sizes[-2], s.mean[-2], s.fifth[-2]
        items.append(
            (
                "Sample size",
                f"With {size} passages the ranking agrees with the full one at rho {mean:.2f} (5th percentile {fifth:.2f}).",
            )
        )
    agreed = analysis.answer_agreement
    if agreed and agreed.pairs:
        chance = "undefined" if math.isnan(agreed.kappa_right) else f"{agreed.kappa_right:.2f}"
        items.append(
            (
                "Agreement",
                f"Two people answered the same {agreed.pairs} questions about the same text; {100 * agreed.choice:.0f}% alike,"
                f" kappa of right and wrong {chance}{' (few pairs)' if agreed.pairs < 30 else ''}.",
            )
        )
    scores = {s.id for s in analysis.study.definition.scores}
    for m in [m for m in analysis.means if m.dimension in scores or not scores][:8]:
        top, bottom = m.order()[0], m.order()[-1]
        words = f"{m.systems[top]} {m.values[top]:.2f} to {m.systems[bottom]} {m.values[bottom]:.2f}"
        shared = set(m.letters[top]) & set(m.letters[bottom])
        items.append(
            (m.dimension, f"{words}; the two {'do not differ' if shared else 'differ'} significantly.")
        )
    for dimension, won in analysis.preferences.items():
        overall = np.nansum(np.where(won.pairs > 0, won.shares * won.pairs, 0), axis=1) / np.maximum(
            won.pairs.sum(axis=1), 1
        )
        top = int(np.argmax(overall))
        items.append(
            (dimension, f"{won.systems[top]} is preferred in {100 * overall[top]:.0f}% of its pairs.")
        )
    for r in analysis.rewritten:
        each = f"at least {r.fewest} for each sentence" if r.fewest else "some sentences have none yet"
        items.append(
            (r.question, f"{r.rewritings} rewritings of {r.sources} sentences by {r.people} people; {each}.")
        )
    return [*items, *(("Note", n) for n in analysis.notes if "definition changed" not in n)]


def _drawings(analysis: Analysis) -> dict[str, list[Element]]:
    """Drawings by the heading of the table that they stand above."""
    drawings: dict[str, list[Element]] = {}
    read = analysis.comprehension
    if analysis.effects:
        ratios = [(d, d.contrast.odds_ratio) for d in analysis.effects.differences]
        known = [Interval(f"{d.other}", *r, d.significant()) for d, r in ratios if math.isfinite(r[0])]
        if known:
            drawings[DIFFERENCES] = [
                plots.dot_intervals(
                    known,
                    title="Odds ratios of a right answer",
                    description="; ".join(f"{i.label} {i.value:.2f}" for i in known),
                    label="odds ratio",
                    ratios=True,
                )
            ]
    if read:
        order = sorted(range(len(read.systems)), key=lambda i: read.ranks[i])
        drawings[UNDERSTOOD] = [
            plots.dot_intervals(
                [_dot(read.systems[i], v[i], w[i], read.ranks[i] == 1) for i in order],
                title=name,
                description="; ".join(f"{read.systems[i]} {v[i]:.1f}" for i in order),
                label=name,
                digits=1,
            )
            for name, v, w in (
                ("Right answers, percent", read.accuracy, read.accuracy_interval),
                ("Answerable, percent", read.answerability, read.answerability_interval),
            )
        ]
        drawings[UNANSWERED] = [_unanswerable(read)]
    if s := analysis.stability:
        drawings[STABILITY] = [
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
    if analysis.support:
        curves = analysis.support.curves
        drawings[SUPPORT] = [
            plots.lines(
                [
                    Series(
                        name.replace("Support", "").replace(" ", ""),
                        *_thinned(curve.false_rate, curve.true_rate),
                    )
                    for name, curve in curves.items()
                ],
                title="Unanswerable questions told by little overlap with the text",
                description="; ".join(f"{n}: area {c.area:.3f}" for n, c in curves.items()),
                x_label="false positive rate",
                y_label="true positive rate",
            )
        ]
    for means in analysis.means:
        order = means.order()
        drawings[f"Rated: {means.dimension}"] = [
            plots.dot_intervals(
                [_dot(means.systems[i], means.values[i], means.intervals[i]) for i in order],
                title=f"Mean {means.dimension}",
                description="; ".join(f"{means.systems[i]} {means.values[i]:.2f}" for i in order),
                label=means.dimension,
            )
        ]
    return drawings


def _dot(name: str, value: float, interval: Floats, strong: bool = False) -> Interval:
    return Interval(name, float(value), float(interval[0]), float(interval[1]), strong)


def _unanswerable(read: Comprehension) -> Element:
    """One small square for each passage and system, darker the more of its questions were marked UA."""
    order = np.argsort(read.unanswerable.sum(axis=1), kind="stable")
    columns = np.argsort(-read.unanswerable.sum(axis=0), kind="stable")
    cell, left = 13, label_width(read.systems) + 8
    squares, names = [], []
    for y, i in enumerate(order):
        names.append(row_label(read.systems[i], left - 8, y * (cell + 3) + cell / 2 + 4))
        for x, j in enumerate(columns):
            answered, marked = read.counts[i, j], read.unanswerable[i, j]
            described = f"{read.items[j]}: no answers"
            kind, shade = "empty", None
            if answered:
                described = f"{read.systems[i]}, {read.items[j]}: {marked:.0f} of {answered:.0f}"
                kind, shade = "negative", f"{0.06 + 0.84 * marked / answered:.2f}"
            squares.append(
                element(
                    "rect",
                    element("title", described),
                    class_=kind,
                    fill_opacity=shade,
                    x=left + x * (cell + 1),
                    y=4 + y * (cell + 3),
                    width=cell,
                    height=cell,
                    rx=2,
                )
            )
    counted = [f"{read.systems[i]}: {read.unanswerable[i].sum():.0f} questions" for i in order]
    return figure(
        left + len(columns) * (cell + 1) + 4,
        8 + len(order) * (cell + 3),
        [*names, group(squares, class_="cell")],
        title="Questions marked as unanswerable: a column for each passage, those with the most marks first",
        description="; ".join(counted),
        kind="heat",
    )


def _thinned(x: Floats, y: Floats, count: int = 24) -> tuple[Floats, Floats]:
    """A curve at few points, its ends among them: markers at every step would hide it."""
    keep = np.unique(np.linspace(0, len(x) - 1, min(count, len(x))).astype(int))
    return x[keep], y[keep]


def _participants(
    people: Mapping[str, int], figures: Mapping[str, float | None], flags: Sequence[tuple[str, str, str]]
) -> list[tuple[str, Table]]:
    """Tables about the people who took part, with headings that may be empty."""
    participants = []
    if people:
        rows = [[Cell(k.replace("_", " ")), Cell(f"{n:,}", float(n))] for k, n in people.items() if n]
        participants.append(("", Table(["outcome", "people"], rows)))
    known = {k: v for k, v in figures.items() if v is not None}
    if known:
        rows = [[Cell(k), Cell(f"{v:,.1f}" if v % 1 else f"{v:,.0f}", float(v))] for k, v in known.items()]
        participants.append(("", Table(["", "value"], rows)))
    if flags:
        rows = [[Cell(str(number)), Cell(kind), Cell(detail)] for number, kind, detail in flags[:MOST_FLAGS]]
        more = [f"{len(flags) - MOST_FLAGS} more are left out."] if len(flags) > MOST_FLAGS else []
        table = Table(["participant", "flag", "what"], rows, more, text_columns=(0, 1, 2))
        participants.append(("Flags: look at these people's answers", table))
    return participants


def _method(analysis: Analysis) -> list[str]:
    definition = analysis.study.definition
    design = definition.design
    return [
        f"Design: {design.kind}, {definition.per_participant} items for each person, {design.replicates} for each item and condition"
        f"{f', {design.overlap} items once more for agreement' if design.overlap else ''}; no person saw an item twice.",
        f"Only answers of mode {analysis.study.definition.mode} are counted; late answers, answers of people whose work was rejected"
        " and answers to questions that were not to be asked are kept in the export and not counted.",
        "Intervals of means and shares are percentiles of resampled items; those of differences are described below their table.",
    ]
