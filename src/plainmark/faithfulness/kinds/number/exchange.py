"""Two equal numbers in each other's place: 12 men and 30 women, 30 men and 12 women."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ...alignment import Pair
from ...passage import Passage
from .. import Finding, Mention
from .amounts import PEOPLE, Amount
from .equality import difference, same
from .places import Places
from .wording import reason

_REORDERED = 0.8
_NEAR = 12  # words between a number and the one it is part of
_NEXT = 4  # if they are joined only by "of": 11 of their 18, 11 children of 18
_DETERMINERS = frozenset("the their its his her our all these those some only about".split())
_MANY = 4  # how many times more words must be evidence for an exchange than against it
_CROSSED = 0.5  # agreement with the other's surroundings that both need, out of 2


def exchanged(
    pair: Pair, places: Places, groups: Iterable[Sequence[Mention]], partner: Mapping[int, Mention]
) -> Iterator[Finding]:
    """Pairs of equal numbers in each other's place; `partner` by id of the source's mention."""
    done: set[int] = set()
    for sources in groups:
        paired = [a for a in sources if id(a) in partner]
        for k, a in enumerate(paired):
            b = partner[id(a)]
            for c in paired[:k]:
                d = partner[id(c)]
                if id(a) in done or id(c) in done or same(a.value, c.value) or same(a.value, d.value):
                    continue
                pattern = difference(a.value, d.value)
                if pattern not in ("value", "date", "unit", "label", "time"):
                    continue
                crossed = places.agreement(a, d) + places.agreement(c, b)
                if type(a.value) is not type(d.value) or crossed < _CROSSED:
                    continue
                if _only_reordered(pair, (a, c), (b, d), sources, partner):
                    continue
                gain = crossed - places.agreement(a, b) - places.agreement(c, d)
                heads = places.heads(a, d) + places.heads(c, b) - places.heads(a, b) - places.heads(c, d)
                weak = a.weak or b.weak or c.weak or d.weak
                if _evident(gain, heads, _order(pair, a, b, c, d), weak=weak):
                    name = "exchanged"
                elif not weak and _anchored(pair, (a, c), (b, d), sources, partner):
                    name = "exchanged-loose"
                else:
                    continue
                done |= {id(a), id(c)}
                yield Finding("changed", a, d, name, reason(pair, a, d, "exchanged"))
                yield Finding("changed", c, b, name, reason(pair, c, b, "exchanged"))


def _evident(gain: float, heads: int, order: float, *, weak: bool) -> bool:
    """Whether two numbers changed places, judged by the counted things, the surrounding words and their order."""
    total = gain + 0.15 * heads
    if order < 0:  # the numbers are still in order: did the counted things change places?
        return total >= _REORDERED and heads > 1 and not weak
    if weak:
        return total >= 0.7 or (order >= 0.85 and total > 0.25)
    return (
        total >= 0.7
        or (order >= 0.5 and total >= 0.4)
        or (order >= 0.85 and total > 0.15)
        or (order >= 0.95 and total > -0.05)
    )


def _only_reordered(
    pair: Pair,
    before: tuple[Mention, Mention],
    after: tuple[Mention, Mention],
    sources: Sequence[Mention],
    partner: Mapping[int, Mention],
) -> bool:
    """Whether two numbers clearly kept their places in a reordered sentence.

    Either one is still part of the other (18 children, of whom 11; 11 of their 18 children), or both are still together
    with the same other numbers.
    """
    if (before[0].start < before[1].start) == (after[0].start < after[1].start):
        return False
    if _part_of_whole(pair.output, after) or (
        _part_of_whole(pair.source, before) and not _part_of_whole(pair.output, after, less=False)
    ):
        return True
    others = [m for m in sources if m not in before and id(m) in partner]
    source = [_company(pair.source, m, before, others) for m in before]
    output = [_company(pair.output, m, after, [partner[id(o)] for o in others]) for m in after]
    straight = len(source[0] & output[0]) + len(source[1] & output[1])
    return straight > len(source[0] & output[1]) + len(source[1] & output[0])


def _part_of_whole(passage: Passage, pair: tuple[Mention, Mention], *, less: bool = True) -> bool:
    """Whether one number is said to be part of the other, and is less than it (or else more)."""
    first, second = sorted(pair, key=lambda m: m.start)
    if not isinstance(first.value, Amount) or not isinstance(second.value, Amount):
        return False
    part, whole = first.value.number, second.value.number
    between = passage.words[first.last + 1 : second.first]
    if not between or len(between) > _NEAR or between[0].sentence != between[-1].sentence:
        return False
    lower = [w.lower for w in between]
    while lower and lower[-1] in _DETERMINERS:
        lower.pop()
    joined = lower and (lower[-1] in ("from", "among") or (lower[-1] == "of" and len(lower) < _NEXT))
    if joined and _count_alike(passage, first, second):
        return (part < whole) == less
    outset = passage.words[first.first - 1].lower if first.first else ""
    if first.first > 1 and passage.words[first.first - 2].content and outset != "among":
        outset = ""  # "a total of 18"
    pronoun = any(x == "of" and y in ("whom", "which", "them", "these") for x, y in pairwise(lower))
    return (outset in ("of", "from", "among") or pronoun) and (part > whole) == less


def _count_alike(passage: Passage, first: Mention, second: Mention) -> bool:
    """Whether two numbers may count the same things: no samples from patients."""
    first_about, second_about = ({passage.words[i].lower for i in m.about} for m in (first, second))
    return (
        not first_about
        or not second_about
        or not first_about.isdisjoint(second_about)
        or bool(first_about & PEOPLE and second_about & PEOPLE)
    )


def _company(
    passage: Passage, m: Mention, pair: tuple[Mention, Mention], others: Sequence[Mention]
) -> set[int]:
    """The other numbers of a sentence that follow a number, up to the other one of the pair, by their index in the list."""
    inside = passage.sentence_words(passage.words[m.first].sentence)
    end = min((n.first for n in pair if n.first > m.first), default=inside.stop)
    return {k for k, n in enumerate(others) if m.last < n.first < min(end, inside.stop)}


def _anchored(
    pair: Pair,
    before: tuple[Mention, Mention],
    after: tuple[Mention, Mention],
    sources: Sequence[Mention],
    partner: Mapping[int, Mention],
) -> bool:
    """Whether the words after one number now follow the other, and no words before the numbers contradict it.

    The numbers must be in reversed order and not in brackets, where they follow the counted thing.
    """
    if (before[0].start < before[1].start) == (after[0].start < after[1].start):
        return False
    if any(m is not a and same(m.value, a.value) for a in before for m in sources):
        return False
    if any(_in_brackets(pair.source, m) for m in before) or any(_in_brackets(pair.output, m) for m in after):
        return False
    source = [_stretches(pair.source, m, sources) for m in before]
    outputs = [partner[id(a)] for a in sources if id(a) in partner]
    output = [_stretches(pair.output, m, outputs) for m in after]
    links = {
        (link.i, j)
        for j in {j for s in output for part in s for j in part}
        if (link := pair.before.get(j)) and link.relation in ("same", "form", "synonym")
    }

    def linked(mine: Sequence[int], other: Sequence[int]) -> int:
        return sum((i, j) in links for i in mine for j in other)

    (first, own), (second, others) = source
    (lead, follows), (other_lead, other_follows) = output
    if any(
        linked(x, y)
        for x, y in (
            (first + second, lead + other_lead),
            (own + others, lead + other_lead),
            (first + second, follows + other_follows),
        )
    ):
        return False
    straight = linked(own, follows) + linked(others, other_follows)
    crossed = linked(own, other_follows) + linked(others, follows)
    return crossed >= _MANY and crossed >= _MANY * straight if straight else crossed > 0


def _in_brackets(passage: Passage, m: Mention) -> bool:
    start = passage.sentences[passage.words[m.first].sentence][0]
    return passage.text.count("(", start, m.start) > passage.text.count(")", start, m.start)


def _stretches(passage: Passage, m: Mention, numbers: Sequence[Mention]) -> tuple[list[int], list[int]]:
    """The content words before a number if it is the first of its sentence, and those after it up to the next one."""
    inside = passage.sentence_words(passage.words[m.first].sentence)
    starts = [n.first for n in numbers if n.first in inside]
    end = min((k for k in starts if k > m.last), default=inside.stop)
    lead = range(inside.start, m.first) if m.first == min(starts) else range(0)
    words = passage.words
    return [k for k in lead if words[k].content], [k for k in range(m.last + 1, end) if words[k].content]


def _order(pair: Pair, a: Mention, b: Mention, c: Mention, d: Mention) -> float:
    """How well the words of a sentence keep their order while two numbers reverse theirs; -1 if they do not."""
    source, output = pair.source.words, pair.output.words
    if (a.start < c.start) == (b.start < d.start):
        return -1.0
    if (
        source[a.first].sentence != source[c.first].sentence
        or output[b.first].sentence != output[d.first].sentence
    ):
        return 0.0
    order = []
    unlinked = 0
    for j in pair.output.sentence_words(output[b.first].sentence):
        word = output[j]
        if not word.content or word.text[0].isdecimal() or b.first <= j <= b.last or d.first <= j <= d.last:
            continue
        link = pair.before.get(j)
        if link is None:
            unlinked += 1
        elif link.relation in ("same", "form", "synonym"):
            order.append(link.i)
    if len(order) < (3 if unlinked else 2) or unlinked > 0.6 * len(order):
        return 0.0
    return sum(x < y for x, y in pairwise(order)) / (len(order) - 1)
