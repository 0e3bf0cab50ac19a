"""Pairs of outputs, one of which is better: by human preference, or because the other was perturbed on purpose.

Consistency is the share of pairs in which the better output scores higher. A metric that cannot distinguish two texts
gives them equal scores, and published figures count such ties as correct, so both figures and the ties are reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..data import Rating, Ratings
from ..distributions import binomial_p, share_interval
from ..metric import Floats
from .estimates import pairs
from .joined import JoinedScores, join
from .ratings import AggregatedRatings, aggregate_ratings
from .scores import Scores
from .task import Task

# The rater of constructed pairs, in which one text was perturbed and nobody judged the texts.
CONSTRUCTION = "construction"


@dataclass(frozen=True)
class Consistency:
    """How often a metric prefers the better output of a pair; percentages."""

    metric: str
    dimension: str
    pairs: int
    right: int  # the better one scores higher
    ties: int  # both score the same
    released: float  # ties count for the system named first, as in released programs
    strict: float  # ties are wrong
    low: float  # interval of strict
    high: float
    p: float  # two-sided sign test of right against wrong, ties left out
    unrated: int = 0  # pairs with equal ratings

    @property
    def wrong(self) -> int:
        """Pairs in which the worse output scores higher."""
        return self.pairs - self.right - self.ties

    def __str__(self) -> str:
        return (
            f"{self.metric} {self.dimension}: {self.released:.1f} as released, {self.strict:.1f} strictly "
            f"[{self.low:.1f}, {self.high:.1f}]; {self.right} right, {self.ties} ties, {self.wrong} wrong of {self.pairs}"
        )


def consistency(task: Task | str, scores: Scores, ratings: Ratings) -> Consistency:
    """Consistency over all pairs of outputs of one sample that were rated differently.

    Scores of metrics for which lower is better are negated.
    """
    task = Task.parse(task) if isinstance(task, str) else task
    task = replace(task, level="segment", coefficient="pairwise", resample="auto")
    return joined_consistency(task, join(task, [scores], ratings))


def joined_consistency(task: Task, joined: JoinedScores, k: int = 0) -> Consistency:
    """Consistency of metric k on joined scores and ratings."""
    scores, complete = joined.scores[k], joined.complete
    sign = -1.0 if scores.higher_is_better is False else 1.0
    rated = np.where(complete, joined.ratings, np.nan)
    values = np.where(complete, sign * joined.values[k], np.nan)
    strict = pairs(rated, values, joined.unit, "strict")
    released = pairs(rated, values, joined.unit, "released")
    n, right, ties = strict.count, round(strict.right), strict.tied_scores
    low, high = share_interval(right, n, task.confidence)
    return Consistency(
        scores.name,
        joined.dimension,
        n,
        right,
        ties,
        100 * released.right / n if n else math.nan,
        100 * right / n if n else math.nan,
        100 * low,
        100 * high,
        binomial_p(right, n - ties),
        strict.tied_ratings,
    )


@dataclass(frozen=True)
class PositionBias:
    """How often a judge makes the same choice when two outputs are exchanged; shares are from 0 to 1."""

    pairs: int  # asked in both orders
    consistent: int  # the same answer in both orders
    first_twice: int  # the version shown first was chosen both times
    second_twice: int
    first: float  # share of the answers other than ties that chose the version shown first
    low: float
    high: float
    p: float  # two-sided sign test of first_twice against second_twice

    @property
    def consistency(self) -> float:
        """The share of pairs with the same answer in both orders."""
        return self.consistent / self.pairs if self.pairs else math.nan

    def __str__(self) -> str:
        return (
            f"{self.consistent} of {self.pairs} pairs have the same answer in both orders; the version shown first wins "
            f"{100 * self.first:.1f} % of decided answers [{100 * self.low:.1f}, {100 * self.high:.1f}], p = {self.p:.4f}"
        )


def position_bias(forward: Floats, backward: Floats, confidence: float = 0.95) -> PositionBias:
    """Position bias from answers in both orders: 1 where a pair's first output won, 0 where its second, .5 for a tie."""
    both = np.isfinite(forward) & np.isfinite(backward)
    shown_first, shown_second = forward[both], 1 - backward[both]  # result for the version shown first
    answers = np.concatenate([shown_first, shown_second])
    decided = answers[answers != 0.5]
    won = int((decided == 1).sum())
    low, high = share_interval(won, len(decided), confidence)
    first_twice = int(((shown_first == 1) & (shown_second == 1)).sum())
    second_twice = int(((shown_first == 0) & (shown_second == 0)).sum())
    return PositionBias(
        int(both.sum()),
        int((forward[both] == backward[both]).sum()),
        first_twice,
        second_twice,
        won / len(decided) if len(decided) else math.nan,
        low,
        high,
        # Without pairs that change sides there is no evidence of a bias.
        binomial_p(first_twice, first_twice + second_twice) if first_twice + second_twice else 1.0,
    )


def is_paired(ratings: Ratings) -> bool:
    """Whether ratings are preferences: each rater gives 1 to one output of a sample and 0 to the other."""
    votes: dict[tuple[str, str, str], list[tuple[str, float]]] = {}
    for r in ratings:
        votes.setdefault((r.sample, r.dimension, r.rater), []).append((r.system, r.value))
    return bool(votes) and all(
        len(v) == 2 and v[0][0] != v[1][0] and sorted(x for _, x in v) in ([0.0, 1.0], [0.5, 0.5])
        for v in votes.values()
    )


def is_constructed(ratings: Ratings) -> bool:
    """Whether the pairs were constructed by perturbing one output, rather than judged by people."""
    return is_paired(ratings) and {r.rater for r in ratings} == {CONSTRUCTION}


def first_of_pairs(ratings: Ratings) -> Ratings:
    """The ratings of the first system of each pair; those of the second follow from them."""
    first: dict[tuple[str, str], str] = {}
    return Ratings(r for r in ratings if first.setdefault((r.sample, r.dimension), r.system) == r.system)


def preferences(choices: Iterable[tuple[str, str, str, str, str, str]]) -> Ratings:
    """Ratings from preferences (sample, first system, second system, dimension, rater, winner).

    The winner gets 1 and the other 0; if the winner is neither ("similar"), both get one half.
    """
    out = []
    for sample, first, second, dimension, rater, winner in choices:
        half = winner not in (first, second)
        out += [
            Rating(system, sample, dimension, rater, 0.5 if half else float(winner == system))
            for system in (first, second)
        ]
    return Ratings(out)


@dataclass(frozen=True, eq=False)
class Wins:
    """Win rates: the share of pairs in which the row's system is preferred; ties count half."""

    systems: tuple[str, ...]
    shares: Floats  # (systems, systems), NaN where two were never compared
    pairs: Floats  # number of comparisons
    ties: Floats


def wins(task: Task | str, ratings: Ratings | AggregatedRatings) -> Wins:
    """How often raters prefer each system to each other one on the same sample."""
    task = Task.parse(task) if isinstance(task, str) else task
    rated = ratings if isinstance(ratings, AggregatedRatings) else aggregate_ratings(task, ratings)
    count = len(rated.systems)
    shares, met, ties = (np.zeros((count, count)) for _ in range(3))
    for i in range(count):
        difference = rated.values[i] - rated.values
        both = np.isfinite(difference)
        met[i] = both.sum(axis=1)
        ties[i] = (both & (np.abs(np.nan_to_num(difference)) <= 1e-9)).sum(axis=1)
        shares[i] = (both & (np.nan_to_num(difference) > 1e-9)).sum(axis=1) + ties[i] / 2
    np.fill_diagonal(met, 0)
    return Wins(rated.systems, np.where(met > 0, shares / np.maximum(met, 1), np.nan), met, ties)
