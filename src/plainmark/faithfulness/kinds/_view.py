"""The links of two texts, seen from either side, and how well the surroundings of two words agree."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import NamedTuple

from ..alignment import Pair

AGREEING = frozenset(("same", "form", "synonym", "hypernym", "hyponym"))
# Places of a word that are looked at.
_TRIES = 20
# Pronouns that are content words to the aligner, but say nothing about a place.
_PRONOUNS = frozenset(
    "nobody somebody anybody everybody someone anyone everyone nothing something anything everything longer".split()
)


class Anchor(NamedTuple):
    """A denied word, its partner in the other text, how they relate, and how well the words around them agree."""

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
            forward.setdefault(link.i, []).append((link.j, link.relation))
            backward.setdefault(link.j, []).append((link.i, link.relation))
        self.links = (forward, backward)

    def group(self, side: int, index: int) -> int:
        groups = (self.pair.group_of_source, self.pair.group_of_output)[side]
        return groups.get(self.passages[side].words[index].sentence, -1)

    def partners(self, side: int, index: int) -> list[tuple[int, str]]:
        """Words of the other side that stand for a word, each with its relation."""
        return self.links[side].get(index, [])

    def reach(self, side: int, words: Iterable[int]) -> set[int]:
        """All partners of some words that mean the same or the opposite."""
        return {j for i in words for j, relation in self.partners(side, i) if relation != "replaced"}

    def fit(self, side: int, index: int, partner: int) -> float:
        """The share of the words around a word whose partners stand around its partner."""
        near = self._near(side, index, 3)
        if not near:
            return 1.0
        other = {j for j, _ in self.passages[1 - side].near(partner, 6)}
        kept = [
            i
            for i in near
            if any(j in other for j, relation in self.partners(side, i) if relation in AGREEING)
        ]
        return len(kept) / len(near)

    def room(self, side: int, index: int) -> int:
        """How many words around a word have no counterpart, so that one of them might say what the other text denies."""
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
        """Whether the same word stands there once more, not denied, and nothing else stands for that one."""
        passage = self.passages[side]
        group = self.group(side, anchor.word)
        sentences = (
            (self.pair.groups[group].source, self.pair.groups[group].output)[side] if group >= 0 else ()
        )
        base = passage.words[anchor.word].base
        for s in sentences:
            for i in passage.sentence_words(s):
                same = passage.words[i].base == base and i not in denied
                if same and all(j == anchor.partner for j, _ in self.partners(side, i)):
                    return True
        return False

    def elsewhere(self, side: int, index: int, base: str) -> int:
        """The place of a base form in the other text, outside the group, where most of the words around are the same; or -1."""
        near = {self.passages[side].words[i].base for i in self._near(side, index, 4)}
        other = self.passages[1 - side]
        best, place = 0.0, -1
        for j in self._places[1 - side].get(base, ())[:_TRIES]:
            around = {other.words[k].base for k in self._near(1 - side, j, 5)}
            shared = len(near & around)
            if shared >= 3 and shared / len(near) > best:
                best, place = shared / len(near), j
        return place if best >= 0.6 else -1

    @cached_property
    def _places(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        out: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
        for side, passage in enumerate(self.passages):
            for i, word in enumerate(passage.words):
                if word.content:
                    out[side].setdefault(word.base, []).append(i)
        return out
