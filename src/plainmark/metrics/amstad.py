"""Amstad's reading ease: Flesch's formula for German.

    180 - words / sentences - 58.5 * syllables / words

Reference: Amstad 1978, Wie verständlich sind unsere Zeitungen? (dissertation, Zürich).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ._readability import FleschLike


@dataclass(frozen=True)
class Amstad(FleschLike):
    """Flesch reading ease for German, by Amstad."""

    languages = ("de",)
    citation = "Amstad 1978, dissertation, Universität Zürich"
    constants: ClassVar = {"": (180.0, 1.0, 58.5)}
