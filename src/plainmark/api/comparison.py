"""Comparisons of systems: scores with intervals, letters and p-values, and the report that shows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ..cautions import Cautions, cautions, lines_about, observe
from ..data import Corpus
from ..languages import check_code
from ..languages.choice import Choice, choose
from ..result import Row, Titled, finite
from ..significance import Comparison, Test
from ..significance import compare as compare_by_metric
from ..table import Cell, Table
from ._metrics import (
    Layout,
    Metrics,
    Scored,
    Uncertainty,
    display_name,
    parse_metrics,
    score_columns,
    score_rows,
)
from .test_sets import BASELINES, systems_of

_TESTS = {"bootstrap": "paired bootstrap", "randomisation": "approximate randomisation"}

MANY = 6  # with more systems than this, the columns of p-values are numbered

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class SystemComparison(Scored):
    """Systems compared under several metrics; `comparisons` has one entry per metric."""

    comparisons: tuple[Comparison, ...]
    corpora: tuple[Corpus, ...] = field(repr=False)
    files: Mapping[str, str] = field(default_factory=dict)  # system, source, reference -> path
    cautions: Cautions = field(default_factory=dict)
    language: Choice = field(default_factory=Choice)

    title = "Comparison"

    def tables(self) -> list[Titled]:
        """The scores, and for each metric the p-values of all pairs."""
        pairs = [("", p_value_table(c)) for c in self.comparisons if len(c.systems) > 1]
        return [("", summary_table(self.comparisons, self.layout)), *pairs]

    def records(self) -> list[Row]:
        """One row per metric and system, with interval, letters and the p-value against every other system."""
        return [
            {
                "metric": c.metric.spec,
                "system": system,
                "score": finite(c.scores[i].value),
                "defined": c.scores[i].defined,
                "samples": c.scores[i].samples,
                "low": finite(c.intervals[i][0]),
                "high": finite(c.intervals[i][1]),
                "letters": c.letters[i],
                **{f"p.{other}": finite(c.p_values[i, j]) for j, other in enumerate(c.systems)},
                **{f"both_defined.{other}": c.both_defined(i, j) for j, other in enumerate(c.systems)},
                "level": c.level,
                "resamples": c.resamples,
                "test": c.test,
                "correction": "holm",
                "signature": c.scores[i].signature,
                **{f"parts.{name}": finite(value) for name, value in c.scores[i].parts.items()},
            }
            for c in self.comparisons
            for i, system in enumerate(c.systems)
        ]

    def to_dict(self) -> list[dict[str, Any]]:
        """One dictionary per metric, with its systems and all pairs; undefined is None."""
        return [_record(c) | {"warnings": lines_about(self.cautions, *c.systems)} for c in self.comparisons]


def compare(
    outputs: Any,
    *,
    source: Any = None,
    references: Any = (),
    metrics: Metrics = "sari",
    fields: Mapping[str, str] | None = None,
    dataset: str = "",
    baselines: str | Sequence[str] = (),
    language: str = "",
    test: Test = "bootstrap",
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> SystemComparison:
    """Compare systems: bootstrap intervals, paired tests corrected for all pairs, letters of significance.

    The inputs are those of `score`. Systems that share a letter do not differ significantly.

    >>> import plainmark as pm
    >>> result = pm.compare(
    ...     {"good": ["A cat sat.", "He left."], "copy": ["A feline sat.", "He departed."]},
    ...     source=["A feline sat.", "He departed."], references=[["A cat sat."], ["He left."]], resamples=100,
    ... )
    >>> result.comparisons[0].systems
    ('good', 'copy')
    >>> sorted(result.to_dict()[0])
    ['correction', 'level', 'metric', 'pairs', 'resamples', 'systems', 'test', 'warnings']
    """
    systems = systems_of(outputs, source, references, fields, data=dataset, baselines=baselines)
    corpora = systems.corpora()
    spoken = choose(corpora, check_code(language) if language else "")
    for corpus in corpora:
        corpus.language = spoken.code
    parsed = [metric.in_language(spoken) for metric in parse_metrics(metrics)]
    for metric in parsed:  # so that errors are raised before long computations
        metric.check(corpora[0])
    comparisons = []
    for done, metric in enumerate(parsed):

        def tell(resample: int, before: int = done * resamples) -> None:
            if progress:
                progress(before + resample, len(parsed) * resamples)

        comparisons.append(
            compare_by_metric(
                metric, corpora, resamples=resamples, level=level, test=test, rng=seed, progress=tell
            )
        )
    english = not spoken.code and any(m.spoken() == ("en",) for m in parsed)
    seen = {name: observe(c, language=english) for name, c in zip(systems.names, corpora, strict=True)}
    scores = {name: [c.scores[i] for c in comparisons] for i, name in enumerate(systems.names)}
    advice = cautions(seen, scores, parsed, BASELINES.values())
    return SystemComparison(tuple(comparisons), tuple(corpora), systems.files(), advice, spoken)


@dataclass(frozen=True, eq=False)
class ComparisonReport(SystemComparison):
    """A comparison as a page with plots and every sample."""

    page: str = field(default="", repr=False)  # HTML

    def to_html(self) -> str:
        """The page, complete in one file."""
        return self.page


def report(
    outputs: Any,
    *,
    title: str = "",
    samples: int = 5000,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> ComparisonReport:
    """Compare systems and lay the comparison out as one HTML page: `report(...).save("report.html")`.

    The inputs and `options` are those of `compare`; if there are more than `samples` samples, the page shows
    the most informative ones.

    >>> import plainmark as pm
    >>> page = pm.report(["A cat sat."], source=["A feline sat."], references=["A cat sat."], resamples=10)
    >>> page.to_html()[:15]
    '<!DOCTYPE html>'
    """
    from ..report import page

    result = compare(outputs, seed=seed, progress=progress, **options)
    html = page.render(
        result.comparisons,
        result.corpora,
        title=title,
        files=result.files,
        cautions=lines_about(result.cautions, *result.comparisons[0].systems),
        limit=samples,
        rng=seed,
        progress=progress,
    )
    same = (result.comparisons, result.corpora, result.files, result.cautions, result.language)
    return ComparisonReport(*same, page=html)


def summary_table(comparisons: Sequence[Comparison], layout: Layout) -> Table:
    """Scores with the half-widths of their intervals and letters."""
    first = comparisons[0]
    compared = len(first.systems) > 1
    uncertainties = [
        [
            Uncertainty((c.intervals[i][1] - c.intervals[i][0]) / 2, c.letters[i] if compared else "")
            for c in comparisons
        ]
        for i in range(len(first.systems))
    ]
    note = (
        f"± half the width of the {first.level:.0%} bootstrap interval, {first.resamples} resamples; systems that share"
        f" a letter do not differ significantly ({_TESTS[first.test]}, Holm-corrected, p >= {1 - first.level:.2g})"
    )
    scores = list(zip(*(c.scores for c in comparisons), strict=True))
    table = score_rows if layout.long else score_columns
    samples = first.samples.shape[1]
    caption = f"Scores on {samples:,} sample{'s' * (samples != 1)}."
    return table(
        first.systems, [c.metric for c in comparisons], scores, layout, uncertainties, [note], caption
    )


def p_value_table(comparison: Comparison) -> Table:
    """Corrected p-values of all pairs, best system first; significant ones are marked with †."""
    order = comparison.order()
    names = columns = [comparison.systems[i] for i in order]
    if len(order) > MANY:
        columns = [str(k) for k in range(1, len(order) + 1)]
        names = [f"{k} {name}" for k, name in zip(columns, names, strict=True)]
    rows = [
        [Cell(name), *(Cell("· ") if i == j else _p_cell(comparison, i, j) for j in order)]
        for name, i in zip(names, order, strict=True)
    ]
    significant = any(comparison.significant(i, j) for i in order for j in order if i != j)
    notes = [f"† significant: p < {1 - comparison.level:.2g}, Holm-corrected"] if significant else []
    return Table(
        [f"p ({comparison.metric.spec})", *columns],
        rows,
        [*notes, *_pairs_note(comparison)],
        titles=["", *columns],
        caption=f"p-values of the differences in {display_name(comparison.metric)} ({_TESTS[comparison.test]}).",
    )


def _pairs_note(c: Comparison) -> list[str]:
    """On how many samples both systems of a pair are defined, if not on all of them."""
    if not any(score.partly_defined for score in c.scores):
        return []
    sizes = [c.both_defined(i, j) for i, j in combinations(range(len(c.systems)), 2)]
    span = f"{min(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,} to {max(sizes):,}"
    total = c.samples.shape[1]
    pair = "both systems are" if len(sizes) == 1 else "the two systems of a pair are both"
    return [
        f"{c.metric.spec}: {pair} defined on {span} of {total:,} samples; the test draws from all of them, and each"
        " system's score is that of its own defined samples"
    ]


def _p_cell(comparison: Comparison, i: int, j: int) -> Cell:
    p = float(comparison.p_values[i, j])
    if math.isnan(p):
        return Cell("– ")
    smallest = max(1 / (comparison.resamples + 1), 0.001)
    text = f"<{smallest:.3f}" if p <= smallest else f"{p:.3f}"
    return Cell(text + ("†" if comparison.significant(i, j) else " "), p)


def _record(comparison: Comparison) -> dict[str, Any]:
    names = comparison.systems
    return {
        "metric": comparison.metric.spec,
        "level": comparison.level,
        "resamples": comparison.resamples,
        "test": comparison.test,
        "correction": "holm",
        "systems": [
            {
                "system": name,
                "score": finite(score.value),
                "defined": score.defined,
                "samples": score.samples,
                "parts": {k: finite(v) for k, v in score.parts.items()},
                "interval": [finite(v) for v in comparison.intervals[i]],
                "letters": comparison.letters[i],
                "signature": score.signature,
            }
            for i, (name, score) in enumerate(zip(names, comparison.scores, strict=True))
        ],
        "pairs": [
            {
                "a": names[i],
                "b": names[j],
                "p": finite(comparison.p_values[i, j]),
                "both_defined": comparison.both_defined(i, j),
            }
            for i, j in combinations(range(len(names)), 2)
        ],
    }


__all__ = ["ComparisonReport", "SystemComparison", "compare", "report"]
