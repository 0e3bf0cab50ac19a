"""Flesch reading ease: from 0 (very hard) to 100 (very easy), and beyond on both sides.

    206.835 - 1.015 * words / sentences - 84.6 * syllables / words

Reference: Flesch 1948, A new readability yardstick.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Program, Readability


@dataclass(frozen=True)
class Flesch(Readability):
    """Flesch reading ease."""

    variant: Program = "plainmark"  # type: ignore[assignment]

    higher_is_better = True
    citation = "Flesch 1948, Journal of Applied Psychology 32"
    columns = ("words", "sentences", "syllables")

    def formula(self, n: dict[str, Floats]) -> Floats:
        length = self.round(n["words"] / n["sentences"], 1)
        weight = self.round(n["syllables"] / n["words"], 1)
        return self.round(206.835 - 1.015 * length - 84.6 * weight, 2)
