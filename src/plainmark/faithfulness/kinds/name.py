"""Names of persons, places, organisations, works and brands, by their capitals.

A name is the same in full or in part ("Dr Jane Smith", "Smith"), as initials ("World Health Organization", "WHO"), as the
adjective of a place ("France", "French"), with or without accents. It was changed if another name is in its place, between
linked words; a name that was replaced by a pronoun or a description is only gone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention, group_of, surroundings
from ._capitals import names, opens, place_at
from ._name_index import NameIndex
from ._name_words import RANKS
from ._slot import Echoes, Slot, Slots
from ._spelling import alike, common, part
from ._view import is_certain
from .role import is_flipped

NO_CAPITALS = "This text has no capitals: names cannot be told from other words."
_NEAR = 0.3
_ECHO_NEAR = 1.4  # share of the words around a name that are around another one in the source
_ECHO_BESIDE = 2.4  # the same if the other one is in the same sentence
_ECHO = 1.75  # the difference from the share around the name itself
_PREPOSITIONS = frozenset("in at from by to near of for with".split())
_OFTEN = 40
_FULL = 3  # the value of a person with one first name: sort, first name, surname


class NameKind(Kind):
    """Names."""

    name = "name"

    def find(self, passage: Passage) -> list[Mention]:
        words = passage.words
        return [
            Mention(words[n.first].start, words[n.last].end, n.first, n.last, (n.sort, *n.parts), weak=n.weak)
            for n in names(passage)
        ]

    def mention(self, passage: Passage, start: int, end: int) -> Mention | None:
        covered = [i for i in passage.words_in(start, end) if passage.words[i].text[0].isalnum()]
        if not covered:
            return None
        known = place_at(passage.words, covered[0])
        if known and known[1] > covered[-1]:
            return Mention(start, end, covered[0], covered[-1], ("place", known[0]))
        parts = tuple(part(passage.words[i].text) for i in covered)
        return Mention(start, end, covered[0], covered[-1], ("", *parts))

    def notes(self, pair: Pair) -> Iterator[str]:
        for passage in (pair.source, pair.output):
            if passage.words and not passage.has_capitals and any(w.content for w in passage.words):
                yield NO_CAPITALS

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        in_output = NameIndex(pair.output, after, pair.group_of_output)
        in_source = NameIndex(pair.source, before, pair.group_of_source)
        slots = Slots(pair, before, after)
        places = {id(a): in_output.places(a) for a in before} | {id(b): in_source.places(b) for b in after}
        inside = {id(a): in_output.inside(a, group_of(pair, 0, a)) for a in before}
        inside |= {id(b): in_source.inside(b, group_of(pair, 1, b)) for b in after}
        changed = [*_exchanged(slots, after, inside), *_replaced(slots, before, after, places, inside)]
        changed += _unknown(pair, before, after, places, inside, changed)
        changed += _echoed(pair, before, after, in_output, places)
        done: set[int] = set()
        for a, b, pattern in changed:
            if id(a) in done or id(b) in done or (places[id(b)] and is_flipped(pair, a, b)):
                continue
            done |= {id(a), id(b)}
            reason = (
                f"The original says {_quoted(pair.source, a)}; "
                f"the simplified text says {_quoted(pair.output, b)} in its place."
            )
            if pattern == "exchanged":
                reason += " The two names seem to have changed places."
            yield Finding("changed", a, b, pattern, reason)
        for a in before:
            if a.weak or id(a) in done:
                continue
            words = inside[id(a)] or places[id(a)]
            if not words:
                yield Finding(
                    "gone", a, None, "gone", f"The simplified text does not name {_quoted(pair.source, a)}."
                )
            else:
                pattern = "same" if inside[id(a)] else "elsewhere"
                yield Finding("same", a, in_output.mention(words[0]), pattern, "Both texts have this name.")
        for b in after:
            if not b.weak and id(b) not in done and not places[id(b)]:
                sort = str(b.value[0])
                pattern = f"new {sort}" if sort in ("person", "place", "organisation", "acronym") else "new"
                yield Finding(
                    "new", None, b, pattern, f"The original does not name {_quoted(pair.output, b)}."
                )


_Change = tuple[Mention, Mention, str]


def _counts(pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> dict[int, int]:
    """The number of times the name of each mention occurs in its group of sentences, on its own side."""
    out: dict[int, int] = {}
    for side, mentions in ((0, before), (1, after)):
        counts = Counter((group_of(pair, side, m), m.value) for m in mentions)
        out |= {id(m): counts[group_of(pair, side, m), m.value] for m in mentions}
    return out


def _replaced(
    slots: Slots,
    before: Sequence[Mention],
    after: Sequence[Mention],
    places: dict[int, list[int]],
    inside: dict[int, list[int]],
) -> list[_Change]:
    """Names in the place of another name of the original, the most certain first."""
    own = _counts(slots.pair, before, after)
    scored = []
    for b in after:
        for a, slot in slots.candidates(b):
            if not slot.strict and (inside[id(a)] or inside[id(b)]):
                continue
            if set(inside[id(b)]) & set(range(a.first, a.last + 1)):
                continue
            if not slot.sure and own[id(a)] <= len(inside[id(a)]) and own[id(b)] <= len(inside[id(b)]):
                continue  # each has a place of its own
            if pattern := _pattern(a, b, slot, places[id(b)], inside[id(a)] or inside[id(b)]):
                scored.append((slot.score, slot.near, -a.start, -b.start, (a, b, pattern)))
    scored.sort(key=lambda row: row[:4], reverse=True)
    return [row[-1] for row in scored]


def _pattern(
    a: Mention, b: Mention, slot: Slot, elsewhere: Sequence[int], repeated: Sequence[int]
) -> str | None:
    """The evidence for a changed name, or None; `elsewhere` are the places of the new name in the source."""
    if not slot.loose:
        return None
    sorts = {str(a.value[0]), str(b.value[0])}
    if a.weak or b.weak or "word" in sorts or len(sorts - {""}) > 1:
        if repeated and (a.weak or b.weak or "word" in sorts):
            return None
        if slot.strict and sorts == {"acronym"} and not (a.weak and b.weak):
            return "name in doubt"
        plain = any(m.weak and common(str(m.value[1])) for m in (a, b)) or (
            sorts == {"word"} and not slot.sure
        )
        return (
            "name in doubt" if slot.strict and not (elsewhere and (a.weak or b.weak)) and not plain else None
        )
    if alike(a.value[1:], b.value[1:]):
        return "spelling"
    if repeated:
        return "repeated name"
    if elsewhere:
        return "other name" if slot.strict else "other name in doubt"
    return "name" if slot.strict else "name in doubt"


def _exchanged(slots: Slots, after: Sequence[Mention], inside: dict[int, list[int]]) -> list[_Change]:
    """Names of one group of sentences that have exchanged places."""
    crossed = [
        (a, b)
        for b in after
        if inside[id(b)] and not b.weak
        for a, slot in slots.candidates(b)
        if slot.strict
        and inside[id(a)]
        and not a.weak
        and not set(inside[id(b)]) & set(range(a.first, a.last + 1))
    ]
    return [
        (a, b, "exchanged")
        for a, b in crossed
        if any(
            a is not c
            and set(inside[id(a)]) & set(range(d.first, d.last + 1))
            and set(inside[id(c)]) & set(range(b.first, b.last + 1))
            for c, d in crossed
        )
    ]


def _unknown(
    pair: Pair,
    before: Sequence[Mention],
    after: Sequence[Mention],
    places: dict[int, list[int]],
    inside: dict[int, list[int]],
    changed: Sequence[_Change],
) -> Iterator[_Change]:
    """Names that the source does not have, in sentences from which another name of the same sort is missing."""
    done = {id(m) for a, b, _ in changed for m in (a, b)}
    gone: dict[int, list[Mention]] = defaultdict(list)
    persons: dict[object, list[Mention]] = defaultdict(list)
    for a in before:
        if not a.weak and not inside[id(a)] and id(a) not in done and (a.value[0] != "word" or _is_ranked(a)):
            gone[group_of(pair, 0, a)].append(a)
        if a.value[0] == "person" and len(a.value) == _FULL:
            persons[a.value[1]].append(a)
    certain = is_certain(pair)
    new = sum(not (b.weak or places[id(b)] or id(b) in done) for b in after)
    for b in after:
        if b.weak or places[id(b)] or id(b) in done or (b.value[0] == "word" and not _is_ranked(b)):
            continue
        ranked = [a for a in gone.get(group_of(pair, 1, b), []) if _is_ranked(a) and a.value[1] == b.value[1]]
        if ranked and _is_ranked(b):
            yield ranked[0], b, "name in doubt"
            continue
        scored = [
            (surroundings(pair, a, b), -a.start, a)
            for a in gone.get(group_of(pair, 1, b), [])
            if (a.value[0] == b.value[0] and a.value[0] != "word") or "" in (a.value[0], b.value[0])
        ]
        if b.value[0] == "person" and len(b.value) == _FULL and (others := persons.get(b.value[1])):
            a = others[0]  # the first name of somebody with another surname
            yield a, b, "spelling" if alike(a.value[1:], b.value[1:]) else "name in doubt"
        elif certain and len(scored) == new == 1 and _follow_alike(pair, scored[0][2], b):
            yield (
                scored[0][2],
                b,
                "spelling" if alike(scored[0][2].value[1:], b.value[1:]) else "name in doubt",
            )
        elif scored and (best := max(scored, key=lambda row: row[:2]))[0] >= (
            _NEAR if b.value[0] != "place" or best[2].value[0] != "place" else 0.0
        ):
            yield best[2], b, "spelling" if alike(best[2].value[1:], b.value[1:]) else "name in doubt"


def _follow_alike(pair: Pair, a: Mention, b: Mention) -> bool:
    """Whether the same preposition precedes two names."""
    before = [
        passage.words[m.first - 1].lower if m.first else ""
        for passage, m in ((pair.source, a), (pair.output, b))
    ]
    return before[0] == before[1] and before[0] in _PREPOSITIONS


def _is_ranked(m: Mention) -> bool:
    """Whether a name begins with a rank: "Duke Osmund"."""
    return len(m.value) > 2 and m.value[1] in RANKS


def _echoed(
    pair: Pair,
    before: Sequence[Mention],
    after: Sequence[Mention],
    output: NameIndex,
    places: dict[int, list[int]],
) -> list[_Change]:
    """Names of the source among words that are around another name of the same sort in the source, in any sentence."""
    echoes = Echoes(pair, [a for a in before if not a.weak and a.value[0] != "word"])
    words = pair.output.words
    scored = []
    for b in after:
        own_places = places[id(b)]
        if not own_places or b.value[0] == "word" or (b.weak and b.value[0] != "acronym"):
            continue
        known = max(echoes.near(i, b) for i in own_places[:_OFTEN])
        sentence = words[b.first].sentence
        for echo in echoes.of(b):
            a = echo.mention
            beside = any(words[j].sentence == sentence for j in output.places(a))
            if (
                echo.near >= (_ECHO_BESIDE if beside else _ECHO_NEAR)
                and echo.score >= known + _ECHO
                and a.value[0] == b.value[0]
                and not set(own_places) & set(range(a.first, a.last + 1))
                and not set(output.places(a)) & set(range(b.first, b.last + 1))
                and not _begins(str(a.value[1]), str(b.value[1]))
                and not (_is_listed(pair.source, a) and _is_listed(pair.output, b))
                and not (opens(pair.output, b.first) and any(opens(pair.source, i) for i in own_places))
            ):
                scored.append((echo.score - known, -a.start, -b.start, (a, b, "other name nearby")))
    scored.sort(key=lambda row: row[:3], reverse=True)
    return [row[-1] for row in scored]


def _is_listed(passage: Passage, m: Mention) -> bool:
    """Whether a name is in a list, in which the order has no meaning."""
    beside = [passage.words[i].lower for i in (m.first - 1, m.last + 1) if 0 <= i < len(passage.words)]
    return all(word in (",", "and", "or", "&", ";") for word in beside)


def _begins(a: str, b: str) -> bool:
    """Whether one name begins with the other, like the gene ALPL and its protein ALP."""
    return a.startswith(b) or b.startswith(a)


def _quoted(passage: Passage, mention: Mention) -> str:
    return f"“{passage.text[mention.start : mention.end]}”"


KIND = NameKind()
