"""Douma's leesbaarheid: Flesch's formula for Dutch.

    206.84 - 0.93 * words / sentences - 77 * syllables / words

textstat has Flesch's own constant 206.835 (variant='textstat'); koRpus also has 0.33 instead of 0.93 (variant='korpus'), as
some papers print it.
Reference: Douma 1960, De leesbaarheid van landbouwbladen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ._readability import FleschLike


@dataclass(frozen=True)
class Douma(FleschLike):
    """Flesch reading ease for Dutch, by Douma."""

    variant: Annotated[Literal["douma", "textstat", "korpus"], "whose constants"] = "douma"

    languages = ("nl",)
    citation = "Douma 1960, Bulletin 17, Landbouwhogeschool Wageningen"
    constants: ClassVar = {
        "douma": (206.84, 0.93, 77.0),
        "textstat": (206.835, 0.93, 77.0),
        "korpus": (206.835, 0.33, 77.0),
    }
