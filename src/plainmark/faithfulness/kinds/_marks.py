"""Words in quotation marks: the beginning and end of quotations."""

from __future__ import annotations

import re
from typing import NamedTuple

_PAIRS = {"“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "‹": "›"}
_LONGEST = 3000
_DEEPEST = 5  # quotations inside one another
# Apostrophes at the beginning of a word.
_CLIPPED = re.compile(r"['’](?:\d0s|tis|twas|em|cause|til|n|bout|round|cos|coz)\b", re.IGNORECASE)
_PLURAL = re.compile(r"s['’]\s+[a-z]")


class Quotation(NamedTuple):
    """The characters between the marks; `outer_*` include the marks."""

    start: int
    end: int
    outer_start: int
    outer_end: int


def quotations(text: str) -> list[Quotation]:
    """The quotations of a text in order; one inside another is part of it."""
    out: list[Quotation] = []
    i = 0
    while i < len(text):
        mark = text[i]
        end = -1
        if mark in "“„«‹":
            end = _curly(text, i)
        elif mark in '"＂' and not (i and text[i - 1].isdigit()) and _opens(text, i):
            end = _straight(text, i)
        elif mark in "'‘`" and _opens(text, i) and not _CLIPPED.match(text, i):
            end = _single(text, i)
        if end > i + 1:
            out.append(Quotation(i + 1, end, i, min(end + 1, len(text))))
            i = end + 1
        else:
            i += 1
    return out


def _opens(text: str, i: int) -> bool:
    before = text[i - 1] if i else " "
    after = text[i + 1 : i + 2]
    return (before.isspace() or before in "([{—–-/“\"'‘") and bool(after) and not after.isspace()


def _curly(text: str, i: int) -> int:
    """The closing mark; a paragraph without one is continued if the next paragraph begins with an opening mark."""
    mark = text[i]
    closing = _PAIRS[mark]
    depth = 0
    limit = min(len(text), i + _LONGEST)
    for k in range(i + 1, limit):
        if text[k] in closing and (mark != "„" or k > i + 1):
            if depth == 0:
                return k
            depth -= 1
        elif text[k] == mark:
            if text[max(0, k - 20) : k].rstrip(" ")[-1:] == "\n":
                continue
            depth += 1
            if depth > _DEEPEST:
                return -1
        elif text[k] == "\n" and text[k : k + 20].lstrip()[:1] != mark:
            return k
    return limit if limit == len(text) else -1


def _straight(text: str, i: int) -> int:
    limit = min(len(text), i + _LONGEST)
    k = i + 1
    while k < limit:
        if text[k] == '"':
            if text[k - 1] == "\n" or (text[k - 1].isspace() and "\n" in text[max(i, k - 3) : k]):
                k += 1  # the quotation goes on in a new paragraph
                continue
            if not text[k - 1].isspace() or text[k + 1 : k + 2].isspace() or k + 1 == len(text):
                return k
        elif text[k] == "\n" and text[k : k + 20].lstrip()[:1] != '"':
            return -1
        k += 1
    return -1


def _single(text: str, i: int) -> int:
    """The closing single mark: not an apostrophe inside a word, and preferably not that of a plural."""
    closing = "’" if text[i] == "‘" else "'’"
    stop = text.find("\n", i)
    limit = min(len(text) if stop < 0 else stop, i + 600)
    plural = -1
    for k in range(i + 2, limit):
        if text[k] in closing and not text[k + 1 : k + 2].isalnum() and not text[k - 1].isspace():
            if _PLURAL.match(text, k - 1):
                plural = plural if plural > 0 else k
                continue
            return k
    return plural
