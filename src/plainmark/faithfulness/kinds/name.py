"""Names of persons, places, organisations, works and brands, by their capitals.

A name is the same in full or in part ("Dr Jane Smith", "Smith"), as initials ("World Health Organization", "WHO"), as the
adjective of a place ("France", "French"), with or without accents. It was changed where another name stands in its place,
between words that are linked; a name that gave way to a pronoun or a description is merely gone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention, group_of, surroundings
from ._capitals import names, place_at
from ._name_words import EQUIVALENT, FORMS, GENERIC, LINKS, PLACES
from ._slot import Echoes, Slot, Slots
from ._spelling import alike, common, fold, is_acronym, part
from .role import is_flipped

NO_CAPITALS = "This text has no capitals: names cannot be told from other words."
_NEAR = 0.3
_LONG_ACRONYM = 8
_ECHO_NEAR = 1.4  # the words around a name that stand around another one in the source
_ECHO_BESIDE = 2.4  # if the other one is in the same sentence, too
_ECHO = 1.75  # more than around the name itself
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
        in_output = _Index(pair.output, after, pair.group_of_output)
        in_source = _Index(pair.source, before, pair.group_of_source)
        slots = Slots(pair, before, after)
        places = {id(a): in_output.places(a) for a in before} | {id(b): in_source.places(b) for b in after}
        inside = {id(a): in_output.inside(a, group_of(pair, 0, a)) for a in before}
        inside |= {id(b): in_source.inside(b, group_of(pair, 1, b)) for b in after}
        changed = [*_exchanged(slots, after, inside), *_replaced(slots, before, after, places, inside)]
        changed += _unknown(pair, before, after, places, inside, changed)
        changed += _echoed(pair, before, after, in_output, places)
        done: set[int] = set()
        for a, b, pattern in changed:
            if id(a) in done or id(b) in done or is_flipped(pair, a, b):
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
    """How often the name of each mention stands in its group of sentences, on its own side."""
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
    """Names that stand where the original has another one, the surest first."""
    own = _counts(slots.pair, before, after)
    scored = []
    for b in after:
        for a, where in slots.candidates(b):
            if not where.strict and (inside[id(a)] or inside[id(b)]):
                continue
            if set(inside[id(b)]) & set(range(a.first, a.last + 1)):
                continue
            if not where.sure and own[id(a)] <= len(inside[id(a)]) and own[id(b)] <= len(inside[id(b)]):
                continue  # each has its own places
            if pattern := _pattern(a, b, where, places[id(b)], inside[id(a)] or inside[id(b)]):
                scored.append((where.score, where.near, -a.start, -b.start, (a, b, pattern)))
    scored.sort(key=lambda row: row[:4], reverse=True)
    return [row[-1] for row in scored]


def _pattern(
    a: Mention, b: Mention, where: Slot, elsewhere: Sequence[int], repeated: Sequence[int]
) -> str | None:
    """The evidence for a changed name, or None; `elsewhere` is where the source has the new name."""
    if not where.loose:
        return None
    sorts = {str(a.value[0]), str(b.value[0])}
    if a.weak or b.weak or "word" in sorts or len(sorts - {""}) > 1:
        if repeated and (a.weak or b.weak or "word" in sorts):
            return None
        if where.strict and sorts == {"acronym"} and not (a.weak and b.weak):
            return "name in doubt"
        plain = any(m.weak and common(str(m.value[1])) for m in (a, b)) or (
            sorts == {"word"} and not where.sure
        )
        return (
            "name in doubt" if where.strict and not (elsewhere and (a.weak or b.weak)) and not plain else None
        )
    if alike(a.value[1:], b.value[1:]):
        return "spelling"
    if repeated:
        return "repeated name"
    if elsewhere:
        return "other name" if where.strict else "other name in doubt"
    return "name" if where.strict else "name in doubt"


def _exchanged(slots: Slots, after: Sequence[Mention], inside: dict[int, list[int]]) -> list[_Change]:
    """Names of one group of sentences that stand in each other's places."""
    crossed = [
        (a, b)
        for b in after
        if inside[id(b)] and not b.weak
        for a, where in slots.candidates(b)
        if where.strict
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
    """A name that the source does not have, in sentences that name another one of its sort which is gone from them."""
    done = {id(m) for a, b, _ in changed for m in (a, b)}
    gone: dict[int, list[Mention]] = defaultdict(list)
    persons: dict[object, list[Mention]] = defaultdict(list)
    for a in before:
        if not a.weak and not inside[id(a)] and id(a) not in done and a.value[0] != "word":
            gone[group_of(pair, 0, a)].append(a)
        if a.value[0] == "person" and len(a.value) == _FULL:
            persons[a.value[1]].append(a)
    for b in after:
        if b.weak or places[id(b)] or id(b) in done or b.value[0] == "word":
            continue
        scored = [
            (surroundings(pair, a, b), -a.start, a)
            for a in gone.get(group_of(pair, 1, b), [])
            if a.value[0] == b.value[0] or "" in (a.value[0], b.value[0])
        ]
        if b.value[0] == "person" and len(b.value) == _FULL and (others := persons.get(b.value[1])):
            a = others[0]  # the first name of somebody with another surname
            yield a, b, "spelling" if alike(a.value[1:], b.value[1:]) else "name in doubt"
        elif scored and (best := max(scored, key=lambda row: row[:2]))[0] >= (
            _NEAR if b.value[0] != "place" or best[2].value[0] != "place" else 0.0
        ):
            yield best[2], b, "spelling" if alike(best[2].value[1:], b.value[1:]) else "name in doubt"


def _echoed(
    pair: Pair,
    before: Sequence[Mention],
    after: Sequence[Mention],
    output: _Index,
    places: dict[int, list[int]],
) -> list[_Change]:
    """Names of the source among words that stand around another name of their sort in the source, in whatever sentence."""
    echoes = Echoes(pair, [a for a in before if not a.weak and a.value[0] != "word"])
    words = pair.output.words
    scored = []
    for b in after:
        here = places[id(b)]
        if not here or b.value[0] == "word" or (b.weak and b.value[0] != "acronym"):
            continue
        known = max(echoes.near(i, b) for i in here[:_OFTEN])
        sentence = words[b.first].sentence
        for echo in echoes.of(b):
            a = echo.mention
            beside = any(words[j].sentence == sentence for j in output.places(a))
            if (
                echo.near >= (_ECHO_BESIDE if beside else _ECHO_NEAR)
                and echo.score >= known + _ECHO
                and a.value[0] == b.value[0]
                and not set(here) & set(range(a.first, a.last + 1))
                and not set(output.places(a)) & set(range(b.first, b.last + 1))
                and not _begins(str(a.value[1]), str(b.value[1]))
            ):
                scored.append((echo.score - known, -a.start, -b.start, (a, b, "other name nearby")))
    scored.sort(key=lambda row: row[:3], reverse=True)
    return [row[-1] for row in scored]


def _begins(a: str, b: str) -> bool:
    """Whether one name begins with the other, as the gene ALPL does with its protein ALP."""
    return a.startswith(b) or b.startswith(a)


class _Index:
    """Where the words, the places and the initials of a text stand."""

    def __init__(self, passage: Passage, mentions: Sequence[Mention], groups: dict[int, int]) -> None:
        self.passage = passage
        self.groups = groups
        self._places: dict[tuple[object, ...], list[int]] = {}
        self._by_group: dict[tuple[object, ...], dict[int, list[int]]] = {}
        self.mentions = mentions
        self.by_word: dict[str, list[int]] = defaultdict(list)
        self.by_place: dict[str, list[int]] = defaultdict(list)
        self.by_frame: dict[str, list[int]] = defaultdict(list)
        self.by_other: dict[str, list[int]] = defaultdict(list)
        self.at: dict[int, Mention] = {}
        for i, word in enumerate(passage.words):
            if word.text[0].isalnum():
                plain = part(word.text)
                self.by_word[plain].append(i)
                if (other := EQUIVALENT.get(plain)) is not None:
                    self.by_other[other].append(i)
                if found := place_at(passage.words, i):
                    self.by_place[found[0]].append(i)
        for m in mentions:
            for i in range(m.first, m.last + 1):
                self.at[i] = m
                plain = fold(passage.words[i].text)
                if len(plain) > 4:
                    self.by_frame[frame(plain)].append(i)
        content = [i for i, w in enumerate(passage.words) if w.text[0].isalpha() and w.lower not in LINKS]
        self.initials = "".join(fold(passage.words[i].text)[0] for i in content)
        self.content = content

    def mention(self, i: int) -> Mention:
        """The name at a word, or the word itself."""
        if i in self.at:
            return self.at[i]
        word = self.passage.words[i]
        return Mention(word.start, word.end, i, i, ("", fold(word.text)))

    def places(self, mention: Mention) -> list[int]:
        """The words where a name of the other text stands, in whatever form."""
        if mention.value not in self._places:
            self._places[mention.value] = self._find(*mention.value)
        return self._places[mention.value]

    def inside(self, mention: Mention, group: int) -> list[int]:
        """Those places that belong to one group of sentences."""
        if mention.value not in self._by_group:
            found: dict[int, list[int]] = defaultdict(list)
            for i in self.places(mention):
                found[self.groups.get(self.passage.words[i].sentence, -2)].append(i)
            self._by_group[mention.value] = found
        return self._by_group[mention.value].get(group, [])

    def _find(self, sort: object, *parts: object) -> list[int]:
        names = [str(p) for p in parts]
        if sort == "place" and names[0] in FORMS and len(names) == 1:
            return self.by_place.get(names[0], [])
        out = [i for i in self._parts(names) if self._agrees(names, i)]
        if not out and len(names) > 1:
            out = self._whole(names)
        out += (i for n in names if n in EQUIVALENT for i in self.by_other.get(EQUIVALENT[n], ()))
        if (
            sort != "place"
            and len(names) == 1
            and len(names[0]) < _LONG_ACRONYM
            and (sort == "acronym" or not out)
        ):
            out += self._expanded(names[0])
        if len(names) > 1:
            initials = "".join(n[0] for n in names if n not in LINKS)
            out += (i for i in self.by_word.get(initials, []) if is_acronym(self.passage.words[i].text))
        if not out:
            out = [
                i
                for n in names
                if len(n) > 4 and n not in GENERIC
                for i in self.by_frame.get(frame(n), [])
                if self._agrees(names, i)
            ]
        if not out and (place := PLACES.get(tuple(names))):
            out = self.by_place.get(place, [])
        return out

    def _parts(self, names: Sequence[str]) -> Iterator[int]:
        telling = [n for n in names if n not in GENERIC and len(n) > 1] or names
        for n in telling:
            yield from self.by_word.get(n, [])
            yield from self.by_word.get(n + "s", [])
            if n.endswith("s"):
                yield from self.by_word.get(n[:-1], [])

    def _agrees(self, names: Sequence[str], i: int) -> bool:
        """Whether the name at word i has all the words of the other one, or the other way round."""
        there = self.at.get(i)
        if there is None:
            return len(names) == 1 or not self.passage.words[i].text[0].isupper()
        parts = {frame(str(p)) for p in there.value[1:] if p not in LINKS and len(str(p)) > 1}
        own = {frame(n) for n in names if n not in LINKS and len(n) > 1}
        return parts <= own or own <= parts

    def _whole(self, names: Sequence[str]) -> list[int]:
        """The words of a name that stand near each other without being one name there."""
        telling = [n for n in names if n not in LINKS and len(n) > 1]
        places = [self.by_word.get(n) for n in telling]
        if not places or not all(places):
            return []
        first = places[0] or []
        return [i for i in first if all(any(abs(i - k) < 8 for k in other or ()) for other in places)]

    def _expanded(self, acronym: str) -> list[int]:
        """The words that an acronym stands for, by their first letters."""
        out = []
        start = self.initials.find(acronym)
        while start >= 0:
            first = self.content[start]
            # Two letters are met by chance: the words should be a name, such as Parkinson's disease.
            if len(acronym) > 2 or first in self.at:
                out.append(first)
            start = self.initials.find(acronym, start + 1)
        return out


@lru_cache(20_000)
def frame(word: str) -> str:
    """What spellings of one name have in common: the consonants, those that sound alike as one."""
    if len(word) < 5:
        return word
    plain = word.replace("ph", "f").replace("ck", "k").replace("sch", "sh").replace("tch", "ch")
    plain = plain.translate(str.maketrans("cgqwyj", "kkkvii")).removesuffix("s")
    letters = plain[0] + "".join(c for c in plain[1:] if c not in "aeiouh")
    return "".join(c for k, c in enumerate(letters) if k == 0 or letters[k - 1] != c)


def _quoted(passage: Passage, mention: Mention) -> str:
    return f"“{passage.text[mention.start : mention.end]}”"


KIND = NameKind()
