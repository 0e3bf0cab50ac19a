"""Statements that the source denies and the output asserts, in any sentence: for places that are not in aligned sentences.

A denial without a counterpart is searched by the word that it denies. A place of the output with that word states the
opposite if it has the same words around it, if nothing there denies it, and if the source does not say it elsewhere without
a denial.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ... import lexicon
from ._denial import HEDGES, Denial, negative_word
from ._view import AGREEING, View, around

# Number of content words on either side of a denial, and of a place that may assert what it denies.
_AROUND_DENIAL, _AROUND_PLACE = 7, 6
# Distance in words within which another denial may deny the place as well, by tier.
_REACH = {1: 4, 2: 2, 3: 1}
# Number of places of a word that are examined, nearest to the expected position.
_TRIES = 20
# Words in more sentences than this say little about any of them.
_COMMON = 60
# Sentences with these words state something unknown, asked or wanted, or restricted.
_RESTRICTING = HEDGES | frozenset(
    "need should would could may might further future aim assess determine evaluate examine conflict conflicting search "
    "compare investigate look unclear uncertain".split()
)
# "Placebo or no treatment", "the no treatment group": nothing is denied.
_COMPARING = frozenset("or with to than versus vs and either a an the ( /".split())
# Words that may replace "not all".
PARTIAL = frozenset(
    "some many most several part parts partly sometimes usually often may might can could few certain half majority only "
    "mostly generally mainly largely perhaps possibly various other others".split()
)
# Required agreement of the surrounding words in aligned sentences, and elsewhere.
_GROUPED, _ELSEWHERE = 0.7, 1.6
# Number of surrounding words that must agree if the common word is not the first denied one.
_MANY = 4


class Asserted(NamedTuple):
    """A word of the output that asserts what a denial of the source denies, and how well the words around them agree."""

    word: int
    score: float


class Assertions:
    """Searches the output for statements that the source denies."""

    def __init__(
        self, view: View, rest: Sequence[Denial], before: Sequence[Denial], after: Sequence[Denial]
    ) -> None:
        self._view = view
        self._source, self._output = view.passages
        self._contexts: dict[tuple[int, int, int], list[int]] = {}
        self._forms: dict[str, list[int]] = {}
        for j, word in enumerate(self._output.words):
            if word.content:
                self._forms.setdefault(word.lower, []).append(j)
        words = {
            self._source.words[i].lower
            for m in rest
            for i in (*m.about[:3], *self._near(0, m.first, _AROUND_DENIAL))
        }
        self._partners: dict[str, dict[str, str]] = {}
        for (a, b), relation in lexicon.relations(words, self._forms).items():
            if relation in AGREEING:
                self._partners.setdefault(a, {})[b] = relation
        self._denied = {i for m in before if m.tier < 3 for i in m.about[:4]}
        self._denials: dict[int, list[Denial]] = {}
        for d in after:
            self._denials.setdefault(self._output.words[d.first].sentence, []).append(d)

    def of(self, m: Denial, partner: Denial | None, modifiers: Collection[str]) -> Asserted | None:
        """The place that best asserts what a denial denies, if one is good enough; `partner` seems to say the same."""
        source, output = self._source, self._output
        if not m.about or m.form == "but not" or self._is_conditional(m):
            return None
        previous = source.words[m.first - 1].lower if m.first else ""
        if previous == "but" or (m.form == "no" and previous in _COMPARING):
            return None
        around_denial = self._near(0, m.first, _AROUND_DENIAL)
        echoes = {b for i in around_denial for b in self._partners.get(source.words[i].lower, ())}
        noun = next((i for i in m.about if source.words[i].lower not in modifiers), -1)
        best: Asserted | None = None
        for rank, head in enumerate(dict.fromkeys((*m.about[:3], *(() if noun < 0 else (noun,))))):
            for j in self._places(m, head):
                near = self._near(1, j, _AROUND_PLACE)
                covered = sum(output.words[k].lower in echoes for k in near)
                grouped = self._view.group(0, head) == self._view.group(1, j)
                if partner is not None:  # something else may be denied in its place
                    if rank or not grouped or covered < self._kept(partner, echoes) + 2:
                        continue
                elif rank and head != noun and (not grouped or covered < _MANY or self._beside(j, echoes)):
                    continue
                if self._is_denied(m, j, echoes) or (m.form == "some" and PARTIAL & around(output, j)):
                    continue
                forms = {output.words[k].lower for k in near}
                shared = sum(
                    i != head and not forms.isdisjoint(self._partners.get(source.words[i].lower, ()))
                    for i in around_denial
                )
                score = 0.5 * shared + 2 * covered / (len(near) + 1)
                score -= 0.5 * len(self._restrictions(head, j))
                least = _GROUPED if grouped else _ELSEWHERE
                if score < least or (best is not None and score <= best.score):
                    continue
                bases = {output.words[k].base for k in near}
                rival = self._rival(m, head, bases)
                score -= 0.4 * rival
                if (
                    score >= least
                    and (best is None or score > best.score)
                    and not (rival and m.form in ("affix", "without"))
                    and (grouped or self._leads(head, bases | {output.words[j].base}))
                ):
                    best = Asserted(j, score)
        return best

    def _places(self, m: Denial, head: int) -> Iterator[int]:
        """Words of the output that state what is denied."""
        lower = self._source.words[head].lower
        if m.form == "affix":
            positive = None if lower.startswith("non") or lower == "unlike" else negative_word(lower)
            participle = not lower.removesuffix("ly").endswith(positive or "")  # "unwanted" is not "to want"
            forms = [
                form
                for form in self._forms
                if lexicon.base(form) == positive and (not participle or lower.endswith(form))
            ]
        else:
            forms = [
                b for b, relation in self._partners.get(lower, {}).items() if relation in ("same", "form")
            ]
        expected = head * len(self._output.words) // max(len(self._source.words), 1)
        for form in forms:
            places = self._forms[form]
            if len(places) > _TRIES:
                first = max(bisect_left(places, expected) - _TRIES // 2, 0)
                places = places[first : first + _TRIES]
            yield from places

    def _is_conditional(self, m: Denial) -> bool:
        """Whether a condition follows: "not unless", "not until"."""
        words = self._source.words
        rest = range(m.last + 1, self._source.sentence_words(words[m.first].sentence).stop)
        return any(words[i].lower in ("unless", "until") for i in rest)

    def _beside(self, j: int, echoes: set[str]) -> list[Denial]:
        """The denial in the sentence of a word of the output, unless both texts have that denial."""
        words = self._output.words
        return [
            d
            for d in self._denials.get(words[j].sentence, ())
            if d.word < 0 or words[d.word].lower not in echoes
        ]

    def _is_denied(self, m: Denial, j: int, echoes: set[str]) -> bool:
        """Whether something denies a word of the output, or may do so."""
        for d in self._beside(j, echoes):
            if d.tier == 3 and m.form == "affix":
                continue
            if (d.tier < 3 and j in d.wide) or j == d.word or j in d.about[:4]:
                return True
            if min(abs(d.first - j), abs(d.last - j)) <= _REACH[d.tier]:
                return True
        return False

    def _kept(self, partner: Denial, echoes: set[str]) -> int:
        """How many of the words around a denial of the output are also around one of the source."""
        return sum(self._output.words[k].lower in echoes for k in self._near(1, partner.first, _AROUND_PLACE))

    def _restrictions(self, i: int, j: int) -> set[str]:
        """Words around a place of the output that restrict the statement, unless the source has them as well."""
        return (around(self._output, j) - around(self._source, i)) & _RESTRICTING

    def _rival(self, m: Denial, head: int, bases: set[str]) -> int:
        """How many of the words around a place are also around the same word of the source without a denial."""
        words = self._source.words
        base = negative_word(words[head].lower) if m.form == "affix" else words[head].base
        places = self._bases.get(base or "", ())
        middle = bisect_left(places, head)
        return max(
            (
                len(bases & {words[k].base for k in self._near(0, i, _AROUND_DENIAL)})
                for i in places[max(middle - _TRIES, 0) : middle + _TRIES]
                if i != head and i not in self._denied
            ),
            default=0,
        )

    def _leads(self, head: int, bases: set[str]) -> bool:
        """Whether no other sentence of the source has more of these words than the sentence of a word."""
        counts = Counter(s for base in bases for s in self._sentences.get(base, ()))
        return counts[self._source.words[head].sentence] >= max(counts.values(), default=0)

    @cached_property
    def _bases(self) -> dict[str, list[int]]:
        """The places of the source's content words."""
        places: dict[str, list[int]] = {}
        for i, word in enumerate(self._source.words):
            if word.content:
                places.setdefault(word.base, []).append(i)
        return places

    @cached_property
    def _sentences(self) -> dict[str, set[int]]:
        """The sentences of the source that have a word, for words that are not too common."""
        sentences = {
            base: {self._source.words[i].sentence for i in places} for base, places in self._bases.items()
        }
        return {base: numbers for base, numbers in sentences.items() if len(numbers) <= _COMMON}

    def _near(self, side: int, index: int, reach: int) -> list[int]:
        key = side, index, reach
        if key not in self._contexts:
            self._contexts[key] = [k for k, _ in self._view.passages[side].near(index, reach)]
        return self._contexts[key]
