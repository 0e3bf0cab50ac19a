"""Scores of single outputs, from a metric or a file, ready to be joined with human ratings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Literal

import numpy as np

from ..data import Corpus, Ratings
from ..errors import InputError, OptionError
from ..metric import Floats, Metric, divide, join_counts, metric
from .ratings import aggregate_ratings
from .task import Task

Cell = tuple[str, str]
Kind = Literal["metric", "published", "baseline"]


class Scores:
    """Values by (system, sample), and what is needed for scores of whole systems.

    `units` maps samples to their source text, because samples of one text are not independent (default: each sample is
    a text of its own). `totals` are scores of whole systems if these are not means over samples. `kind` distinguishes
    computed scores from those of a file and from baselines (length) that metrics should exceed.
    """

    def __init__(
        self,
        name: str,
        values: Mapping[Cell, float],
        *,
        totals: Mapping[str, float] | None = None,
        units: Mapping[str, str] | None = None,
        higher_is_better: bool | None = True,
        kind: Kind = "metric",
    ) -> None:
        self.name = name
        self.values = dict(values)
        self.totals = dict(totals or {})
        self.units = dict(units or {})
        self.higher_is_better = higher_is_better
        self.kind: Kind = kind
        self._metric: Metric | None = None
        self._corpora: dict[str, Corpus] = {}
        self._part = 0
        self._stats: dict[str, Floats] = {}

    def signature(self, level: str = "segment") -> str:
        """The signature of the metric that computed the scores; empty for scores from elsewhere."""
        if self._metric is None:
            return ""
        counts = list(dict.fromkeys(c.reference_count for c in self._corpora.values()))
        used = self._metric if level == "system" else self._metric.sample_metric()
        return used.signature(join_counts(counts))

    def __repr__(self) -> str:
        systems = {s for s, _ in self.values} or set(self.totals)
        return f"Scores({self.name!r}, {len(self.values)} outputs of {len(systems)} systems)"

    @classmethod
    def of(
        cls,
        spec: str | Metric,
        corpora: Mapping[str, Corpus],
        *,
        part: str = "",
        name: str = "",
        kind: Kind = "metric",
        progress: Callable[[int, int], None] | None = None,
    ) -> Scores:
        """Score every output with a metric, or with one part of it; samples with the same source are one unit."""
        scored_metric = metric(spec)
        names = scored_metric.part_names
        if part and part not in names:
            raise OptionError(f"{scored_metric.name}: no part {part!r}; it has {', '.join(names)}.")
        column = names.index(part) if part else 0
        values: dict[Cell, float] = {}
        for done, (system, corpus) in enumerate(corpora.items(), 1):
            twice = [i for i, n in _counts(corpus.ids).items() if n > 1]
            if twice:
                raise InputError(f"{system}: sample ids must be unique; repeated: {', '.join(twice[:3])}.")
            sample_scores = scored_metric.sample_parts(corpus)[:, column].tolist()
            values.update(((system, i), v) for i, v in zip(corpus.ids, sample_scores, strict=True))
            if progress:
                progress(done, len(corpora))
        label = name or (f"{scored_metric.spec}.{part}" if part else scored_metric.spec)
        better = scored_metric.higher_is_better
        scores = cls(label, values, units=units_of(corpora), higher_is_better=better, kind=kind)
        scores._metric, scores._corpora, scores._part = scored_metric, dict(corpora), column
        return scores

    @classmethod
    def of_ratings(cls, ratings: Ratings, dimension: str = "", *, raters: str = "mean") -> Scores:
        """Ratings in one dimension as scores, to correlate two dimensions with each other."""
        rated = aggregate_ratings(Task(dimension=dimension, raters=raters), ratings)  # type: ignore[arg-type]
        return cls(rated.dimension, as_cells(rated.systems, rated.samples, rated.values))

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        *,
        corpora: Mapping[str, Corpus] | None = None,
        columns: Sequence[str] = (),
        duplicates: str = "refuse",
        kind: Kind = "metric",
    ) -> list[Scores]:
        """Read a CSV file with the columns system, sample and value (and metric, if there are several).

        A row without a sample is the score of the whole system. Without a column `value` the file is a table with one
        column per metric; its rows have system and sample, or source and output, which are looked up in `corpora`.
        `columns` selects some of the metrics.
        """
        from .score_files import read_scores

        return read_scores(path, corpora=corpora, columns=columns, duplicates=duplicates, kind=kind)

    def matrix(self, systems: tuple[str, ...], samples: tuple[str, ...]) -> Floats:
        """Scores of shape (systems, samples), NaN for missing ones."""
        return np.array([[self.values.get((s, i), math.nan) for i in samples] for s in systems]).reshape(
            len(systems), len(samples)
        )

    def system_scores(self, systems: tuple[str, ...], samples: tuple[str, ...], weights: Floats) -> Floats:
        """Scores of whole systems with weights of their samples: (..., systems, samples) -> (..., systems)."""
        if self.totals and all(s in self.totals for s in systems):
            fixed = np.array([self.totals[s] for s in systems])
            return np.broadcast_to(fixed, weights.shape[:-1]).copy()
        if self._metric is None:
            values = self.matrix(systems, samples)
            counted = np.isfinite(values) * weights
            return divide((counted * np.nan_to_num(values)).sum(axis=-1), counted.sum(axis=-1))
        out = np.full(weights.shape[:-1], np.nan)
        for k, system in enumerate(systems):
            if system not in self._stats:
                self._stats[system] = self._metric.stats(self._corpora[system])
            places = {i: p for p, i in enumerate(self._corpora[system].ids)}
            present = [p for p, i in enumerate(samples) if i in places]
            rows = self._stats[system][[places[samples[p]] for p in present]]
            out[..., k] = self._metric.reduce(weights[..., k, present] @ rows)[..., self._part]
        return out


def units_of(corpora: Mapping[str, Corpus]) -> dict[str, str]:
    """Sample -> the first sample with the same source text."""
    first: dict[str, str] = {}
    out: dict[str, str] = {}
    for corpus in corpora.values():
        if corpus.sources is not None:
            for sample, source in zip(corpus.ids, corpus.sources, strict=True):
                out.setdefault(sample, first.setdefault(source, sample))
    return out


def as_cells(systems: tuple[str, ...], samples: tuple[str, ...], values: Floats) -> dict[Cell, float]:
    """A table as (system, sample) -> value, without undefined values."""
    return {
        (s, i): float(values[a, b])
        for a, s in enumerate(systems)
        for b, i in enumerate(samples)
        if math.isfinite(values[a, b])
    }


def _counts(ids: list[str]) -> dict[str, int]:
    out: dict[str, int] = {}
    for i in ids:
        out[i] = out.get(i, 0) + 1
    return out
