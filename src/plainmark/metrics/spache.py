"""Spache score: a grade level for young readers, from sentence length and unfamiliar words, each counted once per text.

    0.141 * words / sentences + 0.086 * percent unfamiliar + 0.839     (revised 1974: 0.121, 0.082, 0.659)

Spache's own word list is smaller; this formula uses Dale and Chall's, like textstat, which counts unfamiliar words of two
or more syllables only.
Reference: Spache 1953, A new readability formula for primary-grade reading materials.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..metric import Floats
from ._readability import Readability


@dataclass(frozen=True)
class Spache(Readability):
    """Spache readability score, a grade level for young readers."""

    revised: Annotated[bool, "the weights of 1974 instead of those of 1953"] = False

    citation = "Spache 1953, Elementary School Journal 53"
    columns = ("words", "sentences", "unfamiliar_types")

    def formula(self, n: dict[str, Floats]) -> Floats:
        percent = n["unfamiliar_types"] / n["words"] * 100
        by_length, by_words, base = (0.121, 0.082, 0.659) if self.revised else (0.141, 0.086, 0.839)
        return self.round(by_length * (n["words"] / n["sentences"]) + by_words * percent + base, 2)
