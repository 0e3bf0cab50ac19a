"""Finds the names of one text in the other, in any form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..passage import Passage
from . import Mention
from ._capitals import place_at
from ._name_words import EQUIVALENT, FIRST_NAMES, FORMS, GENERIC, LINKS, PLACES, RANKS
from ._spelling import fold, is_acronym, part

_LONG_ACRONYM = 8


class NameIndex:
    """The places of the words, places and initials of a text."""

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
                if match := place_at(passage.words, i):
                    self.by_place[match[0]].append(i)
        for m in mentions:
            for i in range(m.first, m.last + 1):
                self.at[i] = m
                plain = fold(passage.words[i].text)
                if len(plain) > 4 or plain in FIRST_NAMES:
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
        """The words at which a name of the other text occurs, in any form."""
        if mention.value not in self._places:
            self._places[mention.value] = self._find(*mention.value)
        return self._places[mention.value]

    def inside(self, mention: Mention, group: int) -> list[int]:
        """Those places that are in one group of sentences."""
        if mention.value not in self._by_group:
            by_mention: dict[int, list[int]] = defaultdict(list)
            for i in self.places(mention):
                by_mention[self.groups.get(self.passage.words[i].sentence, -2)].append(i)
            self._by_group[mention.value] = by_mention
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
                if (len(n) > 4 or n in FIRST_NAMES) and n not in GENERIC
                for i in self.by_frame.get(frame(n), [])
                if self._agrees(names, i)
            ]
        if not out and (place := PLACES.get(tuple(names))):
            out = self.by_place.get(place, [])
        return out

    def _parts(self, names: Sequence[str]) -> Iterator[int]:
        telling = [n for n in names if n not in GENERIC and len(n) > 1] or names
        for n in dict.fromkeys(telling):
            yield from self.by_word.get(n, [])
            yield from self.by_word.get(n + "s", [])
            if n.endswith("s"):
                yield from self.by_word.get(n[:-1], [])

    def _agrees(self, names: Sequence[str], i: int) -> bool:
        """Whether the name at word i has all the words of the other one, or vice versa."""
        other = self.at.get(i)
        if other is None and len(names) > 1 and self.passage.words[i].text in RANKS:
            return False  # "the duke" may be any
        if other is None:
            return len(names) == 1 or not self.passage.words[i].text[0].isupper()
        parts = _frames(tuple(map(str, other.value[1:])))
        own = _frames(tuple(names))
        return parts <= own or own <= parts

    def _whole(self, names: Sequence[str]) -> list[int]:
        """The words of a name that are near each other without being one name there."""
        telling = [n for n in names if n not in LINKS and len(n) > 1]
        places = [self.by_word.get(n) for n in telling]
        if not places or not all(places):
            return []
        first = places[0] or []
        return [i for i in first if all(any(abs(i - k) < 8 for k in other or ()) for other in places)]

    def _expanded(self, acronym: str) -> list[int]:
        """The words whose first letters form an acronym."""
        out = []
        start = self.initials.find(acronym)
        while start >= 0:
            first = self.content[start]
            # Two letters may match by chance, so the words should be a name, such as Parkinson's disease.
            if len(acronym) > 2 or first in self.at:
                out.append(first)
            start = self.initials.find(acronym, start + 1)
        return out


@lru_cache(2_000)
def _frames(names: tuple[str, ...]) -> frozenset[str]:
    """The frames of the words of a name that distinguish it from others."""
    return frozenset(frame(n) for n in names if n not in LINKS and len(n) > 1)


@lru_cache(20_000)
def frame(word: str) -> str:
    """The common part of the forms of a name: the first name in full, or the consonants, with similar sounds merged."""
    word = FIRST_NAMES.get(word, word)
    if len(word) < 5:
        return word
    plain = word.replace("ph", "f").replace("ck", "k").replace("sch", "sh").replace("tch", "ch")
    plain = plain.translate(str.maketrans("cgqwyj", "kkkvii")).removesuffix("s")
    letters = plain[0] + "".join(c for c in plain[1:] if c not in "aeiouh")
    return "".join(c for k, c in enumerate(letters) if k == 0 or letters[k - 1] != c)
