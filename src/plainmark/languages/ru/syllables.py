"""Syllables of Russian words: as many as there are vowels."""

from __future__ import annotations

import re

_VOWEL = re.compile(r"[аеёиоуыэюяaeiouy]")


def count(word: str) -> int:
    """The syllables of a lower-case word."""
    return len(_VOWEL.findall(word))
