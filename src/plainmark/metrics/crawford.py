"""Crawford's formula: the years of school that a Spanish text for children needs.

    -0.205 * sentences per hundred words + 0.049 * syllables per hundred words - 3.407

Reference: Crawford 1989, Lecturabilidad en español.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Formula


@dataclass(frozen=True)
class Crawford(Formula):
    """Years of school for Spanish, by Crawford."""

    higher_is_better = False
    languages = ("es",)
    citation = "Crawford 1989, Madrid"
    columns = ("words", "sentences", "syllables")

    def formula(self, n: dict[str, Floats]) -> Floats:
        return (-20.5 * n["sentences"] + 4.9 * n["syllables"]) / n["words"] - 3.407
