"""Quotations over several sentences: an opening mark in one sentence, its closing mark in a later one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace

from . import TextDocument

# A straight mark opens if a word follows it and none precedes it, and closes in the opposite case.
_MARK = re.compile(r'(?P<opens>“|(?<![^\s(\[–—-])"(?=\S))|(?P<closes>”|(?<=\S)"(?!\w))|"')


def _marks(text: str) -> Iterator[tuple[int, bool]]:
    """The positions of the quotation marks, and whether each opens; ambiguous straight marks alternate."""
    is_open = False
    for mark in _MARK.finditer(text):
        is_open = not is_open if mark.lastgroup is None else mark.lastgroup == "opens"
        yield mark.start(), is_open


def is_balanced(sentence: str) -> bool:
    """Whether every quotation that begins in a sentence ends in it, and vice versa."""
    opens = [is_open for _, is_open in _marks(sentence)]
    return opens == [True, False] * (len(opens) // 2)


def with_whole_quotations(document: TextDocument) -> TextDocument:
    """The document with the sentences of each quotation joined into one; a mark without its counterpart joins nothing.

    A second opening mark, as at the beginning of a further paragraph, continues the quotation.
    """
    starts = [start for start, _ in document.sentences]
    joined = list(document.sentences[:1])
    quotations: list[tuple[int, int]] = []
    begin = -1
    for place, is_open in _marks(document.text):
        sentence = max(bisect_right(starts, place) - 1, 0)
        if is_open and begin < 0:
            begin = sentence
        elif not is_open and begin >= 0:
            quotations.append((begin, sentence))
            begin = -1
    continued = {i for first, last in quotations for i in range(first + 1, last + 1)}
    for i, (start, end) in enumerate(document.sentences[1:], 1):
        if i in continued:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return replace(document, spans=tuple(joined)) if continued else document
