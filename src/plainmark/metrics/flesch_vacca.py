"""Flesch-Vacca: Flesch's formula for Italian, in its published versions.

1986      217 - 1.3 * words / sentences - 60 * syllables / words. The default.
1972      206 - words / sentences - 65 * syllables / words, by Vacca
1972-60   the same with 60, as some Italian pages print it

Reference: Franchina and Vacca 1986, Adaptation of Flesh readability index on a bilingual text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ._readability import FleschLike


@dataclass(frozen=True)
class FleschVacca(FleschLike):
    """Flesch reading ease for Italian, by Franchina and Vacca."""

    variant: Annotated[Literal["1986", "1972", "1972-60"], "the year of the constants"] = "1986"

    languages = ("it",)
    citation = "Franchina and Vacca 1986, Linguaggi 3"
    constants: ClassVar = {
        "1986": (217.0, 1.3, 60.0),
        "1972": (206.0, 1.0, 65.0),
        "1972-60": (206.0, 1.0, 60.0),
    }
