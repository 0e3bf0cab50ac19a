"""Names of persons, places, organisations, works and brands, by their capitals.

A name is the same in full or in part ("Dr Jane Smith", "Smith"), as initials ("World Health Organization", "WHO"), as the
adjective of a place ("France", "French"), with or without accents. It was changed where another name stands in its place,
between words that are linked; a name that gave way to a pronoun or a description is merely gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ...lexicon import related
from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention, group_of, surroundings
from ._capitals import common, fold, is_acronym, names, place_at
from ._places import FORMS, GENERIC, LINKS, NO_NAMES, PLACES
from ._slot import Slot, slot

NO_CAPITALS = "This text has no capitals: names cannot be told from other words."
_NEAR = 0.6


class NameKind(Kind):
    """Names."""

    name = "name"

    def find(self, passage: Passage) -> list[Mention]:
        words = passage.words
        return [
            Mention(words[n.first].start, words[n.last].end, n.first, n.last, (n.sort, *n.parts), weak=n.weak)
            for n in names(passage)
        ]

    def notes(self, pair: Pair) -> Iterator[str]:
        for passage in (pair.source, pair.output):
            if passage.words and not passage.has_capitals and any(w.content for w in passage.words):
                yield NO_CAPITALS

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        in_output, in_source = _Index(pair.output, after), _Index(pair.source, before)
        places_a = {id(a): in_output.places(a) for a in before}
        places_b = {id(b): in_source.places(b) for b in after}
        inside_a = {id(a): _inside(pair, 0, a, places_a[id(a)]) for a in before}
        inside_b = {id(b): _inside(pair, 1, b, places_b[id(b)]) for b in after}
        exchanged = _exchanged(pair, before, after, inside_a, inside_b)
        moved = {id(a) for a, _ in exchanged} | {id(b) for _, b in exchanged}
        changed = list(self._changed(pair, before, after, places_a, places_b, inside_a, inside_b))
        moved |= {id(m) for f in changed for m in (f.before, f.after)}
        for a, b in exchanged:
            yield Finding(
                "changed", a, b, "exchanged",
                f"In the original {_quoted(pair.source, a)} stands here, in the simplified text {_quoted(pair.output, b)}; "
                "two names seem to have changed places.",
            )
        yield from changed
        for a in before:
            if a.weak or id(a) in moved:
                continue
            places = inside_a[id(a)] or places_a[id(a)]
            if not places:
                yield Finding("gone", a, None, "gone", f"The simplified text does not name {_quoted(pair.source, a)}.")
            else:
                pattern = "same" if inside_a[id(a)] else "elsewhere"
                yield Finding("same", a, in_output.mention(places[0]), pattern, "Both texts have this name.")
        for b in after:
            if not b.weak and id(b) not in moved and not places_b[id(b)]:
                pattern = "new place" if b.value[0] == "place" and b.value[1] in FORMS else "new"
                yield Finding("new", None, b, pattern, f"The original does not name {_quoted(pair.output, b)}.")

    def _changed(
        self,
        pair: Pair,
        before: Sequence[Mention],
        after: Sequence[Mention],
        places_a: dict[int, list[int]],
        places_b: dict[int, list[int]],
        inside_a: dict[int, list[int]],
        inside_b: dict[int, list[int]],
    ) -> Iterator[Finding]:
        """Names that stand where the original has another one that is nowhere in those sentences."""
        open_a: dict[int, list[Mention]] = defaultdict(list)
        for a in before:
            if not inside_a[id(a)]:
                open_a[group_of(pair, 0, a)].append(a)
        scored = []
        for b in after:
            group = group_of(pair, 1, b)
            if inside_b[id(b)] or group < 0:
                continue
            for a in open_a.get(group, ()):
                if a.weak and b.weak:
                    continue
                where = slot(pair, a, b)
                pattern = _pattern(pair, a, b, where, bool(places_a[id(a)]), bool(places_b[id(b)]))
                if pattern:
                    scored.append((where.score, where.near, -a.start, -b.start, a, b, pattern))
        scored.sort(key=lambda row: row[:4], reverse=True)
        used: set[int] = set()
        for _, _, _, _, a, b, pattern in scored:
            if id(a) not in used and id(b) not in used:
                used |= {id(a), id(b)}
                yield Finding(
                    "changed", a, b, pattern,
                    f"The original says {_quoted(pair.source, a)}; the simplified text says {_quoted(pair.output, b)} in its place.",
                )


def _pattern(pair: Pair, a: Mention, b: Mention, where: Slot, elsewhere_a: bool, elsewhere_b: bool) -> str | None:
    """The evidence for a changed name, or None."""
    if not (where.strict or where.loose):
        return None
    sorts = {a.value[0], b.value[0]}
    known = sorts - {"", "word"}
    if len(known) > 1 or a.weak or b.weak or "word" in sorts or elsewhere_a:
        return None if not where.strict or elsewhere_b or "word" in sorts else "name in doubt"
    if elsewhere_b:
        return "other name" if where.strict else None
    if _alike(a, b):
        return "spelling"
    return "name" if where.strict else "name in doubt"


def _exchanged(
    pair: Pair,
    before: Sequence[Mention],
    after: Sequence[Mention],
    inside_a: dict[int, list[int]],
    inside_b: dict[int, list[int]],
) -> list[tuple[Mention, Mention]]:
    """Names of one group of sentences that stand in each other's places."""
    by_group: dict[int, list[Mention]] = defaultdict(list)
    for b in after:
        if inside_b[id(b)] and not b.weak:
            by_group[group_of(pair, 1, b)].append(b)
    crossed: list[tuple[Mention, Mention]] = []
    for a in before:
        if not inside_a[id(a)] or a.weak:
            continue
        for b in by_group.get(group_of(pair, 0, a), ()):
            if not set(inside_b[id(b)]) & set(range(a.first, a.last + 1)) and slot(pair, a, b).strict:
                crossed.append((a, b))
    out = []
    for a, b in crossed:
        for c, d in crossed:
            there = set(inside_a[id(a)]) & set(range(d.first, d.last + 1))
            back = set(inside_a[id(c)]) & set(range(b.first, b.last + 1))
            if a is not c and there and back:
                out.append((a, b))
                break
    return out


class _Index:
    """Where the words, the places and the initials of a text stand."""

    def __init__(self, passage: Passage, mentions: Sequence[Mention]) -> None:
        self.passage = passage
        self.mentions = mentions
        self.by_word: dict[str, list[int]] = defaultdict(list)
        self.by_place: dict[str, list[int]] = defaultdict(list)
        self.by_frame: dict[str, list[int]] = defaultdict(list)
        self.at: dict[int, Mention] = {}
        for i, word in enumerate(passage.words):
            if word.text[0].isalnum():
                self.by_word[fold(word.text)].append(i)
                if found := place_at(passage.words, i):
                    self.by_place[found[0]].append(i)
        for m in mentions:
            for i in range(m.first, m.last + 1):
                self.at[i] = m
                word = passage.words[i].text
                if len(word) > 4:
                    self.by_frame[frame(fold(word))].append(i)
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
        sort, *parts = mention.value
        names = [str(p) for p in parts]
        if sort == "place" and names[0] in FORMS and len(names) == 1:
            return self.by_place.get(names[0], [])
        out = [i for i in self._parts(names) if self._agrees(names, i)]
        if not out and len(names) > 1:
            out = self._whole(names)
        if not out and sort != "place" and len(names) == 1 and 2 < len(names[0]) < 8:
            out = self._expanded(names[0].removesuffix("s"))
        if not out and len(names) > 1:
            initials = "".join(n[0] for n in names if n not in LINKS)
            out = [i for form in (initials, initials + "s") for i in self.by_word.get(form, []) if is_acronym(self.passage.words[i].text)]
        if not out:
            out = [i for n in names if len(n) > 4 and n not in GENERIC for i in self.by_frame.get(frame(n), []) if self._agrees(names, i)]
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
        if not all(places):
            return []
        first = places[0] or []
        return [i for i in first if all(any(abs(i - k) < 8 for k in other or ()) for other in places)]

    def _expanded(self, acronym: str) -> list[int]:
        """The words that an acronym stands for, by their first letters."""
        found = self.initials.find(acronym)
        return [self.content[found]] if found >= 0 else []


@lru_cache(20_000)
def frame(word: str) -> str:
    """What spellings of one name have in common: the consonants, those that sound alike as one."""
    if len(word) < 5:
        return word
    plain = word.replace("ph", "f").replace("ck", "k").replace("sch", "sh").replace("tch", "ch")
    plain = plain.translate(str.maketrans("cqwyj", "kkvii")).removesuffix("s")
    letters = plain[0] + "".join(c for c in plain[1:] if c not in "aeiouh")
    return "".join(c for k, c in enumerate(letters) if k == 0 or letters[k - 1] != c)


def _alike(a: Mention, b: Mention) -> bool:
    """Whether two names look like two spellings of one."""
    first, second = str(a.value[-1]), str(b.value[-1])
    if min(len(first), len(second)) < 5 or first[0] != second[0]:
        return False
    same = 0
    while same < min(len(first), len(second)) and first[same] == second[same]:
        same += 1
    tail = 0
    while tail < min(len(first), len(second)) - same and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    return max(len(first), len(second)) - same - tail <= 1


def _inside(pair: Pair, side: int, mention: Mention, places: Sequence[int]) -> list[int]:
    """Those places that belong to the sentences of a name."""
    group = group_of(pair, side, mention)
    passage, groups = (pair.output, pair.group_of_output) if side == 0 else (pair.source, pair.group_of_source)
    return [i for i in places if groups.get(passage.words[i].sentence, -2) == group]


def _quoted(passage: Passage, mention: Mention) -> str:
    return f"“{passage.text[mention.start : mention.end]}”"


KIND = NameKind()
