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
from ..metric import Floats, MeanMetric
from ..models.checkpoints import CHECKPOINT
from .lens import load, missing

KIND = "unified_metric"


@dataclass(frozen=True)
class LENSSALSA(MeanMetric):
    """Learned rating of the output against the source alone."""

    model: Annotated[str, CHECKPOINT, "the checkpoint: a folder or a name in the hub's cache"] = (
        "davidheineman/lens-salsa"
    )
    encoder: Annotated[
        str, CHECKPOINT, "where RoBERTa's settings and tokeniser are (default: what the checkpoint names)"
    ] = ""

    needs = frozenset({"source"})
    citation = "Heineman et al. 2023, EMNLP"

    def missing(self) -> str:
        return missing(self.model, self.encoder, KIND)

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        estimator = load(self.model, self.encoder, KIND)
        outputs, sources = ([t.lower() for t in side] for side in (corpus.outputs, corpus.texts("source")))
        return 100 * estimator.first(outputs, sources).astype(float)
