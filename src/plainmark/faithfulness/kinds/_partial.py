"""Parts that became the whole: "most of the wells ..., although a handful", "every one of them"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..alignment import Pair
from ..passage import Passage
from . import Finding, Mention, group_of
from ._cues import heads


def made_universal(
    pair: Pair, findings: Sequence[Finding], before: Sequence[Mention], after: Sequence[Mention]
) -> Iterator[tuple[int, Mention]]:
    """Quantities of the source that became "all" in the output, though next to other words: "every one of them"."""
    paired = {id(m) for f in findings if f.before and f.after for m in (f.before, f.after)}
    amounts = [
        [(group_of(pair, side, m), m) for m in mentions if m.value[0] == "level" and m.value[2] == "amount"]
        for side, mentions in enumerate((before, after))
    ]
    for group, a in amounts[0]:
        in_output = [b for g, b in amounts[1] if g == group]
        if (
            id(a) in paired
            or a.weak
            or not 2 <= level(a) <= 5
            or not a.about
            or any(2 <= level(b) <= 5 for b in in_output)
            or any(g == group and level(x) == 6 for g, x in amounts[0])
        ):
            continue
        link = pair.after.get(heads(a)[0])
        for b in in_output:
            if level(b) == 6 and id(b) not in paired and link and _is_of(pair.output, b, link.j):
                yield id(a), b
                break


def _is_of(passage: Passage, b: Mention, noun: int) -> bool:
    """Whether a quantifier is about a word: it follows, or a pronoun does and the word stands shortly before."""
    words = passage.words
    following = [w.lower for w in words[b.last + 1 : b.last + 3]]
    if {"them", "these", "those"} & set(following):
        return noun < b.first and words[b.first].sentence - words[noun].sentence <= 1
    return noun in heads(b)[:1]


def level(mention: Mention) -> int:
    """The level of a quantity on the scale; far below it for other mentions."""
    return int(str(mention.value[1])) if mention.value[0] == "level" else -9
