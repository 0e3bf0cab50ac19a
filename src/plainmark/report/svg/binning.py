"""Summaries of many values: bins, ranges, group means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..formatting import number
from .axes import Floats


def bin_count(n: int, most: int) -> int:
    """The number of bins for n values, at most `most`."""
    return int(np.clip(2 * np.sqrt(n), 8, most))


def central_range(samples: Sequence[Floats]) -> tuple[float, float]:
    """A range that holds all but the outermost half per cent of the values on each side."""
    pooled = np.concatenate([*samples, np.empty(0)])
    if len(pooled) == 0:
        return 0.0, 1.0
    low, high = (float(q) for q in np.percentile(pooled, (0.5, 99.5)))
    return (low, high) if high > low else (low - 1, high + 1)


def group_means(x: Floats, y: Floats, groups: int = 8) -> tuple[Floats, Floats]:
    """Mean x and y of groups of equal size in the order of x: a trend that assumes no shape."""
    defined = np.isfinite(x) & np.isfinite(y)
    order = np.flatnonzero(defined)[np.argsort(x[defined], kind="stable")]
    pieces = [p for p in np.array_split(order, max(min(groups, len(order) // 5), 1)) if len(p)]
    return np.array([x[p].mean() for p in pieces]), np.array([y[p].mean() for p in pieces])


def spread(values: Floats, digits: int = 1) -> str:
    """A distribution in words."""
    if len(values) == 0:
        return "no defined values"
    low, middle, high = (number(float(q), digits) for q in np.percentile(values, (25, 50, 75)))
    return f"median {middle}, middle half {low} to {high}, {len(values):,} samples"


def finite(values: ArrayLike) -> Floats:
    """The defined values, flat."""
    flat = np.asarray(values, dtype=np.float64).ravel()
    return flat[np.isfinite(flat)]
