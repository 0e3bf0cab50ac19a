"""Resampling: bootstrap weights, permutations, percentile intervals, p-values, Holm's correction and compact letters.

A resample is a row of weights, the number of times each unit was drawn, so that a resampled score is
reduce(weights @ stats). A permutation is a row of zeros and ones that marks the units in which two systems or
metrics are swapped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .distributions import t_quantile
from .metric import Floats

# Weights are built in batches of at most this many numbers, however large the data are.
_BATCH_NUMBERS = 4_000_000
# More swaps than this are drawn at random rather than enumerated.
_MOST_ENUMERATED_UNITS = 20
# Sums of the same numbers in another order differ in their last bits.
_ROUNDING = 1e-12


def batches(count: int, width: int) -> Iterator[tuple[int, int]]:
    """Split `count` rows of `width` numbers into (start, stop) ranges that fit into memory."""
    size = max(1, _BATCH_NUMBERS // max(width, 1))
    return ((start, min(start + size, count)) for start in range(0, count, size))


def bootstrap_weights(rng: np.random.Generator, resamples: int, n: int) -> Floats:
    """How often each of n units occurs in each resample of n units drawn with replacement: (resamples, n)."""
    drawn = rng.integers(0, n, (resamples, n)) + n * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=resamples * n).reshape(resamples, n).astype(np.float64)


def bootstrap_sums(rng: np.random.Generator, resamples: int, stats: Floats) -> Floats:
    """Sums of the rows of `stats` in each resample: (n, k) -> (resamples, k)."""
    n = len(stats)
    sums = np.empty((resamples, stats.shape[1]))
    for start, stop in batches(resamples, n):
        sums[start:stop] = bootstrap_weights(rng, stop - start, n) @ stats
    return sums


def random_subsets(rng: np.random.Generator, runs: int, n: int, size: int) -> Floats:
    """Membership (0 or 1) of n units in random subsets drawn without replacement: (runs, n)."""
    members = np.zeros((runs, n))
    np.put_along_axis(members, np.argsort(rng.random((runs, n)), axis=1)[:, :size], 1.0, axis=1)
    return members


def random_swaps(rng: np.random.Generator, permutations: int, n: int) -> Floats:
    """Zeros and ones with equal probability: (permutations, n)."""
    return rng.integers(0, 2, (permutations, n)).astype(np.float64)


def enumerable(n: int, permutations: int) -> bool:
    """Whether the number of all swaps of n units is at most `permutations`."""
    return n <= _MOST_ENUMERATED_UNITS and 2**n <= permutations


def enumerated_swaps(start: int, stop: int, n: int) -> Floats:
    """Rows `start` to `stop` of all 2^n rows of zeros and ones."""
    return ((np.arange(start, stop)[:, None] >> np.arange(n)) & 1).astype(np.float64)


def percentile_intervals(values: Floats, level: float = 0.95) -> Floats:
    """Percentile interval of each row of bootstrapped values: (rows, resamples) -> (rows, 2); NaN if all are undefined."""
    tail = 50 * (1 - level)
    bounds = np.full((len(values), 2), np.nan)
    for i, row in enumerate(values):
        defined = row[np.isfinite(row)]
        if len(defined):
            bounds[i] = np.percentile(defined, [tail, 100 - tail])
    return bounds


def t_half_width(values: Floats, units: int, level: float) -> Floats:
    """Half the width of a t interval from the spread of bootstrapped values along the first axis."""
    # Drawing n of n with replacement shrinks a variance by (n - 1) / n.
    unbiased = math.sqrt(units / (units - 1))
    half: Floats = t_quantile((1 + level) / 2, units - 1) * values.std(axis=0, ddof=1) * unbiased
    return half


def bootstrap_p(values: Floats, observed: float) -> float:
    """Two-sided p-value of a difference or slope from its bootstrapped values, centred on their mean (Koehn 2004)."""
    defined = values[np.isfinite(values)]
    if not len(defined) or not np.isfinite(observed):
        return math.nan
    return permutation_p(as_extreme(defined - defined.mean(), observed), len(defined))


def as_extreme(values: Floats, observed: float, rounding: float = _ROUNDING) -> int:
    """How many values are at least as far from 0 as the observed one."""
    return int((np.abs(values) >= abs(observed) - rounding).sum())


def permutation_p(extreme: int, permutations: int, *, exact: bool = False) -> float:
    """P-value from the number of permutations that are as extreme as the observation; `exact` if all were tried."""
    return extreme / permutations if exact else (extreme + 1) / (permutations + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for multiple testing (Holm 1979); NaN stays NaN and is not counted."""
    corrected = [math.nan] * len(p_values)
    defined = [i for i, p in enumerate(p_values) if math.isfinite(p)]
    largest = 0.0
    for rank, i in enumerate(sorted(defined, key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(defined) - rank) * p_values[i]))
        corrected[i] = largest
    return corrected


def holm_matrix(p_values: Sequence[float], count: int) -> Floats:
    """Holm-corrected p-values of all pairs of `count` systems, in the order of combinations(range(count), 2).

    The result is a symmetric (count, count) matrix with NaN on the diagonal.
    """
    matrix = np.full((count, count), np.nan)
    for (i, j), p in zip(combinations(range(count), 2), holm(p_values), strict=True):
        matrix[i, j] = matrix[j, i] = p
    return matrix


def paired_bootstrap(drawn: Floats, values: Floats) -> Floats:
    """Holm-corrected p-values of all pairs of systems from (systems, resamples) scores on the same resamples."""
    pairs = combinations(range(len(values)), 2)
    return holm_matrix(
        [bootstrap_p(drawn[i] - drawn[j], float(values[i] - values[j])) for i, j in pairs], len(values)
    )


def compact_letters(different: NDArray[np.bool_], order: Sequence[int]) -> tuple[str, ...]:
    """Compact letter display: two systems share a letter exactly when they do not differ significantly.

    `order` lists the systems from best to worst; the best one gets "a". Every letter is a set of systems of
    which no two differ. Start with one set of all systems; for each differing pair, split the sets that
    contain both; drop each subset of another set (insert and absorb, Piepho 2004).
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


def highest_first(values: Floats | Sequence[float]) -> list[int]:
    """Indices of the values, highest first, undefined ones last; equal values keep their order."""
    keys = -np.asarray(values, dtype=np.float64)
    return [int(i) for i in np.argsort(np.where(np.isnan(keys), np.inf, keys), kind="stable")]
