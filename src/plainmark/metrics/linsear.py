"""Linsear Write: a grade level from the first hundred words of a text.

    r = (words of one or two syllables + 3 * longer words) / sentences;  r / 2 if r > 20, else r / 2 - 1

Reference: O'Hayre 1966, Gobbledygook has gotta go.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..metric import Floats
from ._readability import Readability


@dataclass(frozen=True)
class Linsear(Readability):
    """Linsear Write, a grade level."""

    citation = "O'Hayre 1966, Bureau of Land Management"
    columns = ("words", "sample_easy", "sample_hard", "sample_sentences")

    def formula(self, n: dict[str, Floats]) -> Floats:
        points = (n["sample_easy"] + 3 * n["sample_hard"]) / n["sample_sentences"]
        return np.where(points <= 20, points - 2, points) / 2
