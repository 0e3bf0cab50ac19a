"""How a metric's coefficient changes with the length of the source, or with the threshold of an aggregated metric.

Figures 1 and 2 of Maddela and Alva-Manchego 2025 are such curves. Bins of length contain few samples, so every point has an
interval. With several dimensions, a curve of their mean is added, without intervals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..data import Corpus, Ratings
from ..errors import InputError, OptionError
from ..metric import Metric
from ..metrics.agg import Agg
from .correlation import correlate
from .evaluation import dimension_task, short_names
from .preferences import is_constructed
from .ranking import LengthBin, by_length
from .ratings import check_names, dimensions
from .scores import Scores

By = Literal["length", "threshold"]
THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.9)
MEAN = "mean of dimensions"


@dataclass(frozen=True)
class Curve:
    """The coefficient of a metric at several lengths or thresholds; a threshold is a bin without width."""

    data: str
    title: str
    dimension: str
    metric: str
    by: By
    coefficient: str
    points: tuple[LengthBin, ...]


def length_curves(
    scores: Sequence[Scores],
    ratings: Ratings,
    lengths: Mapping[str, float],
    *,
    task: str = "",
    only: Sequence[str] = (),
    bins: int = 4,
    edges: Sequence[float] = (),
    name: str = "",
    title: str = "",
) -> list[Curve]:
    """The coefficient in bins of source length (sample -> words), of equal size or between `edges`."""
    curves = []
    for dimension in _rated(ratings, only, name):
        of_dimension = dimension_task(task, ratings, dimension)
        for s in scores:
            points = by_length(of_dimension, s, ratings, lengths, bins=bins, edges=edges, controls=scores)
            coefficient = of_dimension.coefficient
            curves.append(Curve(name, title or name, dimension, s.name, "length", coefficient, tuple(points)))
    return curves + _means(curves)


def threshold_curves(
    metrics: Sequence[Metric],
    corpora: Mapping[str, Corpus],
    ratings: Ratings,
    *,
    task: str = "",
    only: Sequence[str] = (),
    thresholds: Sequence[float] = THRESHOLDS,
    name: str = "",
    title: str = "",
) -> list[Curve]:
    """The coefficient of aggregated metrics at several thresholds of similarity; sentences are aligned once."""
    others = [m.spec for m in metrics if not isinstance(m, Agg)]
    if others:
        raise OptionError(
            f"only aggregated metrics have a threshold; found {others[0]}, expected agg({others[0]})."
        )
    curves: dict[tuple[str, str], Curve] = {}
    for metric, label in zip(metrics, short_names(metrics), strict=True):
        assert isinstance(metric, Agg)
        for threshold in thresholds:
            scores = Scores.of(replace(metric, threshold=threshold), corpora, name=label)
            for dimension in _rated(ratings, only, name):
                of_dimension = dimension_task(task, ratings, dimension)
                c = correlate(of_dimension, scores, ratings)
                point = LengthBin(threshold, threshold, c.n, c.value, (c.low, c.high), c.reason)
                empty = Curve(
                    name, title or name, dimension, label, "threshold", of_dimension.coefficient, ()
                )
                curve = curves.get((dimension, label), empty)
                curves[dimension, label] = replace(curve, points=(*curve.points, point))
    ordered = [curves[key] for key in sorted(curves, key=lambda key: dimensions(ratings).index(key[0]))]
    return ordered + _means(ordered)


def _rated(ratings: Ratings, only: Sequence[str], name: str) -> list[str]:
    known = dimensions(ratings)
    if not known or is_constructed(ratings):
        raise InputError(
            f"{name or 'the data'}: found no human ratings, expected some; curves are of coefficients."
        )
    check_names("dimensions", only, dict.fromkeys(known))
    return [d for d in known if not only or d in only]


def _means(curves: Sequence[Curve]) -> list[Curve]:
    """The mean of each metric over several dimensions, point by point."""
    means = []
    for metric in dict.fromkeys(c.metric for c in curves):
        same = [c for c in curves if c.metric == metric]
        if len(same) < 2 or len({tuple((p.low, p.high) for p in c.points) for c in same}) != 1:
            continue
        values = np.array([[p.value for p in c.points] for c in same]).mean(axis=0)
        points = [
            replace(p, value=float(v), interval=(math.nan, math.nan), reason="")
            for p, v in zip(same[0].points, values, strict=True)
        ]
        means.append(replace(same[0], dimension=MEAN, points=tuple(points)))
    return means
