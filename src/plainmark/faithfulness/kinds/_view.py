"""The links of two texts from either side, and the agreement of the words around two words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import NamedTuple

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage

AGREEING = frozenset(("same", "form", "synonym", "hypernym", "hyponym"))
# Number of words on either side of a word that may restrict or reword the statement.
WINDOW = 9
# Number of further places of a word that are examined on either side.
_TRIES = 20
# Number of pairs of mentions in a group that are compared one by one; if there are more, those at similar positions.
_PAIRS, _BAND = 2500, 20
# Largest number of sentences that one sentence becomes.
_FEW = 3
# Pronouns that the aligner treats as content words, but that say nothing about a place.
_PRONOUNS = frozenset(
    "nobody somebody anybody everybody someone anyone everyone nothing something anything everything longer".split()
)


class Anchor(NamedTuple):
    """A denied word, its partner in the other text, their relation, and the agreement of the words around them."""

    word: int
    partner: int
    relation: str
    fit: float


class View:
    """The links of a pair, seen from either side."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.passages = (pair.source, pair.output)
        forward: dict[int, list[tuple[int, str]]] = {}
        backward: dict[int, list[tuple[int, str]]] = {}
        for link in (*pair.after.values(), *pair.repeats.values()):
            relation: str = link.relation
            if relation == "replaced":
                way = lexicon.direction(pair.source.words[link.i].lower)
                if way and way == lexicon.direction(pair.output.words[link.j].lower):
                    relation = "synonym"  # "quickly" and "fast"
            forward.setdefault(link.i, []).append((link.j, relation))
            backward.setdefault(link.j, []).append((link.i, relation))
        self.links = (forward, backward)

    @property
    def certain(self) -> bool:
        """Whether there is only one sentence, so that every statement of the output must come from it."""
        return is_certain(self.pair)

    def group(self, side: int, index: int) -> int:
        groups = (self.pair.group_of_source, self.pair.group_of_output)[side]
        return groups.get(self.passages[side].words[index].sentence, -1)

    def partners(self, side: int, index: int) -> list[tuple[int, str]]:
        """Words of the other side that correspond to a word, each with its relation."""
        return self.links[side].get(index, [])

    def reach(self, side: int, words: Iterable[int]) -> set[int]:
        """All partners of some words with the same or the opposite meaning."""
        return {j for i in words for j, relation in self.partners(side, i) if relation != "replaced"}

    def fit(self, side: int, index: int, partner: int) -> float:
        """The share of the words around a word whose partners stand around its partner."""
        near = self._near(side, index, 3)
        if not near:
            return 1.0
        other = {j for j, _ in self.passages[1 - side].near(partner, 6)}
        matching = [
            i
            for i in near
            if any(j in other for j, relation in self.partners(side, i) if relation in AGREEING)
        ]
        return len(matching) / len(near)

    def room(self, side: int, index: int) -> int:
        """The number of words around a word without a counterpart, one of which might express what the other text denies."""
        return sum(
            not any(relation in AGREEING for _, relation in self.partners(side, i))
            for i in self._near(side, index, 3)
        )

    def _near(self, side: int, index: int, reach: int) -> list[int]:
        words = self.passages[side].words
        return [
            i
            for i, _ in self.passages[side].near(index, reach)
            if words[i].lower not in _PRONOUNS and not words[i].lower[0].isdigit()
        ]

    def twin(self, side: int, anchor: Anchor, denied: Collection[int]) -> bool:
        """Whether the same word occurs a second time, not denied, and without another counterpart."""
        group = self.group(side, anchor.word)
        places = self._places[side][self.passages[side].words[anchor.word].base]
        middle = bisect_left(places, anchor.word)
        return any(
            i not in denied
            and self.group(side, i) == group
            and all(j == anchor.partner for j, _ in self.partners(side, i))
            for i in places[max(middle - _TRIES, 0) : middle + _TRIES]
        )

    def places(self, side: int, base: str, group: int) -> list[int]:
        """The positions of words with a base form in a group of sentences."""
        return self._grouped_places[side].get((base, group), [])

    @cached_property
    def _grouped_places(self) -> tuple[dict[tuple[str, int], list[int]], dict[tuple[str, int], list[int]]]:
        out: tuple[dict[tuple[str, int], list[int]], dict[tuple[str, int], list[int]]] = ({}, {})
        for side, places in enumerate(self._places):
            for base, words in places.items():
                for i in words:
                    out[side].setdefault((base, self.group(side, i)), []).append(i)
        return out

    @cached_property
    def _places(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        out: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
        for side, passage in enumerate(self.passages):
            for i, word in enumerate(passage.words):
                if word.content:
                    out[side].setdefault(word.base, []).append(i)
        return out


def around(passage: Passage, index: int) -> set[str]:
    """The words around a word in its sentence, in lower case, and their base forms."""
    inside = passage.sentence_words(passage.words[index].sentence)
    low, high = max(inside.start, index - WINDOW), min(inside.stop, index + WINDOW + 1)
    return {form for w in passage.words[low:high] for form in (w.lower, w.base)}


def is_certain(pair: Pair) -> bool:
    """Whether a single sentence was simplified, into a few sentences."""
    return len(pair.source.sentences) == 1 and len(pair.output.sentences) <= _FEW


def band(x: int, n: int, m: int) -> range:
    """The range of m mentions with which the xth of n may be paired: all of them, unless there are very many."""
    if n * m <= _PAIRS:
        return range(m)
    middle = x * m // n
    return range(max(middle - _BAND, 0), min(middle + _BAND + 1, m))
