"""Clauses that a semicolon, a colon or a dash divides become sentences of their own."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .coordination import HARMLESS, OPENERS, REPORTING, ends_clause, opening, opens_clause
from .phrases import NOUNS, clause, may_be
from .proposal import Proposal, joined
from .sentence import Sentence


def semicolon(s: Sentence) -> Iterator[Proposal]:
    """Two clauses with a semicolon between them."""
    for c in range(2, s.stop - 2):
        if s.word(c) != ";" or s.enclosed[c] or [s.word(i) for i in range(len(s))].count(";") > 1:
            continue
        begin = c + 1
        opener = ""
        if s.word(begin) in OPENERS and s.word(begin + 1) != ",":
            opener = OPENERS[s.word(begin)]
            begin += 1
        after = begin
        if s.tag(after) == "RB" and s.word(after + 1) == ",":
            after += 2
        first, second = clause(s, opening(s), c), clause(s, after, s.stop)
        if first is None or second is None or not opens_clause(s, after, second) or not ends_clause(s, c):
            continue
        if any(s.tag(i) == "SC" and s.word(i) not in HARMLESS for i in range(first.subject[0])):
            continue
        yield Proposal(
            "semicolon",
            "two clauses with a semicolon between them",
            (s.span(0, c), joined(opener, s.span(begin, s.stop))),
        )


def colon(s: Sentence) -> Iterator[Proposal]:
    """Two clauses with a colon between them: the second explains what the first mentions."""
    yield from _divided(s, (":",), "colon")


def dash(s: Sentence) -> Iterator[Proposal]:
    """Two clauses with a dash between them."""
    yield from _divided(s, ("–", "—", "--"), "dash")


_POINTING = frozenset("following follows below this is are was were said says asked".split())


def _divided(s: Sentence, marks: tuple[str, ...], name: str) -> Iterator[Proposal]:
    places = [i for i in range(len(s)) if s.word(i) in marks and not s.enclosed[i]]
    if len(places) != 1 or any(s.word(i) in (";", '"', "“", "”", "‘") for i in range(len(s))):
        return
    c = places[0]
    first, second = clause(s, opening(s), c), clause(s, c + 1, s.stop)
    if (
        first is None
        or second is None
        or not opens_clause(s, c + 1, second)
        or second.subject[1] > second.verb
    ):
        return
    if s.tag(c - 1) not in NOUNS | {"JJ", "VBN", "RB", "CD"} or s.word(c - 1) in _POINTING:
        return
    if s.tag(c + 1) in ("CC", "WP", "SC", "TO", "VBG") or s.word(c + 1) in ("it", "its", "that", "those"):
        return
    if s.word(0) in ("if", "when", "as", "while", "although", "because", "for") or finite_count(s, 0, c) > 2:
        return
    if any(s.word(i) in REPORTING and s.tag(i).startswith("VB") for i in range(c)):
        return
    if any(s.word(i) in ("if", "or", "whether") for i in range(len(s))):
        return
    if (
        may_be(s.word(second.verb), "VBN")
        and s.tag(second.verb + 1) in ("IN", "TO")
        and s.tag(second.verb) == "VBD"
    ):
        return  # "skills required for the task", no clause
    if any(s.tag(i) == "WP" for i in range(c + 1, second.verb)):
        return  # "the largest of which is"
    yield Proposal(name, f"two clauses with a {name} between them", (s.span(0, c), s.span(c + 1, s.stop)))


def finite_count(s: Sentence, start: int, end: int) -> int:
    """The number of finite verbs between two words."""
    return sum(s.tag(i) in FINITE for i in range(start, end))
