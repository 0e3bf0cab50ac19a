"""A comparison of systems as one self-contained HTML page: summary, scores, plots, and every sample with its edits."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..data import Corpus
from ..errors import InputError
from ..significance import Comparison
from ..table import Cell, Table
from . import figures, groups, html
from .formatting import ScoreCell, count, digits, label, names, number, score_cell, today
from .quality import worst
from .samples import OutputFacts, choose, output_facts, payload
from .summary import findings

LIMIT = 5000  # samples on a page
TESTS = {"bootstrap": "paired bootstrap", "randomisation": "approximate randomisation"}
DIRECTIONS = {True: 1, False: -1, None: 0}
MEANINGS = {True: "higher is better", False: "lower is better", None: ""}


def render(
    comparisons: Sequence[Comparison],
    corpora: Sequence[Corpus],
    *,
    title: str = "",
    files: Mapping[str, str] | None = None,
    cautions: Sequence[str] = (),
    date: datetime.date | None = None,
    limit: int = LIMIT,
    rng: np.random.Generator | int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """The page as text.

    `comparisons` has one entry per metric and `corpora` one per system, in the same order; `files` names the file of each
    side; `cautions` are warnings to read before the scores; if there are more than `limit` samples, the page shows the most
    informative ones.
    """
    _check(comparisons, corpora, limit)
    systems = comparisons[0].systems
    several = len(systems) > 1
    facts = output_facts(corpora)
    shown, random = choose(comparisons, limit, np.random.default_rng(rng))
    drawn = figures.drawn_points(comparisons, facts, random)
    pairs = [figures.PairDifferences.of(c) for c in comparisons] if several else []
    table = score_table(comparisons)
    data = {
        "systems": systems,
        "metrics": [
            {
                "name": label(c.metric),
                "better": DIRECTIONS[c.metric.higher_is_better],
                "digits": digits(c.metric),
            }
            for c in comparisons
        ],
        "pairs": [p.as_data(c) for p, c in zip(pairs, comparisons, strict=bool(pairs))],
        "order": [c.order() for c in comparisons],
        "texts": {"markdown": table.markdown(), "latex": table.latex(), "csv": long_table(comparisons).csv()},
        "drawn": np.searchsorted(shown, drawn).tolist(),
        **payload(comparisons, corpora, facts, shown, progress),
    }
    lowest, documents = worst(comparisons, corpora), groups.worst(comparisons, corpora)
    links = ["summary", "scores", "plots", *(["pairs"] if several else []), "relations"]
    links += [*(["quality"] if lowest else []), *(["groups"] if documents else []), "samples"]
    return html.page(
        "report.html",
        title=title or ("Text simplification, compared" if several else f"{systems[0]}: scores and samples"),
        styles=("page.css", *(["quality.css"] if lowest else []), *(["groups.css"] if documents else [])),
        scripts=("page.js", "figures.js", "samples.js"),
        data=data,
        date=date or today(),
        lede=_lede(comparisons, corpora),
        links=[(key, key.capitalize()) for key in links],
        files=list((files or {}).items()),
        findings=findings(comparisons, facts, cautions=bool(cautions)),
        cautions=cautions,
        first=comparisons[0],
        order=comparisons[0].order(),
        several=several,
        metrics=[label(c.metric) for c in comparisons],
        columns=[_column(c) for c in comparisons],
        notes=" ".join(_notes(comparisons)),
        signatures=_signatures(comparisons),
        shape=_shape(comparisons[0].order(), facts),
        source_words=None if facts.source_words is None else facts.source_words.mean(),
        intervals=figures.interval_figures(comparisons),
        distributions=figures.distribution_figures(comparisons),
        trade_offs=[figures.trade_off_figure(comparisons[0], c) for c in comparisons[1:]] if several else [],
        pairs=[figures.pair_panel(c, p) for c, p in zip(comparisons, pairs, strict=bool(pairs))],
        covariates=figures.covariates(facts),
        relations=list(figures.scatter_panels(comparisons, facts, drawn)),
        drawn=len(drawn),
        outputs=lowest,
        documents=documents,
        samples=len(corpora[0]),
        carried=len(shown),
        has_sources=corpora[0].sources is not None,
    )


def _check(comparisons: Sequence[Comparison], corpora: Sequence[Corpus], limit: int) -> None:
    if not comparisons or not corpora:
        raise InputError("nothing to report: expected at least one metric and one system.")
    for c in comparisons:
        if c.samples.shape != (len(corpora), len(corpora[0])):
            raise InputError(
                f"{c.metric.spec}: compared {c.samples.shape[0]} systems on {c.samples.shape[1]} samples, "
                f"but {len(corpora)} corpora of {len(corpora[0])} samples are given."
            )
    if limit < 1:
        raise InputError(f"limit: {limit} given, expected at least 1 sample.")


def score_table(comparisons: Sequence[Comparison]) -> Table:
    """Scores with intervals and letters, one row per system, in the order of the first metric."""
    order = comparisons[0].order()
    headings = ["system"]
    rows = [[Cell(comparisons[0].systems[i])] for i in order]
    for c in comparisons:
        headings.append(figures.heading(c))
        partly_defined = _partly_defined(c)
        if partly_defined:
            headings.append("defined")
        for row, i in zip(rows, order, strict=True):
            s = _score(c, i)
            text = f"{s.text} {s.interval}".strip()
            row.append(Cell(text, c.scores[i].value, s.best, s.letters or ""))
            if partly_defined:
                row.append(Cell(c.scores[i].extent, c.scores[i].defined))
    signatures = {label(c.metric): c.scores[0].signature for c in comparisons}
    samples = count(comparisons[0].samples.shape[1], "sample")
    first = comparisons[0]
    note = f"In brackets the {first.level:.0%} bootstrap interval ({first.resamples:,} resamples)"
    if len(first.systems) > 1:
        note += (
            f"; systems that share a letter do not differ significantly ({TESTS[first.test]}, Holm-corrected,"
            f" p >= {1 - first.level:.2g})"
        )
    return Table(headings, rows, [f"{note}."], signatures=signatures, caption=f"Scores on {samples}.")


def long_table(comparisons: Sequence[Comparison]) -> Table:
    """One row per metric and system, with interval, letters and signature, for programs."""
    headings = ["metric", "system", "score", "low", "high", "letters", "defined", "samples", "signature"]
    rows = []
    for c in comparisons:
        for i in c.order():
            score, bounds = c.scores[i], [v if math.isfinite(v) else "" for v in c.intervals[i]]
            value = score.value if math.isfinite(score.value) else ""
            values = [c.metric.spec, c.systems[i], value, *bounds, c.letters[i]]
            values += [score.defined, score.samples, score.signature]
            rows.append([Cell(str(v), v) for v in values])
    return Table(headings, rows)


def _lede(comparisons: Sequence[Comparison], corpora: Sequence[Corpus]) -> str:
    references, n = corpora[0].reference_count, len(corpora[0])
    amount = references.replace("-", " to ")
    amount = "no references" if amount == "0" else "1 reference" if amount == "1" else f"{amount} references"
    each = " each" if n > 1 and references != "0" else ""
    scored = names([label(c.metric) for c in comparisons])
    return f"{count(len(corpora), 'system')} on {count(n, 'sample')}, {amount}{each}, scored by {scored}."


@dataclass(frozen=True)
class ScoreColumn:
    """The scores of all systems under one metric, and the better direction (1 up, -1 down, 0 neither)."""

    label: str
    better: int
    arrow: str
    direction: str
    cells: Sequence[ScoreCell]


def _column(c: Comparison) -> ScoreColumn:
    better = c.metric.higher_is_better
    cells = [_score(c, i) for i in range(len(c.systems))]
    return ScoreColumn(label(c.metric), DIRECTIONS[better], figures.ARROWS[better], MEANINGS[better], cells)


def _score(c: Comparison, i: int) -> ScoreCell:
    value, places = c.scores[i].value, digits(c.metric)
    low, high = c.intervals[i]
    letters = c.letters[i] if len(c.systems) > 1 else None
    cell = score_cell(value, low, high, (places, places), letters, _best(c, value))
    return replace(cell, extent=f"defined on {c.scores[i].extent}") if _partly_defined(c) else cell


def _partly_defined(c: Comparison) -> bool:
    return any(score.partly_defined for score in c.scores)


def _best(c: Comparison, value: float) -> bool:
    """Whether a score is the best at the printed precision."""
    defined = [v for v in c.values if math.isfinite(v)]
    if c.metric.higher_is_better is None or len(c.systems) < 2 or not defined:
        return False
    top = max(defined) if c.metric.higher_is_better else min(defined)
    return number(value, digits(c.metric)) == number(top, digits(c.metric))


def _notes(comparisons: Sequence[Comparison]) -> list[str]:
    first = comparisons[0]
    notes = [f"Below each score its {first.level:.0%} bootstrap interval ({first.resamples:,} resamples)."]
    if len(first.systems) > 1:
        notes.append(
            f"Systems that share a letter do not differ significantly ({TESTS[first.test]}, Holm-corrected, "
            f"p\u00a0≥\u00a0{1 - first.level:.2g}). The best score of a column is bold."
        )
    if any(map(_partly_defined, comparisons)):
        notes.append(
            "Samples on which a metric is undefined do not count; where there are any, the number of the others is given."
        )
    directions = {c.metric.higher_is_better for c in comparisons}
    return notes + [f"{figures.ARROWS[d]} {MEANINGS[d]}." for d in (True, False) if d in directions]


def _shape(order: Sequence[int], facts: OutputFacts) -> dict[str, list[str]]:
    """Properties of the outputs: columns of a table by their headings, systems in `order`."""
    columns = {"Words per output": [f"{facts.words[i].mean():.1f}" for i in order]}
    if facts.ratio is not None and facts.copied is not None:
        ratios = [row[np.isfinite(row)] for row in facts.ratio]
        columns["Length / source"] = [f"{ratios[i].mean():.0%}" if len(ratios[i]) else "–" for i in order]
        columns["Same as source"] = [f"{facts.copied[i].mean():.0%}" for i in order]
    return {**columns, "Empty": [f"{facts.empty[i].sum():,}" for i in order]}


def _signatures(comparisons: Sequence[Comparison]) -> list[str]:
    return list(dict.fromkeys(s.signature for c in comparisons for s in c.scores))
