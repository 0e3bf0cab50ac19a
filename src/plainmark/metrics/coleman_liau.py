"""Coleman-Liau index: a grade level from letters and sentences per hundred words.

    0.0588 * letters per 100 words - 0.296 * sentences per 100 words - 15.8

Only letters count; textstat counts letters, digits and underscores, and its first constant is 0.058, which lowers the grade
by about a third of a year.
Reference: Coleman and Liau 1975, A computer readability formula designed for machine scoring.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Program, Readability


@dataclass(frozen=True)
class ColemanLiau(Readability):
    """Coleman-Liau index, a grade level."""

    variant: Program = "plainmark"  # type: ignore[assignment]

    citation = "Coleman and Liau 1975, Journal of Applied Psychology 60"
    columns = ("words", "sentences", "letters")

    def formula(self, n: dict[str, Floats]) -> Floats:
        letters = self.round(self.round(n["letters"] / n["words"], 2) * 100, 2)
        sentences = self.round(self.round(n["sentences"] / n["words"], 2) * 100, 2)
        weight = 0.058 if self.variant.startswith("textstat") else 0.0588
        return self.round(weight * letters - 0.296 * sentences - 15.8, 2)
