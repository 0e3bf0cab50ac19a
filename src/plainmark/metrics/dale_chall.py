"""Dale-Chall score: sentence length and the share of words that are not familiar to fourth-graders.

    0.1579 * percent unfamiliar + 0.0496 * words / sentences  (+ 3.6365 if more than 5 percent are unfamiliar)

Regular inflections of listed words, names (a capital inside a sentence) and numbers are familiar. textstat counts each
unlisted word once per text and knows no inflections. The list is textstat's, of 2,941 words.
Reference: Dale and Chall 1948, A formula for predicting readability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..metric import Floats
from ._readability import Readability


@dataclass(frozen=True)
class DaleChall(Readability):
    """Dale-Chall readability score."""

    citation = "Dale and Chall 1948, Educational Research Bulletin 27"
    columns = ("words", "sentences", "unfamiliar")

    def formula(self, n: dict[str, Floats]) -> Floats:
        # In textstat's order of operations, so that rounding and the limit of 5 percent give the same result.
        percent = 100 - (n["words"] - n["unfamiliar"]) / n["words"] * 100
        if self.variant == "textstat-0.7.13":
            percent = 100 * n["unfamiliar"] / n["words"]
        score = 0.1579 * percent + 0.0496 * self.round(n["words"] / n["sentences"], 1)
        return self.round(np.where(percent > 5, score + 3.6365, score), 2)
