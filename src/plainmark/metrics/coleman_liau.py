"""Coleman-Liau index: a grade level from letters and sentences per hundred words.

    0.058 * letters per 100 words - 0.296 * sentences per 100 words - 15.8

Letters are letters; textstat's are letters, digits and underscores.
Reference: Coleman and Liau 1975, A computer readability formula designed for machine scoring.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Readability


@dataclass(frozen=True)
class ColemanLiau(Readability):
    """Coleman-Liau index, a grade level."""

    citation = "Coleman and Liau 1975, Journal of Applied Psychology 60"
    columns = ("words", "sentences", "letters")

    def formula(self, n: dict[str, Floats]) -> Floats:
        letters = self.round(self.round(n["letters"] / n["words"], 2) * 100, 2)
        sentences = self.round(self.round(n["sentences"] / n["words"], 2) * 100, 2)
        return self.round(0.058 * letters - 0.296 * sentences - 15.8, 2)
