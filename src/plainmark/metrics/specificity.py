"""Specificity: how detailed a text is, by a predictor that another package provides.

A predictor is a function from a list of texts to a list of numbers; a package offers it as an entry point of the group
"plainmark.specificity". The testbed paper uses that of Ko et al.; it is not on the package index.
Reference: Ko et al. 2019, Domain agnostic real-valued specificity prediction; Guo et al. 2024 (APPLS).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus
from ..identity import short_digest
from ..metric import Floats, MeanMetric
from ..options import Content

GROUP = "plainmark.specificity"


def _predictors() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _digest(name: str) -> str:
    """The digest of the name and version of the package that contains a predictor."""
    point = _predictors().get(name)
    return short_digest(f"{point.dist.name} {point.dist.version}") if point and point.dist else ""


PREDICTOR = Content(_digest)


@dataclass(frozen=True)
class Specificity(MeanMetric):
    """Mean specificity of the texts, by an installed predictor."""

    predictor: Annotated[str, PREDICTOR, "the predictor's name; empty takes the first that is installed"] = ""
    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"

    family = "text"
    higher_is_better = None
    citation = "Ko et al. 2019, AAAI"
    english_only = True

    def __post_init__(self) -> None:
        super().__post_init__()
        # The signature must name the predictor in use, not the requested one.
        object.__setattr__(self, "predictor", self.predictor or next(iter(_predictors()), ""))

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def missing(self) -> str:
        if self.predictor in _predictors():
            return ""
        if self.predictor:
            return (
                f"needs the predictor {self.predictor!r}; installed are: {', '.join(_predictors()) or 'none'}"
            )
        return (
            "needs a predictor, and no installed package has one. Install a package with an entry point in "
            f"the group {GROUP!r}: a function from a list of texts to numbers, such as Ko et al.'s predictor"
        )

    def values(self, corpus: Corpus) -> Floats:
        predict: Callable[[list[str]], Sequence[float]] = _predictors()[self.predictor].load()
        return np.asarray(predict(corpus.texts(self.side)), dtype=np.float64)
