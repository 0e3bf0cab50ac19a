"""Martins' reading ease: Flesch's formula for Portuguese.

martins   248.835 - 1.015 * words / sentences - 84.6 * syllables / words: 42 points more than in English. The default.
alt       226 - 1.04 * words / sentences - 72 * syllables / words, of the program ALT (Moreno et al. 2023).

Reference: Martins et al. 1996, Readability formulas applied to textbooks in Brazilian Portuguese.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ._readability import FleschLike


@dataclass(frozen=True)
class Martins(FleschLike):
    """Flesch reading ease for Portuguese, by Martins et al."""

    variant: Annotated[Literal["martins", "alt"], "whose constants"] = "martins"

    languages = ("pt",)
    citation = "Martins et al. 1996, Notas do ICMSC 28"
    constants: ClassVar = {"martins": (248.835, 1.015, 84.6), "alt": (226.0, 1.04, 72.0)}
