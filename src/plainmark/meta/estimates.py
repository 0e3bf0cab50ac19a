"""Coefficients in a form that can be recomputed with other weights, the basis of intervals and tests.

There are two kinds of estimate. Rows: a coefficient of rows (x, y), each of which belongs to a source text and a system.
Ratio: the quotient of two sums, for pairs (concordant minus discordant, divided by all) and for means of item-level
coefficients.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..metric import Floats, divide
from .coefficients import coefficient, coefficients, ranks, weighted
from .joined import JoinedScores
from .ratings import group_sums
from .task import Task

Integers = NDArray[np.int64]

# Sums of the same numbers in another order may differ in the last bits; such scores count as equal.
TIE = 1e-9


@dataclass(frozen=True, eq=False)
class Rows:
    """A coefficient of rows."""

    name: str
    x: Floats
    y: Floats
    unit: Integers  # source text of each row
    system: Integers  # system of each row
    controls: tuple[Floats, ...] = ()  # controls for x and y

    @property
    def value(self) -> float:
        """The coefficient."""
        return coefficient(self.name, self.x, self.y, self.controls)

    def weighted(self, weights: Floats) -> Floats:
        """The coefficient under weights of rows, (resamples, rows) -> (resamples,)."""
        return weighted(self.name, self.x, self.y, weights, self.controls)


@dataclass(frozen=True, eq=False)
class Ratio:
    """A ratio of sums over source texts."""

    numerator: Floats  # (units,)
    denominator: Floats
    count: int  # pairs, or items with a defined coefficient
    tied_scores: int = 0
    tied_ratings: int = 0
    right: float = 0.0  # pairs on which metric and raters agree

    @property
    def value(self) -> float:
        """The ratio."""
        total = float(self.denominator.sum())
        return float(self.numerator.sum()) / total if total else math.nan

    def weighted(self, weights: Floats) -> Floats:
        """The ratio under weights of source texts, (resamples, units) -> (resamples,)."""
        return divide(weights @ self.numerator, weights @ self.denominator)


def estimate(task: Task, joined: JoinedScores, k: int = 0) -> Rows | Ratio:
    """The estimate for metric k that the task requires."""
    if task.coefficient == "pairwise":
        if task.level == "system":
            ratings, values = system_values(joined, k)
            return pairs(ratings[:, None], values[:, None], np.zeros(1, dtype=np.int64), task.ties)
        complete = joined.complete
        return pairs(
            np.where(complete, joined.ratings, np.nan),
            np.where(complete, joined.sign(k) * joined.values[k], np.nan),
            joined.unit,
            task.ties,
        )
    if task.level == "item":
        return _item_level(task.coefficient, joined, k)
    if task.level == "system":
        ratings, values = system_values(joined, k)
        numbers = np.arange(len(ratings))
        controls = tuple(round_off(c[0]) for c in system_controls(joined))
        return Rows(task.coefficient, round_off(values), ratings, numbers, numbers, controls)
    complete = joined.complete
    system, sample = np.nonzero(complete)
    x, y, unit = joined.sign(k) * joined.values[k][complete], joined.ratings[complete], joined.unit[sample]
    taken_out = [c[complete] for c in joined.control_values]
    if task.level == "item-means":
        count = np.bincount(unit, minlength=joined.units)
        x, y, *taken_out = (
            round_off(np.bincount(unit, v, minlength=joined.units) / count) for v in (x, y, *taken_out)
        )
        numbers = np.arange(joined.units)
        return Rows(task.coefficient, x, y, numbers, np.zeros_like(numbers), tuple(taken_out))
    return Rows(task.coefficient, x, y, unit, system, tuple(taken_out))


def system_values(joined: JoinedScores, k: int, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """AggregatedRatings's mean and metric k's score of every system; with weights of samples (resamples, samples) both are
    (resamples, systems)."""
    complete = joined.complete.astype(np.float64)
    if weights is None:
        weights = np.ones((1, len(joined.samples)))
        ratings, values = system_values(joined, k, weights)
        return ratings[0], values[0]
    taken = weights[:, None, :] * complete
    ratings = round_off(divide((taken * np.nan_to_num(joined.ratings)).sum(axis=-1), taken.sum(axis=-1)))
    return ratings, joined.sign(k) * joined.scores[k].system_scores(joined.systems, joined.samples, taken)


def system_controls(joined: JoinedScores, weights: Floats | None = None) -> list[Floats]:
    """The score of every system for each control, (resamples, systems)."""
    if weights is None:
        weights = np.ones((1, len(joined.samples)))
    taken = weights[:, None, :] * joined.complete
    return [c.system_scores(joined.systems, joined.samples, taken) for c in joined.controls]


def pairs(ratings: Floats, values: Floats, unit: Integers, ties: str) -> Ratio:
    """All pairs of systems on the same item with different ratings; both arrays are (systems, samples)."""
    size = int(unit.max(initial=-1)) + 1
    numerator, denominator = np.zeros(size), np.zeros(size)
    count = tied_scores = tied_ratings = 0
    right = 0.0
    for i, j in combinations(range(len(ratings)), 2):
        preference, difference = ratings[i] - ratings[j], values[i] - values[j]
        both = np.isfinite(preference) & np.isfinite(difference)
        preference, difference, place = preference[both], difference[both], unit[both]
        equal = np.abs(preference) <= TIE
        tied_ratings += int(equal.sum())
        preference, difference, place = preference[~equal], difference[~equal], place[~equal]
        tie = np.abs(difference) <= TIE
        tied_scores += int(tie.sum())
        agrees = np.sign(difference) * np.sign(preference)
        counted = np.ones(len(agrees))
        if ties == "released":  # the first system wins unless the second scores higher
            agrees = np.where(tie, np.sign(preference), agrees)
        elif ties == "strict":
            agrees = np.where(tie, -1.0, agrees)
        else:
            agrees = np.where(tie, 0.0, agrees)
            counted = np.where(tie, 0.0, 1.0) if ties == "dropped" else counted
        numerator += np.bincount(place, agrees, minlength=size)
        denominator += np.bincount(place, counted, minlength=size)
        count += int(counted.sum())
        right += float(((agrees + 1) / 2 * counted).sum())
    return Ratio(numerator, denominator, count, tied_scores, tied_ratings, right)


def _item_level(name: str, joined: JoinedScores, k: int) -> Ratio:
    """The mean of the coefficients over the systems of each item, for items that have one."""
    complete = joined.complete
    values = np.full(len(joined.samples), np.nan)
    counts = complete.sum(axis=0)
    least = 3 + len(joined.controls)
    if complete.all() and len(complete) >= least:
        controls = [c.T for c in joined.control_values]
        values = coefficients(name, joined.sign(k) * joined.values[k].T, joined.ratings.T, controls)
    else:
        for i in np.flatnonzero(counts >= least):
            rows = complete[:, i]
            controls = [c[rows, i] for c in joined.control_values]
            values[i] = joined.sign(k) * coefficient(
                name, joined.values[k][rows, i], joined.ratings[rows, i], controls
            )
    defined = np.isfinite(values)
    numerator = group_sums(joined.unit, np.where(defined, values, 0.0), joined.units)
    denominator = group_sums(joined.unit, defined.astype(np.float64), joined.units)
    return Ratio(numerator, denominator, int(defined.sum()))


def round_off(values: Floats) -> Floats:
    """Round to twelve digits, so that equal means do not differ because numbers were added in another order."""
    largest = np.nanmax(np.abs(values), initial=0.0)
    scale = 10.0 ** (12 - np.ceil(np.log10(largest))) if largest > 0 else 1.0
    rounded: Floats = np.round(values * scale) / scale
    return rounded


def common_scale(name: str, values: Floats) -> Floats:
    """Values on a scale that two metrics share: ranks for rank coefficients, else standard scores."""
    if name in ("spearman", "kendall"):
        return ranks(values)
    spread = values.std()
    scaled: Floats = (values - values.mean()) / (spread if spread else 1.0)
    return scaled
