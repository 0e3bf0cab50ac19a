"""Syllables of German words: diphthongs and doubled vowels count as one, other adjacent vowels as two."""

from __future__ import annotations

import re

_NUCLEUS = re.compile(
    r"(?<=[tsln])io(?=n)"  # Nation, Million
    r"|(?<=[a-zäöü][lnr])i(?=en?s?$)"  # Familie
    r"|(?<=q)u[aeiouäöü]"
    r"|äu|au|eau|ei|eu|ai|ay|ey|oi|ie|aa|ee|oo|ou"
    r"|[aeiouyäöüáàâéèêíóôúøœ]"
)


def count(word: str) -> int:
    """The syllables of a lower-case word."""
    return len(_NUCLEUS.findall(word))
