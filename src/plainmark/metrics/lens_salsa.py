"""LENS-SALSA: a learned metric without references, trained on ratings of single edits.

    lens_salsa = 100 head(first vector of RoBERTa's mixed layers for "output </s></s> source")

As the package lens-metric 0.2.0: texts in lower case, the pair cut at 512 tokens; not bounded. The package's tags of
single words are not given. Heineman et al. 2023, Dancing between success and failure: edit-level simplification
evaluation using SALSA.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..data import Corpus
from ..metric import Floats
from ..models.checkpoints import CHECKPOINT
from ..models.estimators import Estimator
from ._estimator import MODEL_HELP, EstimatorMetric


@dataclass(frozen=True)
class LENSSALSA(EstimatorMetric):
    """Learned rating of the output against the source alone."""

    model: Annotated[str, CHECKPOINT, MODEL_HELP] = "davidheineman/lens-salsa"

    kind = "unified_metric"
    family = "learned"
    needs = frozenset({"source"})
    citation = "Heineman et al. 2023, EMNLP"

    def ratings(self, corpus: Corpus, estimator: Estimator) -> Floats:
        outputs, sources = ([t.lower() for t in side] for side in (corpus.outputs, corpus.texts("source")))
        return 100 * estimator.first(outputs, sources).astype(float)
