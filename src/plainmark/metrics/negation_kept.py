"""Negation kept: whether what the source denies is denied in the output, and nothing else is.

A negation is kept if one of the output is about the same words, or in other words where neither text says undenied what
the other denies. Counts are added over the corpus; a sample without negations is undefined.
Compare Guo et al. 2024 (APPLS), whose testbed perturbs negation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data import Corpus
from ..faithfulness import Checked, Mention, match, negations
from ..metric import Floats
from ._kept import KeptMetric


@dataclass(frozen=True)
class NegationKept(KeptMetric):
    """Negations of source and output that the other has too, in percent (F1, precision or recall)."""

    citation = "Guo et al. 2024, EMNLP (negation errors)"

    def find(self, text: str) -> list[Mention]:
        return negations(text)

    def match(self, source: str, of_source: list[Mention], output: str, of_output: list[Mention]) -> Checked:
        return match("negations", source, of_source, output, of_output)

    def stats(self, corpus: Corpus) -> Floats:
        # Every negation counts: two of them about one word are two statements.
        rows = [
            [sum(m.kept for m in c.source), len(c.source), sum(m.kept for m in c.output), len(c.output)]
            for c in self.checked(corpus)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(corpus), 4)
