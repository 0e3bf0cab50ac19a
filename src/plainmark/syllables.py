"""Syllables, and the counts of words, sentences and syllables that readability formulas use.

A word in the CMU Pronouncing Dictionary has the syllables of its first pronunciation; other words follow a
rule (vowel groups with corrections) that is right for 94 of 100 words it has not seen. docs/wordlists.md says
what the tables hold and where they come from.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

import numpy as np

from . import kernels
from .errors import MissingResourceError
from .kernels import Ints, WordTable
from .wordlists import table

NO_PYPHEN = "needs the package pyphen for textstat's syllables. To install: pip install 'plainmark[textstat]'"


def syllables(words: Sequence[str]) -> Ints:
    """The syllables of each word."""
    return kernels.syllables(words, table("syllables"))


def count_words(texts: Sequence[str], rule: str = "plain") -> Ints:
    """Counts of each text, shape (texts, len(kernels.COUNT_COLUMNS)), by a rule of kernels.COUNT_RULES."""
    if rule == "textstat":
        return hyphenation("en_US").count_words(texts)
    return kernels.count_words(texts, rule, table("syllables"), table("familiar"))[0]


def textstat_words(text: str) -> list[tuple[str, int]]:
    """The words that textstat 0.7.3 counts in a text, in lower case, and the syllables of each."""
    pieces = hyphenation("en_US").pieces
    return [(w, pieces(w)) for token in text.lower().split() if (w := re.sub(r"\W", "", token))]


def has_pyphen() -> bool:
    """Whether words can be hyphenated."""
    return find_spec("pyphen") is not None


class Hyphenation:
    """Syllables as counted by programs that count the pieces into which Pyphen hyphenates a word."""

    def __init__(self, language: str) -> None:
        try:
            import pyphen
        except ImportError:
            raise MissingResourceError(f"this {NO_PYPHEN}") from None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # Pyphen does not close its file
            self._pyphen = pyphen.Pyphen(lang=language)
        self._known = WordTable.words([])

    def pieces(self, word: str, *, hyphens: bool = False) -> int:
        """The number of pieces of a word; with `hyphens`, its own hyphens count as well."""
        return len(self._pyphen.positions(word)) + (word.count("-") if hyphens else 0) + 1

    def count_words(self, texts: Sequence[str]) -> Ints:
        """The counts of textstat 0.7.3."""
        known = self._known
        while True:
            counts, unknown = kernels.count_words(texts, "textstat", known, table("familiar"))
            if not unknown:
                self._known = known
                return counts
            syllables = [min(self.pieces(word), 255) for word in unknown]
            more = WordTable.words(unknown, np.array(syllables, dtype=np.uint8))
            known = WordTable.sorted(np.union1d(known.slots, more.slots))


@cache
def hyphenation(language: str) -> Hyphenation:
    """The hyphenation of a language, loaded once."""
    return Hyphenation(language)
