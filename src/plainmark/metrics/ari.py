"""Automated readability index: a grade level without syllables.

    4.71 * characters / words + 0.5 * words / sentences - 21.43

Characters are letters and digits; in textstat they are all characters except white space.
Reference: Senter and Smith 1967, Automated readability index.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Program, Readability


@dataclass(frozen=True)
class ARI(Readability):
    """Automated readability index, a grade level."""

    variant: Program = "plainmark"  # type: ignore[assignment]

    citation = "Senter and Smith 1967, AMRL-TR-66-220"

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        # textstat 0.7.13 divides characters by the number of pieces between white space.
        return ("words", "sentences", "characters", *(["tokens"] * (self.variant == "textstat-0.7.13")))

    def formula(self, n: dict[str, Floats]) -> Floats:
        width = self.round(n["characters"] / n.get("tokens", n["words"]), 2)
        length = self.round(n["words"] / n["sentences"], 2)
        return self.round(4.71 * width + 0.5 * length - 21.43, 1)
