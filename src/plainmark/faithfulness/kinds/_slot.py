"""Whether two mentions stand in the same place: between words that are linked to each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..alignment import Pair
from ..passage import Passage
from . import Mention, group_of, surroundings

_UNLIKE = ("antonym", "replaced")
_EDGE = 0.6
_REACH = 4
_SAME_FUNCTION_WORD = 0.4


class Slot(NamedTuple):
    """How well two places agree: by the neighbours (0 to 2) and by the wider surroundings (0 to 1)."""

    score: float
    near: float

    @property
    def sure(self) -> bool:
        """Whether both neighbours are words that are linked."""
        return self.score >= 2

    @property
    def strict(self) -> bool:
        """Whether one neighbour is linked and the other side agrees as well, as the edge of both sentences does."""
        return self.score >= 1.6

    @property
    def loose(self) -> bool:
        """Whether one neighbour is linked and some of the wider surroundings are."""
        return self.score >= 1.3 or (self.score >= 1 and self.near >= 0.4)


class Slots:
    """The places of mentions of both texts, by their neighbours."""

    def __init__(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> None:
        self.pair = pair
        self._sides = {id(m): _neighbours(pair.source, m) for m in before}
        self._sides |= {id(m): _neighbours(pair.output, m) for m in after}
        self._beside: tuple[dict[int, list[Mention]], ...] = (defaultdict(list), defaultdict(list))
        for a in before:
            for side, i in enumerate(self._sides[id(a)]):
                if i is not None:
                    self._beside[side][i].append(a)

    def has(self, mention: Mention) -> bool:
        """Whether a mention is one of those given."""
        return id(mention) in self._sides

    def candidates(self, b: Mention) -> Iterator[tuple[Mention, Slot]]:
        """The mentions of the source, in the sentences that b belongs to, with a neighbour that is linked to one of b's."""
        group = group_of(self.pair, 1, b)
        seen: set[int] = set()
        for side, j in enumerate(self._sides[id(b)]):
            link = None if j is None else self.pair.linked(1, j)
            if link is None or link.relation in _UNLIKE:
                continue
            for a in self._beside[side].get(link.i, ()):
                if id(a) not in seen and group_of(self.pair, 0, a) == group:
                    seen.add(id(a))
                    yield a, self.slot(a, b)

    def slot(self, a: Mention, b: Mention) -> Slot:
        """How well the place of a in the source agrees with the place of b in the output."""
        score, anchors = 0.0, 0
        for i, j in zip(self._sides[id(a)], self._sides[id(b)], strict=True):
            if i is None or j is None:
                score += _EDGE if i is j else 0.0
                continue
            link = self.pair.linked(1, j)
            if link is not None and link.i == i and link.relation not in _UNLIKE:
                score += 1.0
                anchors += 1
        if not anchors:
            return Slot(0.0, 0.0)
        if anchors == 1 and _function_word(self.pair.source, a) == _function_word(self.pair.output, b) != "":
            score += _SAME_FUNCTION_WORD
        return Slot(score, surroundings(self.pair, a, b))


class Echoes:
    """Mentions of the source by the words around them, in whatever sentence: for texts that are only loosely parallel."""

    def __init__(self, pair: Pair, before: Sequence[Mention]) -> None:
        self._pair = pair
        self._by_base: dict[str, dict[int, tuple[Mention, int]]] = defaultdict(dict)
        for a in before:
            for base, distance in _around(pair.source, a).items():
                self._by_base[base][id(a)] = a, distance

    def of(self, b: Mention) -> Iterator[tuple[Mention, int, int]]:
        """Mentions with words of b's surroundings: how many, and how many of them are next to both."""
        shared: dict[int, list[tuple[int, int]]] = defaultdict(list)
        mentions: dict[int, Mention] = {}
        for base, distance in _around(self._pair.output, b).items():
            for key, (a, other) in self._by_base.get(base, {}).items():
                mentions[key] = a
                shared[key].append((distance, other))
        for key, words in shared.items():
            if len(words) > 1:
                yield mentions[key], len(words), ((-1, -1) in words) + ((1, 1) in words)


def _around(passage: Passage, mention: Mention) -> dict[str, int]:
    """Base forms of the content words around a mention, with their distance in content words."""
    words = passage.words
    sentence = words[mention.first].sentence
    out: dict[str, int] = {}
    for i, step in ((mention.first - 1, -1), (mention.last + 1, 1)):
        distance = 0
        while 0 <= i < len(words) and words[i].sentence == sentence and abs(distance) < _REACH:
            if words[i].content:
                distance += step
                out.setdefault(words[i].base, distance)
            i += step
    return out


def _neighbours(passage: Passage, mention: Mention) -> tuple[int | None, int | None]:
    """The next content words of the sentence on the left and on the right."""
    words = passage.words
    sentence = words[mention.first].sentence
    found: list[int | None] = []
    for i, step in ((mention.first - 1, -1), (mention.last + 1, 1)):
        while 0 <= i < len(words) and words[i].sentence == sentence and not words[i].content:
            i += step
        found.append(i if 0 <= i < len(words) and words[i].sentence == sentence else None)
    return found[0], found[1]


def _function_word(passage: Passage, mention: Mention) -> str:
    """The word without content directly before, in small letters."""
    i = mention.first - 1
    if (
        i < 0
        or passage.words[i].content
        or passage.words[i].sentence != passage.words[mention.first].sentence
    ):
        return ""
    return passage.words[i].lower
