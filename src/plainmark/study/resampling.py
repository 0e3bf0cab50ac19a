"""Resampling items: weights of bootstrap samples, and corrected p-values of all pairs of systems."""

from __future__ import annotations

import numpy as np

from ..metric import Floats
from ..significance import holm, letters, paired_bootstrap_p


def item_weights(rng: np.random.Generator, resamples: int, items: int) -> Floats:
    """How often each item occurs in each resample: (resamples, items)."""
    drawn = rng.integers(0, items, (resamples, items)) + items * np.arange(resamples)[:, None]
    return (
        np.bincount(drawn.ravel(), minlength=resamples * items).reshape(resamples, items).astype(np.float64)
    )


def all_pairs(drawn: Floats, values: Floats) -> Floats:
    """Paired bootstrap p-values, Holm-corrected, from (systems, resamples): symmetric, NaN on the diagonal."""
    count = len(values)
    out = np.full((count, count), np.nan)
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    raw = [paired_bootstrap_p(drawn[i] - drawn[j], float(values[i] - values[j])) for i, j in pairs]
    for (i, j), p in zip(pairs, holm(raw), strict=True):
        out[i, j] = out[j, i] = p
    return out


def grouped(p_values: Floats, values: Floats, level: float) -> tuple[str, ...]:
    """Letters, best system first: systems that share one do not differ."""
    order = sorted(range(len(values)), key=lambda i: -values[i])
    with np.errstate(invalid="ignore"):
        return tuple(letters(p_values < 1 - level, order))
