"""Paired tests of whether one metric correlates better with human ratings than another, on the same outputs.

Permutation test: the two metrics' scores of a source text (or a system) are swapped at random, on a common scale (ranks for
rank coefficients, else standard scores); p is the share of permutations with a difference as large as the observed one
(Deutsch et al. 2021). All permutations are enumerated if there are few. If hardly any random permutation is as extreme, p
is computed from the normal tail, multiplied by the constant that bounds the tail of any sum of random signs (Bentkus and
Dzindzalieta 2015), because counting alone cannot distinguish values below 1/1000, and a table of twenty metrics has 190
tests to correct. Williams 1959: a t-test of two correlations that share a variable, for independent rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..data import Corpus, Ratings
from ..distributions import normal_tail, t_tail
from ..errors import InputError
from ..metric import Floats, Metric, divide
from ..resampling import (
    as_extreme,
    batches,
    compact_letters,
    enumerable,
    enumerated_swaps,
    highest_first,
    holm_matrix,
    permutation_p,
    random_swaps,
    t_half_width,
)
from .coefficients import coefficient, coefficients, weighted
from .correlation import (
    Correlation,
    Progress,
    as_scores,
    as_task,
    correlation,
    expected_sign,
    fisher_interval,
    resampled,
    why_undefined,
)
from .estimates import Ratio, Rows, common_scale, estimate, system_controls
from .joined import JoinedScores, join
from .scores import Scores
from .task import Task

RARE = 10  # if fewer permutations are as extreme as the observed difference, their share is too rough an estimate
SIGNS = 3.18  # P(sum of weighted random signs >= t) is at most this times the normal tail


@dataclass(frozen=True)
class MetricComparison:
    """Two metrics against the same ratings; NaN, with a reason, if a coefficient is undefined."""

    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    low: float
    high: float
    p: float  # permutation, two-sided
    permutations: int
    exact: bool  # whether all permutations were enumerated
    p_williams: float
    between: float  # the coefficient between the two metrics
    n: int
    method: str
    reason: str = ""

    def __str__(self) -> str:
        if self.reason:
            return f"{self.a} - {self.b}: undefined ({self.reason})"
        return (
            f"{self.a} - {self.b}: {self.difference:+.3f} [{self.low:.3f}, {self.high:.3f}], p = {self.p:.4f} "
            f"({self.method})"
        )


def compare_metrics(
    task: Task | str,
    a: Scores | str | Metric,
    b: Scores | str | Metric,
    ratings: Ratings,
    *,
    corpora: Mapping[str, Corpus] | None = None,
    controls: Sequence[Scores | str | Metric] = (),
) -> MetricComparison:
    """Compare two metrics on the outputs that both score.

    The sign of metrics for which lower is better (FKGL) is reversed, so that a higher coefficient is better for both; for
    metrics without a better direction (length), the absolute value counts. `controls` are the scores that the task controls
    for.
    """
    task = as_task(task)
    scores = [as_scores(s, corpora) for s in (a, b)]
    return compare_joined(task, join(task, scores, ratings, [as_scores(c, corpora) for c in controls]))


def compare_joined(
    task: Task, joined: JoinedScores, a: int = 0, b: int = 1, *, bounds: bool = True
) -> MetricComparison:
    """Metrics a and b of joined scores and ratings; `bounds=False` saves the time for the interval."""
    joined = oriented(task, joined)
    estimates = estimate(task, joined, a), estimate(task, joined, b)
    reasons = [why_undefined(task, f) for f in estimates]
    names = joined.scores[a].name, joined.scores[b].name
    n = len(estimates[0].x) if isinstance(estimates[0], Rows) else estimates[0].count
    if any(reasons):
        reason = "; ".join(f"{name}: {r}" for name, r in zip(names, reasons, strict=True) if r)
        nan = math.nan
        return MetricComparison(*names, nan, nan, nan, nan, nan, nan, 0, False, nan, nan, n, "none", reason)
    values = estimates[0].value, estimates[1].value
    difference = values[0] - values[1]
    p, tried, exact = _permutation(task, joined, (a, b), estimates)
    between = p_williams = math.nan
    if isinstance(estimates[0], Rows) and isinstance(estimates[1], Rows):
        between = coefficient(task.coefficient, estimates[0].x, estimates[1].x, estimates[0].controls)
        p_williams = williams(*values, between, n - len(task.partial))
    low = high = math.nan
    if bounds:
        low, high = _difference_interval(task, joined, (a, b), values, between, n)
    method = f"{permutation_test(task)}, {'all' if exact else f'{tried:,}'} permutations"
    return MetricComparison(
        *names, *values, difference, low, high, p, tried, exact, p_williams, between, n, method
    )


def oriented(task: Task, joined: JoinedScores) -> JoinedScores:
    """Negate scores that should correlate negatively, and those without a better direction that do."""
    if joined.signs:
        return joined

    def sign(k: int, higher_is_better: bool | None) -> float:
        observed = -1.0 if higher_is_better is None and estimate(task, joined, k).value < 0 else 1.0
        return expected_sign(task, higher_is_better) or observed

    return replace(joined, signs=tuple(sign(k, s.higher_is_better) for k, s in enumerate(joined.scores)))


def permutation_test(task: Task) -> str:
    """The permutation test of a task, in words."""
    units = {"item": "source texts", "system": "systems", "both": "single outputs"}[task.unit]
    return f"permutation test over {units}"


def williams(r12: float, r13: float, r23: float, n: int) -> float:
    """Two-sided p-value of the hypothesis that variable 1 has equal correlations with 2 and 3, whose own correlation is
    r23.
    """
    if n <= 3 or not all(map(math.isfinite, (r12, r13, r23))):
        return math.nan
    if r12 == r13:
        return 1.0
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * determinant * (n - 1) / (n - 3) + ((r12 + r13) ** 2 / 4) * (1 - r23) ** 3
    if below <= 0:
        return math.nan
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return min(1.0, 2 * t_tail(abs(t), n - 3))


@dataclass(frozen=True, eq=False)
class MetricRanking:
    """The correlations of several metrics on one task; metrics that share a letter do not differ significantly."""

    task: Task
    dimension: str
    correlations: tuple[Correlation, ...]
    p_values: Floats  # (metrics, metrics), permutation test, Holm-corrected, NaN on the diagonal
    williams: Floats  # (metrics, metrics), Williams's test, uncorrected
    letters: tuple[str, ...]
    joined: JoinedScores

    def order(self) -> list[int]:
        """Indices of the metrics, highest correlation first."""
        return highest_first([c.oriented_value for c in self.correlations])

    def difference(self, i: int, j: int) -> float:
        """How much higher metric i correlates than metric j, each in its better direction."""
        return self.correlations[i].oriented_value - self.correlations[j].oriented_value

    def rank_interval(self, k: int) -> tuple[int, int]:
        """The possible ranks of metric k, 1 being the best: it ranks after those that are significantly better.

        The intervals of all metrics hold simultaneously with the confidence of the task (Mogstad et al. 2024); (0, 0) if
        the coefficient is undefined.
        """
        defined = [i for i, c in enumerate(self.correlations) if math.isfinite(c.value)]
        if k not in defined:
            return 0, 0
        different = [i for i in defined if self.p_values[k, i] < 1 - self.task.confidence]
        better = sum(self.difference(i, k) > 0 for i in different)
        return 1 + better, len(defined) - (len(different) - better)


def rank_metrics(
    task: Task | str,
    scores: Sequence[Scores],
    ratings: Ratings,
    *,
    controls: Sequence[Scores] = (),
    progress: Progress | None = None,
) -> MetricRanking:
    """Rank metrics on the outputs that all of them score; every pair of metrics is tested."""
    task = as_task(task)
    if not scores:
        raise InputError("no scores to rank; expected at least one metric.")
    joined = join(task, scores, ratings, controls)
    correlations = tuple(correlation(task, joined, k) for k in range(len(scores)))
    signed = oriented(task, joined)
    pairs = list(combinations(range(len(scores)), 2))
    raw = []
    p_williams = np.full((len(scores), len(scores)), np.nan)
    for done, (i, j) in enumerate(pairs, 1):
        comparison = compare_joined(task, signed, i, j, bounds=False)
        raw.append(comparison.p)
        p_williams[i, j] = p_williams[j, i] = comparison.p_williams
        if progress:
            progress(done, len(pairs))
    p_values = holm_matrix(raw, len(scores))
    defined = [i for i in range(len(correlations)) if math.isfinite(correlations[i].value)]
    different = (p_values < 1 - task.confidence)[np.ix_(defined, defined)]
    shared = (
        compact_letters(different, highest_first([correlations[i].oriented_value for i in defined]))
        if defined
        else ()
    )
    letters = dict(zip(defined, shared, strict=True))
    return MetricRanking(
        task,
        joined.dimension,
        correlations,
        p_values,
        p_williams,
        tuple(letters.get(i, "") for i in range(len(correlations))),
        joined,
    )


def _permutation(
    task: Task, joined: JoinedScores, k: tuple[int, int], estimates: tuple[Rows | Ratio, Rows | Ratio]
) -> tuple[float, int, bool]:
    """P-value, number of permutations, and whether these were all permutations."""
    if task.level == "system" and task.unit == "system" and task.coefficient == "pairwise":
        # Swapping two metrics' scores of a system changes all pairs with that system, so rows and tau are used.
        task = replace(task, coefficient="kendall")
        estimates = estimate(task, joined, k[0]), estimate(task, joined, k[1])
    groups = _groups(task, joined, estimates[0])
    count = int(groups.max(initial=-1)) + 1
    exact = enumerable(count, task.resamples)
    tried = 2**count if exact else task.resamples
    rng = np.random.default_rng(task.seed)
    # Computed on the common scale, which for whole systems is not that of corpus scores.
    observed = abs(float(_swapped_differences(task, joined, k, estimates, np.zeros((1, len(groups))))[0]))
    extreme, squares = 0, 0.0
    for start, stop in batches(tried, 2 * max(len(groups), 1)):
        swaps = enumerated_swaps(start, stop, count) if exact else random_swaps(rng, stop - start, count)
        differences = _swapped_differences(task, joined, k, estimates, swaps[:, groups])
        extreme += as_extreme(differences, observed)
        squares += float(np.nansum(differences**2))
    p = permutation_p(extreme, tried, exact=exact)
    if not exact and extreme < RARE and squares:
        p = min(p, SIGNS * 2 * normal_tail(observed / math.sqrt(squares / tried)))
    return p, tried, exact


def _groups(
    task: Task, joined: JoinedScores, metric_estimate: Rows | Ratio
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The swap unit of every row, source text or (system level by items) sample."""
    if task.level == "system" and task.unit == "item":
        return joined.unit
    if isinstance(metric_estimate, Ratio):
        return np.arange(len(metric_estimate.numerator))
    if task.unit == "both":
        return np.arange(len(metric_estimate.x))
    return metric_estimate.system if task.unit == "system" else metric_estimate.unit


def _swapped_differences(
    task: Task,
    joined: JoinedScores,
    k: tuple[int, int],
    estimates: tuple[Rows | Ratio, Rows | Ratio],
    swaps: Floats,
) -> Floats:
    """Differences of the coefficients after swaps; `swaps` is 1 where the two metrics are exchanged."""
    first_estimate, second_estimate = estimates
    if task.level == "system" and task.unit == "item":
        return _swapped_item_differences(task, joined, k, swaps)
    if isinstance(first_estimate, Ratio) and isinstance(second_estimate, Ratio):
        moved = [
            swaps @ (second_estimate.numerator - first_estimate.numerator),
            swaps @ (second_estimate.denominator - first_estimate.denominator),
        ]
        first_ratio = divide(
            first_estimate.numerator.sum() + moved[0], first_estimate.denominator.sum() + moved[1]
        )
        return first_ratio - divide(
            second_estimate.numerator.sum() - moved[0], second_estimate.denominator.sum() - moved[1]
        )
    if isinstance(first_estimate, Rows) and isinstance(second_estimate, Rows):
        x = np.concatenate(
            [
                common_scale(task.coefficient, first_estimate.x),
                common_scale(task.coefficient, second_estimate.x),
            ]
        )
        y, *controls = (np.concatenate([v, v]) for v in (first_estimate.y, *first_estimate.controls))
        taken = np.concatenate([1 - swaps, swaps], axis=1)
        return weighted(task.coefficient, x, y, taken, controls) - weighted(
            task.coefficient, x, y, 1 - taken, controls
        )
    raise AssertionError("both estimates are Rows, or both are Ratios")


def _swapped_item_differences(task: Task, joined: JoinedScores, k: tuple[int, int], swaps: Floats) -> Floats:
    """Differences at system level after the metrics' standardised scores of some items were swapped."""
    complete = joined.complete
    values = []
    for i in k:
        table = np.where(complete, joined.sign(i) * joined.values[i], 0.0)
        table[complete] = common_scale("pearson", table[complete])
        values.append(table)
    counts = complete.sum(axis=1)
    ratings = np.where(complete, joined.ratings, 0.0).sum(axis=1) / counts
    moved = swaps @ (values[1] - values[0]).T  # (permutations, systems)
    name = "kendall" if task.coefficient == "pairwise" else task.coefficient
    y, *controls = (
        np.broadcast_to(v, moved.shape) for v in (ratings, *(c[0] for c in system_controls(joined)))
    )
    first = coefficients(name, (values[0].sum(axis=1) + moved) / counts, y, controls)
    return first - coefficients(name, (values[1].sum(axis=1) - moved) / counts, y, controls)


def _difference_interval(
    task: Task, joined: JoinedScores, k: tuple[int, int], values: tuple[float, float], between: float, n: int
) -> tuple[float, float]:
    if task.level == "system" and task.unit == "system":
        return _zou_interval(task, values, between, n)
    drawn = resampled(task, joined, list(k))
    differences = drawn[0] - drawn[1]
    defined = differences[np.isfinite(differences)]
    units = {"item": joined.units, "system": len(joined.systems)}.get(
        task.unit, min(joined.units, len(joined.systems))
    )
    if units < 3 or len(defined) < len(drawn[0]) / 2:
        return math.nan, math.nan
    half = float(t_half_width(defined, units, task.confidence))
    return values[0] - values[1] - half, values[0] - values[1] + half


def _zou_interval(task: Task, values: tuple[float, float], between: float, n: int) -> tuple[float, float]:
    """The interval of the difference of two correlations that share a variable (Zou 2007)."""
    a, b = values
    free = n - len(task.partial)
    bounds = [fisher_interval(task.coefficient, v, free, task.confidence) for v in values]
    if not all(math.isfinite(x) for pair in bounds for x in pair) or not math.isfinite(between):
        return math.nan, math.nan
    shared = (between - a * b / 2) * (1 - a * a - b * b - between * between) + between**3
    c = shared / ((1 - a * a) * (1 - b * b))
    (l1, u1), (l2, u2) = bounds
    low = math.sqrt(max(0.0, (a - l1) ** 2 + (u2 - b) ** 2 - 2 * c * (a - l1) * (u2 - b)))
    high = math.sqrt(max(0.0, (u1 - a) ** 2 + (b - l2) ** 2 - 2 * c * (u1 - a) * (b - l2)))
    return a - b - low, a - b + high
