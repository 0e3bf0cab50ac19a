"""A coefficient as something that can be computed again under other weights: the base of intervals and tests.

Two kinds of estimate are enough. Rows: a coefficient of rows (x, y), each row belonging to a source text and a system.
Ratio: a sum over a sum, for pairs (right minus wrong over all) and for means of the coefficients of single samples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..metric import Floats, divide
from .coefficients import COEFFICIENTS, coefficient, coefficients, ranks
from .joining import Joined
from .people import sums
from .task import Task

Whole = NDArray[np.int64]

# Sums of the same shares in another order may differ in the last bits; such scores are equal.
TIE = 1e-9


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a coefficient."""

    name: str
    x: Floats
    y: Floats
    unit: Whole  # source text of each row
    system: Whole  # system of each row

    @property
    def value(self) -> float:
        """The coefficient."""
        return coefficient(self.name, self.x, self.y)

    def at(self, weights: Floats) -> Floats:
        """The coefficient under weights of rows, (resamples, rows) -> (resamples,)."""
        return COEFFICIENTS[self.name](self.x, self.y, weights)


@dataclass(frozen=True, eq=False)
class Ratio:
    """Sums over source texts."""

    above: Floats  # (units,)
    below: Floats
    items: int  # pairs, or samples with a defined coefficient
    tied_scores: int = 0
    tied_ratings: int = 0
    right: float = 0.0  # pairs on which metric and people agree

    @property
    def value(self) -> float:
        """The ratio."""
        total = float(self.below.sum())
        return float(self.above.sum()) / total if total else math.nan

    def at(self, weights: Floats) -> Floats:
        """The ratio under weights of source texts, (resamples, units) -> (resamples,)."""
        return divide(weights @ self.above, weights @ self.below)


def estimate(task: Task, joined: Joined, k: int = 0) -> Rows | Ratio:
    """The estimate of metric k that a task asks for."""
    if task.coefficient == "pairwise":
        if task.level == "system":
            people, values = system_values(joined, k)
            return pairs(people[:, None], values[:, None], np.zeros(1, dtype=np.int64), task.ties)
        there = joined.there
        return pairs(
            np.where(there, joined.people, np.nan),
            np.where(there, joined.sign(k) * joined.values[k], np.nan),
            joined.unit,
            task.ties,
        )
    if task.level == "within-sample":
        return _within(task.coefficient, joined, k)
    if task.level == "system":
        people, values = system_values(joined, k)
        numbers = np.arange(len(people))
        return Rows(task.coefficient, steady(values), people, numbers, numbers)
    there = joined.there
    system, sample = np.nonzero(there)
    x, y, unit = joined.sign(k) * joined.values[k][there], joined.people[there], joined.unit[sample]
    if task.level == "document":
        count = np.bincount(unit, minlength=joined.units)
        x, y = (steady(np.bincount(unit, v, minlength=joined.units) / count) for v in (x, y))
        numbers = np.arange(joined.units)
        return Rows(task.coefficient, x, y, numbers, np.zeros_like(numbers))
    return Rows(task.coefficient, x, y, unit, system)


def system_values(joined: Joined, k: int, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """People's mean and metric k's score of every system; with weights of samples (resamples, samples) both are
    (resamples, systems)."""
    there = joined.there.astype(np.float64)
    if weights is None:
        weights = np.ones((1, len(joined.samples)))
        people, values = system_values(joined, k, weights)
        return people[0], values[0]
    taken = weights[:, None, :] * there
    people = steady(divide((taken * np.nan_to_num(joined.people)).sum(axis=-1), taken.sum(axis=-1)))
    return people, joined.sign(k) * joined.scores[k].system_scores(joined.systems, joined.samples, taken)


def pairs(people: Floats, values: Floats, unit: Whole, ties: str) -> Ratio:
    """All pairs of systems on the same sample on which people differ; both arrays are (systems, samples)."""
    size = int(unit.max(initial=-1)) + 1
    above, below = np.zeros(size), np.zeros(size)
    items = tied_scores = tied_ratings = 0
    right = 0.0
    for i, j in combinations(range(len(people)), 2):
        opinion, difference = people[i] - people[j], values[i] - values[j]
        both = np.isfinite(opinion) & np.isfinite(difference)
        opinion, difference, place = opinion[both], difference[both], unit[both]
        equal = np.abs(opinion) <= TIE
        tied_ratings += int(equal.sum())
        opinion, difference, place = opinion[~equal], difference[~equal], place[~equal]
        tie = np.abs(difference) <= TIE
        tied_scores += int(tie.sum())
        agrees = np.sign(difference) * np.sign(opinion)
        count = np.ones(len(agrees))
        if ties == "released":  # the first system wins unless the second scores higher
            agrees = np.where(tie, np.sign(opinion), agrees)
        elif ties == "strict":
            agrees = np.where(tie, -1.0, agrees)
        else:
            agrees = np.where(tie, 0.0, agrees)
            count = np.where(tie, 0.0, 1.0) if ties == "dropped" else count
        above += np.bincount(place, agrees, minlength=size)
        below += np.bincount(place, count, minlength=size)
        items += int(count.sum())
        right += float(((agrees + 1) / 2 * count).sum())
    return Ratio(above, below, items, tied_scores, tied_ratings, right)


def _within(name: str, joined: Joined, k: int) -> Ratio:
    """The coefficient over systems of each sample, where it is defined."""
    there = joined.there
    found = np.full(len(joined.samples), np.nan)
    counts = there.sum(axis=0)
    if there.all() and len(there) >= 3:
        found = coefficients(name, joined.sign(k) * joined.values[k].T, joined.people.T)
    else:
        for i in np.flatnonzero(counts >= 3):
            rows = there[:, i]
            found[i] = joined.sign(k) * coefficient(name, joined.values[k][rows, i], joined.people[rows, i])
    defined = np.isfinite(found)
    above = sums(joined.unit, np.where(defined, found, 0.0), joined.units)
    below = sums(joined.unit, defined.astype(np.float64), joined.units)
    return Ratio(above, below, int(defined.sum()))


def steady(values: Floats) -> Floats:
    """Values without their last bits, in which equal means of the same numbers in another order differ."""
    largest = np.nanmax(np.abs(values), initial=0.0)
    scale = 10.0 ** (12 - np.ceil(np.log10(largest))) if largest > 0 else 1.0
    rounded: Floats = np.round(values * scale) / scale
    return rounded


def like_ranks(name: str, values: Floats) -> Floats:
    """Values on a scale on which two metrics may be exchanged: ranks for rank coefficients, else standard scores."""
    if name in ("spearman", "kendall"):
        return ranks(values)
    spread = values.std()
    scaled: Floats = (values - values.mean()) / (spread if spread else 1.0)
    return scaled
