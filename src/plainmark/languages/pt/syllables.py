"""Syllables of Portuguese words: i and u after a vowel join it, before a vowel they do not.

The exceptions: -nh-, -l, -r, -z and nasal endings keep i and u apart (rainha, sair, juiz, ainda), and -ia, -io, -ua after an
accented syllable are one (história, água).
"""

from __future__ import annotations

import re

_VOWELS = "aeiouyáéíóúâêôãõàü"
_SILENT = re.compile(r"(?<=[qg])u(?=[aeiouáéíóêãõâô])")
_NASAL = re.compile(r"ão|ãe|õe")
_FALLING = re.compile(
    rf"(?<=[aeouáéóúâêôãõ])i(?!nh|[lrmnz]$|[mn][^{_VOWELS}])|(?<=[aeoiáéóíâêô])u(?!nh|ni|[lrmnz]$)"
)
_RISING = re.compile(r"(?<=[^qg])[iu](?=[aeo]s?$)")
_ACCENT = re.compile(r"[áéíóúâêô]")
_NUCLEUS = re.compile(f"[{_VOWELS}]")


def count(word: str) -> int:
    """The syllables of a lower-case word."""
    word = _NASAL.sub("ã", _SILENT.sub("-", word))
    word = re.sub(r"ao(?=s?$)", "a", word)
    word = _FALLING.sub("-", word)
    if _ACCENT.search(word[:-2]):
        word = _RISING.sub("-", word)
    return len(_NUCLEUS.findall(word))
