"""Plain words for hard ones, in addition to those of the simplifier; the writer decides about each.

plain_words.txt is written by hand, in the format of the simplifier's list of plain phrases; plain_words.tsv holds the same
in every form of its words (scripts/make_plain_words.py), so that checks need no package that inflects words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..simplifier.plain.conditions import Condition, PhraseConditions, Place
from ._findings import Phrase

if TYPE_CHECKING:
    from ._analysis import Words

FILE = Path(__file__).with_name("plain_words.txt")
FORMS = FILE.with_suffix(".tsv")
_LIKELY = 0.5  # score of every suggestion of the list; the simplifier's own come first
Rules = dict[str, list[tuple[tuple[str, ...], str, tuple[Condition, ...]]]]


@cache
def rules() -> Rules:
    """Rules by the first of their words, the longest first: words, replacement and context."""
    conditions = PhraseConditions.from_lines(FORMS.read_text("utf-8").splitlines())
    out: Rules = {}
    for (source, target), places in conditions.by_rule.items():
        words = tuple(source.split())
        out.setdefault(words[0], []).append((words, target, places))
    for rows in out.values():
        rows.sort(key=lambda row: -len(row[0]))
    return out


def plain_words(words: Words) -> Iterator[Phrase]:
    """The plain words that fit in a sentence; names and quotations are left alone."""
    known = rules()
    for i, word in enumerate(words.lower):
        if word not in known:
            continue
        for source, target, conditions in known[word]:
            end = i + len(source)
            if words.lower[i:end] != source or not _is_own_text(words, i, end):
                continue
            place = Place(words.lower, i, end, words.forms)
            if any(condition.holds(place) for condition in conditions):
                yield Phrase(words.starts[i], words.ends[end - 1], target, _LIKELY, end - i)


def _is_own_text(words: Words, start: int, end: int) -> bool:
    """Whether words are neither part of a name nor quoted; the first word of a sentence may have a capital."""
    for i in range(start, end):
        written = words.written(i)
        if not written.islower() and not (i == 0 and written[1:].islower()):
            return False
    quotes = words.lower[:start].count('"')
    return quotes % 2 == 0 or '"' not in words.lower[end:]
