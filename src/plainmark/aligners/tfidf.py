"""TF-IDF: cosine of word counts, words weighted by their rarity in the two texts.

Reference: Salton & Buckley 1988; Paetzold, Alva-Manchego & Specia 2017 (MASSAlign) for simplification.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from . import Aligner, Floats
from ._overlap import tfidf_cosine, word_tokens
from .jaccard import rescale


@dataclass(frozen=True)
class TFIDF(Aligner):
    """Cosine of the rarity-weighted words of two sentences."""

    cut: Annotated[float, "the cosine that becomes the similarity 0.5"] = 0.3

    citation = "Salton & Buckley 1988"

    def similarity(self, a: list[str], b: list[str]) -> Floats:
        return rescale(tfidf_cosine(word_tokens(a), word_tokens(b)), self.cut)
