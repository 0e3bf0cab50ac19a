"""One module per kind of fact. A kind finds its mentions in a text and compares those of two texts.

There are two ways to compare. Values (numbers, names, terms, quotations) stand for themselves: a mention of the source is
paired with the mention of the output that says the same or, failing that, stands in the same place. Operators (negation,
modality, quantifiers, conditions) change what other words say: those words are followed to the other text, and it is asked
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

    `first` and `last` are the words it covers, `about` the words that it says something about: what a number counts,
    what a negation denies. A weak mention may confirm one of the other text but is never asked for itself.
    """

    start: int
    end: int
    first: int
    last: int
    value: tuple[object, ...]
    about: tuple[int, ...] = ()
    weak: bool = False


class Finding(NamedTuple):
    """What a kind says of a fact. `pattern` names the evidence: its precision is measured, and decides the colour."""

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
        """What became of the mentions of the source, and where those of the output come from."""

    def mention(self, passage: Passage, start: int, end: int) -> Mention | None:
        """The mention between two characters that somebody else has found; None if this kind cannot be told where it is."""
        return None

    def notes(self, pair: Pair) -> Iterator[str]:
        """What cannot be checked in these texts, one sentence for each kind."""
        yield from ()


def group_of(pair: Pair, side: int, mention: Mention) -> int:
    """The group of sentences that a mention stands in."""
    passage, groups = (
        (pair.source, pair.group_of_source) if side == 0 else (pair.output, pair.group_of_output)
    )
    return groups.get(passage.words[mention.first].sentence, -1)


def surroundings(pair: Pair, a: Mention, b: Mention) -> float:
    """How much of what stands around a also stands around b, from 0 to 1; what they are about counts most."""
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
