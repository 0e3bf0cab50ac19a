"""Brouwer's Leesindex A: reading ease of Dutch, made for books for children.

    195 - 2 * words / sentences - 2/3 * syllables per hundred words

variant='rounded' has 67 * syllables / words instead of two thirds, like some programs.
Reference: Brouwer 1963, Onderzoek naar de leesmoeilijkheid van Nederlands proza.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ._readability import FleschLike


@dataclass(frozen=True)
class Brouwer(FleschLike):
    """Leesindex A for Dutch, by Brouwer."""

    variant: Annotated[Literal["brouwer", "rounded"], "200 / 3, or 67 syllables per word"] = "brouwer"

    languages = ("nl",)
    citation = "Brouwer 1963, Pedagogische Studiën 40"
    constants: ClassVar = {"brouwer": (195.0, 2.0, 200 / 3), "rounded": (195.0, 2.0, 67.0)}
