"""Embedding: cosine of the two sentences' vectors from an encoder.

Reference: Reimers & Gurevych 2019, Sentence-BERT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import models
from ..models import MODEL
from . import Aligner, Floats
from .jaccard import rescale


@dataclass(frozen=True)
class Embedding(Aligner):
    """Cosine of the sentences' vectors."""

    model: Annotated[str, MODEL, "an encoder: minilm, a folder, or a name on the hub"] = "minilm"
    cut: Annotated[float, "the cosine that becomes the similarity 0.5"] = 0.7

    citation = "Reimers & Gurevych 2019, EMNLP"

    def missing(self) -> str:
        return models.missing(self.model)

    def prepare(self, sentences: Sequence[str]) -> None:
        models.encoder(self.model).sentence_vectors(list(dict.fromkeys(sentences)))

    def similarity(self, a: list[str], b: list[str]) -> Floats:
        return rescale(cosine(self.model, a, b), self.cut)


def cosine(model: str, a: list[str], b: list[str]) -> Floats:
    """Cosines of the vectors of all pairs."""
    vectors = models.encoder(model).sentence_vectors([*a, *b])
    return np.asarray(vectors[: len(a)] @ vectors[len(a) :].T, dtype=np.float64)
