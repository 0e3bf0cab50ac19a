"""Numbers with their units and what they count. (A first version, to be replaced.)"""

from __future__ import annotations

from ..alignment import Pair
from ..numbers import numbers
from ..passage import Passage
from . import Mention, ValueKind


class Number(ValueKind):
    """Numbers, amounts, dates."""

    name = "number"

    def find(self, passage: Passage) -> list[Mention]:
        out = []
        for m in numbers(passage.text):
            words = passage.words_in(m.start, m.end)
            if len(words):
                out.append(Mention(m.start, m.end, words[0], words[-1], m.key, weak=m.weak))
        return out

    def same(self, a: Mention, b: Mention, pair: Pair) -> bool:
        return a.value == b.value

    def change(self, a: Mention, b: Mention, pair: Pair) -> tuple[str, str] | None:
        return "value", "Another value stands in its place."


KIND = Number()
