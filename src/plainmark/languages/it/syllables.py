"""Syllables of Italian words: i and u join the vowel beside them, and i after c, g and sc is only a sign."""

from __future__ import annotations

import re

_SIGN = re.compile(r"(?<=[cg])i(?=[aeouàèòùó])|(?<=q)u|(?<=g)u(?=[aeioàèìò])")
_GROUP = re.compile(r"[aeiouyàèéìíòóùú]+")
_STRONG = re.compile(r"[aeoàèéìíòóùú]")


def count(word: str) -> int:
    """The syllables of a lower-case word."""
    groups = _GROUP.findall(_SIGN.sub("-", word))
    return sum(max(1, len(_STRONG.findall(group))) for group in groups)
