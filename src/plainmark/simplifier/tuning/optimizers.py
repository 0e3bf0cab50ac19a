"""Three ways to improve weights from candidates: expected metric, and pairwise ranking (PRO) in two published settings.

expected      ascends the metric of the expected statistics, sum over outputs of p(output) stats(output) with p a softmax
              of the scores. Because statistics are additive, this is the corpus metric itself, for any metric; the gradient
              of `reduce` is computed numerically at the total.
joshua        PRO as in Joshua for Xu et al. 2016: pairs per sentence, perceptron, interpolation with the previous weights.
hopkins-may   PRO as published: logistic regression with an L2 penalty.

References: Hopkins and May 2011, Tuning as Ranking; Xu et al. 2016, TACL 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...kernels import Floats, Ints
from ..arrays import Reals
from .pool import Candidates

Reduce = Callable[[Floats], Floats]


@dataclass(frozen=True)
class PairSampling:
    """How PRO samples pairs and learns from them."""

    sampled: int  # pairs per sentence
    used: int  # out of these, the number of pairs that differ most
    least_difference: float  # smallest difference, as a share of the metric's range
    learner: str  # "perceptron" or "logistic"
    epochs: int = 30
    rate: float = 0.5
    penalty: float = 1.0


JOSHUA = PairSampling(8000, 50, 0.005, "perceptron")
HOPKINS_MAY = PairSampling(5000, 50, 0.05, "logistic")


def ascend_expected(
    candidates: Candidates,
    reduce: Reduce,
    weights: Floats,
    *,
    steps: int = 60,
    rate: float = 0.06,
    penalty: float = 1e-3,
) -> Floats:
    """Weights with a higher metric of the expected statistics; the penalty keeps them near the previous ones."""
    scale = candidates.features.std(axis=0).astype(np.float64)
    scale = np.where(
        scale > 1e-6, scale, np.inf
    )  # the weight of a feature that never differs does not change
    inputs = (candidates.features / scale).astype(np.float32)
    moved = np.where(np.isinf(scale), 0.0, weights * np.where(np.isinf(scale), 0, scale))
    start = moved.copy()
    first, second = np.zeros_like(moved), np.zeros_like(moved)
    sizes = np.diff(candidates.offsets)
    begins = candidates.offsets[:-1]
    if not len(inputs) or (sizes == 0).any():
        return weights
    for step in range(1, steps + 1):
        share = _softmax(inputs @ moved.astype(np.float32), begins, sizes)
        best_rules = candidates.stats @ _slope(reduce, share @ candidates.stats)
        mean = np.add.reduceat(share * best_rules, begins)
        pull = (share * (best_rules - np.repeat(mean, sizes))).astype(np.float32)
        gradient = (pull @ inputs).astype(np.float64) - 2 * penalty * (moved - start)
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        pace = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
        moved = moved + pace * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
    return np.where(np.isinf(scale), weights, moved / scale)


def _slope(reduce: Reduce, total: Floats) -> Floats:
    """The gradient of a metric at added-up statistics, by central differences."""
    step = np.maximum(np.abs(total) * 1e-4, 1e-6)
    around = np.diag(step)
    slope = (reduce(total + around) - reduce(total - around)) / (2 * step)
    result: Floats = np.nan_to_num(slope, nan=0.0, posinf=0.0, neginf=0.0)
    return result


def _softmax(scores: Reals, begins: Ints, sizes: Ints) -> Reals:
    top = np.maximum.reduceat(scores, begins)
    share = np.exp(scores - np.repeat(top, sizes))
    result: Reals = share / np.repeat(np.add.reduceat(share, begins), sizes)
    return result


def rank_pairs(
    candidates: Candidates,
    values: Floats,
    span: float,
    weights: Floats,
    pairs: PairSampling,
    rng: np.random.Generator,
) -> Floats:
    """Weights that rank the better candidate of sampled pairs first; `values` are those of the metric, `span` its range."""
    better, worse = _sample(candidates.offsets, values, pairs, pairs.least_difference * span, rng)
    if not len(better):
        return weights
    differences = (candidates.features[better] - candidates.features[worse]).astype(np.float64)
    if pairs.learner == "perceptron":
        return _perceptron(differences, weights, pairs, rng)
    return _logistic(differences, weights, pairs)


def _sample(
    offsets: Ints, values: Floats, pairs: PairSampling, least_difference: float, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    better: list[Ints] = []
    worse: list[Ints] = []
    for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        if end - start < 2:
            continue
        a, b = rng.integers(start, end, (2, pairs.sampled))
        gap = values[a] - values[b]
        gap[np.abs(gap) < least_difference] = 0
        rows = np.argsort(-np.abs(gap), kind="stable")[: pairs.used]
        rows = rows[gap[rows] != 0]
        first = gap[rows] > 0
        better.append(np.where(first, a[rows], b[rows]))
        worse.append(np.where(first, b[rows], a[rows]))
    none = np.zeros(0, np.int64)
    return np.concatenate([none, *better]), np.concatenate([none, *worse])


def _perceptron(
    differences: Floats, weights: Floats, pairs: PairSampling, rng: np.random.Generator
) -> Floats:
    """Averaged perceptron; the mistakes in 64 pairs at a time change the weights by their mean."""
    scale = np.maximum(differences.std(axis=0), 1e-6)
    inputs = differences / scale
    moved = weights * scale
    total = np.zeros_like(moved)
    rounds = 0
    for _ in range(pairs.epochs):
        order = rng.permutation(len(inputs))
        for start in range(0, len(order), 64):
            rows = inputs[order[start : start + 64]]
            wrong = rows @ moved <= 0
            moved = moved + pairs.rate * (wrong @ rows) / len(rows)
            total += moved
            rounds += 1
    result: Floats = total / rounds / scale
    return result


def _logistic(differences: Floats, weights: Floats, pairs: PairSampling, steps: int = 30) -> Floats:
    """Newton's method on the penalised likelihood of all pairs, in both directions."""
    scale = np.maximum(differences.std(axis=0), 1e-6)
    inputs = differences / scale
    moved = np.zeros(len(weights))
    identity = np.eye(len(weights)) * pairs.penalty
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ moved, -30, 30)))
        gradient = inputs.T @ (1 - chance) - pairs.penalty * moved
        curve = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + identity
        step = np.linalg.solve(curve, gradient)
        moved = moved + step
        if np.abs(step).max() < 1e-6:
            break
    result: Floats = moved / scale
    return result
