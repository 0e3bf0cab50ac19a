"""Human ratings as a table: one value per system and sample, aggregated over raters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..data import Rating, Ratings
from ..errors import InputError, did_you_mean
from ..metric import Floats, divide
from .task import Task

Cell = tuple[str, str]  # system, sample


@dataclass(frozen=True, eq=False)
class AggregatedRatings:
    """One value per system and sample; NaN where nobody rated."""

    dimension: str
    systems: tuple[str, ...]  # in order of first appearance
    samples: tuple[str, ...]
    values: Floats  # (systems, samples)
    raters: Floats  # (systems, samples): number of raters


def dimensions(ratings: Ratings) -> list[str]:
    """The rated dimensions in order of first appearance."""
    return list(dict.fromkeys(r.dimension for r in ratings))


def aggregate_ratings(task: Task, ratings: Ratings) -> AggregatedRatings:
    """Combine the raters of the dimension, systems and samples that a task selects."""
    table = RaterTable.from_ratings(task, ratings)
    values = table.standardised() if task.raters == "z" else table.values
    rows, columns = len(table.systems), len(table.samples)
    place = table.system * columns + table.sample
    defined = np.isfinite(values)
    place, values = place[defined], values[defined]
    counts = group_sums(place, np.ones(len(place)), rows * columns)
    if task.raters in ("mean", "z"):
        combined = divide(group_sums(place, values, rows * columns), counts)
    else:
        combined = np.full(rows * columns, np.nan)
        order = np.lexsort((values, place))
        starts = np.flatnonzero(np.diff(place[order], prepend=-1))
        for group in np.split(order, starts[1:]) if len(order) else []:
            combined[place[group[0]]] = _median_or_majority(values[group], task.raters)
    shape = (rows, columns)
    return AggregatedRatings(
        table.dimension, table.systems, table.samples, combined.reshape(shape), counts.reshape(shape)
    )


@dataclass(frozen=True, eq=False)
class RaterTable:
    """The ratings of one dimension as arrays: row k is rater[k]'s value of sample[k] of system[k]."""

    dimension: str
    systems: tuple[str, ...]
    samples: tuple[str, ...]
    raters: tuple[str, ...]
    system: NDArray[np.int64]
    sample: NDArray[np.int64]
    rater: NDArray[np.int64]
    values: Floats

    @classmethod
    def from_ratings(cls, task: Task, ratings: Ratings) -> RaterTable:
        """Select the ratings of a task; InputError if a rater rated an output twice and duplicates are refused."""
        dimension = _dimension(task, ratings)
        rows = [r for r in ratings if r.dimension == dimension]
        check_names("systems", (*task.systems, *task.without), {r.system: None for r in rows})
        check_names("items", task.items, {r.sample: None for r in rows})
        only, left_out, samples = set(task.systems), set(task.without), set(task.items)
        rows = [
            r
            for r in rows
            if (not only or r.system in only)
            and r.system not in left_out
            and (not samples or r.sample in samples)
        ]
        values_by_rater: dict[tuple[str, str, str], list[float]] = {}
        for r in rows:
            values_by_rater.setdefault((r.system, r.sample, r.rater), []).append(r.value)
        twice = [k for k, values in values_by_rater.items() if len(values) > 1]
        if twice and task.duplicates == "refuse":
            shown = ", ".join(f"{s}/{i} by rater {r or '(no name)'}" for s, i, r in islice(twice, 3))
            raise InputError(
                f"{dimension or 'ratings'}: {len(twice)} outputs are rated more than once by one rater ({shown}"
                f"{', …' if len(twice) > 3 else ''}). Remove the duplicates, or take their means: duplicates=mean."
            )
        systems, sample_numbers, raters = (_numbered([k[i] for k in values_by_rater]) for i in range(3))
        return cls(
            dimension,
            tuple(systems),
            tuple(sample_numbers),
            tuple(raters),
            np.array([systems[k[0]] for k in values_by_rater], dtype=np.int64),
            np.array([sample_numbers[k[1]] for k in values_by_rater], dtype=np.int64),
            np.array([raters[k[2]] for k in values_by_rater], dtype=np.int64),
            np.array([float(np.mean(v)) for v in values_by_rater.values()], dtype=np.float64),
        )

    def standardised(self) -> Floats:
        """Values as z-scores of their raters; NaN for raters who always give the same value."""
        good, size = np.isfinite(self.values), len(self.raters)
        n = group_sums(self.rater, good.astype(np.float64), size)
        mean = divide(group_sums(self.rater, np.where(good, self.values, 0.0), size), n)
        off = np.where(good, self.values - mean[self.rater], 0.0)
        spread = np.sqrt(divide(group_sums(self.rater, off * off, size), n))
        return np.where(good, divide(off, spread[self.rater]), np.nan)

    def matrix(self, level: str = "sample") -> tuple[Floats, tuple[Cell, ...]]:
        """Values of shape (raters, cells), NaN where a rater did not rate; level=system: means over each system."""
        if level == "system":
            place, size = self.system, len(self.systems)
            cells = tuple((s, "") for s in self.systems)
        else:
            code = self.system * len(self.samples) + self.sample
            codes, place = np.unique(code, return_inverse=True)
            size = len(codes)
            cells = tuple(
                (self.systems[c // len(self.samples)], self.samples[c % len(self.samples)]) for c in codes
            )
        good = np.isfinite(self.values)
        spot = self.rater[good] * size + place[good]
        shape = (len(self.raters), size)
        means = divide(
            group_sums(spot, self.values[good], shape[0] * size),
            group_sums(spot, np.ones(len(spot)), shape[0] * size),
        )
        return means.reshape(shape), cells


def combine(
    ratings: Ratings, dimension: str, weights: Mapping[str, float], *, constant: float = 0.0
) -> Ratings:
    """Add a dimension: the weighted sum of others, for outputs for which a rater gave all of them.

    >>> r = Ratings([Rating("A", "1", "grammar", "x", 3), Rating("A", "1", "addition", "x", 1)])
    >>> combine(r, "sum", {"grammar": 0.5, "addition": -0.5}, constant=2)[-1].value
    3.0
    """
    for name in weights:
        _known("dimension", name, dimensions(ratings))
    parts: dict[tuple[str, str, str], dict[str, float]] = {}
    for r in ratings:
        if r.dimension in weights:
            parts.setdefault((r.system, r.sample, r.rater), {})[r.dimension] = r.value
    totals = [
        # Rounded, so that equal sums do not differ in their last bits.
        Rating(
            system,
            sample,
            dimension,
            rater,
            round(constant + sum(weights[d] * v for d, v in values.items()), 10),
        )
        for (system, sample, rater), values in parts.items()
        if len(values) == len(weights)
    ]
    return Ratings([*ratings, *totals])


def check_names(kind: str, names: Sequence[str], known: Mapping[str, object]) -> None:
    """Raise InputError for names that do not occur in the ratings."""
    for name in names:
        _known(kind.removesuffix("s"), name, list(known))


def _known(kind: str, name: str, known: Sequence[str]) -> None:
    if name in known:
        return
    shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    raise InputError(
        f"no {kind} {name!r} in the ratings.{did_you_mean(name, known)} There are: {shown or 'none'}."
    )


def _dimension(task: Task, ratings: Ratings) -> str:
    known = dimensions(ratings)
    if not known:
        raise InputError("there are no ratings.")
    if task.dimension:
        _known("dimension", task.dimension, known)
        return task.dimension
    if len(known) > 1:
        raise InputError(f"the ratings have several dimensions ({', '.join(known)}); name one of them.")
    return known[0]


def group_sums(places: NDArray[np.int64], values: Floats, size: int) -> Floats:
    """The sum of the values at each of `size` places."""
    return np.bincount(places, values, minlength=size).astype(np.float64)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: i for i, name in enumerate(dict.fromkeys(names))}


def _median_or_majority(values: Floats, rule: str) -> float:
    if rule == "median":
        return float(np.median(values))
    # Without a majority, the most frequent values are averaged.
    modes, counts = np.unique(values, return_counts=True)
    return float(modes[counts == counts.max()].mean())
