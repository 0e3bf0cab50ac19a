"""Technical nouns: drugs, diseases, parts of the body, organisms, chemicals, groups of people, treatments.

A term is the same as its synonyms, its lay words and the more general words for it. It was changed if another term of its
class, which is none of these, is in its place; a term that was replaced by an explanation is only gone. The lexicon
identifies terms; capitalised words and acronyms belong to the kind `name`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention, group_of, surroundings
from ._sisters import replaced_sisters
from ._slot import Echoes, Slot, Slots
from ._spelling import alike, rank
from ._term_words import (
    CLASSES,
    EXPLAINING,
    KIN,
    PEOPLE,
)
from ._terms import terms
from ._things import replaced_things
from .role import is_flipped

_KIN = frozenset(("same", "form", "synonym", "hypernym", "hyponym"))
_CROSSED = 1.3
_ECHO = 2.5  # share of the words around a foreign term that are around another one in the source
_ECHO_NEAR = 1.4
_ECHO_BESIDE = 2.4  # the same if the other one is in the same sentence
_BESIDE = 10
_CLOSE = 3
_NEAR = 0.5
_RARE = 25_000
_DOUBTFUL = ("term in doubt", "other term in doubt", "term nearby")
_ALONE = 0.3


class TermKind(Kind):
    """Technical nouns."""

    name = "term"

    def find(self, passage: Passage) -> list[Mention]:
        return terms(passage)

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        index = (_Index(pair, 1, after), _Index(pair, 0, before))
        slots = Slots(pair, before, after)
        inside = {id(a): index[0].places(a, group_of(pair, 0, a)) for a in before}
        inside |= {id(b): index[1].places(b, group_of(pair, 1, b)) for b in after}
        by_class: dict[tuple[int, object], list[Mention]] = defaultdict(list)
        retained: set[int] = set()  # terms that the other text has at their own place
        for a in before:
            by_class[group_of(pair, 0, a), a.value[0]].append(a)
            mates = (index[0].mention(j) for j in inside[id(a)])
            if any(slots.has(b) and slots.slot(a, b).score >= 1 for b in mates):
                retained.add(id(a))
        for b in after:
            mates = (index[1].mention(i) for i in inside[id(b)])
            if any(slots.has(a) and slots.slot(a, b).score >= 1 for a in mates):
                retained.add(id(b))
        new: dict[tuple[int, object], int] = defaultdict(int)
        for b in after:
            new[group_of(pair, 1, b), b.value[0]] += not (b.weak or index[1].anywhere(b))
        scored = list(_exchanged(slots, by_class, after, index, inside))
        for b in after:
            if id(b) in retained:
                continue
            foreign = not index[1].anywhere(b)
            places = {id(a): slot for a, slot in slots.candidates(b)}
            for a in by_class.get((group_of(pair, 1, b), b.value[0]), ()):
                if id(a) in retained or not _differ(a, b) or _explains(pair.output, b, inside[id(a)]):
                    continue
                if _akin(_compound(pair.source, a), _compound(pair.output, b)):
                    continue
                slot = places.get(id(a)) or Slot(0.0, surroundings(pair, a, b) if foreign else 0.0)
                pattern = _pattern(a, slot, foreign, bool(inside[id(a)] or inside[id(b)]))
                key = group_of(pair, 1, b), b.value[0]
                if (
                    not pattern
                    and foreign
                    and slot.near >= _ALONE
                    and new[key] == 1
                    and not _in_brackets(pair.output, b)
                ):
                    gone = [m for m in by_class[key] if not m.weak and not inside[id(m)]]
                    pattern = "term in doubt" if gone == [a] else None
                if pattern in _DOUBTFUL and _is_lay(a, b):
                    pattern = None
                known = a.value[1] in CLASSES and b.value[1] in CLASSES  # employer, employee
                if pattern and pattern != "letter" and not known and alike(a.value[1:], b.value[1:]):
                    pattern = "spelling"
                if pattern:
                    scored.append((slot.score, slot.near, -a.start, -b.start, a, b, pattern))
        scored.sort(key=lambda row: row[:4], reverse=True)
        scored += _echoes(
            pair,
            [a for a in before if id(a) not in retained],
            [b for b in after if id(b) not in retained and not index[1].anywhere(b)],
            index[0],
        )
        taken = {
            (side, i)
            for side, some in ((0, before), (1, after))
            for m in some
            for i in range(m.first, m.last + 1)
        }
        scored += ((0.0, 0.0, 0, 0, *row) for row in replaced_things(pair, taken))
        done: set[int] = set()
        flagged: set[tuple[int, int]] = set()
        for _, _, _, _, a, b, pattern in scored:
            if id(a) not in done and id(b) not in done and not is_flipped(pair, a, b):
                done |= {id(a), id(b)}
                flagged |= {(0, a.first), (1, b.first)}
                yield Finding("changed", a, b, pattern, _reason(pair, a, b))
        for a, b, pattern in replaced_sisters(pair):
            if flagged.isdisjoint(((0, a.first), (1, b.first))):
                done |= {id(m) for m in before if m.first == a.first}
                done |= {id(m) for m in after if m.first == b.first}
                yield Finding("changed", a, b, pattern, _reason(pair, a, b))
        for a in before:
            if id(a) in done or a.weak:
                continue
            if positions := inside[id(a)]:
                yield Finding("same", a, index[0].mention(positions[0]), "same", "Both texts have it.")
            elif positions := index[0].anywhere(a):
                yield Finding(
                    "same",
                    a,
                    index[0].mention(positions[0]),
                    "elsewhere",
                    "The simplified text has it elsewhere.",
                )
            else:
                yield Finding("gone", a, None, "gone", "The simplified text does not have it.")
        for b in after:
            if id(b) not in done and not b.weak and not inside[id(b)] and not index[1].anywhere(b):
                yield Finding("new", None, b, "new", "The original does not have it.")


_Row = tuple[float, float, int, int, Mention, Mention, str]


def _exchanged(
    slots: Slots,
    by_class: dict[tuple[int, object], list[Mention]],
    after: Sequence[Mention],
    index: tuple[_Index, _Index],
    inside: dict[int, list[int]],
) -> Iterator[_Row]:
    """Two terms of a class that have exchanged places and are nowhere in their own."""
    for b in after:
        own = [index[1].mention(i) for i in inside[id(b)]]
        if b.weak or len(own) != 1 or not slots.has(own[0]) or own[0].weak:
            continue
        c = own[0]
        for a in by_class.get((group_of(slots.pair, 1, b), b.value[0]), ()):
            others = [index[0].mention(j) for j in inside[id(a)]]
            if a.weak or len(others) != 1 or not slots.has(others[0]) or not _differ(a, b):
                continue
            d = others[0]
            crossed = slots.slot(a, b).score, slots.slot(c, d).score
            straight = max(slots.slot(a, d).score, slots.slot(c, b).score)
            if straight == 0 and crossed[0] >= _CROSSED and crossed[1] >= 1 and d is not b and c is not a:
                yield sum(crossed), 0.0, -a.start, -b.start, a, b, "exchanged"


class _Index:
    """The places of one text's terms, their synonyms and hypernyms in the other text."""

    def __init__(self, pair: Pair, side: int, mentions: Sequence[Mention]) -> None:
        self._pair, self._side = pair, side
        self._passage = pair.output if side else pair.source
        self._groups = pair.group_of_output if side else pair.group_of_source
        self._by_base: dict[str, list[int]] = defaultdict(list)
        self._at: dict[int, Mention] = {}
        for i, word in enumerate(self._passage.words):
            if word.content:
                self._by_base[word.base].append(i)
        for m in mentions:
            self._at.setdefault(m.first, m)
            if m.last > m.first or m.value[1] != self._passage.words[m.first].base:
                self._by_base[str(m.value[1])].append(m.first)
        self._terms = dict.fromkeys(str(m.value[1]) for m in mentions)  # in the order of the text
        self._known: dict[str, list[int]] = {}
        self._by_group: dict[str, dict[int, list[int]]] = {}

    def mention(self, i: int) -> Mention:
        """The term at a word, or the word."""
        word = self._passage.words[i]
        return self._at.get(i) or Mention(word.start, word.end, i, i, ("", word.base))

    def anywhere(self, term: Mention) -> list[int]:
        """All the places of a term of the other text."""
        name = str(term.value[1])
        if name not in self._known:
            self._known[name] = list(self._find(name))
        return self._known[name]

    def places(self, term: Mention, group: int) -> list[int]:
        """The places in one group of sentences."""
        name = str(term.value[1])
        if name not in self._by_group:
            by_term: dict[int, list[int]] = defaultdict(list)
            for i in self.anywhere(term):
                by_term[self._groups.get(self._passage.words[i].sentence, -2)].append(i)
            self._by_group[name] = by_term
        return self._by_group[name].get(group, [])

    def _find(self, name: str) -> Iterator[int]:
        for form in (name, *sorted(lexicon.synonyms(name) & self._by_base.keys())):
            yield from self._by_base.get(form, ())
        for form in sorted(lexicon.hypernyms(name) & self._by_base.keys()):
            yield from (i for i in self._by_base[form] if not self._taken(i))
        for form in self._terms:
            if form != name and lexicon.related(name, form) in _KIN:
                yield from self._by_base.get(form, ())

    def _taken(self, i: int) -> bool:
        """Whether a word corresponds to the same word of the other text."""
        link = self._pair.linked(self._side, i)
        return link is not None and link.relation in ("same", "form")


def _is_lay(a: Mention, b: Mention) -> bool:
    """Whether a rare word of medicine or biology was replaced by common ones, as is usual in simplification."""
    if a.value[0] == "substance":
        return False
    words = [max(rank(w) for w in str(m.value[1]).split()) for m in (a, b)]
    return words[0] > _RARE > words[1]


def _explains(passage: Passage, b: Mention, places: Sequence[int]) -> bool:
    """Whether a term of the output explains the one shortly before it: "edema (swelling)"."""
    for j in places:
        between = passage.words[j + 1 : b.first]
        if 0 < len(between) < _BESIDE and any(w.lower in EXPLAINING for w in between):
            return True
        if 0 < len(between) <= _CLOSE and any(w.lower in (",", "or", "–", "—") for w in between):
            return True
    return False


def _differ(a: Mention, b: Mention) -> bool:
    """Whether two terms of one class exclude each other."""
    first, second = str(a.value[1]), str(b.value[1])
    if str(a.value[0]).endswith("…") and (first.startswith(second) or second.startswith(first)):
        return False  # vitamin D, vitamin D3
    if a.value[0] == "people" and not _exclusive(first, second):
        return False
    return first != second and lexicon.related(first, second) not in _KIN and not _akin(first, second)


def _compound(passage: Passage, m: Mention) -> str:
    """A term with the word before it if the lexicon has the two as one: "sodium chloride"."""
    words = passage.words
    name = str(m.value[1])
    if m.first and words[m.first - 1].content and words[m.first - 1].sentence == words[m.first].sentence:
        whole = f"{words[m.first - 1].lower} {name}"
        return whole if lexicon.is_known(whole) else name
    return name


def _exclusive(a: str, b: str) -> bool:
    """Whether two words cannot describe the same person: by sex, age, or as members of a family."""
    if a in KIN and b in KIN:
        return a != b
    return any(
        x and y and x != y for x, y in zip(PEOPLE.get(a, ("", "")), PEOPLE.get(b, ("", "")), strict=True)
    )


def _pattern(a: Mention, slot: Slot, foreign: bool, repeated: bool) -> str | None:
    """The evidence for a changed term, or None; a foreign term is nowhere in the source."""
    if str(a.value[0]).endswith("…"):
        return "letter" if slot.loose and not repeated else None
    if foreign and slot.strict:
        return "term" if not repeated else "repeated term"
    if foreign:
        if slot.loose:
            return "term in doubt"
        return "term nearby" if slot.near >= _NEAR else None
    if repeated:
        return "repeated term" if slot.sure else None
    if slot.strict:
        return "other term"
    return "other term in doubt" if slot.loose else None


def _echoes(pair: Pair, before: Sequence[Mention], foreign: Sequence[Mention], output: _Index) -> list[_Row]:
    """Foreign terms among words that are around another term of their class in the source, which is missing there."""
    if not foreign:
        return []
    echoes = Echoes(pair, before)
    words = pair.output.words
    uses = Counter(b.value for b in foreign)
    scored = []
    for b in foreign:
        if b.weak or b.value[1] == "blood" or _in_brackets(pair.output, b):
            continue
        sentence = words[b.first].sentence
        for echo in echoes.of(b):
            a = echo.mention
            if a.value[0] != b.value[0] or str(a.value[0]).endswith("…"):
                continue
            places = output.anywhere(a)
            beside = any(words[j].sentence == sentence for j in places)
            if echo.near < (_ECHO_BESIDE if beside else _ECHO_NEAR) or echo.score < _ECHO:
                continue
            renamed = not places and uses[b.value] > 1
            if not renamed and not _explains(pair.output, b, places) and _differ(a, b) and not _is_lay(a, b):
                scored.append((echo.score, echo.near, -a.start, -b.start, a, b, "term nearby"))
    scored.sort(key=lambda row: row[:4], reverse=True)
    return scored


def _in_brackets(passage: Passage, mention: Mention) -> bool:
    """Whether a mention is in brackets, like an explanation."""
    start = passage.sentences[passage.words[mention.first].sentence][0]
    before = passage.text[start : mention.start]
    return before.count("(") > before.count(")")


@lru_cache(20_000)
def _akin(a: str, b: str) -> bool:
    """Whether two terms have a synonym in common, or one ends in the other, like "osteoarthritis" in "arthritis"."""
    if a.split()[-1] == b.split()[-1] or (min(len(a), len(b)) > 4 and (a.endswith(b) or b.endswith(a))):
        return True
    return not lexicon.synonyms(a).isdisjoint(lexicon.synonyms(b))


def _reason(pair: Pair, a: Mention, b: Mention) -> str:
    before, after = pair.source.text[a.start : a.end], pair.output.text[b.start : b.end]
    return f"The original says “{before}”; the simplified text says “{after}” in its place."


KIND = TermKind()
