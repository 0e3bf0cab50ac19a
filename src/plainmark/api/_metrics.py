"""Metrics as arguments and as columns of tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..metric import METRICS, Metric, metric
from ..result import finite
from ..table import Cell

Metrics = str | Metric | Sequence[str | Metric]


def parse_metrics(metrics: Metrics) -> list[Metric]:
    """Metrics from their specifications, each of them once.

    >>> [m.spec for m in parse_metrics("SARI,sari(variant='hf', order=2),bleu")]
    ['sari', "sari(variant='hf', order=2)", 'bleu']
    """
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    parsed = [
        m
        for item in metrics
        for m in ([item] if isinstance(item, Metric) else map(_metric, split_specs(item)))
    ]
    return list(dict.fromkeys(parsed))


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


def _metric(spec: str) -> Metric:
    name, parenthesis, options = spec.partition("(")
    lower = name.strip().lower()
    if (
        name != lower and lower in METRICS.names()
    ):  # the names are read only where they are needed: it takes time
        return metric(lower + parenthesis + options)
    return metric(spec)


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


def number_cell(value: float, best: float | None = None, suffix: str = "") -> Cell:
    """A score with two decimals."""
    text = "–" if math.isnan(value) else f"{value:.2f}"
    return Cell(text + suffix, finite(value), best is not None and text == f"{best:.2f}")
