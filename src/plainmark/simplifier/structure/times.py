"""Clauses of time become sentences that state the order or the occasion of events."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .marks import finite_count
from .phrases import PRONOUNS, be, clause, core, finite, is_past, is_person, mention, skip_adverbs
from .proposal import Proposal, joined, opened
from .sentence import Sentence
from .subordination import NEGATIVE, clouded, named_first, runs_on


def after(s: Sentence) -> Iterator[Proposal]:
    """A clause with "after" before the main clause."""
    if s.word(0) != "after":
        return
    for c in range(3, s.stop - 2):
        if s.word(c) != "," or s.enclosed[c]:
            continue
        first, second = clause(s, 1, c), clause(s, c + 1, s.stop)
        if first is None or second is None or first.subject[0] != 1 or second.subject[0] != c + 1:
            return
        if is_past(s, first.verb) is not True or is_past(s, second.verb) is not True:
            return
        if (halves := named_first(s, c, first, second)) is None:
            return
        yield Proposal("after", 'a clause with "after"', (halves[0], joined("after that,", halves[1])))
        return


_TIMES = frozenset("date time day moment year period point era age night morning season century".split())


def occasion(s: Sentence) -> Iterator[Proposal]:
    """The time of an event: "... when" or "... after" with a clause at the end."""
    for c in range(3, s.stop - 3):
        if (
            s.word(c) not in ("when", "after")
            or s.enclosed[c]
            or s.tag(c - 1) in ("RB", "CD", "IN", "NNS", "BE")
            or s.word(c - 1) in _TIMES
        ):
            continue
        end = c - 1 if s.word(c - 1) == "," else c
        first, second = clause(s, 0, end), clause(s, c + 1, s.stop)
        if first is None or second is None or second.subject[0] != c + 1 or not is_past(s, second.verb):
            continue
        if clouded(s, 0, c) or any(s.word(i) in NEGATIVE or s.tag(i) == "CC" for i in range(c)):
            continue
        if (
            sum(s.tag(i) in FINITE for i in range(c)) != 1
            or not _is_event(s, first.verb)
            or s.tag(c - 1) == "CD"
        ):
            continue
        if any(
            s.word(i)
            in (
                "only",
                "until",
                "soon",
                "shortly",
                "days",
                "years",
                "months",
                "weeks",
                "later",
                "day",
                "year",
            )
            for i in range(c)
        ):
            continue
        if any(s.word(i) == "," and not s.enclosed[i] for i in range(c, s.stop)):
            continue
        yield Proposal(
            "occasion",
            f'a clause with "{s.word(c)}" at the end',
            (s.span(0, end), joined("this happened", s.span(c, s.stop))),
        )


_STATIVE = frozenset(
    "have know live remain continue work serve play own believe think want need like love hold keep contain include belong "
    "increase decrease improve rise fall reduce consist seem appear stay lie stand mean exist refer look sound feel use tend hope say tell claim report state write".split()
)


def _is_event(s: Sentence, verb: int) -> bool:
    """Whether a verb in the past tense describes an event and not a state or a habit."""
    if s.word(verb) in ("was", "were"):
        participle = skip_adverbs(s, verb + 1)
        return (
            s.tag(participle) == "VBN"
            and s.word(participle) not in _STATIVE_PARTICIPLES
            and participle == verb + 1
        )
    return s.tag(verb) == "VBD" and s.tokens[verb].lemma not in _STATIVE


_STATIVE_PARTICIPLES = frozenset(
    "known called used named located situated based owned considered made found regarded married involved supposed allowed "
    "increased decreased reduced improved raised lowered".split()
)


def sequence(s: Sentence) -> Iterator[Proposal]:
    """An earlier or later action of the subject: "After leaving school, she ..."; "..., before moving to Leeds"."""
    if s.word(0) == "after" and s.tag(1) in ("VBG", "BEN"):
        yield from _after_doing(s)
        return
    for c in range(4, s.stop - 2):
        if (
            s.word(c) != "before"
            or s.tag(c + 1) not in ("VBG", "BEN")
            or s.enclosed[c]
            or s.word(c - 1) == "shortly"
        ):
            continue
        end = c - 1 if s.word(c - 1) == "," else c
        main = clause(s, 0, end)
        if main is None or main.subject[0] != 0 or not is_past(s, main.verb) or clouded(s, 0, c):
            continue
        if any(
            (s.tag(i) in FINITE and i != main.verb)
            or s.word(i) in NEGATIVE
            or (s.tag(i) == "RB" and i == c - 1)
            for i in range(c)
        ):
            continue
        done = _done(s, main.subject, c + 1, s.stop)
        if done:
            yield Proposal(
                "sequence",
                'what came next, with "before"',
                (s.span(0, end), opened(s, "after that,", main.subject[0], done)),
            )


def _after_doing(s: Sentence) -> Iterator[Proposal]:
    for c in range(3, s.stop - 2):
        if s.word(c) != "," or s.enclosed[c]:
            continue
        main = clause(s, c + 1, s.stop)
        if main is None or main.subject[0] != c + 1 or not is_past(s, main.verb):
            continue
        if any(s.tag(i) in FINITE for i in range(c)) or any(s.tag(i) == "PU" for i in range(*main.subject)):
            return
        head = core(s, *main.subject)
        if s.word(c + 1) not in PRONOUNS and not (
            head and ((s.has_capitals and s.is_name(head[1] - 1)) or is_person(s.word(head[1] - 1)))
        ):
            return  # "After reaching the coast, winds weakened"
        done = _done(s, main.subject, 1, c, full=True)
        if done:
            yield Proposal(
                "sequence",
                'what came first, with "after"',
                (done, joined("after that,", s.span(c + 1, s.stop))),
            )
        return


def _done(s: Sentence, subject: tuple[int, int], at: int, end: int, *, full: bool = False) -> str:
    """A clause in the past about a subject from an -ing form; empty if that is uncertain."""
    if s.word(at) == "having" or any(s.tag(i) == "CC" and s.tag(i + 1) == "VBG" for i in range(at, end)):
        return ""
    again = mention(s, *subject)
    if again is None:
        return ""
    text = s.span(*subject) if full else again[0]
    plural = again[1]
    if s.word(at) == "being":
        return joined(text, be(plural, True), s.span(at + 1, end))
    form = finite(s.tokens[at].lemma, bool(plural), True)
    return joined(text, form, s.span(at + 1, end)) if form else ""


def followed(s: Sentence) -> Iterator[Proposal]:
    """The next event: "..., followed by ..."."""
    for c in range(4, s.stop - 3):
        if s.word(c) != "," or (s.word(c + 1), s.word(c + 2)) != ("followed", "by") or s.enclosed[c]:
            continue
        first = clause(s, 0, c)
        if first is None or clouded(s, 0, c) or s.word(c + 3) not in ("a", "an", "the"):
            continue
        if s.tag(first.verb) != "VBD" and s.word(first.verb) not in ("was", "were"):
            continue
        if s.tag(first.verb + 1) in ("JJ", "DT") or finite_count(s, 0, s.stop) != 1 or not runs_on(s, c + 3):
            continue
        if any(s.word(i) in NEGATIVE or s.tag(i) in ("WP", "SC") for i in range(s.stop)):
            continue
        yield Proposal(
            "followed", "what came next", (s.span(0, c), joined("this was", s.span(c + 1, s.stop)))
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
        if first and second and second.subject[0] == c + 2 and not clouded(s, 0, c) and runs_on(s, c + 2):
            yield Proposal(
                "when",
                'a clause with "when" after a year',
                (s.span(0, c), joined("that year,", s.span(c + 2, s.stop))),
            )
