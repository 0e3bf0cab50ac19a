"""Specificity: how detailed a text is, by a predictor that another package provides.

A predictor is a function from a list of texts to as many numbers; a package offers it as an entry point of the group
"plainmark.specificity". Ko et al.'s is the one that the testbed paper uses; it is not on the package index.
Reference: Ko et al. 2019, Domain agnostic real-valued specificity prediction; Guo et al. 2024 (APPLS).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus
from ..metric import Floats, MeanMetric

GROUP = "plainmark.specificity"


@dataclass(frozen=True)
class Specificity(MeanMetric):
    """Mean specificity of the texts, by an installed predictor."""

    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"

    higher_is_better = None
    citation = "Ko et al. 2019, AAAI"

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def missing(self) -> str:
        if entry_points(group=GROUP):
            return ""
        return (
            "needs a predictor, and no installed package has one. Install a package with an entry point in "
            f"the group {GROUP!r}: a function from a list of texts to numbers, such as Ko et al.'s predictor"
        )

    def values(self, corpus: Corpus) -> Floats:
        predict: Callable[[list[str]], Sequence[float]] = next(iter(entry_points(group=GROUP))).load()
        return np.asarray(predict(corpus.texts(self.side)), dtype=np.float64)
