"""Matskovskij's formula: the difficulty of a Russian text, one of the first formulas for Russian.

    0.62 * words / sentences + 0.123 * percentage of words of more than three syllables + 0.051

Reference: Matskovskij 1976, Problems of the readability of printed matter (in Russian).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Formula


@dataclass(frozen=True)
class Matskovskij(Formula):
    """Difficulty of Russian, by Matskovskij."""

    higher_is_better = False
    languages = ("ru",)
    citation = "Matskovskij 1976, Moscow"
    columns = ("words", "sentences", "four_syllables")

    def formula(self, n: dict[str, Floats]) -> Floats:
        return 0.62 * n["words"] / n["sentences"] + 12.3 * n["four_syllables"] / n["words"] + 0.051
