"""LENS: a learned metric that compares the vectors of source, output and reference, trained on human ratings.

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
from ..metric import Floats
from ..models.checkpoints import CHECKPOINT
from ..models.estimators import Estimator
from ._estimator import MODEL_HELP, EstimatorMetric


@dataclass(frozen=True)
class LENS(EstimatorMetric):
    """Learned comparison of source, output and the best reference; with rescale from 0 to 100."""

    model: Annotated[str, CHECKPOINT, MODEL_HELP] = "davidheineman/lens"
    rescale: Annotated[bool, "map scores to 0 to 100 by the normal distribution function"] = True

    kind = "regression_metric_multi_ref"
    family = "learned"
    needs = frozenset({"source", "references"})
    citation = "Maddela et al. 2023, ACL"

    def ratings(self, corpus: Corpus, estimator: Estimator) -> Floats:
        sizes = np.diff(corpus.reference_offsets())
        texts = [corpus.texts(side) for side in ("source", "output", "references")]
        source, output, reference = (estimator.pooled([t.lower() for t in side]) for side in texts)
        pairs = estimator.compare(np.repeat(source, sizes, 0), np.repeat(output, sizes, 0), reference)
        best = np.maximum.reduceat(pairs.astype(np.float64), corpus.reference_offsets()[:-1])
        return 100 * rescaled(best) if self.rescale else 100 * best


def rescaled(values: Floats) -> Floats:
    """The normal distribution function, which keeps the order."""
    return np.array([0.5 * (1 + math.erf(v / math.sqrt(2))) for v in values])
