"""Denials of denials: "not uncommon", "never fails to", "had not acted unlawfully"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ._denial import Denial, negative_word
from ._view import View


def cancel(view: View, side: int, rest: Sequence[Denial]) -> list[Denial]:
    """The denials that remain without those that cancel each other."""
    gone = {id(m) for pair in _cancelling(view, side, rest) for m in pair}
    return [m for m in rest if id(m) not in gone]


def affirmed(view: View, side: int, rest: Sequence[Denial], others: Sequence[Denial]) -> Iterator[Denial]:
    """Denials of a word with a negative affix for which the other text has neither: "not unlawfully", "lawfully".

    The same holds for a condition and its rule: "without a ticket, you cannot enter", "with a ticket, you can".
    """
    words = view.passages[side].words
    for a, b in _cancelling(view, side, rest):
        positive = negative_word(words[b.first].lower) if b.form == "affix" else None
        places = view.places(1 - side, positive or "", view.group(side, b.first))
        required = _opens(view, side, a) and any(view.partners(side, i) for i in a.about[:1])
        if (required and all(d.tier == 3 for d in others)) or any(
            all(d.tier == 3 or j not in d.wide for d in others) for j in places
        ):
            yield a
            yield b


def turned_round(
    view: View, before: Sequence[Denial], after: Sequence[Denial]
) -> Iterator[tuple[Denial, Denial]]:
    """Denials of a word with a negative affix that the output asserts in other words: "not unlawfully", "broke the law"."""
    source, output = (passage.words for passage in view.passages)
    for a, b in _cancelling(view, 0, before):
        positive = negative_word(source[b.first].lower) if b.form == "affix" else None
        for d in after if positive else ():
            if (
                d.form == "soft"
                and any(_akin(positive or "", output[j].base) for j in d.about[:2])
                and not any(o.tier < 3 and d.first in o.wide for o in after)
            ):
                yield a, d
                break


def _cancelling(view: View, side: int, rest: Sequence[Denial]) -> Iterator[tuple[Denial, Denial]]:
    """Each denial of a denial, and the denied denial."""
    gone: set[int] = set()
    words = view.passages[side].words
    for x, a in enumerate(rest):
        if a.tier == 3 or id(a) in gone or a.form == "affix":
            continue
        for b in rest[x + 1 : x + 4]:
            near = b.first in a.heads[:2] or b.first <= a.last + 2 or _opens(view, side, a)
            if near and words[a.first].sentence == words[b.first].sentence and id(b) not in gone:
                gone |= {id(a), id(b)}
                yield a, b
                break


def _opens(view: View, side: int, a: Denial) -> bool:
    """Whether a denial is a condition at the beginning of its sentence: "Without a ticket, you cannot enter"."""
    words = view.passages[side].words
    first = view.passages[side].first_word[words[a.first].sentence]
    return words[a.first].lower in ("without", "absence") and not any(
        w.content for w in words[first : a.first]
    )


def _akin(a: str, b: str) -> bool:
    """Whether one word seems to be derived from the other: "law", "lawful"."""
    return a != b and min(len(a), len(b)) > 2 and (a.startswith(b) or b.startswith(a))
