"""Gulpease: reading ease from 0 to 100, developed for Italian, based on letters instead of syllables.

    89 + (300 * sentences - 10 * letters) / words

Readers with primary school find a text hard below 80, with lower secondary school below 60, with secondary school below 40.
Reference: Lucisano and Piemontese 1988, Gulpease: una formula per la predizione della difficoltà dei testi in lingua
italiana.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..metric import Floats
from ._readability import Formula


@dataclass(frozen=True)
class Gulpease(Formula):
    """Gulpease index of Italian; higher is easier."""

    higher_is_better = True
    languages = ("it",)
    citation = "Lucisano and Piemontese 1988, Scuola e città 3"
    columns = ("words", "sentences", "letters")

    def formula(self, n: dict[str, Floats]) -> Floats:
        return 89 + (300 * n["sentences"] - 10 * n["letters"]) / n["words"]
