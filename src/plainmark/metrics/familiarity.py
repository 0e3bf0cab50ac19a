"""Familiarity: the percentage of a text's words that are among the 1,000 commonest of their language.

The English list was counted in Wikinews and therefore has more words about politics than about the household; the other
lists are those of wordfreq.
Reference: Leroy et al. 2018; Guo et al. 2024 (APPLS), whose released program uses the rarity of words in Wikipedia.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import kernels
from ..data import Corpus
from ..languages import LanguageCode
from ..metric import Floats, Metric, divide
from ..wordlists import ranks
from ._readability import counts

COMMONEST = 1000


@dataclass(frozen=True)
class Familiarity(Metric):
    """Percentage of words that are among the 1,000 commonest."""

    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"
    language: Annotated[LanguageCode, "the language of the texts, which decides the list"] = "en"

    family = "text"
    higher_is_better = None
    bounds = (0.0, 100.0)
    citation = "Guo et al. 2024, APPLS"

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("familiarity", "words")

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def stats(self, corpus: Corpus) -> Floats:
        if self.language != "en":
            return counts(corpus, self.side, f"language:{self.language}", ("familiar", "words"))
        words = kernels.tokenize(corpus.texts(self.side), "plain")
        rank = ranks(words.hashes)
        familiar = words.count((rank >= 0) & (rank < COMMONEST))
        return np.column_stack([familiar, words.lengths]).astype(np.float64)

    def reduce(self, stats: Floats) -> Floats:
        share = 100 * divide(stats[..., 0], stats[..., 1])
        return np.stack([share, stats[..., 1]], axis=-1)
