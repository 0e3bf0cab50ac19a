"""The agreement of the places of two numbers: the counted things, and the surrounding words."""

from __future__ import annotations

from collections.abc import Sequence

from ...alignment import Pair
from ...passage import Passage
from .. import Mention
from .amounts import ANYONE, PEOPLE, STUDIES, Amount
from .dates import Date

_WEIGHTS = (1.0, 0.7, 0.5, 0.35)
_ABOUT = 1.5
_OTHER_SIDE = 0.5
_LINKED = frozenset(("same", "form", "synonym", "hypernym", "hyponym"))
_SAME_KIND = 0.3  # "patients" and "people"

# Words before "an hour" that show a duration.
_LASTING = frozenset(
    "about around roughly almost nearly within take takes took taking last lasts lasted lasting".split()
)


class Context:
    """The words around a mention: weight and side (-1 before it, 1 after it) by index, and weight by base form."""

    __slots__ = ("bases", "heads", "total", "words")

    def __init__(self, passage: Passage, mention: Mention, covered: set[int]) -> None:
        words = passage.words
        sentence = words[mention.first].sentence
        low, high = passage.first_word[sentence], passage.first_word[sentence + 1]
        self.words: dict[int, tuple[float, int]] = {}
        for side, i in ((-1, mention.first - 1), (1, mention.last + 1)):
            rank = 0
            while low <= i < high and rank < len(_WEIGHTS):
                if words[i].content and i not in covered:
                    self.words[i] = (_WEIGHTS[rank], side)
                    rank += 1
                i += side
        for i in mention.about:
            self.words[i] = (_ABOUT, 1 if i > mention.last else -1)
        self.bases: dict[str, tuple[float, float]] = {}  # weight on the left and on the right
        for i, (weight, side) in self.words.items():
            left, right = self.bases.get(words[i].base, (0.0, 0.0))
            self.bases[words[i].base] = (max(left, weight), right) if side < 0 else (left, max(right, weight))
        self.heads = tuple((i, words[i].base, words[i].lower) for i in mention.about)
        self.total = sum(weight for weight, _ in self.words.values())


class Places:
    """The contexts of all mentions of a pair of texts."""

    def __init__(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> None:
        self.pair = pair
        self.source = self._contexts(pair.source, before)
        self.output = self._contexts(pair.output, after)
        self._scores: dict[tuple[int, int], float] = {}

    def _contexts(self, passage: Passage, mentions: Sequence[Mention]) -> dict[int, Context]:
        # Dates are surroundings of amounts, but numbers of the same sort are not surroundings of each other.
        covered = {k for m in mentions for k in range(m.first, m.last + 1)}
        amounts = {k for m in mentions if not isinstance(m.value, Date) for k in range(m.first, m.last + 1)}
        return {
            id(m): Context(passage, m, amounts if isinstance(m.value, Amount) else covered) for m in mentions
        }

    def agreement(self, a: Mention, b: Mention) -> float:
        """The share of the words around a and b that they have in common, from 0 to 1."""
        key = (id(a), id(b))
        if key not in self._scores:
            self._scores[key] = self._agreement(self.source[key[0]], self.output[key[1]])
            if self.heads(a, b) > 0 and not self._linked_heads(key):
                self._scores[key] = min(1.0, self._scores[key] + _SAME_KIND)
        return self._scores[key]

    def _agreement(self, x: Context, y: Context) -> float:
        whole = min(x.total, y.total)
        if not whole:
            return 0.0
        shared = 0.0
        words = self.pair.output.words
        for j, (weight, side) in y.words.items():
            sides = x.bases.get(words[j].base)
            if sides is not None:
                here, there = (sides[1], sides[0]) if side > 0 else sides
                shared += max(min(weight, here), _OTHER_SIDE * min(weight, there))
                continue
            link = self.pair.linked(1, j)
            if link is not None and link.relation in _LINKED and link.i in x.words:
                other, side_of_link = x.words[link.i]
                shared += min(weight, other) * (1.0 if side == side_of_link else _OTHER_SIDE)
        return min(shared / whole, 1.0)

    def _linked_heads(self, key: tuple[int, int]) -> bool:
        bases = {base for _, base, _ in self.source[key[0]].heads}
        return any(base in bases for _, base, _ in self.output[key[1]].heads)

    def people(self, a: Mention, b: Mention) -> bool:
        """Whether both count people, or neither does, as far as this is known."""
        x, y = self.source[id(a)].heads, self.output[id(b)].heads
        return not x or not y or (x[0][2] in PEOPLE) == (y[0][2] in PEOPLE)

    def lasts(self, m: Mention, side: int) -> bool:
        """Whether "an hour" or "a week" is a duration: "takes about an hour"."""
        words = (self.pair.output if side else self.pair.source).words
        timed = isinstance(m.value, Amount) and m.value.unit.dimension == "time"
        return timed and m.first > 0 and words[m.first - 1].lower in _LASTING

    def heads(self, a: Mention, b: Mention) -> int:
        """1 if both count the same thing, -1 if they count different things, 0 if it is unknown."""
        x, y = self.source[id(a)].heads, self.output[id(b)].heads
        if not x or not y:
            return 0
        for i, base, lower in x:
            for j, other, word in y:
                people = lower in PEOPLE and word in PEOPLE and (lower in ANYONE or word in ANYONE)
                if base == other or people or (lower in STUDIES and word in STUDIES):
                    return 1
                link = self.pair.linked(1, j)
                if link is not None and link.i == i and link.relation != "antonym":
                    return 1 if link.relation != "replaced" else 0
        return 0 if any(word.endswith("ed") for _, _, word in (*x, *y)) else -1  # four compared two drugs
