"""Is one metric closer to people than another? Paired tests on the same outputs.

Permutation: the two metrics' scores of a source text (or a system) are exchanged at random, on a common scale (ranks for
rank coefficients, else standard scores); p is the share of exchanges with a difference as large as the one found
(Deutsch et al. 2021). All exchanges are tried where they are few.
Williams 1959: a t-test of two correlations that share a variable, for independent rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..data import Corpus, Ratings
from ..distributions import t_tail
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
from .coefficients import COEFFICIENTS, coefficient, coefficients
from .correlation import (
    Correlation,
    Progress,
    as_scores,
    as_task,
    correlation,
    fisher_interval,
    resampled,
    why_undefined,
)
from .estimates import Ratio, Rows, estimate, like_ranks
from .joining import Joined, join
from .scores import Scores
from .task import Task


@dataclass(frozen=True)
class MetricComparison:
    """Two metrics against the same people; NaN with a reason where a coefficient is undefined."""

    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    low: float
    high: float
    p: float  # permutation, two-sided
    permutations: int
    exact: bool  # whether all exchanges were tried
    p_williams: float
    between: float  # the coefficient of the two metrics with each other
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
) -> MetricComparison:
    """Two metrics against people, on the outputs that both score.

    Scores of which less is better (FKGL) are turned round, so that more is closer to people for both.
    """
    task = as_task(task)
    return compare_joined(task, join(task, [as_scores(a, corpora), as_scores(b, corpora)], ratings))


def compare_joined(
    task: Task, joined: Joined, a: int = 0, b: int = 1, *, bounds: bool = True
) -> MetricComparison:
    """Metrics a and b of joined scores and ratings; without `bounds` the interval is left out, which saves time."""
    joined = replace(joined, turned=True)
    found = estimate(task, joined, a), estimate(task, joined, b)
    reasons = [why_undefined(task, f) for f in found]
    names = joined.scores[a].name, joined.scores[b].name
    n = len(found[0].x) if isinstance(found[0], Rows) else found[0].items
    if any(reasons):
        reason = "; ".join(f"{name}: {r}" for name, r in zip(names, reasons, strict=True) if r)
        nan = math.nan
        return MetricComparison(*names, nan, nan, nan, nan, nan, nan, 0, False, nan, nan, n, "none", reason)
    values = found[0].value, found[1].value
    difference = values[0] - values[1]
    p, tried, exact = _permutation(task, joined, (a, b), found)
    between = p_williams = math.nan
    if isinstance(found[0], Rows) and isinstance(found[1], Rows):
        between = coefficient(task.coefficient, found[0].x, found[1].x)
        p_williams = williams(*values, between, n)
    low = high = math.nan
    if bounds:
        low, high = _difference_interval(task, joined, (a, b), values, between, n)
    what = {"sample": "source texts", "system": "systems", "both": "single outputs"}[task.unit]
    method = f"{'all' if exact else f'{tried:,}'} exchanges of {what}"
    return MetricComparison(
        *names, *values, difference, low, high, p, tried, exact, p_williams, between, n, method
    )


def williams(r12: float, r13: float, r23: float, n: int) -> float:
    """Two-sided p-value that variable 1 correlates equally with 2 and 3, which correlate r23 with each other."""
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
    """Metrics on one task, each with its correlation; metrics that share a letter do not differ significantly."""

    task: Task
    dimension: str
    correlations: tuple[Correlation, ...]
    p_values: Floats  # (metrics, metrics), Holm-corrected, NaN on the diagonal
    letters: tuple[str, ...]
    joined: Joined

    def order(self) -> list[int]:
        """Indices of the metrics, closest to people first."""
        return highest_first([c.good for c in self.correlations])


def rank_metrics(
    task: Task | str, scores: Sequence[Scores], ratings: Ratings, *, progress: Progress | None = None
) -> MetricRanking:
    """All metrics on the outputs that all of them score, every pair tested."""
    task = as_task(task)
    if not scores:
        raise InputError("no scores to rank; expected at least one metric.")
    joined = join(task, scores, ratings)
    found = tuple(correlation(task, joined, k) for k in range(len(scores)))
    couples = list(combinations(range(len(scores)), 2))
    raw = []
    for done, (i, j) in enumerate(couples, 1):
        raw.append(compare_joined(task, joined, i, j, bounds=False).p)
        if progress:
            progress(done, len(couples))
    p_values = holm_matrix(raw, len(scores))
    defined = [i for i in range(len(found)) if math.isfinite(found[i].value)]
    different = (p_values < 1 - task.confidence)[np.ix_(defined, defined)]
    shared = compact_letters(different, highest_first([found[i].good for i in defined])) if defined else ()
    of = dict(zip(defined, shared, strict=True))
    return MetricRanking(
        task, joined.dimension, found, p_values, tuple(of.get(i, "") for i in range(len(found))), joined
    )


def _permutation(
    task: Task, joined: Joined, k: tuple[int, int], found: tuple[Rows | Ratio, Rows | Ratio]
) -> tuple[float, int, bool]:
    """p, how many exchanges were tried, and whether they were all."""
    if task.level == "system" and task.unit == "system" and task.coefficient == "pairwise":
        # Exchanging two metrics' scores of a system changes all pairs that it is in: a matter of rows, and of tau.
        task = replace(task, coefficient="kendall")
        found = estimate(task, joined, k[0]), estimate(task, joined, k[1])
    groups = _groups(task, joined, found[0])
    count = int(groups.max(initial=-1)) + 1
    exact = enumerable(count, task.resamples)
    tried = 2**count if exact else task.resamples
    rng = np.random.default_rng(task.seed)
    # On the scale of the exchanges, which for whole systems is not that of corpus scores.
    observed = abs(float(_exchanged(task, joined, k, found, np.zeros((1, len(groups))))[0]))
    extreme = 0
    for start, stop in batches(tried, 2 * max(len(groups), 1)):
        swaps = enumerated_swaps(start, stop, count) if exact else random_swaps(rng, stop - start, count)
        extreme += as_extreme(_exchanged(task, joined, k, found, swaps[:, groups]), observed)
    return permutation_p(extreme, tried, exact=exact), tried, exact


def _groups(task: Task, joined: Joined, found: Rows | Ratio) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """What is exchanged together: a number for every row, source text, or (systems by samples) every sample."""
    if task.level == "system" and task.unit == "sample":
        return joined.unit
    if isinstance(found, Ratio):
        return np.arange(len(found.above))
    if task.unit == "both":
        return np.arange(len(found.x))
    return found.system if task.unit == "system" else found.unit


def _exchanged(
    task: Task,
    joined: Joined,
    k: tuple[int, int],
    found: tuple[Rows | Ratio, Rows | Ratio],
    chosen: Floats,
) -> Floats:
    """Differences after exchanges: chosen is 1 where the two metrics swap."""
    one, two = found
    if task.level == "system" and task.unit == "sample":
        return _exchanged_samples(task, joined, k, chosen)
    if isinstance(one, Ratio) and isinstance(two, Ratio):
        moved = [chosen @ (two.above - one.above), chosen @ (two.below - one.below)]
        first = divide(one.above.sum() + moved[0], one.below.sum() + moved[1])
        return first - divide(two.above.sum() - moved[0], two.below.sum() - moved[1])
    if isinstance(one, Rows) and isinstance(two, Rows):
        x = np.concatenate([like_ranks(task.coefficient, one.x), like_ranks(task.coefficient, two.x)])
        y = np.concatenate([one.y, two.y])
        function = COEFFICIENTS[task.coefficient]
        taken = np.concatenate([1 - chosen, chosen], axis=1)
        return function(x, y, taken) - function(x, y, 1 - taken)
    raise AssertionError("an estimate is made of rows or of sums")


def _exchanged_samples(task: Task, joined: Joined, k: tuple[int, int], chosen: Floats) -> Floats:
    """Systems' means after the metrics' standardised scores of some samples were exchanged."""
    there = joined.there
    values = []
    for i in k:
        table = np.where(there, joined.sign(i) * joined.values[i], 0.0)
        table[there] = like_ranks("pearson", table[there])
        values.append(table)
    counts = there.sum(axis=1)
    people = np.where(there, joined.people, 0.0).sum(axis=1) / counts
    moved = chosen @ (values[1] - values[0]).T  # (exchanges, systems)
    name = "kendall" if task.coefficient == "pairwise" else task.coefficient
    y = np.broadcast_to(people, moved.shape)
    first = coefficients(name, (values[0].sum(axis=1) + moved) / counts, y)
    return first - coefficients(name, (values[1].sum(axis=1) - moved) / counts, y)


def _difference_interval(
    task: Task, joined: Joined, k: tuple[int, int], values: tuple[float, float], between: float, n: int
) -> tuple[float, float]:
    if task.level == "system" and task.unit == "system":
        return _zou_interval(task, values, between, n)
    drawn = resampled(task, joined, list(k))
    differences = drawn[0] - drawn[1]
    defined = differences[np.isfinite(differences)]
    units = {"sample": joined.units, "system": len(joined.systems)}.get(
        task.unit, min(joined.units, len(joined.systems))
    )
    if units < 3 or len(defined) < len(drawn[0]) / 2:
        return math.nan, math.nan
    half = float(t_half_width(defined, units, task.confidence))
    return values[0] - values[1] - half, values[0] - values[1] + half


def _zou_interval(task: Task, values: tuple[float, float], between: float, n: int) -> tuple[float, float]:
    """The interval of the difference of two correlations that share a variable (Zou 2007)."""
    a, b = values
    bounds = [fisher_interval(task.coefficient, v, n, task.confidence) for v in values]
    if not all(math.isfinite(x) for pair in bounds for x in pair) or not math.isfinite(between):
        return math.nan, math.nan
    shared = (between - a * b / 2) * (1 - a * a - b * b - between * between) + between**3
    c = shared / ((1 - a * a) * (1 - b * b))
    (l1, u1), (l2, u2) = bounds
    low = math.sqrt(max(0.0, (a - l1) ** 2 + (u2 - b) ** 2 - 2 * c * (a - l1) * (u2 - b)))
    high = math.sqrt(max(0.0, (u1 - a) ** 2 + (b - l2) ** 2 - 2 * c * (u1 - a) * (b - l2)))
    return a - b - low, a - b + high
