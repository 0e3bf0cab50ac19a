"""LENS: a learned metric that compares the vectors of source, output and reference, trained on people's ratings.

    z = head(s, o, r, o*r, |o-r|, o*s, |o-s|),   s, o, r the mean vectors of RoBERTa's mixed layers
    lens = max over references of 100 z, or of 100 Phi(z) with rescale (Phi: the normal distribution function)

As the package lens-metric 0.2.0: texts in lower case, cut at 510 tokens. Maddela et al. 2023, LENS.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..data import Corpus
from ..metric import Floats, MeanMetric
from ..models import checkpoints, estimators
from ..models.checkpoints import CHECKPOINT

KIND = "regression_metric_multi_ref"


@dataclass(frozen=True)
class LENS(MeanMetric):
    """Learned comparison of source, output and the best reference; with rescale from 0 to 100."""

    model: Annotated[str, CHECKPOINT, "the checkpoint: a folder or a name in the hub's cache"] = (
        "davidheineman/lens"
    )
    encoder: Annotated[
        str, CHECKPOINT, "where RoBERTa's settings and tokeniser are (default: what the checkpoint names)"
    ] = ""
    rescale: Annotated[bool, "map scores to 0 to 100 by the normal distribution function"] = True

    needs = frozenset({"source", "references"})
    citation = "Maddela et al. 2023, ACL"

    def missing(self) -> str:
        return missing(self.model, self.encoder, KIND)

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        estimator = load(self.model, self.encoder, KIND)
        sizes = np.diff(corpus.reference_offsets())
        texts = [corpus.texts(side) for side in ("source", "output", "references")]
        source, output, reference = (estimator.pooled([t.lower() for t in side]) for side in texts)
        pairs = estimator.compare(np.repeat(source, sizes, 0), np.repeat(output, sizes, 0), reference)
        best = np.maximum.reduceat(pairs.astype(np.float64), corpus.reference_offsets()[:-1])
        return 100 * rescaled(best) if self.rescale else 100 * best


def rescaled(values: Floats) -> Floats:
    """The normal distribution function, which keeps the order."""
    return np.array([0.5 * (1 + math.erf(v / math.sqrt(2))) for v in values])


def missing(model: str, encoder: str, kind: str) -> str:
    """What LENS or LENS-SALSA lacks."""
    if reason := checkpoints.missing("model", model):
        return reason
    wanted = estimators.encoder_of(checkpoints.find("model", model), kind, encoder)
    return checkpoints.missing("encoder", wanted)


def load(model: str, encoder: str, kind: str) -> estimators.Estimator:
    """The estimator of a checkpoint and its encoder."""
    folder = checkpoints.find("model", model)
    wanted = estimators.encoder_of(folder, kind, encoder)
    return estimators.estimator(folder, checkpoints.find("encoder", wanted), kind)
