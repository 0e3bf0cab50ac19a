"""SMOG: a grade level from words of three syllables and more.

    1.043 * sqrt(30 * polysyllables / sentences) + 3.1291

Made for texts of thirty sentences. textstat returns 0 for texts of fewer than three; here they are undefined.
Reference: McLaughlin 1969, SMOG grading: a new readability formula.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..metric import Floats
from ._readability import Program, Readability


@dataclass(frozen=True)
class SMOG(Readability):
    """Simple measure of gobbledygook, a grade level."""

    variant: Program = "plainmark"  # type: ignore[assignment]

    citation = "McLaughlin 1969, Journal of Reading 12"
    columns = ("words", "sentences", "polysyllables")

    def formula(self, n: dict[str, Floats]) -> Floats:
        grade = self.round(1.043 * np.sqrt(30 * (n["polysyllables"] / n["sentences"])) + 3.1291, 1)
        enough = 3 if self.variant in ("textstat", "textdescriptives") else 1
        return np.where(n["sentences"] < enough, np.nan, grade)
