"""Words of a text as in the UCCA corpora: Treebank words, with hyphens and slashes inside words as separate tokens.

>>> words('He "can\\'t" co-write it.')
['He', '"', 'ca', "n't", '"', 'co', '-', 'write', 'it', '.']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .. import kernels
from ..punkt import PLAIN

_PLAIN = {
    "``": '"',
    "''": '"',
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
_JOINT = re.compile(r"(?<=\w)([-–—/])(?=\w)")


def sentences(text: str) -> list[list[str]]:
    """The sentences of a text, each as its words."""
    parts = [text[start:end] for start, end in PLAIN.spans(text)]
    return [tokens for line in kernels.treebank(parts) if (tokens := list(_split(line.split())))]


def words(text: str) -> list[str]:
    """The words of a text, all sentences concatenated."""
    return [word for sentence in sentences(text) for word in sentence]


def _split(tokens: Sequence[str]) -> Iterator[str]:
    for word in tokens:
        plain = _PLAIN.get(word, word)
        yield from _JOINT.sub(r" \1 ", plain).split(" ") if len(plain) > 2 else (plain,)


def shape(word: str) -> int:
    """The orthographic shape of a word, which an uncased encoder does not see: marks, digits, lower case, capitals, …"""
    if not any(c.isalnum() for c in word):
        return 0
    if word.isdigit():
        return 1
    if any(c.isdigit() for c in word):
        return 2
    if word.islower():
        return 3
    if word.isupper():
        return 4 if len(word) > 1 else 5
    return 6 if word[0].isupper() else 7


SHAPES = 8
