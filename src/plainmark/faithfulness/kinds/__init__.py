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
        """What cannot be checked in these texts, in a sentence each."""
        yield from ()


class ValueKind(Kind):
    """Mentions that stand for themselves."""

    #: How much of the surroundings must agree before two different values count as one fact that was changed.
    threshold: ClassVar[float] = 0.5

    @abstractmethod
    def same(self, a: Mention, b: Mention, pair: Pair) -> bool:
        """Whether two mentions state the same fact."""

    @abstractmethod
    def change(self, a: Mention, b: Mention, pair: Pair) -> tuple[str, str] | None:
        """Pattern and reason if b, standing where a stood, states another fact; None if they do not belong together."""

    def exchangeable(self, a: Mention, b: Mention) -> bool:
        """Whether two values of one text could have changed places."""
        return True

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        rest_a, rest_b = list(before), list(after)
        equal: list[tuple[Mention, Mention]] = []
        for a, b, _ in self._pairs(pair, before, after, same=True):
            equal.append((a, b))
            rest_a.remove(a)
            rest_b.remove(b)
        exchanged = self._exchanged(pair, equal)
        for a, b in equal:
            if a.weak and b.weak:
                continue
            if other := exchanged.get(id(a)):
                yield Finding("changed", a, other, "exchanged", "Two of them seem to have changed places.")
            else:
                yield Finding("same", a, b, "same", "Both texts have it.")
        changed = []
        for a, b, _ in self._pairs(
            pair, [m for m in rest_a if not m.weak], [m for m in rest_b if not m.weak], same=False
        ):
            if found := self.change(a, b, pair):
                changed.append(Finding("changed", a, b, *found))
                rest_a.remove(a)
                rest_b.remove(b)
        yield from changed
        yield from (f for m in rest_a if not m.weak and (f := self.left_out(m, pair, after)))
        yield from (f for m in rest_b if not m.weak and (f := self.put_in(m, pair, before)))

    def left_out(self, a: Mention, pair: Pair, after: Sequence[Mention]) -> Finding | None:
        """What to say of a mention of the source that was not paired."""
        for b in after:
            if self.same(a, b, pair):
                return Finding("same", a, b, "elsewhere", "The simplified text has it elsewhere.")
        return Finding("gone", a, None, "gone", "The simplified text does not have it.")

    def put_in(self, b: Mention, pair: Pair, before: Sequence[Mention]) -> Finding | None:
        """What to say of a mention of the output that was not paired."""
        for a in before:
            if self.same(a, b, pair):
                return None  # said once more
        return Finding("new", None, b, "new", "The original does not have it.")

    def _pairs(
        self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention], *, same: bool
    ) -> list[tuple[Mention, Mention, float]]:
        """Mentions of one group that belong together, the surest first; each at most once."""
        by_group: dict[int, list[Mention]] = {}
        for b in after:
            by_group.setdefault(group_of(pair, 1, b), []).append(b)
        scored = []
        for a in before:
            for b in by_group.get(group_of(pair, 0, a), ()):
                if same == self.same(a, b, pair):
                    near = surroundings(pair, a, b)
                    if same or near >= self.threshold:
                        scored.append((near, -a.start, -b.start, a, b))
        scored.sort(key=lambda row: row[:3], reverse=True)
        used: set[int] = set()
        out = []
        for near, _, _, a, b in scored:
            if id(a) not in used and id(b) not in used:
                used |= {id(a), id(b)}
                out.append((a, b, near))
        return out

    def _exchanged(self, pair: Pair, equal: Sequence[tuple[Mention, Mention]]) -> dict[int, Mention]:
        """Equal values of one group whose surroundings are clearly each other's."""
        out: dict[int, Mention] = {}
        for k, (a, b) in enumerate(equal):
            for c, d in equal[:k]:
                if (
                    id(a) in out
                    or id(c) in out
                    or a.value == c.value
                    or group_of(pair, 0, a) != group_of(pair, 0, c)
                    or not self.exchangeable(a, c)
                ):
                    continue
                straight = surroundings(pair, a, b) + surroundings(pair, c, d)
                crossed = surroundings(pair, a, d) + surroundings(pair, c, b)
                if crossed - straight > 0.6:
                    out[id(a)], out[id(c)] = d, b
        return out


class OperatorKind(Kind):
    """Mentions that change what other words say."""

    @abstractmethod
    def change(self, a: Mention, b: Mention, pair: Pair) -> tuple[str, str] | None:
        """Pattern and reason if two operators about the same words differ; None if they say the same."""

    def dropped(self, a: Mention, words: Sequence[int], pair: Pair) -> tuple[str, str] | None:
        """Pattern and reason if the output says `words` (its indices) without this operator; None if that is no matter."""
        return None

    def added(self, b: Mention, words: Sequence[int], pair: Pair) -> tuple[str, str] | None:
        """Pattern and reason if the source says `words` (its indices) without this operator; None if that is no matter."""
        return None

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        about_b: dict[int, list[Mention]] = {}
        for b in after:
            for j in (*b.about, *range(b.first, b.last + 1)):
                about_b.setdefault(j, []).append(b)
        paired: set[int] = set()
        for a in before:
            partners = [link.j for i in a.about if (link := pair.after.get(i)) and link.strength >= 1.5]
            candidates = [b for j in partners for b in about_b.get(j, ())]
            agreeing = [b for b in candidates if self.change(a, b, pair) is None]
            if candidates:
                other = (agreeing or candidates)[0]
                paired.add(id(other))
                if a.weak and other.weak:
                    continue
                found = self.change(a, other, pair)
                if found:
                    yield Finding("changed", a, other, *found)
                else:
                    yield Finding("same", a, other, "same", "Both texts have it.")
            elif a.weak:
                continue
            elif partners and (found := self.dropped(a, partners, pair)):
                yield Finding("changed", a, None, *found)
            else:
                yield Finding("gone", a, None, "gone", "What it is about is not in the simplified text.")
        for b in after:
            if id(b) in paired or b.weak:
                continue
            partners = [link.i for j in b.about if (link := pair.linked(1, j)) and link.strength >= 1.5]
            if partners and (found := self.added(b, partners, pair)):
                yield Finding("changed", None, b, *found)
            else:
                yield Finding("new", None, b, "new", "What it is about is not in the original.")


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
