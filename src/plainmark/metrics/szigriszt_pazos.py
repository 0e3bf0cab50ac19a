"""Szigriszt-Pazos' perspicuidad, also called Flesch-Szigriszt: reading ease of Spanish.

    206.835 - 62.3 * syllables / words - words / sentences

INFLESZ (Barrio-Cantalejo et al. 2008) is the scale for its interpretation: below 40 very hard, up to 55 somewhat hard, up
to 65 normal, up to 80 quite easy, above 80 very easy.

Reference: Szigriszt Pazos 1993, Sistemas predictivos de legibilidad del mensaje escrito: fórmula de perspicuidad.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ._readability import FleschLike


@dataclass(frozen=True)
class SzigrisztPazos(FleschLike):
    """Reading ease of Spanish by Szigriszt-Pazos, the number of the INFLESZ scale."""

    languages = ("es",)
    citation = "Szigriszt Pazos 1993, dissertation; Barrio-Cantalejo et al. 2008 (INFLESZ)"
    constants: ClassVar = {"": (206.835, 1.0, 62.3)}
