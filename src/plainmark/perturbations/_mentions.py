"""Mentions of numbers and names in one text, to be replaced by others."""

from __future__ import annotations

from typing import NamedTuple


class Mention(NamedTuple):
    """A span of text and the normalised fact it states; a weak one may be no fact ("one", a word that opens a sentence)."""

    text: str
    start: int
    end: int
    key: tuple[str, ...]
    weak: bool = False
