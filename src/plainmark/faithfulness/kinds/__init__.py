"""One module per kind of fact. A kind finds its mentions in a text and compares those of two texts.

There are two ways to compare. Values (numbers, names, terms, quotations) are compared directly: a mention of the source is
paired with the mention of the output that states the same or, failing that, is in the same place. Operators (negation,
modality, quantifiers, conditions) change the meaning of other words: those words are located in the other text to check
whether the operator is there as well.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from ..alignment import Pair
from ..passage import Passage

Outcome = Literal["same", "changed", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A fact in one text. Equal values state the same fact, however it is written.

    `first` and `last` are the words it covers, `about` the words that it says something about, such as the noun that a
    number counts or the words that a negation denies. A weak mention may confirm one of the other text, but is never
    required itself.
    """

    start: int
    end: int
    first: int
    last: int
    value: tuple[object, ...]
    about: tuple[int, ...] = ()
    weak: bool = False


class Finding(NamedTuple):
    """The result of a kind for a fact. `pattern` names the evidence: its measured precision decides the colour."""

    outcome: Outcome
    before: Mention | None
    after: Mention | None
    pattern: str
    reason: str


class Kind(ABC):
    """Finds and compares facts of one kind."""

    name: ClassVar[str]
    alarming: ClassVar[bool] = True
    """Whether its changes may be red alarms; else they ask for a check, however often they are right."""

    @abstractmethod
    def find(self, passage: Passage) -> list[Mention]:
        """The mentions in a text, in order."""

    @abstractmethod
    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        """The changes of the source's mentions, and the origins of the output's mentions."""

    def mention(self, passage: Passage, start: int, end: int) -> Mention | None:
        """The mention between two characters that other code has found; None if this kind does not support that."""
        return None

    def notes(self, pair: Pair) -> Iterator[str]:
        """The limits of the comparison in these texts, one sentence per kind."""
        yield from ()


def group_of(pair: Pair, side: int, mention: Mention) -> int:
    """The group of sentences that contains a mention."""
    passage, groups = (
        (pair.source, pair.group_of_source) if side == 0 else (pair.output, pair.group_of_output)
    )
    return groups.get(passage.words[mention.first].sentence, -1)


def surroundings(pair: Pair, a: Mention, b: Mention) -> float:
    """How much of the surroundings of a is also around b, from 0 to 1; the words they are about count most."""
    weights_a, weights_b = _weights(pair.source, a), _weights(pair.output, b)
    shared = 0.0
    for j, weight in weights_b.items():
        link = pair.before.get(j) or pair.repeats.get(j)
        if link is not None and link.i in weights_a and link.relation not in ("antonym", "replaced"):
            shared += min(weight, weights_a[link.i])
    whole = min(sum(weights_a.values()), sum(weights_b.values()))
    return min(shared / whole, 1.0) if whole else 0.0


def _weights(passage: Passage, mention: Mention) -> dict[int, float]:
    """The words around a mention with their weights."""
    inside = range(mention.first, mention.last + 1)
    weights: dict[int, float] = {}
    for edge in (mention.first, mention.last):
        for i, distance in passage.near(edge):
            if i not in inside:
                weights[i] = max(weights.get(i, 0.0), 1 / distance)
    for i in mention.about:
        weights[i] = 1.5
    return weights
