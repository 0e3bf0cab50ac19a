"""New words of a simplification, and the words of the original that they might reword."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from ... import lexicon
from ..alignment import Pair

_REACH = 2  # sentences of the original around a place that form its neighbourhood
_PREFIX = 5  # words with this number of equal initial letters are related
_MOST_NUMBERS = 25  # numbers of a neighbourhood that are combined,
_MOST_YEARS = 10  # and years of the whole text
_YEAR = re.compile(r"1\d{3}|20\d\d", re.ASCII)
# Words about the reported work itself, which say nothing about its subject.
_GENERAL = frozenset(
    "study trial research researcher scientist author review result finding find look identify include show report "
    "investigate examine analysis several additional requirement".split()
)
# Readers, whom a simplification may call "you".
_READERS = frozenset(
    "applicant resident tenant patient user claimant customer passenger traveller driver employee student parent person "
    "individual participant citizen people visitor member owner recipient".split()
)
_NUMERALS = dict(
    zip(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(),
        range(2, 17),
        strict=True,
    )
) | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100, "hundreds": 100}
_NUMERALS |= {"thousand": 1000, "thousands": 1000, "million": 10**6, "millions": 10**6, "billion": 10**9}


class _Forms(NamedTuple):
    """The sentences, in order, that contain a form, a related word, or a word with the same beginning."""

    keys: dict[str, list[int]]
    reach: dict[str, list[int]]
    beginnings: dict[str, list[int]]


class Novelty:
    """Words of the output without a counterpart, and words of the source without one."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self._is_new: dict[int, bool] = {}
        self._around: dict[int, range] = {}
        self._room: dict[tuple[int, bool], int] = {}

    def share(self, words: Sequence[int]) -> float:
        """The share of new words."""
        return len(self.new(words)) / len(words)

    def new(self, words: Iterable[int]) -> list[int]:
        """Words that have no counterpart, are nowhere in the original, and are related to no word around the place."""
        return [j for j in words if self.is_new(j)]

    def is_new(self, j: int) -> bool:
        """Whether a word of the output is new."""
        known = self._is_new.get(j)
        if known is None:
            word = self.pair.output.words[j]
            known = self._is_new[j] = (
                self.pair.linked(1, j) is None
                and word.base not in _GENERAL
                and word.base not in self._known
                and word.lower not in self._known
                and not self._is_related(word.lower, self.around(word.sentence))
            )
        return known

    @cached_property
    def _known(self) -> set[str]:
        return {form for w in self.pair.source.words for form in (w.base, w.lower)}

    def _is_related(self, lower: str, around: range) -> bool:
        entry, forms = lexicon.lexeme(lower), self._forms
        return (
            _has_any(forms.beginnings, (lower[:_PREFIX],), around)
            or _has_any(forms.reach, entry.keys, around)
            or _has_any(forms.keys, entry.reach, around)
        )

    @cached_property
    def _forms(self) -> _Forms:
        """The forms of the original's content words."""
        forms = _Forms({}, {}, {})
        for word in self.pair.source.words:
            if word.content:
                entry = lexicon.lexeme(word.lower)
                for table, keys in zip(
                    forms, (entry.keys, entry.reach, (word.lower[:_PREFIX],)), strict=True
                ):
                    for key in keys:
                        sentences = table.setdefault(key, [])
                        if not sentences or sentences[-1] != word.sentence:
                            sentences.append(word.sentence)
        return forms

    def around(self, sentence: int) -> range:
        """The sentences of the original from which a sentence of the output may come."""
        known = self._around.get(sentence)
        if known is None:
            known = self._around[sentence] = self._neighbourhood(sentence)
        return known

    def _neighbourhood(self, sentence: int) -> range:
        end = len(self.pair.source.sentences)
        own = self._sources(sentence)
        if not own:
            matched = self._matched
            k = bisect_left(matched, sentence)
            left = self._sources(matched[k - 1]) if k else (0,)
            right = self._sources(matched[k]) if k < len(matched) else (end - 1,)
            own = max(left), min(right)
        return range(max(min(own) - _REACH, 0), min(max(own) + _REACH + 1, end))

    @cached_property
    def _matched(self) -> list[int]:
        """The sentences of the output that are aligned with sentences of the original."""
        return [n for n in range(len(self.pair.output.sentences)) if self._sources(n)]

    def _sources(self, sentence: int) -> tuple[int, ...]:
        group = self.pair.group_of_output.get(sentence)
        return self.pair.groups[group].source if group is not None else ()

    def is_unmatched(self, sentence: int) -> bool:
        """Whether a sentence of the output is not aligned with any sentence of the original."""
        return not self._sources(sentence)

    def has_word(self, sentence: int, words: Collection[str]) -> bool:
        """Whether the original has one of some words in the neighbourhood of a sentence of the output."""
        source = self.pair.source
        return any(
            source.words[i].lower in words
            for s in self._sources(sentence) or self.around(sentence)
            for i in source.sentence_words(s)
        )

    def room(self, sentence: int, apart: Collection[int] | None) -> int:
        """The number of words of the original, in the neighbourhood of a sentence of the output, without a counterpart.

        New words of these sentences that are not `apart` reword some of them and are subtracted, unless `apart` is None.
        """
        key = self.pair.group_of_output.get(sentence, -1 - sentence), apart is None
        known = self._room.get(key)
        if known is None:
            source, output = self.pair.source, self.pair.output
            addressed = _READERS if self._addresses else frozenset()
            known = sum(
                source.words[i].content and i not in self.pair.after and source.words[i].base not in addressed
                for s in self._sources(sentence) or self.around(sentence)
                for i in source.sentence_words(s)
            )
            if key[0] >= 0 and known and apart is not None:
                known -= sum(
                    output.words[j].content and j not in apart and self.is_new(j)
                    for s in self.pair.groups[key[0]].output
                    for j in output.sentence_words(s)
                )
            self._room[key] = known = max(known, 0)
        return known

    @cached_property
    def _addresses(self) -> bool:
        """Whether the output speaks to its reader."""
        return any(w.lower in ("you", "your") for w in self.pair.output.words)

    def is_appended(self, first: int, last: int) -> bool:
        """Whether the words around a clause have counterparts with no unaligned word of the original next to them."""
        pair, words = self.pair, self.pair.source.words
        inside = pair.output.sentence_words(pair.output.words[first].sentence)
        left = next(
            (link.i for j in range(first - 1, inside.start - 1, -1) if (link := pair.before.get(j))), None
        )
        right = next((link.i for j in range(last + 1, inside.stop) if (link := pair.before.get(j))), None)
        if left is None and right is None:
            return False
        for i, step in ((left, 1), (right, -1)):
            if i is not None:
                own = pair.source.sentence_words(words[i].sentence)
                k = i + step
                while k in own and not words[k].content:
                    k += step
                if k in own and k not in pair.after:
                    return False
        return True

    def is_number(self, j: int, *, digits: bool = False) -> bool:
        """Whether a word is a number (or one in digits) that does not follow from nearby numbers of the original.

        Numbers in a name ("COVID-19"), of an item in a list, and in a compound ("three-part") do not count.
        """
        words = self.pair.output.words
        word = words[j]
        value = _value(word.lower)
        if value is None or (digits and not word.lower[0].isdigit()):
            return False
        before = words[j - 1] if j else None
        after = words[j + 1] if j + 1 < len(words) else None
        if before and before.text == "-" and before.end == word.start:
            return False
        if after and (
            after.text == "-" or (after.text in ".)" and (not before or before.sentence != word.sentence))
        ):
            return False
        numbers = self._numbers(self.around(word.sentence))
        if value in numbers:
            return False
        for a, b in combinations(numbers, 2):
            difference = abs(a - b)
            if value in (a + b, difference, difference - 1) or (
                b and value == round(100 * min(a, b) / max(a, b))
            ):
                return False
        return True

    def _numbers(self, around: range) -> list[float]:
        source = self.pair.source
        nearby = (source.words[i] for s in around for i in source.sentence_words(s))
        values = [value for word in nearby if word.content and (value := _value(word.lower)) is not None]
        return list(dict.fromkeys([*values[:_MOST_NUMBERS], *self._years]))

    @cached_property
    def _years(self) -> list[float]:
        """The first years of the whole text, from which ages can be computed."""
        years = [float(w.lower) for w in self.pair.source.words if _YEAR.fullmatch(w.lower)]
        return list(dict.fromkeys(years))[:_MOST_YEARS]


def _has_any(sentences: Mapping[str, list[int]], forms: Iterable[str], around: range) -> bool:
    """Whether one of some forms occurs in a range of sentences."""
    for form in forms:
        own = sentences.get(form)
        if own and (k := bisect_left(own, around.start)) < len(own) and own[k] < around.stop:
            return True
    return False


def _value(lower: str) -> float | None:
    """The value of a number in digits or of a numeral."""
    if lower[0].isdigit():
        try:
            return float(lower.replace(",", ""))
        except ValueError:
            return None
    return _NUMERALS.get(lower)
