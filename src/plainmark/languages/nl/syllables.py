"""Syllables of Dutch words: digraphs count as one, and a diaeresis begins a new syllable."""

from __future__ import annotations

import re

_NUCLEUS = re.compile(
    r"(?<=q)u[aeiou]|(?<=t)io(?=n)|eau"
    r"|aai|ooi|oei|eeu|ieu"
    r"|aa|ee|oo|uu|ie|oe|eu|ui|ij|ei|au|ou|ai|oi"
    r"|[aeiouyäëïöüáàâéèêíóôú]"
)


def count(word: str) -> int:
    """The syllables of a lower-case word."""
    return len(_NUCLEUS.findall(word))
