"""Denials that are missing in otherwise copied wording."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ._copied import copied
from ._denial import Denial, negative_word
from ._view import AGREEING, View, around

# Largest distance between a reworded denial and the word that it denies.
NEXT = 5
_COPIES = frozenset(("same", "form"))
# Words that may replace a removed denial.
_AFFIRMING = {
    "not": frozenset("always often now".split()),
    "no": frozenset("all several many some clear every most both strong good".split()),
    "without": frozenset(("with",)),
}
_CAN = frozenset(("can",))
# Number of words that must be copied after a denial; "associated with" may continue differently.
_MANY = 3
# Largest distance from "not" to its "until".
_UNTIL = 12


def taken_out(
    view: View, side: int, rest: Sequence[Denial], others: Sequence[Denial]
) -> Iterator[tuple[Denial, int]]:
    """Denials that are missing in otherwise copied wording, each with the word that is no longer denied."""
    denied = {i for m in rest for i in m.wide}
    # A word that both texts have corresponds to itself, and not to a denial in other words.
    others = [d for d in others if d.word < 0 or not _is_shared(view, 1 - side, d.word)]
    for m in rest:
        if m.tier > 1:
            continue
        group = view.group(side, m.first)
        for following, j, span in _places_without(view, side, m, group, denied):
            if any(d.word != j and (j in d.wide or abs(d.first - j) <= NEXT) for d in others):
                continue
            spans = ((m.first, following - 1), span)
            wording = copied(view, *(spans if side == 0 else spans[::-1]))
            if wording.sure and wording.right >= _MANY:
                yield m, j
                break


def _is_shared(view: View, side: int, index: int) -> bool:
    return any(relation in _COPIES for _, relation in view.partners(side, index))


def _places_without(
    view: View, side: int, m: Denial, group: int, denied: Collection[int]
) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Places where the other text may state what is denied: the words of either text, and the words in place of the denial."""
    words, other_words = view.passages[side].words, view.passages[1 - side].words
    if m.form == "affix":
        positive = negative_word(words[m.first].lower) if m.word >= 0 else None
        for j in view.places(1 - side, positive or "", group):
            yield m.last + 1, j, (j, j)
        return
    if m.form not in ("not", "no", "without"):
        return
    for following in (i for i in m.heads if m.last < i <= m.last + 3):
        base = words[following].base
        if any(i not in denied for i in view.places(side, base, group)):
            return  # the other text may refer to that one
        places = {j for j, relation in view.partners(side, following) if relation in AGREEING}
        for j in sorted(places.union(view.places(1 - side, base, group))):
            if says_when(view, side, m, j):
                continue
            affirming = _CAN if words[m.first].lower == "cannot" else _AFFIRMING[m.form]
            if j and other_words[j - 1].lower in affirming:
                yield following, j, (j - 1, j - 1)
            elif m.form != "without":
                yield following, j, (j, j - 1)


def says_when(view: View, side: int, m: Denial, partner: int) -> bool:
    """Whether a denial says "not until" and the other text says when."""
    words = view.passages[side].words
    inside = view.passages[side].sentence_words(words[m.first].sentence)
    return any(
        words[i].lower == "until" for i in range(m.last + 1, min(inside.stop, m.last + _UNTIL))
    ) and "until" not in around(view.passages[1 - side], partner)
