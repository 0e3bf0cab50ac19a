"""Logistic mixed model with crossed random intercepts, fitted by maximum likelihood with the Laplace approximation.

    logit P(y = 1) = X beta + sum over factors of theta_k u_k[level],     u ~ N(0, 1)

The likelihood is approximated at the mode of u, and beta and theta (standard deviations) are optimised together, as lme4's
glmer does with nAGQ = 1. Standard errors come from the Hessian of the approximated log-likelihood. Bates et al. 2015.

The largest factor is eliminated first (its block of the Hessian of u is diagonal), so a step costs (levels of the largest)
times (levels of the others) squared. The gradient is exact, including the dependence of the mode on beta and theta.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...distributions import normal_quantile, normal_tail
from ...errors import InputError
from ...metric import Floats

Codes = NDArray[np.int64]
_SMALLEST_DEVIATION = 1e-3  # below this a factor has no variance to speak of and is left out
LARGEST_LOGIT = 12.0  # an estimate beyond this comes from a condition that is always or never right


@dataclass(frozen=True, eq=False)
class MixedModel:
    """A fitted model: fixed effects on the logit scale, standard deviations of the random intercepts."""

    names: tuple[str, ...]
    estimates: Floats
    covariance: Floats
    deviations: dict[str, float]  # factor -> standard deviation on the logit scale
    levels: dict[str, int]  # factor -> how many persons, items, ...
    log_likelihood: float
    observations: int
    converged: bool
    curvature: (
        Floats  # second derivatives of the deviance, by fixed effects and by standard deviations above 0
    )

    @property
    def errors(self) -> Floats:
        """Standard errors of the fixed effects."""
        return np.sqrt(np.diag(self.covariance))

    def contrast(self, weights: Floats, level: float = 0.95) -> Contrast:
        """A weighted sum of fixed effects, with its Wald interval and p-value."""
        estimate, error = (
            float(weights @ self.estimates),
            math.sqrt(max(float(weights @ self.covariance @ weights), 0.0)),
        )
        if not self.converged or not error > 0 or abs(estimate) > LARGEST_LOGIT:
            return Contrast(estimate, math.nan, math.nan, math.nan, math.nan)
        half = normal_quantile((1 + level) / 2) * error
        return Contrast(
            estimate, error, estimate - half, estimate + half, 2 * normal_tail(abs(estimate) / error)
        )


@dataclass(frozen=True)
class Contrast:
    """A difference on the logit scale; NaN where the data do not determine it."""

    estimate: float
    error: float
    low: float
    high: float
    p: float

    @property
    def odds_ratio(self) -> tuple[float, float, float]:
        """The odds ratio and its interval."""
        if math.isnan(self.error):
            return math.nan, math.nan, math.nan
        return math.exp(self.estimate), math.exp(self.low), math.exp(self.high)


def fit(
    right: Sequence[float] | Floats,
    design: Floats,
    groups: Mapping[str, Sequence[str] | Codes],
    names: Sequence[str] = (),
    *,
    deviation: float = 0.7,
    like: MixedModel | None = None,
) -> MixedModel:
    """Fit a model of right (0 or 1) by the columns of `design` and a random intercept for every factor of `groups`.

    `deviation` is where the search for standard deviations begins. For one of many data sets of the same kind, `like` is
    a model of another one: the search begins there, and stops when it is within a hundredth of a standard error.
    """
    y, x = np.asarray(right, dtype=np.float64), np.asarray(design, dtype=np.float64)
    if not len(y) or x.ndim != 2 or len(x) != len(y):
        raise InputError(
            f"a mixed model needs one row of the design per answer; found {len(x)} for {len(y)}."
        )
    if np.linalg.matrix_rank(x) < x.shape[1]:
        raise InputError(
            "the columns of the design are not independent; leave out the one that others determine."
        )
    codes = {name: _codes(values) for name, values in groups.items()}
    levels = {name: int(c.max()) + 1 for name, c in codes.items()}
    deviations = dict.fromkeys(codes, 0.0)
    usable = {name: c for name, c in codes.items() if 1 < levels[name] < len(y)}
    start = _logistic(y, x)
    if not np.all(np.abs(start) < LARGEST_LOGIT):  # separated: no likelihood has a maximum
        usable = {}
    theta, metric = np.full(len(usable), deviation), None
    if like and usable and len(like.curvature) == len(start) + len(usable) and like.converged:
        start = like.estimates
        metric = np.asarray(np.linalg.inv(like.curvature), dtype=np.float64)
        theta = np.array([like.deviations[name] for name in usable])
    converged = bool(np.all(np.abs(start) < LARGEST_LOGIT))
    while True:
        laplace = _Laplace(y, x, list(usable.values()))
        point, value, found = _minimise(laplace, np.concatenate([start, theta]), metric)
        beta, theta = point[: x.shape[1]], np.abs(point[x.shape[1] :])
        empty = [name for name, t in zip(usable, theta, strict=True) if t < _SMALLEST_DEVIATION]
        if not empty:
            break
        theta = np.array([t for name, t in zip(usable, theta, strict=True) if name not in empty])
        usable, start, metric = {n: c for n, c in usable.items() if n not in empty}, beta, None
    curvature = laplace.hessian(np.concatenate([beta, theta]), central=like is None)
    try:
        covariance: Floats = np.float64(2) * np.linalg.inv(curvature)[: x.shape[1], : x.shape[1]]
        converged = converged and found and bool(np.all(np.diag(covariance) > 0))
    except np.linalg.LinAlgError:
        covariance, converged = np.full((x.shape[1],) * 2, np.nan), False
    deviations |= dict(zip(usable, theta.tolist(), strict=True))
    return MixedModel(
        tuple(names) or tuple(f"x{i}" for i in range(x.shape[1])),
        beta, covariance, deviations, levels, -value / 2, len(y), converged, curvature,
    )  # fmt: skip


def _codes(values: Sequence[str] | Codes) -> Codes:
    return np.unique(np.asarray(values), return_inverse=True)[1].astype(np.int64)


def _logistic(y: Floats, x: Floats) -> Floats:
    """Ordinary logistic regression, as a start; few steps, since separated data have no end."""
    beta = np.zeros(x.shape[1])
    for _ in range(25):
        mean = _inverse_logit(x @ beta)
        weight = np.maximum(mean * (1 - mean), 1e-9)
        step = np.linalg.solve(x.T @ (x * weight[:, None]) + 1e-10 * np.eye(len(beta)), x.T @ (y - mean))
        beta = beta + step
        if np.abs(step).max() < 1e-8 or np.abs(beta).max() > 2 * LARGEST_LOGIT:
            break
    return beta


def _inverse_logit(logit: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(logit, -40, 40)))


@dataclass
class _Laplace:
    """Minus twice the approximated log-likelihood as a function of (beta, theta), with its gradient."""

    y: Floats
    x: Floats
    codes: list[Codes]
    mode: Floats = field(init=False)
    moved: tuple[Floats, Floats] | None = None  # the last parameters, and how the mode moves with them

    def __post_init__(self) -> None:
        # The largest factor first: its block is eliminated.
        sizes = [int(c.max()) + 1 for c in self.codes]
        self.order = sorted(range(len(sizes)), key=lambda k: -sizes[k])
        self.sorted_codes = [self.codes[k] for k in self.order]
        self.sizes = [sizes[k] for k in self.order]
        self.offsets = np.concatenate([[0], np.cumsum(self.sizes)]).astype(int)
        self.columns = [c + o for c, o in zip(self.sorted_codes, self.offsets, strict=False)]
        self.mode = np.zeros(self.offsets[-1])
        self.first = self.sizes[0] if self.sizes else 0
        self.pairs = {
            (k, m): self.sorted_codes[k] * self.sizes[m] + self.sorted_codes[m]
            for k in range(len(sizes))
            for m in range(k + 1, len(sizes))
        }

    def _cross(self, k: int, m: int, weight: Floats) -> Floats:
        counts = np.bincount(self.pairs[k, m], weight, self.sizes[k] * self.sizes[m]).astype(np.float64)
        return counts.reshape(self.sizes[k], self.sizes[m])

    def _blocks(self, weight: Floats, theta: Floats) -> tuple[Floats, Floats, Floats]:
        """The Hessian of u: the diagonal of the first factor, its coupling with the others, and the rest."""
        n, rest = len(self.sizes), self.offsets[-1] - self.first
        diagonal = 1 + theta[0] ** 2 * np.bincount(self.sorted_codes[0], weight, self.first)
        coupling, others = np.zeros((self.first, rest)), np.eye(rest)
        for k in range(1, n):
            at = slice(self.offsets[k] - self.first, self.offsets[k + 1] - self.first)
            coupling[:, at] = theta[0] * theta[k] * self._cross(0, k, weight)
            place = np.arange(at.start, at.stop)
            others[place, place] += theta[k] ** 2 * np.bincount(self.sorted_codes[k], weight, self.sizes[k])
            for m in range(k + 1, n):
                to = slice(self.offsets[m] - self.first, self.offsets[m + 1] - self.first)
                others[at, to] = theta[k] * theta[m] * self._cross(k, m, weight)
                others[to, at] = others[at, to].T
        return diagonal, coupling, others

    def _effects(self, theta: Floats, u: Floats) -> Floats:
        total = np.zeros(len(self.y))
        for t, column in zip(theta, self.columns, strict=True):
            total += t * u[column]
        return total

    def _pull(self, theta: Floats, residual: Floats) -> Floats:
        """A' residual, one entry per random effect."""
        return np.concatenate(
            [
                t * np.bincount(c, residual, s)
                for t, c, s in zip(theta, self.sorted_codes, self.sizes, strict=True)
            ]
        )

    def _find_mode(self, fixed: Floats, theta: Floats, predicted: Floats) -> tuple[Floats, _Solved]:
        u, loss = min(
            ((u, self._loss(fixed, theta, u)) for u in (predicted, self.mode)), key=lambda pair: pair[1]
        )
        for _ in range(100):
            mean = _inverse_logit(fixed + self._effects(theta, u))
            solved = _Solved(*self._blocks(mean * (1 - mean), theta))
            gradient = self._pull(theta, self.y - mean) - u
            step = solved.solve(gradient[:, None])[:, 0]
            decrease = float(gradient @ step)
            if decrease < 1e-11:
                break
            size = 1.0
            while size > 1e-8:
                trial = self._loss(fixed, theta, u + size * step)
                if trial <= loss + 1e-12 * abs(loss):
                    break
                size /= 2
            u, loss = u + size * step, trial
        self.mode = u
        return u, solved

    def _loss(self, fixed: Floats, theta: Floats, u: Floats) -> float:
        logit = fixed + self._effects(theta, u)
        return float(np.logaddexp(0, logit).sum() - self.y @ logit + u @ u / 2)

    def evaluate(self, point: Floats) -> tuple[float, Floats]:
        """The value at (beta, theta), and its gradient."""
        count = self.x.shape[1]
        beta, theta = point[:count], point[count:][self.order] if self.order else point[count:]
        fixed = self.x @ beta
        if not self.order:
            residual = self.y - _inverse_logit(fixed)
            return 2 * float(np.logaddexp(0, fixed).sum() - self.y @ fixed), -2 * self.x.T @ residual
        inside = np.concatenate([beta, theta])
        predicted = self.mode + self.moved[1] @ (inside - self.moved[0]) if self.moved else self.mode
        u, solved = self._find_mode(fixed, theta, predicted)
        mean = _inverse_logit(fixed + self._effects(theta, u))
        residual, weight = self.y - mean, mean * (1 - mean)
        value = 2 * self._loss(fixed, theta, u) + solved.log_determinant
        # How the logits move with each parameter, the mode included.
        direct = np.column_stack([self.x, *(u[c] for c in self.columns)])
        inner = np.column_stack([-self._pull(theta, weight * d) for d in direct.T])
        for k, (c, s) in enumerate(zip(self.sorted_codes, self.sizes, strict=True)):
            inner[self.offsets[k] : self.offsets[k + 1], count + k] += np.bincount(c, residual, s)
        shares = solved.pairs(self.columns, self.first)
        moved_mode = solved.solve(inner)
        self.moved = inside, moved_mode
        moved = direct + np.column_stack([self._effects(theta, m) for m in moved_mode.T])
        leverage = np.einsum("k,m,kmi->i", theta, theta, shares)
        gradient = -2 * direct.T @ residual + moved.T @ (weight * (1 - 2 * mean) * leverage)
        gradient[count:] += 2 * np.einsum("m,kmi,i->k", theta, shares, weight)
        restored = gradient.copy()
        restored[count + np.array(self.order)] = gradient[count:]
        return value, restored

    def hessian(self, point: Floats, *, central: bool = True) -> Floats:
        """Second derivatives, by central (or one-sided) differences of the exact gradient."""
        rows, base = [], np.zeros(0) if central else self.evaluate(point)[1]
        for i in range(len(point)):
            step = np.zeros(len(point))
            step[i] = 1e-4 * max(abs(point[i]), 0.1)
            low = self.evaluate(point - step)[1] if central else base
            rows.append((self.evaluate(point + step)[1] - low) / ((2 if central else 1) * step[i]))
        square = np.array(rows)
        return np.asarray((square + square.T) / 2, dtype=np.float64)


class _Solved:
    """The Hessian of u, factorised by eliminating its diagonal block."""

    def __init__(self, diagonal: Floats, coupling: Floats, others: Floats) -> None:
        self.diagonal, self.scaled = diagonal, coupling / diagonal[:, None]
        self.schur = others - coupling.T @ self.scaled
        self.inverse: Floats | None = None

    @property
    def log_determinant(self) -> float:
        return float(np.log(self.diagonal).sum() + np.linalg.slogdet(self.schur)[1])

    def solve(self, right: Floats) -> Floats:
        first = len(self.diagonal)
        top, bottom = right[:first], right[first:]
        if len(self.schur):
            reduced = bottom - self.scaled.T @ top
            solution = (
                np.linalg.solve(self.schur, reduced) if self.inverse is None else self.inverse @ reduced
            )
            bottom = np.asarray(solution, dtype=np.float64)
        return np.vstack([top / self.diagonal[:, None] - self.scaled @ bottom, bottom])

    def pairs(self, columns: Sequence[Codes], first: int) -> Floats:
        """Entries of the inverse between the levels of factors k and m that each answer belongs to: (k, m, answers)."""
        inverse = np.asarray(np.linalg.inv(self.schur) if len(self.schur) else self.schur, dtype=np.float64)
        self.inverse = inverse
        beside = self.scaled @ inverse
        own = 1 / self.diagonal + (beside * self.scaled).sum(axis=1)
        n = len(columns)
        entries = np.empty((n, n, len(columns[0])))
        entries[0, 0] = own[columns[0]]
        for k in range(1, n):
            entries[0, k] = entries[k, 0] = -beside[columns[0], columns[k] - first]
            for m in range(k, n):
                entries[k, m] = entries[m, k] = inverse[columns[k] - first, columns[m] - first]
        return entries


def _minimise(laplace: _Laplace, start: Floats, metric: Floats | None) -> tuple[Floats, float, bool]:
    """BFGS with backtracking; returns the point, the value and whether the gradient vanished.

    `metric` approximates the inverse of the second derivatives.
    """
    point = start
    value, gradient = laplace.evaluate(point)
    count = laplace.x.shape[1]
    if metric is None:
        mean = _inverse_logit(laplace.x @ point[:count])
        inverse = np.eye(len(point)) / max(len(laplace.y) / 20, 1)
        inverse[:count, :count] = np.linalg.inv(
            2 * laplace.x.T @ (laplace.x * (mean * (1 - mean))[:, None]) + 1e-6 * np.eye(count)
        )
    else:
        inverse = metric
    for iteration in range(200):
        if np.abs(gradient).max() < 1e-5:
            return point, value, True
        step = -inverse @ gradient
        if metric is not None and 0 <= -step @ gradient < 1e-5:  # by how much the deviance can still fall
            return point, value, True
        if step @ gradient >= 0:
            inverse = np.eye(len(point)) / max(len(laplace.y) / 20, 1)
            step = -inverse @ gradient
        longest = np.abs(step).max()
        size = min(1.0, 1.0 / longest) if longest > 0 else 1.0
        while True:
            trial, slope = laplace.evaluate(point + size * step)
            if trial <= value + 1e-4 * size * (step @ gradient) or size < 1e-7:
                break
            size /= 2
        if size < 1e-7:
            return point, value, bool(np.abs(gradient).max() < 1e-2)
        moved, change = size * step, slope - gradient
        point, value, gradient = point + moved, trial, slope
        curvature = float(moved @ change)
        if curvature > 1e-12:
            if iteration == 0 and metric is None:
                inverse *= curvature / float(change @ inverse @ change)
            outer = np.outer(moved, change) / curvature
            left = np.eye(len(point)) - outer
            inverse = left @ inverse @ left.T + np.outer(moved, moved) / curvature
    return point, value, False
