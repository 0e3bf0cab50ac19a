"""Is the difference real? Intervals and paired tests on statistics, never on text.

Bootstrap: samples are drawn with replacement, and a resample's score is reduce(weights @ stats).
Paired bootstrap: both systems on the same resamples; p from the centred differences (Koehn 2004).
Approximate randomisation: outputs of two systems are exchanged at random (Riezler and Maxwell 2005).
Many systems: all pairs, p-values corrected by Holm 1979, shown as letters (systems that share one do not differ).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .data import Corpus
from .errors import InputError
from .metric import Floats, Metric, Score, add_up

Test = Literal["bootstrap", "randomisation"]
Progress = Callable[[int], None]

# Resampling weights are made in pieces of at most this many numbers, whatever the corpus size.
_PIECE = 4_000_000


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several systems under one metric: scores, intervals, corrected p-values, letters."""

    metric: Metric
    systems: tuple[str, ...]
    scores: tuple[Score, ...]
    intervals: Floats  # (systems, 2)
    p_values: Floats  # (systems, systems), NaN on the diagonal
    letters: tuple[str, ...]
    samples: Floats  # (systems, n) per-sample scores
    level: float
    resamples: int
    test: Test

    @property
    def values(self) -> Floats:
        """The corpus scores."""
        return np.array([s.value for s in self.scores])

    def order(self) -> list[int]:
        """Indices of the systems, best first (highest first where neither direction is better)."""
        return _best_first(self.values, self.metric)

    def significant(self, i: int, j: int) -> bool:
        """Whether systems i and j differ at the level of the comparison."""
        return bool(self.p_values[i, j] < 1 - self.level)


def compare(
    metric: Metric,
    corpora: Sequence[Corpus],
    *,
    resamples: int = 10_000,
    level: float = 0.95,
    test: Test = "bootstrap",
    rng: np.random.Generator | int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems on one test set; every pair is tested on the same resamples."""
    if resamples < 10:
        raise InputError(f"resamples: {resamples} given, expected at least 10.")
    if not 0 < level < 1:
        raise InputError(f"level: {level} given, expected a number between 0 and 1, such as 0.95.")
    sizes = {len(c) for c in corpora}
    if len(sizes) != 1:
        raise InputError(f"systems have {sorted(sizes)} samples; compare systems on one test set.")
    for corpus in corpora:
        metric.check(corpus)
    rng = np.random.default_rng(rng)
    stats = [metric.stats(c) for c in corpora]
    scores = tuple(metric.score_of(add_up(s), c.reference_count) for s, c in zip(stats, corpora, strict=True))
    values = np.array([s.value for s in scores])
    drawn = bootstrap(metric, stats, resamples=resamples, rng=rng, progress=progress)
    p_values = np.full((len(corpora), len(corpora)), np.nan)
    pairs = list(combinations(range(len(corpora)), 2))
    raw = []
    if test == "bootstrap":
        raw = [paired_bootstrap_p(drawn[i] - drawn[j], values[i] - values[j]) for i, j in pairs]
    elif pairs:
        raw = randomisation_p(metric, stats, pairs, resamples=resamples, rng=rng, progress=progress)
    for (i, j), p in zip(pairs, holm(raw), strict=True):
        p_values[i, j] = p_values[j, i] = p
    return Comparison(
        metric=metric,
        systems=tuple(c.name or f"system {i + 1}" for i, c in enumerate(corpora)),
        scores=scores,
        intervals=intervals(drawn, level),
        p_values=p_values,
        letters=letters(p_values < 1 - level, _best_first(values, metric)),
        samples=np.stack([metric.sample_scores(c) for c in corpora]),
        level=level,
        resamples=resamples,
        test=test,
    )


def bootstrap(
    metric: Metric,
    stats: Sequence[Floats],
    *,
    resamples: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> Floats:
    """Scores of resampled corpora, the same resamples for every system: shape (systems, resamples)."""
    n = len(stats[0])
    out = np.empty((len(stats), resamples))
    for start, stop in _pieces(resamples, n):
        rows = stop - start
        drawn = rng.integers(0, n, (rows, n)) + n * np.arange(rows)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
        for i, rows_of_system in enumerate(stats):
            out[i, start:stop] = metric.reduce(weights @ rows_of_system)[:, 0]
        if progress:
            progress(stop)
    return out


def intervals(drawn: Floats, level: float = 0.95) -> Floats:
    """Percentile intervals of bootstrapped scores: shape (systems, 2). NaN where nothing is defined."""
    tail = 50 * (1 - level)
    out = np.full((len(drawn), 2), np.nan)
    for i, row in enumerate(drawn):
        defined = row[np.isfinite(row)]
        if len(defined):
            out[i] = np.percentile(defined, [tail, 100 - tail])
    return out


def paired_bootstrap_p(differences: Floats, observed: float) -> float:
    """Two-sided p-value of a difference from its bootstrapped values, centred on their mean."""
    defined = differences[np.isfinite(differences)]
    if not len(defined) or not np.isfinite(observed):
        return float("nan")
    beyond = np.abs(defined - defined.mean()) >= abs(observed) - 1e-12
    return float((beyond.sum() + 1) / (len(defined) + 1))


def randomisation_p(
    metric: Metric,
    stats: Sequence[Floats],
    pairs: Sequence[tuple[int, int]],
    *,
    resamples: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> list[float]:
    """Two-sided p-values by approximate randomisation, one per pair of systems."""
    n = len(stats[0])
    totals = [s.sum(axis=0) for s in stats]
    values = [metric.reduce(t)[0] for t in totals]
    beyond = np.zeros(len(pairs))
    for start, stop in _pieces(resamples, n):
        swaps = rng.integers(0, 2, (stop - start, n)).astype(np.float64)
        for k, (i, j) in enumerate(pairs):
            moved = swaps @ (stats[j] - stats[i])
            difference = metric.reduce(totals[i] + moved)[:, 0] - metric.reduce(totals[j] - moved)[:, 0]
            beyond[k] += (np.abs(difference) >= abs(values[i] - values[j]) - 1e-12).sum()
        if progress:
            progress(stop)
    undefined = [not np.isfinite(values[i] - values[j]) for i, j in pairs]
    return [
        float("nan") if u else float((b + 1) / (resamples + 1))
        for b, u in zip(beyond, undefined, strict=True)
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for testing all of them (Holm's step-down); NaN stays NaN and is not counted."""
    corrected = [float("nan")] * len(p_values)
    defined = [i for i, p in enumerate(p_values) if np.isfinite(p)]
    worst = 0.0
    for rank, i in enumerate(sorted(defined, key=lambda i: p_values[i])):
        worst = max(worst, min(1.0, (len(defined) - rank) * p_values[i]))
        corrected[i] = worst
    return corrected


def letters(different: NDArray[np.bool_], order: Sequence[int]) -> tuple[str, ...]:
    """Compact letters: two systems share a letter exactly when they do not differ; "a" goes to the best.

    Every letter is a set of systems of which no two differ. Start from one set of all and, for each differing pair,
    split the sets that hold both; a set inside another is dropped (insert and absorb, Piepho 2004).
    """
    groups: list[frozenset[int]] = [frozenset(order)]
    for i, j in combinations(order, 2):
        if not different[i, j]:
            continue
        split = {g - {x} for g in groups if {i, j} <= g for x in (i, j)} | {
            g for g in groups if not {i, j} <= g
        }
        groups = [g for g in split if not any(g < other for other in split)]
    rank = {system: r for r, system in enumerate(order)}
    groups.sort(key=lambda g: sorted(rank[s] for s in g))
    return tuple("".join(_letter(k) for k, g in enumerate(groups) if i in g) for i in range(len(order)))


def _letter(k: int) -> str:
    return chr(ord("a") + k) if k < 26 else chr(ord("A") + k - 26) if k < 52 else f"({k})"


def _best_first(values: Floats, metric: Metric) -> list[int]:
    keys = values if metric.higher_is_better is False else -values
    return [int(i) for i in np.argsort(np.where(np.isnan(keys), np.inf, keys), kind="stable")]


def _pieces(resamples: int, n: int) -> list[tuple[int, int]]:
    size = max(1, _PIECE // max(n, 1))
    return [(s, min(s + size, resamples)) for s in range(0, resamples, size)]
