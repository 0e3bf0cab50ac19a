"""Syllables of Spanish words: the spelling shows where vowels join, and the accent where they do not."""

from __future__ import annotations

import re

_SILENT = re.compile(r"(?<=q)u|(?<=g)u(?=[eiéí])|y(?=[aeiouáéíóú])")
_GROUP = re.compile(r"[aeiouáéíóúüyïö]+")
_STRONG = re.compile(r"[aeoáéíóúïö]")


def count(word: str) -> int:
    """The syllables of a lower-case word."""
    groups = _GROUP.findall(_SILENT.sub("-", word))
    return sum(max(1, len(_STRONG.findall(group))) for group in groups)
