"""Agreement among raters, which limits how well any metric can correlate with their ratings.

Pairs of raters are compared on what both rated; the mean over pairs is reported:
    absolute    share of equal values
    kappa       1 - observed / expected disagreement (Cohen 1960; quadratic weights: Cohen 1968)
    spearman, pearson, kendall
Krippendorff's alpha (2011) is computed over all raters at once and allows missing values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..data import Ratings
from ..metric import Floats
from .coefficients import coefficient
from .ratings import RaterTable
from .task import Task

Weights = Literal["none", "linear", "quadratic"]
Scale = Literal["nominal", "ordinal", "interval"]
MEASURES = ("absolute", "kappa", "spearman", "pearson", "kendall")


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement of every pair of raters and of all raters; NaN if a pair has too few outputs in common."""

    dimension: str
    raters: tuple[str, ...]
    shared: NDArray[np.int64]  # (raters, raters): number of outputs (or systems) that both rated
    measures: dict[str, Floats]  # name -> (raters, raters), NaN on the diagonal
    alpha: float
    targets: int  # outputs, or systems
    missing: int  # number of missing ratings

    def mean(self, measure: str) -> float:
        """The mean over the pairs of raters for which the measure is defined."""
        values = self.pairs(measure)
        return float(values[np.isfinite(values)].mean()) if np.isfinite(values).any() else math.nan

    def pairs(self, measure: str) -> Floats:
        """The value of a measure for every pair of raters."""
        upper = np.triu_indices(len(self.raters), 1)
        values: Floats = self.measures[measure][upper]
        return values

    def undefined(self, measure: str) -> int:
        """The number of pairs of raters with common outputs for which the measure is undefined."""
        upper = np.triu_indices(len(self.raters), 1)
        return int((np.isnan(self.measures[measure][upper]) & (self.shared[upper] > 0)).sum())


def agreement(
    task: Task | str, ratings: Ratings, *, weights: Weights = "quadratic", scale: Scale = "interval"
) -> Agreement:
    """Agreement between raters on the outputs of a task (level=system: on means of systems)."""
    task = Task.parse(task) if isinstance(task, str) else task
    table = RaterTable.from_ratings(task, ratings)
    values, cells = table.matrix("system" if task.level == "system" else "sample")
    count = len(table.raters)
    rated = np.isfinite(values)
    shared = (rated.astype(np.float64) @ rated.T.astype(np.float64)).astype(np.int64)
    measures = {name: np.full((count, count), np.nan) for name in MEASURES}
    for i, j in combinations(range(count), 2):
        if not shared[i, j]:
            continue
        both = rated[i] & rated[j]
        for name in MEASURES:
            value = _measure(name, values[i, both], values[j, both], weights)
            measures[name][i, j] = measures[name][j, i] = value
    return Agreement(
        table.dimension,
        table.raters,
        shared,
        measures,
        krippendorff(values, scale),
        len(cells),
        int((~rated).sum()),
    )


def kappa(a: Floats, b: Floats, weights: Weights = "quadratic") -> float:
    """Cohen's kappa of two raters; NaN if all ratings of both are the same value.

    Weights use the distance between the ranks of two values among all values that either rater used.
    """
    codes, flat = np.unique(np.concatenate([a, b]), return_inverse=True)
    x, y = np.split(flat.reshape(-1), 2)
    if len(codes) == 1:
        return math.nan
    apart = np.abs(x - y).astype(np.float64)
    p, q = (np.bincount(ranks, minlength=len(codes)) / len(ranks) for ranks in (x, y))
    if weights == "none":
        observed, chance = (apart > 0).mean(), 1 - p @ q
    elif weights == "linear":  # the distance between two ranks is the number of thresholds between them
        below, under = np.cumsum(p), np.cumsum(q)
        observed, chance = apart.mean(), (below * (1 - under) + under * (1 - below)).sum()
    else:
        observed, chance = (apart**2).mean(), x.var() + y.var() + (x.mean() - y.mean()) ** 2
    return 1 - float(observed) / float(chance)


def krippendorff(values: Floats, scale: Scale = "interval") -> float:
    """Krippendorff's alpha of (raters, targets), with NaN for missing ratings; NaN if no disagreement is possible."""
    rated = np.isfinite(values)
    enough = rated.sum(axis=0) >= 2
    values, rated = values[:, enough], rated[:, enough]
    if not enough.any():
        return math.nan
    codes, flat, total = np.unique(values[rated], return_inverse=True, return_counts=True)
    if len(codes) == 1:
        return math.nan
    flat, target = flat.reshape(-1), np.nonzero(rated)[1]
    n, sizes = len(flat), rated.sum(axis=0)
    if scale == "nominal":
        # Ordered pairs of unequal ratings: all pairs minus those with equal values.
        cells, counts = np.unique(target * len(codes) + flat, return_counts=True)
        unequal = sizes**2 - np.bincount(cells // len(codes), counts.astype(np.float64) ** 2)
        expected = n**2 - (total.astype(np.float64) ** 2).sum()
    else:
        # Squared distances of all ordered pairs. Ordinal: distances between ranks, counting half of a value's own ratings.
        places = codes if scale == "interval" else np.cumsum(total) - total / 2
        points = (places - places[flat].mean())[flat]
        squares, sums = np.bincount(target, points**2), np.bincount(target, points)
        unequal = 2 * (sizes * squares - sums**2)
        expected = 2 * (n * (points**2).sum() - points.sum() ** 2)
    observed = (unequal / (sizes - 1)).sum()
    return 1 - float(observed) / (float(expected) / (n - 1))


def mean_over_pairs(
    table: Sequence[Sequence[float]] | Floats, measure: str, weights: Weights = "quadratic"
) -> float:
    """A measure of agreement averaged over all pairs of raters, for values of shape (raters, targets)."""
    rows = np.asarray(table, dtype=np.float64)
    values = []
    for i, j in combinations(range(len(rows)), 2):
        both = np.isfinite(rows[i]) & np.isfinite(rows[j])
        values.append(_measure(measure, rows[i, both], rows[j, both], weights) if both.any() else math.nan)
    defined = [v for v in values if math.isfinite(v)]
    return sum(defined) / len(defined) if defined else math.nan


def _measure(name: str, a: Floats, b: Floats, weights: Weights) -> float:
    if name == "absolute":
        return float((a == b).mean())
    return kappa(a, b, weights) if name == "kappa" else coefficient(name, a, b)
