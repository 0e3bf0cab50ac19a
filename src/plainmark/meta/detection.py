"""How well a score separates two classes: the ROC curve (Fawcett 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..metric import Floats


@dataclass(frozen=True, eq=False)
class Roc:
    """True against false positive rates, from the strictest threshold to the loosest; scores at or above it are positive."""

    thresholds: Floats
    true_rate: Floats
    false_rate: Floats

    @property
    def area(self) -> float:
        """Area under the curve: the probability that a positive scores higher than a negative, ties counting half."""
        steps = np.diff(self.false_rate)
        return float((steps * (self.true_rate[1:] + self.true_rate[:-1]) / 2).sum())

    def best(self) -> tuple[float, float, float]:
        """The threshold with the largest difference between true and false positive rate, and both rates (Youden 1950)."""
        i = int(np.argmax(self.true_rate - self.false_rate))
        return float(self.thresholds[i]), float(self.true_rate[i]), float(self.false_rate[i])


def roc(scores: ArrayLike, positive: ArrayLike) -> Roc:
    """The ROC curve of scores for binary labels; it starts at (0, 0), where nothing is positive."""
    values, truth = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    if len(values) != len(truth):
        raise InputError(f"{len(values)} scores, but {len(truth)} answers.")
    if truth.all() or not truth.any():
        raise InputError("all answers are the same; expected both kinds.")
    if not np.isfinite(values).all():
        raise InputError("some scores are undefined; leave them out.")
    order = np.argsort(-values, kind="stable")
    values, truth = values[order], truth[order]
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    hits, seen = np.cumsum(truth)[ends], ends + 1
    return Roc(
        np.concatenate([[math.inf], values[ends]]),
        np.concatenate([[0.0], hits / truth.sum()]),
        np.concatenate([[0.0], (seen - hits) / (~truth).sum()]),
    )
