"""Confidence intervals and paired significance tests, computed on statistics and never on text.

Bootstrap: samples are drawn with replacement, and a resample's score is reduce(weights @ stats).
Paired bootstrap: both systems are scored on the same resamples; p comes from the centred differences (Koehn 2004).
Approximate randomisation: the outputs of two systems are swapped at random (Riezler and Maxwell 2005).
Several systems: all pairs are tested, p-values are corrected (Holm 1979) and shown as compact letters; systems that share
a letter do not differ significantly.
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
from .metric import Floats, Metric, Score
from .resampling import (
    as_extreme,
    batches,
    bootstrap_weights,
    compact_letters,
    highest_first,
    holm_matrix,
    paired_bootstrap,
    percentile_intervals,
    permutation_p,
    random_swaps,
)

Test = Literal["bootstrap", "randomisation"]
Progress = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several systems under one metric: scores, intervals, corrected p-values and compact letters."""

    metric: Metric
    systems: tuple[str, ...]
    scores: tuple[Score, ...]
    intervals: Floats  # (systems, 2)
    p_values: Floats  # (systems, systems), NaN on the diagonal
    letters: tuple[str, ...]
    samples: Floats  # (systems, n) per-sample scores
    defined: NDArray[np.bool_]  # (systems, n) whether a sample counts towards the score
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

    def both_defined(self, i: int, j: int) -> int:
        """On how many samples systems i and j both have a score of their own."""
        return int((self.defined[i] & self.defined[j]).sum())


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
    scores = tuple(
        metric.score_of(metric.total(s), c.reference_count) for s, c in zip(stats, corpora, strict=True)
    )
    values = np.array([s.value for s in scores])
    drawn = bootstrap(metric, stats, resamples=resamples, rng=rng, progress=progress)
    if test == "bootstrap":
        p_values = paired_bootstrap(drawn, values)
    else:
        pairs = list(combinations(range(len(corpora)), 2))
        p_values = holm_matrix(
            randomisation_p(metric, stats, pairs, resamples=resamples, rng=rng, progress=progress),
            len(corpora),
        )
    return Comparison(
        metric=metric,
        systems=tuple(c.name or f"system {i + 1}" for i, c in enumerate(corpora)),
        scores=scores,
        intervals=percentile_intervals(drawn, level),
        p_values=p_values,
        letters=compact_letters(p_values < 1 - level, _best_first(values, metric)),
        samples=np.stack([metric.sample_scores(c, s) for c, s in zip(corpora, stats, strict=True)]),
        defined=np.stack([metric.defined(s) for s in stats]),
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
    scores = np.empty((len(stats), resamples))
    for start, stop in batches(resamples, n):
        weights = bootstrap_weights(rng, stop - start, n)
        for i, system_stats in enumerate(stats):
            scores[i, start:stop] = metric.reduce(weights @ system_stats)[:, 0]
        if progress:
            progress(stop)
    return scores


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
    if not pairs:
        return []
    n = len(stats[0])
    totals = [s.sum(axis=0) for s in stats]
    values = [metric.reduce(t)[0] for t in totals]
    extreme = [0] * len(pairs)
    for start, stop in batches(resamples, n):
        swaps = random_swaps(rng, stop - start, n)
        for k, (i, j) in enumerate(pairs):
            moved = swaps @ (stats[j] - stats[i])
            difference = metric.reduce(totals[i] + moved)[:, 0] - metric.reduce(totals[j] - moved)[:, 0]
            extreme[k] += as_extreme(difference, values[i] - values[j])
        if progress:
            progress(stop)
    return [
        permutation_p(count, resamples) if np.isfinite(values[i] - values[j]) else float("nan")
        for count, (i, j) in zip(extreme, pairs, strict=True)
    ]


def _best_first(values: Floats, metric: Metric) -> list[int]:
    return highest_first(-values if metric.higher_is_better is False else values)
