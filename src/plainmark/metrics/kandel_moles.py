"""Kandel and Moles' reading ease: Flesch's formula for French, of which programs print two versions.

207   207 - 1.015 * words / sentences - 73.6 * syllables / words; textstat and most pages on French. The default.
209   209 - 1.15 * words / sentences - 68 * syllables / words; koRpus.

Reference: Kandel and Moles 1958, Application de l'indice de Flesch à la langue française.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ._readability import FleschLike


@dataclass(frozen=True)
class KandelMoles(FleschLike):
    """Flesch reading ease for French, by Kandel and Moles."""

    variant: Annotated[Literal["207", "209"], "the constants, named by the first one"] = "207"

    languages = ("fr",)
    citation = "Kandel and Moles 1958, Cahiers d'études de radio-télévision 19"
    constants: ClassVar = {"207": (207.0, 1.015, 73.6), "209": (209.0, 1.15, 68.0)}
