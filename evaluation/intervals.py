"""Shares with Wilson's interval, and areas under the ROC curve with a bootstrap interval over groups of items."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

DRAWS = 1000
_Z = 1.959963984540054


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); undefined without cases."""
    if not n:
        return math.nan, math.nan
    share, z = hits / n, _Z**2 / n
    middle, half = share + z / 2, _Z * math.sqrt(share * (1 - share) / n + z / (4 * n))
    return max(0.0, (middle - half) / (1 + z)), min(1.0, (middle + half) / (1 + z))


def share(hits: int, n: int) -> str:
    """A share in percent with its interval: "83 (73-90)"."""
    if not n:
        return "-"
    low, high = wilson(hits, n)
    return f"{100 * hits / n:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def auc(
    scores: ArrayLike, positive: ArrayLike, groups: Sequence[object], seed: int = 0
) -> tuple[float, float, float]:
    """The area under the ROC curve and its 95 % interval, by resampling whole groups of items."""
    values, truth = np.asarray(scores, float), np.asarray(positive, bool)
    usable = np.isfinite(values)
    values, truth = values[usable], truth[usable]
    _, rank = np.unique(values, return_inverse=True)
    _, group = np.unique([str(g) for g, u in zip(groups, usable, strict=True) if u], return_inverse=True)
    rng = np.random.default_rng(seed)
    sizes = group.max() + 1 if len(group) else 0
    if not truth.any() or truth.all():
        return math.nan, math.nan, math.nan
    drawn = [
        _area(rank, truth, np.bincount(rng.integers(sizes, size=sizes), minlength=sizes)[group])
        for _ in range(DRAWS)
    ]
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return _area(rank, truth, np.ones(len(rank))), float(low), float(high)


def _area(rank: np.ndarray, truth: np.ndarray, weights: np.ndarray) -> float:
    """The weighted probability that a positive scores higher than a negative; ties count half."""
    levels = rank.max() + 1
    hits = np.bincount(rank, weights * truth, levels)
    misses = np.bincount(rank, weights * ~truth, levels)
    total = hits.sum() * misses.sum()
    if not total:
        return math.nan
    below = np.cumsum(misses) - misses
    return float((hits * (below + misses / 2)).sum() / total)
