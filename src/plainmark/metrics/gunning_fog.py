"""Gunning fog index: a grade level from sentence length and complex words.

    0.4 * (words / sentences + 100 * complex words / words)

Complex words have three syllables or more, not counting the endings -es, -ed and -ing; names (a capital inside a
sentence) and hyphenated words are left out. textstat counts each word of three syllables that is not on its list of
familiar words once per text.
Reference: Gunning 1952, The technique of clear writing.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Program, Readability


@dataclass(frozen=True)
class GunningFog(Readability):
    """Gunning fog index, a grade level."""

    variant: Program = "plainmark"  # type: ignore[assignment]

    citation = "Gunning 1952, The Technique of Clear Writing"
    columns = ("words", "sentences", "complex_words")

    def formula(self, n: dict[str, Floats]) -> Floats:
        length = self.round(n["words"] / n["sentences"], 1)
        return self.round(0.4 * (length + n["complex_words"] / n["words"] * 100), 2)
