"""Denials in one text that the other expresses without one: "no light", "dark"; "not as tall as", "taller than"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ... import lexicon
from ._denial import Denial
from ._view import AGREEING, View, around

_MUCH = frozenset("much many lot high great large big long far often expensive very".split())
_LITTLE = frozenset(
    "low little small few cheap slight slightly minor modest minimal short less lower fewer hardly".split()
)
_NEAR = 4
# Words that say the opposite of a denial for all cases.
_UNIVERSAL = {
    "never": frozenset(("always",)),
    **dict.fromkeys(("nobody", "noone"), frozenset(("everyone", "everybody"))),
    "nothing": frozenset(("everything",)),
    "nowhere": frozenset(("everywhere",)),
}


def compared(view: View, side: int, rest: Sequence[Denial]) -> Iterator[Denial]:
    """Denied comparisons that the other text reverses: "not as tall as", "taller than"."""
    words, other_words = view.passages[side].words, view.passages[1 - side].words
    for m in rest:
        following = words[m.last + 1 : m.last + 2]
        if m.form != "not" or not following or following[0].lower not in ("as", "so"):
            continue
        if "as" not in [w.lower for w in words[m.last + 2 : m.last + 2 + _NEAR]]:
            continue
        if any(
            "than" in [w.lower for w in other_words[j + 1 : j + 1 + _NEAR]]
            for i in m.heads[:2]
            for j, _ in view.partners(side, i)
        ):
            yield m


def answered(view: View, side: int, m: Denial) -> bool:
    """Whether the other text has the opposite of what is denied, or "little" for a denied "much"."""
    words = view.passages[side].words
    if m.tier > 1 or m.form == "affix" or not m.about:
        return False
    if m.form == "not" and _MUCH & {w.lower for w in words[m.last + 1 : m.last + 1 + _NEAR]}:
        partners = [j for i in m.heads for j, relation in view.partners(side, i) if relation in AGREEING]
        if any(_LITTLE & around(view.passages[1 - side], j) for j in partners):
            return True
    opposites = lexicon.antonyms(words[m.about[0]].base)
    group = view.group(side, m.first)
    return any(
        not any(relation in AGREEING for _, relation in view.partners(1 - side, j))
        for word in opposites
        for j in view.places(1 - side, word, group)
    )


def universal(view: View, side: int, m: Denial) -> int | None:
    """The word of the other text that asserts for all cases what a denial denies for all: "never", "always"; None without
    one.

    It must be the only such word in its sentences, without a counterpart in those of the denial.
    """
    words = view.passages[side].words
    opposites = _UNIVERSAL.get(words[m.first].lower)
    group = view.group(side, m.first)
    if opposites is None or group < 0:
        return None
    places = [
        [i for n in sentences for i in passage.sentence_words(n) if passage.words[i].lower in opposites]
        for passage, sentences in zip(view.passages, view.pair.groups[group], strict=True)
    ]
    return places[1 - side][0] if len(places[1 - side]) == 1 and not places[side] else None
