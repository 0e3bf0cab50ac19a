"""Fernández Huerta's lecturabilidad: Flesch's formula for Spanish.

    206.84 - 0.60 * syllables per hundred words - 1.02 * F

corrected   F is words per sentence, as in Flesch's formula from which it was derived. The default.
printed     F is sentences per hundred words, as the article says and many programs follow: short sentences then make a
            text harder. Law 2011 found the error.

Reference: Fernández Huerta 1959, Medidas sencillas de lecturabilidad.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ..metric import Floats
from ._readability import FleschLike


@dataclass(frozen=True)
class FernandezHuerta(FleschLike):
    """Flesch reading ease for Spanish, by Fernández Huerta."""

    variant: Annotated[
        Literal["corrected", "printed"], "F: words per sentence, or sentences per hundred words"
    ] = "corrected"

    languages = ("es",)
    citation = "Fernández Huerta 1959, Consigna 214"
    constants: ClassVar = {"corrected": (206.84, 1.02, 60.0), "printed": (206.84, 0.0, 60.0)}

    def formula(self, n: dict[str, Floats]) -> Floats:
        value = super().formula(n)
        return value - 1.02 * 100 * n["sentences"] / n["words"] if self.variant == "printed" else value
