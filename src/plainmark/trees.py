"""Symmetric decision trees: all nodes of one depth ask the same question, so a tree is d questions and 2^d values.

`training/boosting.py` fits them; the aligner `context` and the metric `quality` use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROWS = 20_000  # rows of features that are processed together


@dataclass(frozen=True, eq=False)
class Trees:
    """Decision trees that ask the same question (feature > threshold) of all nodes of one depth, and the sum
    of their values.
    """

    features: NDArray[np.int64]  # (trees, depth)
    thresholds: Floats  # (trees, depth)
    values: Floats  # (trees, 2 ** depth)
    bias: float

    @classmethod
    def read(cls, contents: Mapping[str, Any]) -> Trees:
        """Trees from the contents of a JSON file."""
        return cls(
            np.array(contents["features"], np.int64),
            np.array(contents["thresholds"], np.float64),
            np.array(contents["values"], np.float64),
            float(contents["bias"]),
        )

    def scores(self, x: Floats) -> Floats:
        """The sum of the trees' values, and the bias, for each row of features."""
        out = np.empty(len(x))
        every = np.arange(len(self.values))
        for start in range(0, len(x), _ROWS):
            some = x[start : start + _ROWS]
            leaf = np.zeros((len(some), len(every)), np.int64)
            for feature, threshold in zip(self.features.T, self.thresholds.T, strict=True):
                leaf = 2 * leaf + (some[:, feature] > threshold)
            out[start : start + _ROWS] = self.values[every, leaf].sum(axis=1) + self.bias
        return out
