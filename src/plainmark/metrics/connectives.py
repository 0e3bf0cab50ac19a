"""Connectives: how many words of a text join clauses or sentences (and, because, however, ...).

Reference: Kauchak et al. 2017; Guo et al. 2024 (APPLS), "phrase transitions".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

import numpy as np

from .. import kernels
from ..data import Corpus
from ..kernels import WordTable
from ..metric import Floats, Metric, divide

_WORDS = """
and but or nor so yet for
after although as because before if lest once provided since than though till unless until when whenever where
whereas wherever whether while whilst
accordingly additionally also alternatively anyway besides consequently conversely finally furthermore hence
however indeed instead likewise meanwhile moreover namely nevertheless next nonetheless otherwise similarly still
subsequently then thereafter therefore thus
"""


@dataclass(frozen=True)
class Connectives(Metric):
    """Conjunctions and conjunctive adverbs per text; they are counted by form, so that every "for" and every "as" counts."""

    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"

    family = "text"
    higher_is_better = None
    citation = "Guo et al. 2024, APPLS"
    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("connectives", "percent")

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def stats(self, corpus: Corpus) -> Floats:
        words = kernels.tokenize(corpus.texts(self.side), "plain")
        counts = words.count(_table().holds(words.hashes))
        return np.column_stack([counts, words.lengths, np.ones(len(corpus))]).astype(np.float64)

    def reduce(self, stats: Floats) -> Floats:
        counts = stats[..., 0]
        return np.stack([divide(counts, stats[..., 2]), 100 * divide(counts, stats[..., 1])], axis=-1)


@cache
def _table() -> WordTable:
    return WordTable.words(_WORDS.split())
