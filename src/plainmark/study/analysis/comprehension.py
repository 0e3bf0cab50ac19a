"""What readers understood: accuracy, answerability and misunderstandings of each system, by passage.

    accuracy        share of questions answered right
    answerability   1 - share of questions marked as unanswerable (UA)
    B, C, D         shares of the wrong options, from a misread critical span (B) to no reading at all (D)

Intervals resample passages, as the answers to one passage are not independent. Agrawal and Carpuat 2024.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...meta.agreement import kappa
from ...meta.coefficients import coefficients
from ...metric import Floats
from ...resampling import (
    bootstrap_weights,
    compact_letters,
    highest_first,
    paired_bootstrap,
    percentile_intervals,
    random_subsets,
)
from ..definition.questions import UNANSWERABLE
from .responses import Response

RIGHT = "right"


@dataclass(frozen=True, eq=False)
class Comprehension:
    """Every system's shares in percent, with intervals, ranks and letters of significance."""

    systems: tuple[str, ...]
    items: tuple[str, ...]
    options: tuple[str, ...]  # the wrong letters that occur, then UA where it is offered
    answers: Floats  # (systems,): how many
    accuracy: Floats  # (systems,)
    accuracy_interval: Floats  # (systems, 2)
    answerability: Floats
    answerability_interval: Floats
    shares: dict[str, Floats]  # B, C, D, UA -> (systems,)
    ranks: tuple[int, ...]  # by accuracy; equal accuracy, equal rank
    p_values: Floats  # (systems, systems), Holm-corrected, of accuracy
    letters: tuple[str, ...]
    right: Floats  # (systems, items): right answers
    unanswerable: Floats  # (systems, items): answers UA
    counts: Floats  # (systems, items): answers


def comprehension(
    found: Sequence[Response],
    *,
    systems: Sequence[str] = (),
    resamples: int = 10_000,
    level: float = 0.95,
    rng: np.random.Generator | int = 0,
) -> Comprehension:
    """Analyse the responses that have a key."""
    keyed = [r for r in found if r.key]
    systems = [s for s in systems if any(r.system == s for r in keyed)] or list(
        dict.fromkeys(r.system for r in keyed)
    )
    items = sorted({r.item for r in keyed})
    row = {s: i for i, s in enumerate(systems)}
    column = {s: i for i, s in enumerate(items)}
    shape = (len(systems), len(items))
    kinds = [*sorted({r.value for r in keyed if r.value not in (r.key, UNANSWERABLE)}), UNANSWERABLE]
    tables = {k: np.zeros(shape) for k in (RIGHT, *kinds)}
    for r in keyed:
        if r.system in row:
            tables[RIGHT if r.value == r.key else r.value][row[r.system], column[r.item]] += 1
    counts = np.sum(list(tables.values()), axis=0)
    total = counts.sum(axis=1)
    weights = bootstrap_weights(np.random.default_rng(rng), resamples, len(items))
    drawn_counts = np.maximum(weights @ counts.T, 1e-300)
    right = 100 * (weights @ tables[RIGHT].T) / drawn_counts
    open_ = 100 - 100 * (weights @ tables[UNANSWERABLE].T) / drawn_counts
    accuracy = 100 * tables[RIGHT].sum(axis=1) / total
    p_values = paired_bootstrap(right.T, accuracy)
    return Comprehension(
        systems=tuple(systems),
        items=tuple(items),
        options=tuple(kinds),
        answers=total,
        accuracy=accuracy,
        accuracy_interval=percentile_intervals(right.T, level),
        answerability=100 - 100 * tables[UNANSWERABLE].sum(axis=1) / total,
        answerability_interval=percentile_intervals(open_.T, level),
        shares={k: 100 * tables[k].sum(axis=1) / total for k in kinds},
        ranks=ranks_of(accuracy),
        p_values=p_values,
        letters=compact_letters(p_values < 1 - level, highest_first(accuracy)),
        right=tables[RIGHT],
        unanswerable=tables[UNANSWERABLE],
        counts=counts,
    )


def ranks_of(values: Floats) -> tuple[int, ...]:
    """1 for the highest; equal values have the same rank."""
    rounded = np.round(values, 9)
    return tuple(1 + int((rounded > v).sum()) for v in rounded)


@dataclass(frozen=True, eq=False)
class Stability:
    """How well a ranking from fewer passages agrees with the ranking from all: Spearman's rho over runs."""

    sizes: tuple[int, ...]
    mean: Floats  # (sizes,)
    fifth: Floats  # 5th percentile
    runs: int
    rho: Floats  # (sizes, runs)


def rank_stability(
    found: Comprehension, *, sizes: Sequence[int] = (), runs: int = 1000, rng: np.random.Generator | int = 0
) -> Stability:
    """Rank the systems on random subsets of passages, drawn without replacement, and compare each run with the whole.

    Averaging the accuracy of all runs first, as Figure 2 of the paper does, hides how much single studies differ.
    """
    n = len(found.items)
    sizes = tuple(sizes) or tuple(k for k in range(10, n + 1, 10)) or (n,)
    rng = np.random.default_rng(rng)
    out = np.full((len(sizes), runs), np.nan)
    for i, size in enumerate(sizes):
        subsets = random_subsets(rng, runs, n, min(size, n))
        counts = subsets @ found.counts.T
        # A system without an answer in a subset cannot be ranked there; such runs are NaN and not counted.
        with np.errstate(invalid="ignore", divide="ignore"):
            accuracy = (subsets @ found.right.T) / counts
        whole = np.broadcast_to(found.accuracy, accuracy.shape)
        usable = np.isfinite(accuracy).all(axis=1)
        if usable.any():
            out[i, usable] = coefficients(
                "spearman", np.round(accuracy[usable], 9), np.round(whole[usable], 9)
            )
    with np.errstate(invalid="ignore"):
        defined = [row[np.isfinite(row)] for row in out]
    mean = np.array([d.mean() if len(d) else math.nan for d in defined])
    fifth = np.array([np.percentile(d, 5) if len(d) else math.nan for d in defined])
    return Stability(sizes, mean, fifth, runs, out)


def answerable_elsewhere(found: Sequence[Response], humans: Sequence[str], system: str) -> tuple[float, int]:
    """Of the questions that no reader of the human versions marked UA: the percentage that readers of this system did not.

    Counted over these questions, not over all (the paper divides by all 180: KIS 53.3 for 38.2).
    """
    answered: dict[tuple[str, str], set[str]] = {}
    spoiled: set[tuple[str, str]] = set()
    for r in found:
        if r.system in humans and r.key:
            answered.setdefault((r.item, r.question), set()).add(r.system)
            if r.value == UNANSWERABLE:
                spoiled.add((r.item, r.question))
    both = {q for q, seen in answered.items() if seen >= set(humans)} - spoiled
    mine = [r for r in found if r.system == system and (r.item, r.question) in both]
    if not mine:
        return math.nan, 0
    return 100 * sum(r.value != UNANSWERABLE for r in mine) / len(mine), len(both)


@dataclass(frozen=True)
class AnswerAgreement:
    """Two people on the same question about the same text."""

    pairs: int
    choice: float  # share of equal answers
    kappa_choice: float  # over all options
    kappa_right: float  # right or wrong


def answer_agreement(found: Sequence[Response]) -> AnswerAgreement:
    """Cohen's kappa of the first two people who answered the same question about the same text."""
    given: dict[tuple[str, str, str], list[Response]] = {}
    for r in found:
        if r.key:
            given.setdefault((r.system, r.item, r.question), []).append(r)
    pairs = [v[:2] for v in given.values() if len(v) > 1]
    if not pairs:
        return AnswerAgreement(0, math.nan, math.nan, math.nan)
    codes = {v: float(i) for i, v in enumerate(sorted({r.value for p in pairs for r in p}))}
    a, b = (np.array([codes[p[k].value] for p in pairs]) for k in (0, 1))
    right = [np.array([float(p[k].value == p[k].key) for p in pairs]) for k in (0, 1)]
    return AnswerAgreement(
        len(pairs), float((a == b).mean()), kappa(a, b, "none"), kappa(right[0], right[1], "none")
    )
