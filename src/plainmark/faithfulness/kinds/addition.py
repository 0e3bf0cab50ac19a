"""Additions: clauses and sentences that state what the original does not: a reason, a result, an event, a number.

Simplifications reword, define and explain, so that new words alone prove nothing. A clause is an addition if hardly any
of its words is related to a word of the original nearby, and if the original has no words left there that it could reword:
all of them have their counterparts elsewhere in the simplified text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention
from ._statements import Statement, statements, tells_past

_NEW = 0.7  # of the content words of an addition, at least so many must be new
_WORDS = 2  # and so many in number
_PER_WORD = 4  # a word of the original may be explained by so many words; fewer new ones may come from it
_REACH = 2  # sentences of the original around the place that belong to its neighbourhood
_PREFIX = 5  # words that begin with so many equal letters are related


@dataclass(frozen=True, slots=True)
class Clause(Mention):
    """A clause; `about` are its content words, `joint` says what joins it to the rest of its sentence."""

    joint: str = ""
    sentence: int = 0


class Additions(Kind):
    """What the original does not state."""

    name = "addition"

    def find(self, passage: Passage) -> list[Mention]:
        return [_clause(passage, statement) for statement in statements(passage)]

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        novelty = Novelty(pair)
        by_sentence: dict[int, list[Clause]] = {}
        for clause in after:
            if isinstance(clause, Clause):
                by_sentence.setdefault(clause.sentence, []).append(clause)
        for sentence, clauses in by_sentence.items():
            unlinked = sum(pair.linked(1, j) is None for clause in clauses for j in clause.about)
            if unlinked >= _WORDS:
                yield from novelty.additions(sentence, clauses)


class Novelty:
    """Which words of the output are new, and how many words of the original are left to be reworded."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self._near: dict[range, tuple[set[str], set[str], set[str]]] = {}
        self._is_new: dict[int, bool] = {}

    @cached_property
    def _bases(self) -> set[str]:
        return {form for w in self.pair.source.words for form in (w.base, w.lower)}

    def additions(self, sentence: int, clauses: Sequence[Clause]):
        around = self.neighbourhood(sentence)
        run: list[Clause] = []
        for clause in [*clauses, None]:
            if clause is not None and clause.joint not in ("aside", "example"):
                new = sum(self.is_new(j, around) for j in clause.about)
                if new >= _NEW * len(clause.about) and (run or clause.joint != "x"):
                    run.append(clause)
                    continue
            if run:
                yield from self._addition(run, around)
                run = []

    def _addition(self, run: Sequence[Clause], around: range):
        content = [j for c in run for j in c.about]
        new = [j for j in content if self.is_new(j, around)]
        if len(new) < _WORDS:
            return
        room = self.room(run, around)
        local = self.local_room(run)
        yield run, new, room, local

    def neighbourhood(self, sentence: int) -> range:
        """The sentences of the original that a sentence of the output may come from."""
        pair = self.pair
        end = len(pair.source.sentences)
        own = self._sources(sentence)
        if own:
            return range(max(min(own) - _REACH, 0), min(max(own) + _REACH + 1, end))
        left = next((s for t in range(sentence - 1, -1, -1) if (s := self._sources(t))), (0,))
        right = next(
            (s for t in range(sentence + 1, len(pair.output.sentences)) if (s := self._sources(t))), (end - 1,)
        )
        low, high = sorted((max(left), min(right)))
        return range(max(low - _REACH, 0), min(high + _REACH + 1, end))

    def _sources(self, sentence: int) -> tuple[int, ...]:
        group = self.pair.group_of_output.get(sentence)
        return self.pair.groups[group].source if group is not None else ()

    def is_new(self, j: int, around: range) -> bool:
        """Whether a word has no counterpart, is nowhere in the original, and is related to no word around the place."""
        known = self._is_new.get(j)
        if known is None:
            known = self._is_new[j] = self._looks_new(j, around)
        return known

    def _looks_new(self, j: int, around: range) -> bool:
        word = self.pair.output.words[j]
        if self.pair.linked(1, j) or word.base in self._bases or word.lower in self._bases:
            return False
        entry = lexicon.lexeme(word.lower)
        keys, reach, beginnings = self._forms(around)
        return (
            reach.isdisjoint(entry.keys)
            and keys.isdisjoint(entry.reach)
            and word.lower[:_PREFIX] not in beginnings
        )

    def _forms(self, around: range) -> tuple[set[str], set[str], set[str]]:
        """Of the words of some sentences of the original: their forms, what they are related to, and how they begin."""
        forms = self._near.get(around)
        if forms is None:
            keys: set[str] = set()
            reach: set[str] = set()
            beginnings: set[str] = set()
            for sentence in around:
                for i in self.pair.source.sentence_words(sentence):
                    word = self.pair.source.words[i]
                    if word.content:
                        entry = lexicon.lexeme(word.lower)
                        keys.update(entry.keys)
                        reach.update(entry.reach)
                        beginnings.add(word.lower[:_PREFIX])
            forms = self._near[around] = keys, reach, beginnings
        return forms

    def room(self, run: Sequence[Clause], around: range) -> int:
        pair = self.pair
        sentence = run[0].sentence
        own = self._sources(sentence) or around
        left = sum(
            pair.source.words[i].content and i not in pair.after
            for s in own
            for i in pair.source.sentence_words(s)
        )
        return left

    def local_room(self, run) -> int:
        """free source words next to the partners of the words around the run"""
        pair = self.pair
        out = pair.output
        inside = out.sentence_words(run[0].sentence)
        words = pair.source.words
        i1 = next((l.i for j in range(run[0].first - 1, inside.start - 1, -1) if (l := pair.before.get(j))), None)
        i2 = next((l.i for j in range(run[-1].last + 1, inside.stop) if (l := pair.before.get(j))), None)
        if i1 is None and i2 is None:
            return -1
        free = 0
        for i, step in ((i1, 1), (i2, -1)):
            if i is None: continue
            sent = pair.source.sentence_words(words[i].sentence)
            k = i + step
            n = 0
            while k in sent and not (words[k].content and k in pair.after):
                n += words[k].content
                k += step
            free = max(free, n)
        return free


def _clause(passage: Passage, statement: Statement) -> Clause:
    words = passage.words
    return Clause(
        words[statement.first].start,
        words[statement.last].end,
        statement.first,
        statement.last,
        (statement.joint,),
        statement.content,
        joint=statement.joint,
        sentence=statement.sentence,
    )


KIND = Additions()
