"""Scores and ratings of the same outputs, joined by system and sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..data import Ratings
from ..errors import InputError, did_you_mean
from ..metric import Floats
from .ratings import AggregatedRatings, aggregate_ratings
from .scores import Scores
from .task import Task


@dataclass(frozen=True, eq=False)
class JoinedScores:
    """The outputs that are rated and scored by every metric."""

    dimension: str
    systems: tuple[str, ...]
    samples: tuple[str, ...]
    unit: NDArray[np.int64]  # (samples,): index of the source text
    ratings: Floats  # (systems, samples), NaN where not rated
    scores: tuple[Scores, ...]
    values: Floats  # (metrics, systems, samples), NaN where not scored
    unscored: tuple[tuple[str, str], ...] = ()  # rated, but some metric has no score
    controls: tuple[Scores, ...] = ()  # controls of a partial correlation
    control_values: Floats = field(
        default_factory=lambda: np.empty((0, 1, 1))
    )  # (controls, systems, samples)
    signs: tuple[float, ...] = ()  # -1 for metrics whose scores are negated; empty: none are

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Whether each cell is rated and scored by every metric: (systems, samples)."""
        complete: NDArray[np.bool_] = (
            np.isfinite(self.ratings)
            & np.isfinite(self.values).all(axis=0)
            & np.isfinite(self.control_values).all(axis=0)
        )
        return complete

    @property
    def units(self) -> int:
        """Number of source texts."""
        return int(self.unit.max(initial=-1)) + 1

    def sign(self, k: int) -> float:
        """-1 if the scores of metric k are negated, else 1."""
        return self.signs[k] if self.signs else 1.0

    def only(self, keep: NDArray[np.bool_]) -> JoinedScores:
        """Keep some of the samples."""
        return self._subset(np.ones(len(self.systems), dtype=bool), keep)

    def without(self, system: int) -> JoinedScores:
        """Leave out one system, and samples that only this system has."""
        systems = np.arange(len(self.systems)) != system
        return self._subset(systems, np.asarray(self.complete[systems].any(axis=0)))

    def _subset(self, systems: NDArray[np.bool_], samples: NDArray[np.bool_]) -> JoinedScores:
        _, unit = np.unique(self.unit[samples], return_inverse=True)
        return replace(
            self,
            systems=tuple(s for s, k in zip(self.systems, systems, strict=True) if k),
            samples=tuple(s for s, k in zip(self.samples, samples, strict=True) if k),
            unit=unit.astype(np.int64),
            ratings=self.ratings[systems][:, samples],
            values=self.values[:, systems][:, :, samples],
            control_values=self.control_values[:, systems][:, :, samples]
            if self.controls
            else self.control_values,
        )


def join(
    task: Task,
    scores: Sequence[Scores],
    ratings: Ratings | AggregatedRatings,
    controls: Sequence[Scores] = (),
) -> JoinedScores:
    """Scores and ratings joined by system and sample; InputError if nothing joins.

    The scores that the task controls for (partial) are taken from `controls` or from the scores themselves.
    """
    taken_out = _controls(task, [*controls, *scores])
    rated_table = ratings if isinstance(ratings, AggregatedRatings) else aggregate_ratings(task, ratings)
    if not rated_table.systems:
        raise InputError("no ratings are left; the task excludes all of them.")
    all_scores = [*scores, *taken_out]
    values = np.stack([s.matrix(rated_table.systems, rated_table.samples) for s in all_scores])
    whole = np.array([[t in s.totals for t in rated_table.systems] for s in all_scores])
    if task.level == "system" and whole.any():
        # A score of the whole system replaces the scores of its samples.
        values = np.where(whole[:, :, None] & np.isnan(values), 0.0, values)
    rated = np.isfinite(rated_table.values)
    scored = np.isfinite(values).all(axis=0)
    if not (rated & scored).any():
        raise InputError(_nothing_joins(all_scores, rated_table))
    missing = [
        (rated_table.systems[i], rated_table.samples[j])
        for i, j in islice(zip(*np.nonzero(rated & ~scored), strict=True), 10_000)
    ]
    sources: dict[str, str] = {}
    for s in all_scores:
        sources.update(s.units)
    keys = [sources.get(i, i) for i in rated_table.samples]
    numbers = {k: n for n, k in enumerate(dict.fromkeys(keys))}
    joined = JoinedScores(
        rated_table.dimension,
        rated_table.systems,
        rated_table.samples,
        np.array([numbers[k] for k in keys], dtype=np.int64),
        rated_table.values,
        tuple(scores),
        values[: len(scores)],
        tuple(missing),
        taken_out,
        values[len(scores) :] if taken_out else np.empty((0, 1, 1)),
    )
    complete = joined.complete
    return joined._subset(np.asarray(complete.any(axis=1)), np.asarray(complete.any(axis=0)))


def _controls(task: Task, scores: Sequence[Scores]) -> tuple[Scores, ...]:
    known = {s.name: s for s in reversed(scores)}
    for name in task.partial:
        if name not in known:
            raise InputError(
                f"partial={name}: there are no scores of this name.{did_you_mean(name, known)} There are: "
                f"{', '.join(dict.fromkeys(s.name for s in scores))}."
            )
    return tuple(known[name] for name in task.partial)


def _nothing_joins(scores: Sequence[Scores], ratings: AggregatedRatings) -> str:
    for s in scores:
        cells = list(s.values) or [(t, "") for t in s.totals]
        systems = list(dict.fromkeys(c[0] for c in cells))
        if not set(systems) & set(ratings.systems):
            return (
                f"{s.name}: no system is both scored and rated; scored are {_few(systems)}, rated are "
                f"{_few(ratings.systems)}."
            )
        samples = list(dict.fromkeys(c[1] for c in cells))
        if not set(samples) & set(ratings.samples):
            return (
                f"{s.name}: no sample is both scored and rated; scored are {_few(samples)}, rated are "
                f"{_few(ratings.samples)}."
            )
    return "no output is both scored (by all metrics) and rated."


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(repr(n[:40]) for n in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "") if names else "none"
