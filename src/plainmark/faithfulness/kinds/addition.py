"""Additions: clauses and sentences that state what the original does not: a reason, a result, an event, a number.

Simplifications reword, define and explain, so that new words alone prove nothing. A clause is an addition if nearly all of
its words are new and unrelated to nearby words of the original, if it says more than the meaning of a term, and if one of
these conditions holds:
    covered     the original has no unaligned words at this place that the clause could reword: all have counterparts elsewhere
    appended    (", appended") it has unaligned words, but none next to the counterparts of the words around the clause
    unmatched   (", unmatched") no sentence of the original is aligned with the sentence
    free        (", free") none of these, but all words of the clause are new
Patterns are named after what is added. Statements in the present without a number are most often explanations, and are only
listed as new.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention, Outcome
from ._novelty import Novelty
from ._statements import MARKS, Statement, begins_predicate, statements, tells_past, tells_rule

_NEW = 0.6  # smallest share of new content words in an addition,
_MORE_NEW = 0.7  # and if the place is weaker evidence
_WORDS = 2  # smallest number of new words,
_MORE_WORDS = 3  # and if the place is weaker evidence
# number of new words that may reword a word of the original; fewer if they are a reason or a condition
_PER_WORD = 4
_PER_WORD_JOINED = 3
_MINOR = ("relative", "time", "mark")
_ASIDES = ("aside", "example")
# Additions that are hardly ever explanations of a term, so that weaker evidence from the place is enough.
_STRONG = frozenset(("cause", "result", "condition", "number", "event"))
# Words by which a clause explains a term, and forms of "be" that do so before others.
_EXPLAINS = frozenset(
    "means mean meaning called known refers referred refer defined example examples namely aka termed named i.e. e.g. "
    "types type kind kinds form forms".split()
)
_SEARCHES = frozenset("search searched searches searching".split())
_TEXTS = frozenset("evidence review summary update literature".split())
_UP_TO_DATE = frozenset("current date recent published up".split())
# Words by which an original may give a reason that was reworded.
_CAUSAL = frozenset(
    "because since owing due as cause caused causes causing reason reasons thanks grounds so led leads leading result "
    "resulted resulting results therefore thus consequently through pending given following attributed attributable "
    "account view light secondary prompted".split()
)
_BE = frozenset("is are was were 's be".split())
_COMPLEMENTS = frozenset("a an the when where how what one called known used".split())
_REASONS = {
    "cause": "The original gives no such reason",
    "result": "The original names no such result",
    "condition": "The original does not have this condition",
    "rule": "The original does not say what must or will be done here",
    "number": "The original has neither this number nor what is said of it",
    "event": "The original does not say that this happened",
    "property": "The original does not say this of it",
    "statement": "The original does not say this",
    "explanation": "The original does not say this; it may be an explanation",
}


@dataclass(frozen=True, slots=True)
class Clause(Mention):
    """A clause; `about` are its content words, `joint` is its relation to the rest of its sentence.

    It is not whole if an infinitive follows that belongs to it.
    """

    joint: str = ""
    sentence: int = 0
    whole: bool = True


class Additions(Kind):
    """Statements that the original does not make."""

    name = "addition"
    alarming = False  # an addition contradicts nothing, and a reader of both texts must decide whether it belongs there

    def find(self, passage: Passage) -> list[Mention]:
        return [_clause(passage, statement) for statement in statements(passage)]

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        novelty = Novelty(pair)
        by_sentence: dict[int, list[Clause]] = {}
        for clause in after:
            if isinstance(clause, Clause):
                by_sentence.setdefault(clause.sentence, []).append(clause)
        additions = [run for clauses in by_sentence.values() for run in _runs(novelty, clauses)]
        apart = {j for addition in additions for j in addition.about}
        for addition in additions:
            what = _what(novelty, addition)
            pattern = (
                what + evidence if (evidence := _where(novelty, addition, what, apart)) is not None else ""
            )
            if pattern:
                outcome: Outcome = "new" if what == "explanation" else "changed"
                yield Finding(outcome, None, addition, pattern, _reason(pair.output, addition, what))


def _runs(novelty: Novelty, clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Clauses of a sentence in which nearly all words are new; adjacent ones are merged."""
    run: list[Clause] = []
    for clause in (*clauses, None):
        if clause and clause.joint not in _ASIDES and novelty.share(clause.about) >= _NEW:
            run.append(clause)
            continue
        if run:
            addition = _joined(novelty.pair.output, run, whole=clause is None or clause.joint != "purpose")
            if len(novelty.new(addition.about)) >= _WORDS:
                yield addition
        run = []


def _where(novelty: Novelty, addition: Clause, what: str, apart: Collection[int]) -> str | None:
    """The evidence of the place, as in patterns; None if the addition may come from the original."""
    new = len(novelty.new(addition.about))
    # Clauses in the middle of a sentence reword single words more often than others, and statements may be explanations.
    doubtful = addition.joint in _MINOR or what in ("statement", "rule")
    per_word = _PER_WORD_JOINED if what in ("cause", "result", "condition") else _PER_WORD
    if new >= per_word * novelty.room(addition.sentence, None if doubtful else apart):
        weak = what == "statement" or (what == "event" and addition.joint == "relative")
        whole = addition.whole or what in ("cause", "number", "explanation")
        return "" if whole and (new >= _MORE_WORDS or not weak) else None
    return _where_uncovered(novelty, addition, what, new)


def _where_uncovered(novelty: Novelty, addition: Clause, what: str, new: int) -> str | None:
    """The evidence of the place although the original has unaligned words that it could reword; None if it may do so."""
    appended = novelty.is_appended(addition.first, addition.last)
    if what == "cause":  # the original may give the same reason in a word
        known = novelty.has_word(addition.sentence, _CAUSAL)
        return None if known else ", appended" if appended else ", free"
    if what not in _STRONG or not addition.whole or new < max(_MORE_WORDS, _MORE_NEW * len(addition.about)):
        return None
    unmatched = novelty.is_unmatched(addition.sentence)
    if what == "event":
        told = tells_past(novelty.pair.output.words, addition.first, addition.last)
        return ", unmatched" if unmatched and told and addition.joint not in _MINOR else None
    if what == "number" and not any(novelty.is_number(j, digits=True) for j in addition.about):
        return None
    if unmatched or appended:
        return ", unmatched" if unmatched else ", appended"
    return ", free" if what == "number" and new == len(addition.about) else None


def _what(novelty: Novelty, addition: Clause) -> str:
    """The type of an addition: a reason, a result, an event, ...; an explanation if it may be one."""
    output = novelty.pair.output
    words, first, last, joint = output.words, addition.first, addition.last, addition.joint
    start = output.first_word[addition.sentence]
    if _explains(output, addition):
        return "explanation"
    if joint in ("cause", "result") or (joint == "condition" and first == start):
        return joint
    if any(novelty.is_number(j) for j in novelty.new(addition.about)):
        return "number"
    if tells_past(words, first, last, main=joint == "sentence"):
        return "event"
    if joint == "time" and tells_past(words, start, first - 1, main=True):
        return "event"
    if joint in ("relative", "time", "mark", "purpose", "condition"):
        return "explanation"
    if tells_rule(words, first, last):
        return "rule"
    if joint == "and" and begins_predicate(words, first, last):
        return "property"
    return "statement" if _is_sentence(output, addition) else "explanation"


def _is_sentence(passage: Passage, addition: Clause) -> bool:
    """Whether a clause is a whole sentence."""
    inside = passage.sentence_words(addition.sentence)
    return addition.first == inside.start and not any(
        passage.words[i].content for i in range(addition.last + 1, inside.stop)
    )


def _explains(passage: Passage, addition: Clause) -> bool:
    """Whether a clause explains what something is or means."""
    words = passage.words
    lowers = [w.lower for w in words[addition.first : addition.last + 1]]
    if not _EXPLAINS.isdisjoint(lowers) or _is_provenance(passage, addition.sentence):
        return True
    # "A stroke is | when blood cannot reach the brain."
    start = passage.first_word[addition.sentence]
    if addition.first > start and words[addition.first - 1].lower in _BE:
        return True
    return any(a in _BE and b in _COMPLEMENTS for a, b in pairwise(lowers))


def _is_provenance(passage: Passage, sentence: int) -> bool:
    """Whether a sentence names the source of the text's evidence and its date."""
    lowers = {passage.words[i].lower for i in passage.sentence_words(sentence)}
    return not _SEARCHES.isdisjoint(lowers) or not (
        _UP_TO_DATE.isdisjoint(lowers) or _TEXTS.isdisjoint(lowers)
    )


def _reason(passage: Passage, addition: Clause, what: str) -> str:
    return f"{_REASONS[what]}: “{passage.text[addition.start : addition.end]}”."


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


def _joined(passage: Passage, run: Sequence[Clause], *, whole: bool) -> Clause:
    """Adjacent clauses as one, without the marks around them."""
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
        whole=whole,
    )


KIND = Additions()
