"""Oborneva's reading ease: Flesch's formula for Russian, of which several sets of constants are cited.

60.1      206.835 - 1.3 * words / sentences - 60.1 * syllables / words; textstat and most programs. The default.
65.14     206.836 - 1.52 * words / sentences - 65.14 * syllables / words
220.755   220.755 - 1.315 * words / sentences - 50.1 * syllables / words, of the project plainrussian, not by Oborneva

Reference: Oborneva 2006, Automated assessment of the complexity of educational texts (dissertation, in Russian).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ._readability import FleschLike


@dataclass(frozen=True)
class Oborneva(FleschLike):
    """Flesch reading ease for Russian, by Oborneva."""

    variant: Annotated[
        Literal["60.1", "65.14", "220.755"], "the constants, named by the weight of syllables"
    ] = "60.1"

    languages = ("ru",)
    citation = "Oborneva 2006, dissertation, Moscow"
    constants: ClassVar = {
        "60.1": (206.835, 1.3, 60.1),
        "65.14": (206.836, 1.52, 65.14),
        "220.755": (220.755, 1.315, 50.1),
    }
