"""Base of LENS and LENS-SALSA: a published checkpoint, and an encoder whose settings and tokeniser it needs."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

from ..data import Corpus
from ..metric import Floats, MeanMetric
from ..models import checkpoints, estimators
from ..models.checkpoints import CHECKPOINT

MODEL_HELP = "the checkpoint: a folder or a name in the hub's cache"


@dataclass(frozen=True)
class EstimatorMetric(MeanMetric):
    """A learned rating by an estimator of the package lens-metric."""

    model: Annotated[str, CHECKPOINT, MODEL_HELP] = ""
    encoder: Annotated[
        str,
        CHECKPOINT,
        "folder or hub name of RoBERTa's settings and tokeniser (default: the one that the checkpoint names)",
    ] = ""

    english_only = True
    kind: ClassVar[str]  # the class of the checkpoint, as the package calls it

    @abstractmethod
    def ratings(self, corpus: Corpus, estimator: estimators.Estimator) -> Floats:
        """The rating of each sample."""

    def missing(self) -> str:
        if reason := checkpoints.missing("model", self.model):
            return reason
        return checkpoints.missing("encoder", self._encoder())

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self.ratings(corpus, self._estimator()))

    def _encoder(self) -> str:
        return estimators.encoder_of(checkpoints.find("model", self.model), self.kind, self.encoder)

    def _estimator(self) -> estimators.Estimator:
        folder = checkpoints.find("model", self.model)
        return estimators.estimator(folder, checkpoints.find("encoder", self._encoder()), self.kind)
