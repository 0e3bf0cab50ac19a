"""Whether two mentions are in the same place, that is, between linked words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..alignment import Pair
from ..passage import Passage
from . import Mention, group_of, surroundings

_UNLIKE = ("antonym", "replaced")
_EDGE = 0.6
_WEIGHTS = (1.0, 0.7, 0.5, 0.35, 0.25)  # weights of the content words on either side, the nearest first
_OTHER_SIDE = 0.5
_SENTENCE = 0.25
_COMMON = 80  # a word around more mentions of a long text than this is no evidence
_SAME_FUNCTION_WORD = 0.4


class Slot(NamedTuple):
    """The agreement of two places: by the neighbours (0 to 2) and by the wider surroundings (0 to 1)."""

    score: float
    near: float

    @property
    def sure(self) -> bool:
        """Whether both neighbours are linked words."""
        return self.score >= 2

    @property
    def strict(self) -> bool:
        """Whether one neighbour is linked and the other side agrees as well, for example as the edge of both sentences."""
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
        """The mentions of the source, in the sentences aligned with b's, with a neighbour that is linked to one of b's."""
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


class Echo(NamedTuple):
    """Common words around two mentions: near them, by distance and side, and in their sentences."""

    mention: Mention
    near: float
    sentence: int

    @property
    def score(self) -> float:
        """The combined score, in which near words count more."""
        return self.near + _SENTENCE * self.sentence


class Echoes:
    """Mentions of the source by the words around them, in any sentence: for texts that are only loosely parallel."""

    def __init__(self, pair: Pair, before: Sequence[Mention]) -> None:
        self._pair = pair
        self._words: tuple[dict[int, frozenset[str]], dict[int, frozenset[str]]] = ({}, {})
        self._by_base: dict[str, dict[int, tuple[Mention, float, float]]] = defaultdict(dict)
        for a in before:
            for base, (left, right) in _around(pair.source, a).items():
                self._by_base[base][id(a)] = a, left, right

    def of(self, b: Mention) -> Iterator[Echo]:
        """Mentions with some of the words around b."""
        shared: dict[int, float] = defaultdict(float)
        mentions: dict[int, Mention] = {}
        for base, (left, right) in _around(self._pair.output, b).items():
            rows = self._by_base.get(base, {})
            if len(rows) > _COMMON:
                continue
            for key, (a, before, after) in rows.items():
                mentions[key] = a
                crossed = max(min(left, after), min(right, before))
                shared[key] += max(min(left, before) + min(right, after), _OTHER_SIDE * crossed)
        for key, near in shared.items():
            yield Echo(mentions[key], near, self.sentence(mentions[key].first, b.first))

    def near(self, i: int, b: Mention) -> float:
        """How much of the surroundings of b is around word i of the source: the score of an echo."""
        place = Mention(0, 0, i, i, ())
        theirs = _around(self._pair.source, place)
        near = 0.0
        for base, (left, right) in _around(self._pair.output, b).items():
            before, after = theirs.get(base, (0.0, 0.0))
            crossed = max(min(left, after), min(right, before))
            near += max(min(left, before) + min(right, after), _OTHER_SIDE * crossed)
        return Echo(place, near, self.sentence(i, b.first)).score

    def sentence(self, i: int, j: int) -> int:
        """The number of content words that the sentences of two words have in common."""
        return len(self._sentence(0, i) & self._sentence(1, j))

    def _sentence(self, side: int, i: int) -> frozenset[str]:
        passage = self._pair.output if side else self._pair.source
        number = passage.words[i].sentence
        if number not in self._words[side]:
            words = (passage.words[k] for k in passage.sentence_words(number))
            self._words[side][number] = frozenset(w.base for w in words if w.content)
        return self._words[side][number]


def _around(passage: Passage, mention: Mention) -> dict[str, tuple[float, float]]:
    """Base forms of the content words around a mention, with their weights on the left and on the right."""
    words = passage.words
    sentence = words[mention.first].sentence
    out: dict[str, tuple[float, float]] = {}
    for i, step in ((mention.first - 1, -1), (mention.last + 1, 1)):
        rank = 0
        while 0 <= i < len(words) and words[i].sentence == sentence and rank < len(_WEIGHTS):
            if words[i].content:
                left, right = out.get(words[i].base, (0.0, 0.0))
                weight = _WEIGHTS[rank]
                out[words[i].base] = (max(left, weight), right) if step < 0 else (left, max(right, weight))
                rank += 1
            i += step
    return out


def _neighbours(passage: Passage, mention: Mention) -> tuple[int | None, int | None]:
    """The next content words of the sentence on the left and on the right."""
    words = passage.words
    sentence = words[mention.first].sentence
    neighbours: list[int | None] = []
    for i, step in ((mention.first - 1, -1), (mention.last + 1, 1)):
        while 0 <= i < len(words) and words[i].sentence == sentence and not words[i].content:
            i += step
        neighbours.append(i if 0 <= i < len(words) and words[i].sentence == sentence else None)
    return neighbours[0], neighbours[1]


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
