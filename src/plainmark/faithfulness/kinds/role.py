"""Who did what to whom: the words on either side of a verb, a comparison or "rather than" that have changed sides.

There is no parser: for each pair of linked verbs, the nearest nouns of the clause on the left and on the right are located
in the other text. If they are on opposite sides there, the roles were exchanged, unless one side is passive ("Jones was
beaten by Smith") or the verbs are converse ("buy" and "sell", "larger" and "smaller").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention
from ._clauses import BE, REACH, Clause, clauses, comparative
from ._frames import exchanges
from ._giving import exchanged_ends, exchanged_givers
from ._view import is_certain

_CONVERSE = defaultdict(
    frozenset,
    {
        word: frozenset(other.split())
        for line in (
            "buy|sell",
            "give|receive get",
            "lend|borrow",
            "teach|learn",
            "win beat defeat|lose",
            "lead precede|follow",
            "own have possess|belong",
            "employ hire|work",
            "cause|result stem arise come",
            "send|receive get",
            "include contain comprise|belong",
            "treat|visit consult see",
            "replace|yield",
        )
        for words, other in (line.split("|"), line.split("|")[::-1])
        for word in words.split()
    },
)
_CONVERSE_VERBS = frozenset(_CONVERSE)
_ARTICLES = frozenset("a an the his her its their our my your".split())
_PARTICLES = frozenset("after up on down off out over at for to into away back".split())
_STRONG = ("same", "form", "synonym")


class Flip(NamedTuple):
    """Two clauses whose sides are linked crosswise, and whether this changed the meaning."""

    before: Clause
    after: Clause
    changed: bool


class Role(Kind):
    """Exchanged roles."""

    name = "role"

    def find(self, passage: Passage) -> list[Mention]:
        return [
            replace(_span(passage, c), value=(c.sort or passage.words[c.pivot].base, c.voice), weak=True)
            for c in clauses(passage)
        ]

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        seen: set[int] = set()
        is_flipped = False
        for flip in flips(pair):
            if not flip.changed or seen & {*flip.before.left, *flip.before.right}:
                continue
            seen |= {*flip.before.left, *flip.before.right}
            left, right = _text(pair.source, flip.before.left), _text(pair.source, flip.before.right)
            a, b = _span(pair.source, flip.before), _span(pair.output, flip.after)
            simple = len(flip.before.left) + len(flip.before.right) < REACH and not flip.before.sort
            is_flipped = True
            yield Finding(
                "changed",
                a,
                b,
                "role" if simple and _close(flip.before) and _close(flip.after) else "role in doubt",
                f"“{left}” and “{right}” have changed places: the original says “{_shown(pair.source, a)}”, "
                f"the simplified text “{_shown(pair.output, b)}”.",
            )
        if not is_flipped and is_certain(pair):
            yield from _agents(pair)
            yield from _ends(pair)
        if not is_flipped:
            yield from _givers(pair)


def _agents(pair: Pair) -> Iterator[Finding]:
    """Findings that the agent is another one, in a sentence that may have been split: "drafted by A, rejected by B", "A
    rejected it".
    """
    for before, after in exchanges(pair):
        a, b = (
            _mention(passage, *sorted((frame.verb, frame.agent)))
            for passage, frame in ((pair.source, before), (pair.output, after))
        )
        verb = pair.output.words[after.verb].text
        first, second = pair.source.words[before.agent].text, pair.output.words[after.agent].text
        reason = f"“{verb}” is said of “{first}” in the original, of “{second}” in the simplified text."
        yield Finding("changed", a, b, "agent", reason)


def _ends(pair: Pair) -> Iterator[Finding]:
    """Findings that the start and the end of a journey have changed places."""
    for before, after in exchanged_ends(pair):
        a, b = (
            _mention(passage, min(words := (*t.giver, *t.getter)), max(words))
            for passage, t in ((pair.source, before), (pair.output, after))
        )
        start, other = _text(pair.source, before.giver), _text(pair.output, after.giver)
        reason = f"The original starts from “{start}”; the simplified text starts from “{other}”."
        yield Finding("changed", a, b, "journey", reason)


def _givers(pair: Pair) -> Iterator[Finding]:
    """Findings that giver and receiver have changed places: "A taught B", "A learned from B"."""
    for before, after in exchanged_givers(pair):
        a, b = (
            _mention(passage, min(words := (t.verb, *t.giver, *t.getter)), max(words))
            for passage, t in ((pair.source, before), (pair.output, after))
        )
        giver, getter = _text(pair.source, before.giver), _text(pair.source, before.getter)
        reason = f"“{giver}” and “{getter}” have changed parts: see who gives, teaches or wins."
        yield Finding("changed", a, b, "giver", reason)


_FLIPS: WeakKeyDictionary[Pair, list[Flip]] = WeakKeyDictionary()


def flips(pair: Pair) -> list[Flip]:
    """The clauses of both texts whose sides are linked crosswise."""
    if pair not in _FLIPS:
        _FLIPS[pair] = list(_flips(pair))
    return _FLIPS[pair]


def is_flipped(pair: Pair, a: Mention, b: Mention) -> bool:
    """Whether two mentions are on the same sides of flipped clauses, so that the change is one of roles.

    If one text says "buy" and the other "sell", all names may have changed places.
    """
    group = pair.group_of_source.get(pair.source.words[a.first].sentence, -1)
    if group >= 0 and _has_converse(pair, group):
        return True
    for flip in flips(pair):
        for mine, other in ((flip.before.left, flip.after.left), (flip.before.right, flip.after.right)):
            if any(a.first <= i <= a.last for i in mine) and any(b.first <= j <= b.last for j in other):
                return True
    return False


def _has_converse(pair: Pair, group: int) -> bool:
    """Whether the sentences of a group have a verb on one side and its converse on the other."""
    sides = (
        (pair.source, pair.groups[group].source),
        (pair.output, pair.groups[group].output),
    )
    first, second = (
        {p.words[i].base for s in sentences for i in p.sentence_words(s)} & _CONVERSE_VERBS
        for p, sentences in sides
    )
    return any(_CONVERSE[base] & (second - first) for base in first - second)


def _flips(pair: Pair) -> Iterator[Flip]:
    clauses_by_group: dict[int, list[Clause]] = defaultdict(list)
    for clause in clauses(pair.output):
        clauses_by_group[pair.group_of_output.get(pair.output.words[clause.pivot].sentence, -1)].append(
            clause
        )
    for before in clauses(pair.source):
        group = pair.group_of_source.get(pair.source.words[before.pivot].sentence, -2)
        for after in clauses_by_group.get(group, ()):
            if (turned := _turned(pair, before, after)) is None:
                continue
            passive = bool(before.voice) != bool(after.voice)
            if turned and "be" in (before.voice, after.voice):
                continue  # "the painting was bought from the gallery", "the gallery sold the painting"
            if before.sort == "cause" and _linked(pair, before, after, crosswise=False):
                if (before.left < before.right) != (after.left < after.right):
                    yield Flip(before, after._replace(left=after.right, right=after.left), changed=False)
            elif _linked(pair, before, after, crosswise=True):
                yield Flip(before, after, passive == turned)
            elif (
                {before.voice, after.voice} == {"", "by"}
                and _linked(pair, before, after, crosswise=False)
                and _plain(pair.source, before)
                and _plain(pair.output, after)
            ):
                yield Flip(before, after, not turned)


def _turned(pair: Pair, before: Clause, after: Clause) -> bool | None:
    """Whether the words that relate the sides are converse; None if they are unrelated."""
    if before.sort or after.sort:
        if before.sort != after.sort:
            return None
        if before.sort.startswith("object"):
            link = pair.linked(1, after.pivot)
            return False if link is not None and link.i == before.pivot and link.relation in _STRONG else None
        if before.sort != "than":
            return False
        first, second = comparative(pair.source, before.pivot), comparative(pair.output, after.pivot)
        link = pair.linked(1, second)
        if link is None or link.i != first:
            return None
        return link.relation == "antonym"
    signs = _compared(pair.source, before), _compared(pair.output, after)
    if signs[0] and signs[1]:  # "earned more than", "earned less than"
        return signs[0] != signs[1]
    first_base, second_base = pair.source.words[before.pivot].base, pair.output.words[after.pivot].base
    if second_base in _CONVERSE[first_base]:
        return True
    link = pair.linked(1, after.pivot)
    if link is None or link.i != before.pivot:
        return None
    if link.relation == "antonym":
        return True
    return False if link.relation in _STRONG else None


def _linked(pair: Pair, before: Clause, after: Clause, *, crosswise: bool) -> bool:
    """Whether the sides of two clauses are linked, crosswise or straight, and not the other way as well."""

    def reaches(mine: Sequence[int], other: Sequence[int]) -> bool:
        links = (pair.linked(1, j) for j in other)
        return any(
            link is not None and link.i in mine and link.relation in ("same", "form") for link in links
        )

    first, second = _distinct(pair.source, before)
    left, right = _distinct(pair.output, after)[:: -1 if crosswise else 1]
    return (
        reaches(first, left)
        and reaches(second, right)
        and not reaches(first, right)
        and not reaches(second, left)
    )


def _distinct(passage: Passage, clause: Clause) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The sides of a clause without their common words: "upper" and "lower" for two reservoirs."""
    left, right = ({passage.words[i].base for i in side} for side in (clause.left, clause.right))
    both = left & right
    if not left - both or not right - both:
        return clause.left, clause.right
    return (
        tuple(i for i in clause.left if passage.words[i].base not in both),
        tuple(i for i in clause.right if passage.words[i].base not in both),
    )


def _plain(passage: Passage, clause: Clause) -> bool:
    """Whether a clause is clearly active or clearly passive: "killed the heat", "was killed by the heat"."""
    words = passage.words
    after = clause.pivot + 1
    after += words[after].lower in _PARTICLES  # "was looked after by"
    following = words[after].lower
    if clause.voice:
        return following == "by" and words[clause.pivot - 1].lower in BE
    near = [w.lower for w in words[clause.pivot - 2 : clause.right[-1] + 4]]
    return "by" not in near and not BE & set(near) and following in _ARTICLES


def _compared(passage: Passage, clause: Clause) -> int:
    """1 or -1 if there is a comparison between the verb and the words after it; else 0."""
    between = passage.words[clause.pivot + 1 : clause.right[0]]
    if not any(word.lower == "than" for word in between):
        return 0
    return next((way[1] for word in between if (way := lexicon.direction(word.lower))), 0)


def _close(clause: Clause) -> bool:
    """Whether there are few words between the verb and its sides."""
    return clause.pivot - clause.left[-1] <= REACH and clause.right[0] - clause.pivot <= REACH


def _span(passage: Passage, clause: Clause) -> Mention:
    words = (*clause.left, *clause.right)
    return _mention(passage, min(words), max(words))


def _mention(passage: Passage, first: int, last: int) -> Mention:
    return Mention(passage.words[first].start, passage.words[last].end, first, last, (first, last))


def _text(passage: Passage, words: Sequence[int]) -> str:
    return passage.text[passage.words[words[0]].start : passage.words[words[-1]].end]


def _shown(passage: Passage, mention: Mention) -> str:
    return " ".join(passage.text[mention.start : mention.end].split())


KIND = Role()
