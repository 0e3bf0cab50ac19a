"""Additions: clauses and sentences that state what the original does not: a reason, a result, an event, a number.

Simplifications reword, define and explain, so that new words alone prove nothing. A clause is called an addition if nearly
all of its words are new, related to no word of the original nearby, if it tells more than what a term means, and if one of
these holds:
    covered     the original has no words left at this place that the clause could reword: all have counterparts elsewhere
    appended    (", appended") it has words left, but none next to the counterparts of the words around the clause
    unmatched   (", unmatched") no sentence of the original belongs to the sentence
    free        (", free") none of these, but all words of the clause are new
Patterns are called after what is added. Statements in the present without a number are most often explanations, and are
merely listed as new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention
from ._novelty import Novelty
from ._statements import MARKS, Statement, statements, tells_past, tells_rule

_NEW = 0.7  # of the content words of an addition at least so many are new
_WORDS = 2  # and so many in number
_MORE_WORDS = 3  # where the place proves less
_PER_WORD = 4  # a word of the original may be reworded by so many new ones
_EXPLANATIONS = ("aside", "example")
# Words by which a clause explains a term, and forms of "be" that do so before others.
_EXPLAINS = frozenset(
    "means mean meaning called known refers referred refer defined example examples namely aka termed named i.e. e.g. "
    "types type kind kinds form forms".split()
)
_BE = frozenset("is are was were 's be".split())
_COMPLEMENTS = frozenset("a an the when where how what one called known used".split())
_REASONS = {
    "cause": "The original gives no such reason",
    "result": "The original names no such result",
    "condition": "The original does not have this condition",
    "purpose": "The original gives no such purpose",
    "rule": "The original does not say what must or will be done here",
    "number": "The original has neither this number nor what is said of it",
    "event": "The original does not say that this happened",
    "statement": "The original does not say this; it may be an explanation",
}


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
        for clauses in by_sentence.values():
            for run in _runs(novelty, clauses):
                addition = _joined(pair.output, run)
                pattern = _pattern(novelty, addition)
                if pattern:
                    outcome = "new" if pattern == "statement" else "changed"
                    yield Finding(outcome, None, addition, pattern, _reason(pair.output, addition, pattern))


def _runs(novelty: Novelty, clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
    """Clauses of a sentence that follow each other and have hardly any word that is not new."""
    run: list[Clause] = []
    for clause in clauses:
        if clause.joint not in _EXPLANATIONS and novelty.share(clause.about) >= _NEW:
            run.append(clause)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _pattern(novelty: Novelty, addition: Clause) -> str:
    """What is added and where; empty if it may come from the original."""
    new = novelty.new(addition.about)
    if len(new) < _WORDS:
        return ""
    output = novelty.pair.output
    room = novelty.room(addition.sentence)
    what = _what(novelty, addition, new)
    if novelty.is_unmatched(addition.sentence):
        where = ", unmatched"
    elif len(new) >= _PER_WORD * room:
        return what
    elif novelty.is_appended(addition.first, addition.last):
        where = ", appended"
    else:
        where = ", free"
    if what == "statement" or len(new) < _MORE_WORDS or (where == ", free" and len(new) < len(addition.about)):
        return ""
    return what + where


def _what(novelty: Novelty, addition: Clause, new: Sequence[int]) -> str:
    """What an addition is: a reason, a result, an event, ...; a statement if it may be an explanation."""
    words = novelty.pair.output.words
    if _explains(novelty.pair.output, addition):
        return "statement"
    if addition.joint in ("cause", "result", "condition", "purpose"):
        return addition.joint
    past = tells_past(words, addition.first, addition.last)
    if any(novelty.is_number(j) for j in new):
        return "number"
    if past:
        return "event"
    if addition.joint not in ("relative", "time", "mark") and tells_rule(words, addition.first, addition.last):
        return "rule"
    return "statement"


def _explains(passage: Passage, addition: Clause) -> bool:
    """Whether a clause says what something is or means."""
    words = passage.words
    lowers = [w.lower for w in words[addition.first : addition.last + 1]]
    if not _EXPLAINS.isdisjoint(lowers):
        return True
    # "A stroke is | when blood cannot reach the brain."
    start = passage.first_word[addition.sentence]
    if addition.first > start and words[addition.first - 1].lower in _BE:
        return True
    return any(a in _BE and b in _COMPLEMENTS for a, b in zip(lowers, lowers[1:], strict=False))


def _reason(passage: Passage, addition: Clause, pattern: str) -> str:
    text = passage.text[addition.start : addition.end].rstrip(".!?")
    return f"{_REASONS[pattern.partition(',')[0]]}: “{text}”."


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


def _joined(passage: Passage, run: Sequence[Clause]) -> Clause:
    """Clauses that follow each other as one, without the marks around them."""
    words = passage.words
    first, last = run[0].first, run[-1].last
    while first < last and words[first].text in MARKS:
        first += 1
    while last > first and not words[last].text[0].isalnum():
        last -= 1
    return Clause(
        words[first].start,
        words[last].end,
        first,
        last,
        run[0].value,
        tuple(j for clause in run for j in clause.about),
        joint=run[0].joint,
        sentence=run[0].sentence,
    )


KIND = Additions()
