"""Gutiérrez de Polini's comprensibilidad: developed for Spanish school texts of the sixth grade, not adapted from English.

    95.2 - 9.7 * letters / words - 0.35 * words / sentences

Reference: Gutiérrez de Polini 1972, Investigación sobre lectura en Venezuela.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Formula


@dataclass(frozen=True)
class GutierrezPolini(Formula):
    """Comprehensibility of Spanish by Gutiérrez de Polini; higher is easier."""

    higher_is_better = True
    languages = ("es",)
    citation = "Gutiérrez de Polini 1972, Caracas"
    columns = ("words", "sentences", "letters")

    def formula(self, n: dict[str, Floats]) -> Floats:
        return 95.2 - 9.7 * n["letters"] / n["words"] - 0.35 * n["words"] / n["sentences"]
