"""Syllables of spoken French words: an e at the end is silent, and i, u, ou before a vowel are semivowels."""

from __future__ import annotations

import re

_VOWELS = "aeiouyàâäéèêëîïôöùûüœæ"
_SILENT_END = re.compile(r"(?<=[ao]i)ent$|(?:e|es)$")
_SILENT_U = re.compile(rf"(?<=[qg])u(?=[{_VOWELS}])")
_NUCLEUS = re.compile(
    rf"(?<=[bcdfgptv][lr])[iu](?=[{_VOWELS}])"  # client
    r"|ill?i(?=[oe])|(?:[aeou]|ou|eu|ue)ill?(?=[aeouéèiî])"  # millions, travailler
    r"|œu|oeu|eau|aoû|oueu|ouai|oui|yeu|ieu|iau|iou|uei|ou[aeoéè]|[iuy][aeioéèê]|aî|oî|oo|ea"
    r"|ay(?=[^aeiouéè]|$)|[oa]y|ai|au|ei|ey|eu|eû|ou|oû|où|oi|oe"
    rf"|[{_VOWELS}]"
)


def count(word: str) -> int:
    """The syllables of a lower-case word; at least one if it has vowels."""
    word = _SILENT_U.sub("-", word)
    spoken = _SILENT_END.sub("", word)
    return len(_NUCLEUS.findall(spoken)) or int(any(letter in _VOWELS for letter in word))
