"""Bounds of amounts: at least, up to, more than, about, "or more"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...passage import Word


class Bound(NamedTuple):
    """A bound: its side ("<", ">", "~" or none), whether it is written as a sign, its first word, and whether the number is
    included.

    "At least 5" and "5 or more" include 5, "more than 5" does not.
    """

    side: str
    sign: bool
    first: int
    closed: bool = False


_SIGNS = {"<": "<", "≤": "<", ">": ">", "≥": ">", "~": "~", "≈": "~", "±": "~"}
_WORDS = {
    "about": "~", "around": "~", "approximately": "~", "roughly": "~", "some": "~", "circa": "~", "c": "~", "approx": "~",
    "nearly": "<", "almost": "<", "under": "<", "below": "<", "fewer": "<", "less": "<", "barely": "~", "within": "<",
    "over": ">", "above": ">", "more": ">", "exceeding": ">", "beyond": ">", "least": ">", "most": "<", "up": "<",
    "older": ">", "younger": "<", "greater": ">", "higher": ">", "lower": "<", "longer": ">", "close": "~",
    "estimated": "~", "maximum": "<", "minimum": ">", "minus": "",
}  # fmt: skip
_BEFORE_THAN = frozenset("more less fewer greater higher lower older younger longer".split())
_CLOSED = frozenset("least most up maximum minimum within".split())
_AS_AS = {"many": "<", "much": "<", "high": "<", "few": ">", "little": ">", "low": ">"}
_NOT = frozenset(("no", "not", "never", "n't", "n’t"))
_OPPOSITE = {"<": ">", ">": "<"}
_BETWEEN = frozenset("than at to the a an of just well much slightly only".split())
_AFTER = {"more": ">", "over": ">", "older": ">", "above": ">", "so": "~", "less": "<", "fewer": "<", "under": "<", "younger": "<", "higher": ">", "greater": ">"}  # fmt: skip


def bound_before(words: Sequence[Word], first: int) -> Bound:
    """The bound before word `first`."""
    none = Bound("", False, first)
    i = first - 1
    if i > 0 and words[i].text == "=" and words[i - 1].text in "<>":
        return Bound(words[i - 1].text, True, i - 1, True)
    if i >= 0 and words[i].text in _SIGNS:
        return Bound(_SIGNS[words[i].text], True, i, words[i].text in "≤≥")
    sentence = words[first].sentence
    for _ in range(3):
        if i < 0 or words[i].sentence != sentence:
            break
        word = words[i].lower
        before = words[i - 1].lower if i else ""
        if word == "as":
            again = i > 1 and words[i - 2].lower == "as" and before in _AS_AS
            return Bound(_AS_AS[before], False, first, True) if again else none
        if word in _WORDS:
            nearby = words[i + 1].lower
            side = _WORDS[word]
            if word in _BEFORE_THAN:
                if nearby != "than":
                    return none
                if before in _NOT:
                    return Bound(_OPPOSITE[side], False, first, True)
            if (word in ("least", "most") and before not in ("at", "the")) or (
                word in ("up", "close") and nearby != "to"
            ):
                return none
            return Bound(side, False, first, word in _CLOSED)
        if word not in _BETWEEN:
            break
        i -= 1
    return none


def bound_after(words: Sequence[Word], k: int, stop: int) -> str:
    """The side of the bound at word k, after an amount: "or more", "and over", "or so", "+"."""
    if k < stop and words[k].text == "+" and words[k].start == words[k - 1].end:
        return ">"
    if k + 1 < stop and words[k].lower in ("or", "and"):
        return _AFTER.get(words[k + 1].lower, "")
    return ""
