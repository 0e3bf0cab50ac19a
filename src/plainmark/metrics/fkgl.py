"""Flesch-Kincaid grade level: years of school in the United States that a text needs.

    0.39 * words / sentences + 11.8 * syllables / words - 15.59

Reference: Kincaid et al. 1975, Derivation of new readability formulas for Navy enlisted personnel.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Readability


@dataclass(frozen=True)
class FKGL(Readability):
    """Flesch-Kincaid grade level."""

    citation = "Kincaid et al. 1975, Research Branch Report 8-75"
    columns = ("words", "sentences", "syllables")

    def formula(self, n: dict[str, Floats]) -> Floats:
        length = self.round(n["words"] / n["sentences"], 1)
        weight = self.round(n["syllables"] / n["words"], 1)
        return self.round(0.39 * length + 11.8 * weight - 15.59, 1)
