"""Rankings of systems by human ratings or by a metric, and how stable they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ..data import Ratings
from ..errors import InputError
from ..metric import Floats, divide
from ..resampling import (
    as_extreme,
    batches,
    bootstrap_weights,
    compact_letters,
    highest_first,
    holm_matrix,
    permutation_p,
    random_subsets,
    random_swaps,
    t_half_width,
)
from .coefficients import ranks
from .correlation import as_task, correlation
from .estimates import round_off
from .joined import join
from .ratings import AggregatedRatings, aggregate_ratings
from .scores import Scores
from .task import Task


@dataclass(frozen=True, eq=False)
class SystemRanking:
    """Systems with their means and intervals; systems that share a letter do not differ significantly."""

    systems: tuple[str, ...]
    values: Floats
    low: Floats
    high: Floats
    samples: NDArray[np.int64]  # number of samples per system
    letters: tuple[str, ...]

    def order(self) -> list[int]:
        """Indices of the systems, highest first."""
        return highest_first(self.values)

    def ranks(self) -> dict[str, float]:
        """System -> rank; equal values share their mean rank."""
        return dict(zip(self.systems, ranks(-round_off(self.values)).tolist(), strict=True))


def rank_systems(
    task: Task | str, data: Ratings | AggregatedRatings | Scores, *, units: Mapping[str, str] | None = None
) -> SystemRanking:
    """Rank systems by ratings or mean scores; every pair gets a permutation test over source texts."""
    task = as_task(task)
    systems, samples, values = _table(task, data)
    unit = _numbers(samples, units or (data.units if isinstance(data, Scores) else {}))
    defined = np.isfinite(values)
    clean = np.where(defined, values, 0.0)
    rng = np.random.default_rng(task.seed)
    count = int(unit.max(initial=-1)) + 1
    drawn = np.empty((task.resamples, len(systems)))
    for start, stop in batches(task.resamples, len(samples)):
        weights = bootstrap_weights(rng, stop - start, count)[:, unit]
        drawn[start:stop] = divide(weights @ clean.T, weights @ defined.T.astype(np.float64))
    means = divide(clean.sum(axis=1), defined.sum(axis=1))
    half = np.full(len(systems), math.nan)
    if count > 2:
        half = t_half_width(drawn, count, task.confidence)
    p_values = _pair_tests(task, values, unit, rng)
    return SystemRanking(
        systems,
        means,
        means - half,
        means + half,
        defined.sum(axis=1),
        compact_letters(p_values < 1 - task.confidence, highest_first(means)),
    )


@dataclass(frozen=True, eq=False)
class RankStability:
    """How the ranking of systems stabilises as more source texts are rated."""

    systems: tuple[str, ...]
    sizes: tuple[int, ...]
    means: Floats  # (sizes, systems): mean value over the runs
    agreement: Floats  # (sizes,): mean Kendall's tau-b with the ranking on all texts
    same_best: Floats  # (sizes,): share of runs with the same best system


def rank_stability(
    task: Task | str, data: Ratings | AggregatedRatings | Scores, *, sizes: Sequence[int], runs: int = 50
) -> RankStability:
    """Rank systems on random subsets of the source texts, drawn without replacement."""
    from .coefficients import coefficients

    task = as_task(task)
    systems, samples, values = _table(task, data)
    if not sizes or min(sizes) < 1 or max(sizes) > len(samples):
        raise InputError(
            f"sizes {list(sizes)}: expected numbers from 1 to {len(samples)}, the number of samples."
        )
    rng = np.random.default_rng(task.seed)
    defined = np.isfinite(values)
    clean = np.where(defined, values, 0.0)
    whole = divide(clean.sum(axis=1), defined.sum(axis=1))
    means, taus, best = [], [], []
    for size in sizes:
        taken = random_subsets(rng, runs, len(samples), size)
        each = divide(taken @ clean.T, taken @ defined.T.astype(np.float64))
        means.append(np.nanmean(each, axis=0))
        tau = coefficients("kendall", np.nan_to_num(each), np.broadcast_to(whole, each.shape))
        taus.append(np.nanmean(tau) if np.isfinite(tau).any() else np.nan)
        best.append(float((np.nanargmax(each, axis=1) == np.nanargmax(whole)).mean()))
    return RankStability(systems, tuple(sizes), np.array(means), np.array(taus), np.array(best))


@dataclass(frozen=True)
class LengthBin:
    """The coefficient on source texts of similar length."""

    low: float
    high: float
    samples: int
    value: float
    interval: tuple[float, float]
    reason: str = ""


def by_length(
    task: Task | str,
    scores: Scores,
    ratings: Ratings,
    lengths: Mapping[str, float],
    *,
    bins: int = 4,
    edges: Sequence[float] = (),
    controls: Sequence[Scores] = (),
) -> list[LengthBin]:
    """The coefficient in bins of source length (sample -> length), of equal size or between `edges`."""
    task = as_task(task)
    joined = join(task, [scores], ratings, controls)
    absent = [s for s in joined.samples if s not in lengths]
    if absent:
        raise InputError(
            f"no length for {len(absent)} samples: {', '.join(absent[:3])}{', …' if len(absent) > 3 else ''}."
        )
    sizes = np.array([float(lengths[s]) for s in joined.samples])
    if bins < 1:
        raise InputError(f"bins: {bins} given, expected at least 1.")
    cuts = np.array(sorted(edges)) if len(edges) else np.quantile(sizes, np.linspace(0, 1, bins + 1))
    cuts = np.unique(cuts)
    if len(cuts) < 2:
        cuts = np.array([cuts[0], cuts[0]])
    out = []
    for i, (low, high) in enumerate(pairwise(cuts)):
        last = i == len(cuts) - 2
        inside = (sizes >= low) & ((sizes <= high) if last else (sizes < high))
        if not inside.any():
            out.append(LengthBin(float(low), float(high), 0, math.nan, (math.nan, math.nan), "no samples"))
            continue
        c = correlation(task, joined.only(inside), leave_out=False)
        out.append(LengthBin(float(low), float(high), int(inside.sum()), c.value, (c.low, c.high), c.reason))
    return out


def _table(
    task: Task, data: Ratings | AggregatedRatings | Scores
) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    if isinstance(data, Scores):
        systems = tuple(dict.fromkeys(s for s, _ in data.values))
        systems = tuple(
            s for s in systems if (not task.systems or s in task.systems) and s not in task.without
        )
        samples = tuple(dict.fromkeys(i for _, i in data.values))
        return systems, samples, data.matrix(systems, samples)
    if isinstance(data, Ratings):
        data = aggregate_ratings(task, data)
    return data.systems, data.samples, data.values


def _numbers(samples: Sequence[str], units: Mapping[str, str]) -> NDArray[np.int64]:
    keys = [units.get(s, s) for s in samples]
    numbers = {k: n for n, k in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[k] for k in keys], dtype=np.int64)


def _pair_tests(task: Task, values: Floats, unit: NDArray[np.int64], rng: np.random.Generator) -> Floats:
    """Corrected p-values of all pairs, from random flips of the signs of source texts' differences."""
    count = int(unit.max(initial=-1)) + 1
    raw = []
    signs = random_swaps(rng, task.resamples, count) * 2 - 1
    for i, j in combinations(range(len(values)), 2):
        difference = values[i] - values[j]
        both = np.isfinite(difference)
        sums = np.bincount(unit[both], difference[both], minlength=count)
        if not both.any():
            raw.append(math.nan)
            continue
        raw.append(permutation_p(as_extreme(signs @ sums, sums.sum(), 1e-9), task.resamples))
    return holm_matrix(raw, len(values))
