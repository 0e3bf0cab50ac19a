"""Jaccard: common words divided by the words of either sentence, scaled so that the best threshold on SWiPE's links is 0.5.

Reference: Jaccard 1912; a strong baseline for sentences of one article (F1 .85 on SWiPE's links).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import kernels
from . import Aligner, Floats
from ._overlap import jaccard, word_tokens


@dataclass(frozen=True)
class Jaccard(Aligner):
    """The share of different words that two sentences have in common."""

    cut: Annotated[float, "the share that becomes the similarity 0.5"] = 0.2

    citation = "Jaccard 1912"

    def similarity(self, a: list[str], b: list[str]) -> Floats:
        share = jaccard(kernels.ngrams(word_tokens(a), 1), kernels.ngrams(word_tokens(b), 1))
        return rescale(share, self.cut)


def rescale(values: Floats, cut: float) -> Floats:
    """Values from 0 to 1, stretched so that `cut` becomes 0.5."""
    low = np.divide(values, 2 * cut) if cut > 0 else np.full_like(values, 0.5)
    high = 0.5 + (values - cut) / (2 * (1 - cut)) if cut < 1 else values
    return np.clip(np.where(values <= cut, low, high), 0.0, 1.0)
