"""Whether two mentions stand in the same place: between words that are linked to each other."""

from __future__ import annotations

from typing import NamedTuple

from ..alignment import Pair
from ..passage import Passage
from . import Mention, surroundings

_UNLIKE = ("antonym", "replaced")
_BOTH_SIDES = 1.6
_NEAR = 0.65


class Slot(NamedTuple):
    """How well two places agree: by the neighbours (0 to 2) and by the wider surroundings (0 to 1)."""

    score: float
    near: float

    @property
    def strict(self) -> bool:
        """Whether the neighbours on both sides belong together."""
        return self.score >= _BOTH_SIDES

    @property
    def loose(self) -> bool:
        """Whether one neighbour does, or most of the surroundings do."""
        return self.score >= 1.3 or (self.score >= 1 and self.near >= 0.4) or self.near >= _NEAR


def slot(pair: Pair, a: Mention, b: Mention) -> Slot:
    """How well the place of a in the source agrees with the place of b in the output."""
    sides = []
    anchors = 0
    for step in (-1, 1):
        i = _neighbour(pair.source, a, step)
        j = _neighbour(pair.output, b, step)
        if i is None and j is None:
            sides.append(0.6)
        elif i is None or j is None:
            sides.append(0.0)
        else:
            linked = (link := pair.linked(1, j)) is not None and link.i == i and link.relation not in _UNLIKE
            sides.append(1.0 if linked else 0.0)
            anchors += linked
    score = sum(sides) if anchors else 0.0
    if anchors == 1 and _function_word(pair.source, a) == _function_word(pair.output, b) != "":
        score += 0.4
    return Slot(score, surroundings(pair, a, b))


def _neighbour(passage: Passage, mention: Mention, step: int) -> int | None:
    """The next content word of the sentence on one side."""
    words = passage.words
    i = (mention.first if step < 0 else mention.last) + step
    sentence = words[mention.first].sentence
    while 0 <= i < len(words) and words[i].sentence == sentence:
        if words[i].content:
            return i
        i += step
    return None


def _function_word(passage: Passage, mention: Mention) -> str:
    """The word without content directly before, in small letters."""
    i = mention.first - 1
    if i < 0 or passage.words[i].content or passage.words[i].sentence != passage.words[mention.first].sentence:
        return ""
    return passage.words[i].lower
