"""Scores and ratings of the same outputs, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..data import Ratings
from ..errors import InputError
from ..metric import Floats
from .people import People, people
from .scores import Scores
from .task import Task


@dataclass(frozen=True, eq=False)
class Joined:
    """What is both scored by every metric and rated."""

    dimension: str
    systems: tuple[str, ...]
    samples: tuple[str, ...]
    unit: NDArray[np.int64]  # (samples,): number of the source text
    people: Floats  # (systems, samples), NaN where not rated
    scores: tuple[Scores, ...]
    values: Floats  # (metrics, systems, samples), NaN where not scored
    unscored: tuple[tuple[str, str], ...] = ()  # rated, but some metric has no score
    turned: bool = False  # whether scores of which less is better count the other way round

    @property
    def there(self) -> NDArray[np.bool_]:
        """Which cells have everything: (systems, samples)."""
        found: NDArray[np.bool_] = np.isfinite(self.people) & np.isfinite(self.values).all(axis=0)
        return found

    @property
    def units(self) -> int:
        """How many source texts there are."""
        return int(self.unit.max(initial=-1)) + 1

    def sign(self, k: int) -> float:
        """-1 if the scores of metric k count the other way round."""
        return -1.0 if self.turned and self.scores[k].higher_is_better is False else 1.0

    def metric(self, k: int) -> Joined:
        """With one of the metrics alone."""
        return replace(self, scores=(self.scores[k],), values=self.values[k : k + 1])

    def only(self, keep: NDArray[np.bool_]) -> Joined:
        """With some of the samples alone."""
        return self._part(np.ones(len(self.systems), dtype=bool), keep)

    def without(self, system: int) -> Joined:
        """With all systems but one, and without samples that are left with none."""
        systems = np.arange(len(self.systems)) != system
        return self._part(systems, np.asarray(self.there[systems].any(axis=0)))

    def _part(self, systems: NDArray[np.bool_], samples: NDArray[np.bool_]) -> Joined:
        _, unit = np.unique(self.unit[samples], return_inverse=True)
        return replace(
            self,
            systems=tuple(s for s, k in zip(self.systems, systems, strict=True) if k),
            samples=tuple(s for s, k in zip(self.samples, samples, strict=True) if k),
            unit=unit.astype(np.int64),
            people=self.people[systems][:, samples],
            values=self.values[:, systems][:, :, samples],
        )


def join(task: Task, scores: Sequence[Scores], ratings: Ratings | People) -> Joined:
    """Scores and ratings joined by system and sample; InputError if nothing joins."""
    found = ratings if isinstance(ratings, People) else people(task, ratings)
    if not found.systems:
        raise InputError("no ratings are left; the task leaves all of them out.")
    values = np.stack([s.matrix(found.systems, found.samples) for s in scores])
    whole = np.array([[t in s.totals for t in found.systems] for s in scores])
    if task.level == "system" and whole.any():
        # A score of the whole system stands for the scores of its samples.
        values = np.where(whole[:, :, None] & np.isnan(values), 0.0, values)
    rated = np.isfinite(found.values)
    scored = np.isfinite(values).all(axis=0)
    if not (rated & scored).any():
        raise InputError(_nothing_joins(scores, found))
    missing = [
        (found.systems[i], found.samples[j])
        for i, j in islice(zip(*np.nonzero(rated & ~scored), strict=True), 10_000)
    ]
    sources: dict[str, str] = {}
    for s in scores:
        sources.update(s.units)
    keys = [sources.get(i, i) for i in found.samples]
    numbers = {k: n for n, k in enumerate(dict.fromkeys(keys))}
    joined = Joined(
        found.dimension,
        found.systems,
        found.samples,
        np.array([numbers[k] for k in keys], dtype=np.int64),
        found.values,
        tuple(scores),
        values,
        tuple(missing),
    )
    there = joined.there
    return joined._part(np.asarray(there.any(axis=1)), np.asarray(there.any(axis=0)))


def _nothing_joins(scores: Sequence[Scores], found: People) -> str:
    for s in scores:
        cells = list(s.values) or [(t, "") for t in s.totals]
        systems = list(dict.fromkeys(c[0] for c in cells))
        if not set(systems) & set(found.systems):
            return (
                f"{s.name}: no system is both scored and rated; scored are {_few(systems)}, rated are "
                f"{_few(found.systems)}."
            )
        samples = list(dict.fromkeys(c[1] for c in cells))
        if not set(samples) & set(found.samples):
            return (
                f"{s.name}: no sample is both scored and rated; scored are {_few(samples)}, rated are "
                f"{_few(found.samples)}."
            )
    return "no output is both scored (by all metrics) and rated."


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(repr(n[:40]) for n in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "") if names else "none"
