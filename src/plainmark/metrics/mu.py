"""Legibilidad mu: how uniform the word lengths of a Spanish text are; from 0 (very hard) to 100 (very easy).

    100 * n / (n - 1) * mean letters / variance of letters,   over n words

Reference: Muñoz Baquedano and Muñoz Urra 2006, Legibilidad Mμ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..metric import Floats
from ._readability import Formula


@dataclass(frozen=True)
class Mu(Formula):
    """Legibility of Spanish by the mean and variance of word lengths; higher is easier."""

    higher_is_better = True
    languages = ("es",)
    citation = "Muñoz Baquedano and Muñoz Urra 2006, Viña del Mar"
    columns = ("words", "letters", "letters_squared")

    def formula(self, n: dict[str, Floats]) -> Floats:
        words = n["words"]
        mean = n["letters"] / words
        variance = n["letters_squared"] / words - mean**2
        # One word, or words of one length, have no variance to divide by.
        defined = (words > 1) & (variance > 1e-9)
        safe = np.where(defined, (words - 1) * variance, 1.0)
        return np.where(defined, 100 * words * mean / safe, np.nan)
