"""Correlation coefficients of weighted rows, for many weightings at once.

A resample is a row of weights, the number of times each row was drawn; a permutation is a row of weights that selects one
of two values. Every function takes x and y of shape (n,) and weights of shape (resamples, n), integers of at least 0, and
returns the coefficient of the rows repeated that often; NaN where x or y is constant.

    Pearson 1895; Spearman 1904 (Pearson of mid-ranks); Kendall 1945 (tau-b)

A partial coefficient is the coefficient of x and y after controlling for a third variable z:

    (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2) (1 - r_yz^2)),

for several z the same with the inverse of their matrix of coefficients (Kim 2015, as ppcor computes all three).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..distributions import normal_tail, t_tail
from ..metric import Floats, divide

Coefficient = Callable[[Floats, Floats, Floats], Floats]
Integers = NDArray[np.int64]


def pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r."""
    # Centred first, so that sums of squares keep their precision; a shift of x or y does not change r.
    x, y = x - x.mean(), y - y.mean()
    sums = weights @ np.stack([x, y, x * x, y * y, x * y], axis=1)
    return _from_sums(weights.sum(axis=1), *sums.T)


def spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Spearman's rho: Pearson's r of the mid-ranks that the repeated rows have."""
    return kernels.rank_correlation("spearman", _dense(x), _dense(y), weights)


def kendall(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Kendall's tau-b over the pairs of repeated rows, computed without listing them."""
    return kernels.rank_correlation("kendall", _dense(x), _dense(y), weights)


COEFFICIENTS: dict[str, Coefficient] = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


def coefficient(name: str, x: Floats, y: Floats, controls: Sequence[Floats] = ()) -> float:
    """The (partial) coefficient of plain rows; NaN for constant values or fewer than two rows."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(weighted(name, x, y, np.ones((1, len(x))), controls)[0])


def weighted(name: str, x: Floats, y: Floats, weights: Floats, controls: Sequence[Floats] = ()) -> Floats:
    """The (partial) coefficient of weighted rows, (resamples, n) -> (resamples,)."""
    variables = [x, y, *controls]
    return _partial(lambda i, j: COEFFICIENTS[name](variables[i], variables[j], weights), len(controls))


def coefficients(name: str, x: Floats, y: Floats, controls: Sequence[Floats] = ()) -> Floats:
    """The (partial) coefficient of each row of (m, n) arrays; meant for few columns, since it lists all pairs."""
    variables = [x, y, *controls]
    return _partial(lambda i, j: _plain_coefficients(name, variables[i], variables[j]), len(controls))


def _partial(pair: Callable[[int, int], Floats], controls: int) -> Floats:
    """The coefficients of variables 0 and 1, controlling for the others; `pair` computes those of two variables."""
    plain = pair(0, 1)
    if not controls:
        return plain
    others = range(2, 2 + controls)
    # A constant control has no effect.
    x, y = (np.nan_to_num(np.stack([pair(i, j) for j in others], axis=-1)) for i in (0, 1))
    between = np.broadcast_to(np.eye(controls), (*plain.shape, controls, controls)).copy()
    for i, j in combinations(range(controls), 2):
        between[..., i, j] = between[..., j, i] = np.nan_to_num(pair(2 + i, 2 + j))
    inverse = np.linalg.pinv(between, hermitian=True)
    explained = [np.einsum("...i,...ij,...j->...", a, inverse, b) for a, b in ((x, y), (x, x), (y, y))]
    left = [1 - explained[1], 1 - explained[2]]
    # If the controls explain a variable, its remainder is rounding error.
    defined = (left[0] > 1e-9) & (left[1] > 1e-9)
    spread = np.sqrt(np.where(defined, left[0] * left[1], np.nan))
    left_over: Floats = np.clip((plain - explained[0]) / spread, -1.0, 1.0)
    return left_over


def _plain_coefficients(name: str, x: Floats, y: Floats) -> Floats:
    if name == "pearson":
        a, b = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    else:
        signs = [np.sign(v[:, :, None] - v[:, None, :]) for v in (x, y)]
        # Half the sum of signs against all others is the mid-rank, up to a constant.
        a, b = (s.sum(axis=2) if name == "spearman" else s.reshape(len(s), -1) for s in signs)
    squares = (a * a).sum(axis=1), (b * b).sum(axis=1)
    flat = (np.ptp(x, axis=1) == 0) | (np.ptp(y, axis=1) == 0)
    return np.where(flat, np.nan, divide((a * b).sum(axis=1), np.sqrt(squares[0] * squares[1])))


def ranks(values: Floats) -> Floats:
    """Mid-ranks from 1."""
    group = _dense(values)
    sizes = np.bincount(group).astype(np.float64)
    mid_ranks: Floats = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    return mid_ranks


def tied_pairs(values: Floats) -> int:
    """The number of pairs of equal values."""
    sizes = np.unique(values, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def p_value(name: str, value: float, x: Floats, y: Floats, controls: int = 0) -> float:
    """Two-sided p-value of no correlation, treating rows as independent; same formulas as scipy and ppcor."""
    n = len(x) - controls
    if not math.isfinite(value) or n < 3:
        return math.nan
    if name == "kendall" and controls:
        return min(1.0, 2 * normal_tail(abs(value) / math.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1)))))
    if name == "kendall":
        return _kendall_p(value, x, y)
    if abs(value) >= 1 - 1e-15:
        return 0.0
    t = value * math.sqrt((n - 2) / ((1 - value) * (1 + value)))
    return min(1.0, 2 * t_tail(abs(t), n - 2))


def _kendall_p(value: float, x: Floats, y: Floats) -> float:
    n = len(x)
    counts = [np.unique(v, return_counts=True)[1].astype(np.float64) for v in (x, y)]
    pairs = n * (n - 1) / 2
    tied = [(c * (c - 1) / 2).sum() for c in counts]
    score = round(value * math.sqrt((pairs - tied[0]) * (pairs - tied[1])))
    if tied == [0, 0]:
        inversions = round((pairs - score) / 2)
        fewer = int(min(inversions, pairs - inversions))
        if n <= 33 or fewer <= 1:
            return min(1.0, 2 * _inversion_share(n, fewer)) if 2 * fewer != pairs else 1.0
    a, b = ((c * (c - 1) * (2 * c + 5)).sum() for c in counts)
    triples = [(c * (c - 1) * (c - 2)).sum() for c in counts]
    m = n * (n - 1.0)
    variance = (m * (2 * n + 5) - a - b) / 18 + 2 * tied[0] * tied[1] / m
    variance += triples[0] * triples[1] / (9 * m * (n - 2))
    return min(1.0, 2 * normal_tail(abs(score) / math.sqrt(variance)))


def _inversion_share(n: int, most: int) -> float:
    """The share of the permutations of n elements that have at most `most` inversions."""
    shares = np.zeros(most + 1)
    shares[0] = 1.0
    for k in range(2, n + 1):  # the k-th element adds 0 to k - 1 inversions
        sums = np.cumsum(shares)
        sums[k:] -= sums[:-k].copy() if k <= most else 0
        shares = sums / k
    return float(shares.sum())


def _from_sums(n: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    spread_x, spread_y = xx - divide(x * x, n), yy - divide(y * y, n)
    # After subtraction, the remainder of a constant is rounding error.
    flat = (spread_x <= 1e-13 * xx) | (spread_y <= 1e-13 * yy)
    r = divide(xy - divide(x * y, n), np.sqrt(np.where(flat, 0.0, spread_x * spread_y)))
    return np.clip(r, -1.0, 1.0)


def _dense(values: Floats | Integers) -> Integers:
    return np.unique(values, return_inverse=True)[1].astype(np.int64).reshape(-1)
