"""Subordinate clauses become sentences with a connective that says the same."""

from __future__ import annotations

from collections.abc import Iterator

from .phrases import PRONOUNS, clause, is_past
from .proposal import Proposal, joined
from .sentence import Sentence

_NEGATIVE = frozenset(
    "not n't n’t never no nor neither nobody nothing none cannot without hardly rarely seldom".split()
)


def although(s: Sentence) -> Iterator[Proposal]:
    """A clause with "although" or "though" before or after the main clause."""
    opening = 1 if s.word(0) == "even" else 0
    if s.word(opening) in ("although", "though"):
        for c in range(opening + 3, s.stop - 2):
            if s.word(c) != "," or s.enclosed[c]:
                continue
            first, second = clause(s, opening + 1, c), clause(s, c + 1, s.stop)
            if (
                first
                and second
                and first.subject[0] == opening + 1
                and _opens(s, c + 1, second.subject[0])
                # "Although they were small, the dogs won" names the dogs too late.
                and (s.word(first.subject[0]) not in PRONOUNS or s.word(second.subject[0]) in PRONOUNS)
            ):
                yield Proposal(
                    "although",
                    f'a clause with "{s.word(opening)}"',
                    (s.span(opening + 1, c), joined("however,", s.span(c + 1, s.stop))),
                )
            return
    for c in range(3, s.stop - 3):
        at = c + 2 if s.word(c + 1) == "even" else c + 1
        if s.word(c) != "," or s.enclosed[c] or s.word(at) not in ("although", "though"):
            continue
        first, second = clause(s, 0, c), clause(s, at + 1, s.stop)
        if first and second and second.subject[0] == at + 1 and not _clouded(s, 0, c) and _runs_on(s, at + 1):
            yield Proposal(
                "although",
                f'a clause with "{s.word(at)}"',
                (s.span(0, c), joined("however,", s.span(at + 1, s.stop))),
            )


def because(s: Sentence) -> Iterator[Proposal]:
    """A reason after the main clause."""
    for c in range(3, s.stop - 3):
        if s.word(c) != "because" or s.word(c + 1) == "of" or s.enclosed[c]:
            continue
        if _clouded(s, 0, c) or any(s.word(i) in _NEGATIVE or s.tag(i) == "CC" for i in range(c)):
            continue
        adverb = s.tag(c - 1) == "RB" and s.word(c - 1) in (
            "mainly",
            "partly",
            "largely",
            "primarily",
            "mostly",
            "probably",
        )
        if s.tag(c - 1) == "RB" and s.word(c - 1) in (
            "just",
            "only",
            "simply",
            "merely",
            "not",
            "even",
            "precisely",
        ):
            continue
        end = c - 1 if adverb or s.word(c - 1) == "," else c
        first, second = clause(s, 0, end), clause(s, c + 1, s.stop)
        if first is None or second is None or second.subject[0] != c + 1:
            continue
        past = is_past(s, first.verb)
        if past is None:
            continue
        yield Proposal(
            "because",
            'a reason with "because"',
            (
                s.span(0, end),
                joined("this was" if past else "this is", s.word(c - 1) if adverb else "", s.span(c, s.stop)),
            ),
        )


def contrast(s: Sentence) -> Iterator[Proposal]:
    """A clause with "while" or "whereas" after a comma."""
    openers = {"whereas": "by contrast,", "while": "meanwhile,"}
    for c in range(3, s.stop - 3):
        if s.word(c) != "," or s.enclosed[c] or s.word(c + 1) not in openers or not _runs_on(s, c + 2):
            continue
        first, second = clause(s, 0, c), clause(s, c + 2, s.stop)
        if first and second and second.subject[0] == c + 2 and not _clouded(s, 0, c):
            yield Proposal(
                "contrast",
                f'a clause with "{s.word(c + 1)}"',
                (s.span(0, c), joined(openers[s.word(c + 1)], s.span(c + 2, s.stop))),
            )


def year_when(s: Sentence) -> Iterator[Proposal]:
    """A clause with "when" after a year."""
    for c in range(3, s.stop - 3):
        year = s.word(c - 1)
        if s.word(c - 2) in ("about", "around", "circa", "roughly", "approximately", "before", "after"):
            continue
        if (
            s.word(c) != ","
            or s.word(c + 1) != "when"
            or not (year.isdigit() and len(year) == 4)
            or s.enclosed[c]
        ):
            continue
        first, second = clause(s, 0, c), clause(s, c + 2, s.stop)
        if first and second and second.subject[0] == c + 2 and not _clouded(s, 0, c) and _runs_on(s, c + 2):
            yield Proposal(
                "when",
                'a clause with "when" after a year',
                (s.span(0, c), joined("that year,", s.span(c + 2, s.stop))),
            )


def _opens(s: Sentence, start: int, subject: int) -> bool:
    return all(s.tag(i) in ("RB", "PU") for i in range(start, subject)) or (
        s.word(subject - 1) == "," and s.tag(start) == "IN" and subject - start <= 7
    )


def _clouded(s: Sentence, start: int, end: int) -> bool:
    """Whether there is a report, a condition or a relative clause that the next clause may belong to."""
    return any(s.tag(i) in ("SC", "WP") and s.word(i) not in ("than", "as", "so") for i in range(start, end))


def _runs_on(s: Sentence, start: int) -> bool:
    """Whether the clause goes on to the full stop: no comma returns to the main clause."""
    return all(
        s.word(i) != "," or s.enclosed[i] or s.tag(i + 1) in ("CD", "NNP") for i in range(start, s.stop)
    )
