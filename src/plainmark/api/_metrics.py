"""Metrics as arguments and as columns of tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..bundles import expand
from ..metric import Metric, Score, metric
from ..result import finite
from ..table import Cell, Table

Metrics = str | Metric | Sequence[str | Metric]


def parse_metrics(metrics: Metrics) -> list[Metric]:
    """Metrics from their specifications and from the names of bundles, each of them once.

    >>> [m.spec for m in parse_metrics("SARI,sari(variant='hf', order=2),bleu")]
    ['sari', "sari(variant='hf', order=2)", 'bleu']
    >>> [m.spec for m in parse_metrics("@easse,bleu")]
    ['sari', 'bleu(lowercase=True)', "fkgl(variant='easse')", 'bleu']
    """
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    parsed = [m for item in metrics for m in ([item] if isinstance(item, Metric) else _read(item))]
    return list(dict.fromkeys(parsed))


def _read(text: str) -> Iterator[Metric]:
    for part in split_specs(text):
        yield from map(metric, expand(part))


def split_specs(text: str) -> Iterator[str]:
    """Specifications separated by commas; commas in parentheses or quotation marks do not separate.

    >>> list(split_specs("sari, agg(sari, aligner='context'),bleu"))
    ['sari', "agg(sari, aligner='context')", 'bleu']
    """
    depth, quote, start = 0, "", 0
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    yield text[start:].strip()


def labels(metrics: Sequence[Metric]) -> list[str]:
    """Column headings: the specification, and an arrow in the direction that is better."""
    arrow = {True: " ↑", False: " ↓", None: ""}
    return [m.spec + arrow[m.higher_is_better] for m in metrics]


def best_value(metric: Metric, values: Sequence[float]) -> float | None:
    """The best score of several systems, if there is such a thing."""
    defined = [v for v in values if not math.isnan(v)]
    if metric.higher_is_better is None or len(values) < 2 or not defined:
        return None
    return max(defined) if metric.higher_is_better else min(defined)


UNDEFINED = "defined: samples that have a score, of all samples; the others do not count"


def score_columns(
    systems: Sequence[str],
    metrics: Sequence[Metric],
    scores: Sequence[Sequence[Score]],
    suffixes: Sequence[Sequence[str]] | None = None,
    notes: Sequence[str] = (),
) -> Table:
    """One row per system and one column per metric, [system][metric]; signatures, then `notes`, stand below.

    Where a metric is undefined on some sample of some system, the next column says how many it is defined on.
    """
    rows = [[Cell(system)] for system in systems]
    headings = ["system"]
    partly_defined = False
    for k, (heading, scorer) in enumerate(zip(labels(metrics), metrics, strict=True)):
        column = [row[k] for row in scores]
        best = best_value(scorer, [score.value for score in column])
        headings.append(heading)
        for i, score in enumerate(column):
            rows[i].append(number_cell(score.value, best, suffixes[i][k] if suffixes else ""))
        if any(score.partly_defined for score in column):
            partly_defined = True
            headings.append("defined")
            for row, score in zip(rows, column, strict=True):
                row.append(Cell(score.extent, score.defined))
    signatures = dict.fromkeys(score.signature for row in scores for score in row)
    return Table(headings, rows, [*signatures, *([UNDEFINED] if partly_defined else []), *notes])


def number_cell(value: float, best: float | None = None, suffix: str = "") -> Cell:
    """A score with two decimals."""
    text = "–" if math.isnan(value) else f"{value:.2f}"
    return Cell(text + suffix, finite(value), best is not None and text == f"{best:.2f}")
