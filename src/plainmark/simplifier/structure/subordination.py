"""Subordinate clauses become sentences with a connective that says the same."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import PRONOUNS, be, clause, core, finite, is_past, is_person, mention, skip_adverbs
from .proposal import Proposal, joined, opened
from .sentence import Sentence

_NEGATIVE = frozenset(
    "not n't n’t never no nor neither nobody nothing none cannot without hardly rarely seldom".split()
)


_PARTLY = ("mainly", "partly", "largely", "primarily", "mostly", "probably", "partially", "possibly")


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
        adverb = s.tag(c - 1) == "RB" and s.word(c - 1) in _PARTLY
        if (s.tag(c - 1) == "RB" and not adverb) or s.word(c - 1) == "part":
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


def cause(s: Sentence) -> Iterator[Proposal]:
    """A cause with "due to" or "because of" at the end."""
    for c in range(4, s.stop - 2):
        if (s.word(c), s.word(c + 1)) not in (("due", "to"), ("because", "of")) or s.enclosed[c]:
            continue
        adverb = s.tag(c - 1) == "RB" and s.word(c - 1) in _PARTLY
        end = c - 1 if adverb or s.word(c - 1) == "," else c
        if _clouded(s, 0, s.stop) or any(s.word(i) in _NEGATIVE for i in range(s.stop)):
            continue
        if s.tag(end - 1) in ("BE", "BEN", "RB", "CC") or any(s.tag(i) in FINITE for i in range(c, s.stop)):
            continue
        if s.word(c - 1) != "," and s.tag(end - 1) not in ("JJ", "VBN", "VBD"):
            continue  # "anaemia due to kidney disease"
        if any(s.word(i) == "," and not s.enclosed[i] and s.tag(i + 1) != "CC" for i in range(c, s.stop)):
            continue
        first = clause(s, 0, end)
        past = is_past(s, first.verb) if first else None
        if first is None or past is None or sum(s.tag(i) in FINITE for i in range(end)) > 1:
            continue
        yield Proposal(
            "cause",
            f'a cause with "{s.word(c)} {s.word(c + 1)}"',
            (
                s.span(0, end),
                joined("this was" if past else "this is", s.word(c - 1) if adverb else "", s.span(c, s.stop)),
            ),
        )


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
        if s.word(1) in PRONOUNS and s.word(c + 1) not in PRONOUNS:
            return
        yield Proposal(
            "after", 'a clause with "after"', (s.span(1, c), joined("after that,", s.span(c + 1, s.stop)))
        )
        return


_TIMES = frozenset("date time day moment year period point era age night morning season century".split())
_LEADING = {"because": "so,", "when": "at that time,", "while": "however,"}


def leading(s: Sentence) -> Iterator[Proposal]:
    """A clause with "because", "when" or "while" before the main clause."""
    word = s.word(0)
    if word not in _LEADING or s.word(1) == "of":
        return
    for c in range(3, s.stop - 2):
        if s.word(c) != "," or s.enclosed[c]:
            continue
        first, second = clause(s, 1, c), clause(s, c + 1, s.stop)
        if (
            first is None
            or second is None
            or first.subject[0] != 1
            or not _opens(s, c + 1, second.subject[0])
        ):
            return
        if s.word(1) in PRONOUNS and s.word(second.subject[0]) not in PRONOUNS:
            return
        if sum(s.tag(i) in FINITE for i in range(c)) != 1 or any(s.tag(i) == "PU" for i in range(1, c)):
            return
        connective = _LEADING[word]
        if word == "when":
            if not is_past(s, first.verb) or not is_past(s, second.verb):
                return
            if s.tag(first.verb + 1) == "VBG":
                return
        if word == "while" and (
            is_past(s, first.verb) is not False or s.tag(skip_adverbs(s, first.verb + 1)) == "VBG"
        ):
            return
        yield Proposal(
            "leading clause",
            f'a clause with "{word}" at the start',
            (s.span(1, c), joined(connective, s.span(c + 1, s.stop))),
        )
        return


def since(s: Sentence) -> Iterator[Proposal]:
    """A reason with "since" or "as" after a comma."""
    for c in range(3, s.stop - 3):
        if (
            s.word(c) != ","
            or s.enclosed[c]
            or s.word(c + 1) not in ("since", "as")
            or not _runs_on(s, c + 2)
        ):
            continue
        first, second = clause(s, 0, c), clause(s, c + 2, s.stop)
        if first is None or second is None or second.subject[0] != c + 2 or _clouded(s, 0, c):
            continue
        past = is_past(s, first.verb)
        if past is None or any(s.word(i) in _NEGATIVE or s.tag(i) == "CC" for i in range(c)):
            continue
        if s.word(c + 1) == "as" and s.tag(second.verb) not in ("BE", "HV"):
            continue
        if s.tag(skip_adverbs(s, second.verb + 1)) == "IN":
            continue  # "as they are in other countries"
        if s.tag(first.verb) == "HV" or s.tag(second.verb + 1) == "PU":
            continue
        yield Proposal(
            "because",
            f'a reason with "{s.word(c + 1)}"',
            (s.span(0, c), joined("this was because" if past else "this is because", s.span(c + 2, s.stop))),
        )


def occasion(s: Sentence) -> Iterator[Proposal]:
    """When something happened: "... when" or "... after" with a clause at the end."""
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
        if _clouded(s, 0, c) or any(s.word(i) in _NEGATIVE or s.tag(i) == "CC" for i in range(c)):
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
    "consist seem appear stay lie stand mean exist refer look sound feel use tend hope say tell claim report state write".split()
)


def _is_event(s: Sentence, verb: int) -> bool:
    """Whether a verb in the past tells an event rather than a state or a habit."""
    if s.word(verb) in ("was", "were"):
        participle = skip_adverbs(s, verb + 1)
        return (
            s.tag(participle) == "VBN"
            and s.word(participle) not in _STATIVE_PARTICIPLES
            and participle == verb + 1
        )
    return s.tag(verb) == "VBD" and s.tokens[verb].lemma not in _STATIVE


_STATIVE_PARTICIPLES = frozenset(
    "known called used named located situated based owned considered made found regarded married involved supposed allowed".split()
)


def sequence(s: Sentence) -> Iterator[Proposal]:
    """What the subject did before or after: "After leaving school, she ..."; "..., before moving to Leeds"."""
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
        if main is None or main.subject[0] != 0 or not is_past(s, main.verb) or _clouded(s, 0, c):
            continue
        if any(
            (s.tag(i) in FINITE and i != main.verb)
            or s.word(i) in _NEGATIVE
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
    """A clause in the past about a subject from an -ing form; nothing if that is not sure."""
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


_DONE = frozenset(
    "created formed established founded built constructed restored extended introduced changed enlarged rebuilt renovated".split()
)


def means(s: Sentence) -> Iterator[Proposal]:
    """How something was done, with "by" and an -ing form at the end."""
    for c in range(4, s.stop - 2):
        if s.word(c) != "by" or s.tag(c + 1) != "VBG" or s.enclosed[c]:
            continue
        first = clause(s, 0, c)
        if first is None or s.word(first.verb) not in ("was", "were"):
            continue
        if s.word(skip_adverbs(s, first.verb + 1)) not in _DONE:
            continue
        if _clouded(s, 0, s.stop) or any(s.tag(i) in FINITE and i != first.verb for i in range(s.stop)):
            continue
        if (
            any(s.word(i) in _NEGATIVE or (s.tag(i) == "PU" and s.word(i) != ",") for i in range(s.stop))
            or s.word(c - 1) == ","
        ):
            continue
        yield Proposal(
            "means", 'how it was done, with "by"', (s.span(0, c), joined("this was done", s.span(c, s.stop)))
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
