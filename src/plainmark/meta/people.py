"""People's ratings as a table: one value for each system and sample, from the raters who gave one."""

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
class People:
    """What people said, one value a cell; NaN where nobody rated."""

    dimension: str
    systems: tuple[str, ...]  # in the order in which they are rated
    samples: tuple[str, ...]
    values: Floats  # (systems, samples)
    raters: Floats  # (systems, samples): how many rated


def dimensions(ratings: Ratings) -> list[str]:
    """The dimensions that were rated, in their order."""
    return list(dict.fromkeys(r.dimension for r in ratings))


def people(task: Task, ratings: Ratings) -> People:
    """The ratings that a task is about, raters brought together."""
    table = RaterTable.of(task, ratings)
    values = table.standardised() if task.raters == "z" else table.values
    rows, columns = len(table.systems), len(table.samples)
    place = table.system * columns + table.sample
    defined = np.isfinite(values)
    place, values = place[defined], values[defined]
    counts = sums(place, np.ones(len(place)), rows * columns)
    if task.raters in ("mean", "z"):
        found = divide(sums(place, values, rows * columns), counts)
    else:
        found = np.full(rows * columns, np.nan)
        order = np.lexsort((values, place))
        starts = np.flatnonzero(np.diff(place[order], prepend=-1))
        for group in np.split(order, starts[1:]) if len(order) else []:
            found[place[group[0]]] = _middle(values[group], task.raters)
    shape = (rows, columns)
    return People(table.dimension, table.systems, table.samples, found.reshape(shape), counts.reshape(shape))


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
    def of(cls, task: Task, ratings: Ratings) -> RaterTable:
        """The ratings of a task's dimension, systems and samples; no output is rated twice by one rater."""
        dimension = _dimension(task, ratings)
        rows = [r for r in ratings if r.dimension == dimension]
        check_names("systems", (*task.systems, *task.without), {r.system: None for r in rows})
        check_names("samples", task.samples, {r.sample: None for r in rows})
        only, left_out, samples = set(task.systems), set(task.without), set(task.samples)
        rows = [
            r
            for r in rows
            if (not only or r.system in only)
            and r.system not in left_out
            and (not samples or r.sample in samples)
        ]
        kept: dict[tuple[str, str, str], list[float]] = {}
        for r in rows:
            kept.setdefault((r.system, r.sample, r.rater), []).append(r.value)
        twice = [k for k, values in kept.items() if len(values) > 1]
        if twice and task.duplicates == "refuse":
            shown = ", ".join(f"{s}/{i} by rater {r or '(no name)'}" for s, i, r in islice(twice, 3))
            raise InputError(
                f"{dimension or 'ratings'}: {len(twice)} outputs are rated more than once by one rater ({shown}"
                f"{', …' if len(twice) > 3 else ''}). Remove the duplicates, or take their means: duplicates=mean."
            )
        systems, found_samples, raters = (_numbered([k[i] for k in kept]) for i in range(3))
        return cls(
            dimension,
            tuple(systems),
            tuple(found_samples),
            tuple(raters),
            np.array([systems[k[0]] for k in kept], dtype=np.int64),
            np.array([found_samples[k[1]] for k in kept], dtype=np.int64),
            np.array([raters[k[2]] for k in kept], dtype=np.int64),
            np.array([float(np.mean(v)) for v in kept.values()], dtype=np.float64),
        )

    def standardised(self) -> Floats:
        """Each value less its rater's mean, over its rater's spread; a rater who never varies says nothing (NaN)."""
        good, size = np.isfinite(self.values), len(self.raters)
        n = sums(self.rater, good.astype(np.float64), size)
        mean = divide(sums(self.rater, np.where(good, self.values, 0.0), size), n)
        off = np.where(good, self.values - mean[self.rater], 0.0)
        spread = np.sqrt(divide(sums(self.rater, off * off, size), n))
        return np.where(good, divide(off, spread[self.rater]), np.nan)

    def matrix(self, level: str = "sample") -> tuple[Floats, tuple[Cell, ...]]:
        """Values by rater and cell, (raters, cells), NaN where a rater did not rate; level=system: means of systems."""
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
        found = divide(
            sums(spot, self.values[good], shape[0] * size), sums(spot, np.ones(len(spot)), shape[0] * size)
        )
        return found.reshape(shape), cells


def combine(
    ratings: Ratings, dimension: str, weights: Mapping[str, float], *, constant: float = 0.0
) -> Ratings:
    """The ratings and a new dimension, the weighted sum of others wherever one rater gave all of them.

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
    made = [
        # Rounded, so that sums that are equal do not differ in their last bits.
        Rating(
            system,
            sample,
            dimension,
            rater,
            round(constant + sum(weights[d] * v for d, v in found.items()), 10),
        )
        for (system, sample, rater), found in parts.items()
        if len(found) == len(weights)
    ]
    return Ratings([*ratings, *made])


def check_names(kind: str, wanted: Sequence[str], known: Mapping[str, object]) -> None:
    """Raise InputError for names that do not occur."""
    for name in wanted:
        _known(kind.removesuffix("s"), name, list(known))


def _known(kind: str, name: str, known: Sequence[str]) -> None:
    if name in known:
        return
    shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    raise InputError(
        f"no {kind} {name!r} in the ratings.{did_you_mean(name, known)} There are: {shown or 'none'}."
    )


def _dimension(task: Task, ratings: Ratings) -> str:
    found = dimensions(ratings)
    if not found:
        raise InputError("there are no ratings.")
    if task.dimension:
        _known("dimension", task.dimension, found)
        return task.dimension
    if len(found) > 1:
        raise InputError(f"the ratings have several dimensions ({', '.join(found)}); name one of them.")
    return found[0]


def sums(places: NDArray[np.int64], values: Floats, size: int) -> Floats:
    """The sum of the values at each of so many places."""
    return np.bincount(places, values, minlength=size).astype(np.float64)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: i for i, name in enumerate(dict.fromkeys(names))}


def _middle(values: Floats, rule: str) -> float:
    if rule == "median":
        return float(np.median(values))
    # Without a majority the most frequent values are averaged.
    found, counts = np.unique(values, return_counts=True)
    return float(found[counts == counts.max()].mean())
