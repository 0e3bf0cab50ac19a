"""Removed denials that left their "any" behind: "did not find any studies", "found any studies"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ._denial import Denial
from ._view import View

_ITEMS = frozenset("any anything anyone anybody anywhere".split())
# "Any" needs no denial if its sentence contains one of these, or if one of those precedes it.
_MODAL = frozenset("can could may might will would shall should must if whether unless".split())
_LICENSING = frozenset(
    "than before without as like almost nearly just only too ever at free ask asked check".split()
)
_NEAR = 5


def left_behind(
    view: View, before: Sequence[Denial], after: Sequence[Denial]
) -> Iterator[tuple[Denial, int]]:
    """Denials of the source whose words the output has beside an unlicensed "any", and that word."""
    words = view.pair.output.words
    for j, word in enumerate(words):
        if word.lower not in _ITEMS:
            continue
        sentence = view.pair.output.sentence_words(word.sentence)
        inside = {w.lower for w in words[sentence.start : sentence.stop]}
        ahead = {w.lower for w in words[sentence.start : j]}
        denied = any(m.first in sentence and (m.tier == 1 or m.first < j) for m in after)
        if denied or "?" in inside or _MODAL & inside or _LICENSING & ahead:
            continue
        near = range(max(j - _NEAR, sentence.start), min(j + _NEAR + 1, sentence.stop))
        for m in before:
            shared = (
                sorted(view.reach(0, m.about).intersection(near)) if m.tier == 1 and m.form != "affix" else []
            )
            if shared:
                yield m, shared[0]
                break
