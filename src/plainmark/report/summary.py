"""The findings of a comparison of systems, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..significance import Comparison
from .formatting import digits, label, names, number, p_text
from .samples import OutputFacts


def findings(
    comparisons: Sequence[Comparison], facts: OutputFacts, *, cautions: bool = False
) -> list[tuple[str, str]]:
    """The most important findings: a heading and one or two sentences per metric, then warnings.

    With `cautions`, the page already has warnings about empty outputs and undefined scores.
    """
    rows = [(label(c.metric), verdict(c)) for c in comparisons]
    note = _disagreement(comparisons)
    if note:
        rows.append(("Metrics disagree", note))
    if not cautions:
        rows += _without_scores(comparisons, facts)
    return rows + _doubts(comparisons, facts)


def verdict(comparison: Comparison) -> str:
    """Sentences about the leading system under one metric, and whether its lead is significant."""
    c, places = comparison, digits(comparison.metric)
    order = [i for i in c.order() if math.isfinite(c.values[i])]
    if not order:
        return "The score is undefined for every system."

    def score(i: int) -> str:
        low, high = c.intervals[i]
        interval = f"{c.level:.0%} interval {number(low, places)} to {number(high, places)}"
        return (
            f"{number(c.values[i], places)} ({interval})"
            if math.isfinite(low)
            else number(c.values[i], places)
        )

    best, last = order[0], order[-1]
    if len(order) == 1:
        return f"{c.systems[best]} scores {score(best)}."
    better = c.metric.higher_is_better
    if better is None:
        return (
            f"From {number(c.values[last], places)} ({c.systems[last]}) to {number(c.values[best], places)} "
            f"({c.systems[best]}). This describes the outputs; neither direction is better."
        )
    extreme = "highest" if better else "lowest, and lower is better"
    text = f"{c.systems[best]} scores {extreme}: {score(best)}. "
    tied = [i for i in order[1:] if not c.significant(best, i)]
    second = order[1]
    if not tied:
        rival = f"{c.systems[second]} ({number(c.values[second], places)})"
        text += f"The difference from {rival} is significant ({p_text(c.p_values[best, second])})"
        text += "." if len(order) == 2 else ", and so are those from all others."
    else:
        shown = [
            f"{c.systems[i]} ({number(c.values[i], places)}, {p_text(c.p_values[best, i])})" for i in tied[:3]
        ]
        if len(tied) > 3:
            shown.append(f"{len(tied) - 3} more")
        plural = "differences" if len(tied) > 1 else "difference"
        text += f"The {plural} from {names(shown)} {'are' if len(tied) > 1 else 'is'} not significant."
    if len(order) > 2:
        text += f" Last: {c.systems[last]}, {number(c.values[last], places)}."
    return text


def _disagreement(comparisons: Sequence[Comparison]) -> str:
    """A sentence about metrics that rank different systems first; undefined scores do not count."""
    firsts: dict[str, list[str]] = {}
    for c in comparisons:
        defined = c.metric.higher_is_better is not None and np.isfinite(c.values).all()
        if len(c.systems) > 1 and defined:
            firsts.setdefault(c.systems[c.order()[0]], []).append(label(c.metric))
    if len(firsts) < 2:
        return ""
    parts = [
        f"{names(metrics)} {'put' if len(metrics) > 1 else 'puts'} {system} first"
        for system, metrics in firsts.items()
    ]
    return "; ".join(parts) + ". Look at the samples before trusting one of them."


def _without_scores(comparisons: Sequence[Comparison], facts: OutputFacts) -> list[tuple[str, str]]:
    """Warnings about empty outputs and undefined scores."""
    n = facts.words.shape[1]
    empty = zip(comparisons[0].systems, facts.empty, strict=True)
    blank = [f"{name} {int(e.sum()):,}" for name, e in empty if e.any()]
    rows = [("Empty outputs", f"{names(blank)} of {n:,}.")] if blank else []
    for c in comparisons:
        undefined = np.isnan(c.samples).any(axis=0).sum()
        if undefined:
            rows.append(
                (
                    "Undefined scores",
                    f"{label(c.metric)} is undefined on {undefined:,} of {n:,} samples for at least one system.",
                )
            )
    return rows


def _doubts(comparisons: Sequence[Comparison], facts: OutputFacts) -> list[tuple[str, str]]:
    """Warnings about copies, and about too few resamples or samples."""
    systems = comparisons[0].systems
    n = facts.words.shape[1]
    warnings = []
    if facts.copied is not None:
        shares = zip(systems, facts.copied.mean(axis=1), strict=True)
        copies = [f"{name} {share:.0%}" for name, share in shares if share >= 0.1]
        if copies:
            warnings.append(
                ("Copied sources", f"Outputs that copy the source word for word: {names(copies)}.")
            )
    few = _too_few_resamples(comparisons[0])
    if few:
        warnings.append(("Too few resamples", few))
    if n < 30:
        warnings.append(
            (
                "Few samples",
                f"{n} {'sample is' if n == 1 else 'samples are'} too few for firm conclusions; intervals and tests are rough.",
            )
        )
    return warnings


def _too_few_resamples(c: Comparison) -> str:
    """A warning if, corrected for so many pairs, the resamples are too few for any difference to be significant."""
    pairs = len(c.systems) * (len(c.systems) - 1) // 2
    alpha = 1 - c.level
    if pairs / (c.resamples + 1) < alpha:
        return ""
    return (
        f"With {c.resamples:,} resamples and {pairs:,} pairs of systems no difference can be significant; "
        f"use at least {round(pairs / alpha):,} resamples."
    )
