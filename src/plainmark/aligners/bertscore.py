"""BERTScore: greedy matching of the two sentences' token vectors, F1.

Reference: Zhang et al. 2020, BERTScore.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from .. import models
from ..models import MODEL
from . import Aligner, Floats
from .jaccard import rescale

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class BERTScoreAligner(Aligner):
    """F1 of the best matches of tokens."""

    model: Annotated[str, MODEL, "an encoder: minilm, a folder, or a name on the hub"] = "minilm"
    layer: Annotated[int | None, "the layer whose vectors are compared; the last if not given"] = None
    cut: Annotated[float, "the F1 that is mapped to the similarity 0.5"] = 0.6

    citation = "Zhang et al. 2020, ICLR"

    def missing(self) -> str:
        return models.missing(self.model)

    def prepare(self, sentences: Sequence[str]) -> None:
        models.encoder(self.model).token_vectors(list(dict.fromkeys(sentences)), layer=self.layer)

    def similarity(self, a: list[str], b: list[str]) -> Floats:
        vectors = [t.vectors for t in models.encoder(self.model).token_vectors([*a, *b], layer=self.layer)]
        of_a, of_b = vectors[: len(a)], vectors[len(a) :]
        # All tokens are compared with all tokens once; a sentence is a run of rows or columns.
        starts_a, starts_b = (np.cumsum([0, *map(len, side)])[:-1] for side in (of_a, of_b))
        cosine = _unit(np.concatenate(of_a)) @ _unit(np.concatenate(of_b)).T
        best_in_b = np.maximum.reduceat(cosine, starts_b, axis=1)  # (tokens of a, sentences of b)
        best_in_a = np.maximum.reduceat(cosine, starts_a, axis=0)  # (sentences of a, tokens of b)
        recall = np.add.reduceat(best_in_b, starts_a, axis=0) / np.array([[len(v)] for v in of_a])
        precision = np.add.reduceat(best_in_a, starts_b, axis=1) / np.array([len(v) for v in of_b])
        total = precision + recall
        score = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
        return rescale(np.clip(score, 0, 1).astype(np.float64), self.cut)


def _unit(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: Vectors = vectors / np.maximum(norms, 1e-12)
    return result
