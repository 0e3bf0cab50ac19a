"""Subordinate clauses become sentences with a connective of the same meaning."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import PRONOUNS, Clause, clause, core, is_past, is_person, is_plural, skip_adverbs
from .proposal import Proposal, joined
from .sentence import Sentence

NEGATIVE = frozenset(
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
                and (halves := named_first(s, c, first, second))
            ):
                yield Proposal(
                    "although",
                    f'a clause with "{s.word(opening)}"',
                    (halves[0], joined("however,", halves[1])),
                )
            return
    for c in range(3, s.stop - 3):
        at = c + 2 if s.word(c + 1) == "even" else c + 1
        if s.word(c) != "," or s.enclosed[c] or s.word(at) not in ("although", "though"):
            continue
        first, second = clause(s, 0, c), clause(s, at + 1, s.stop)
        if first and second and second.subject[0] == at + 1 and not clouded(s, 0, c) and runs_on(s, at + 1):
            yield Proposal(
                "although",
                f'a clause with "{s.word(at)}"',
                (s.span(0, c), joined("however,", s.span(at + 1, s.stop))),
            )


_OWNED = frozenset("his her its their".split())


def named_first(s: Sentence, c: int, first: Clause, second: Clause) -> tuple[str, str] | None:
    """Two clauses around a comma, ordered so that the name comes first: "Although they were small, the dogs won" has it too
    late.
    """
    halves = s.span(first.subject[0], c), s.span(c + 1, s.stop)
    pronoun = s.word(first.subject[0])
    if pronoun not in PRONOUNS or s.word(second.subject[0]) in PRONOUNS:
        return halves
    if second.subject[0] != c + 1 or s.word(c + 1) in _OWNED or second.subject[1] - second.subject[0] > 6:
        return None
    head = core(s, *second.subject)
    if head is None or head[1] != second.subject[1] or pronoun not in ("he", "she", "they"):
        return None  # "it" may be impersonal: "Although it was late, ..."
    plural = is_plural(s, *second.subject)
    person = (s.has_capitals and s.is_name(head[1] - 1)) or is_person(s.word(head[1] - 1))
    if (pronoun == "they") != bool(plural) or not (person or (plural and s.word(c + 1) == "the")):
        return None
    return (
        joined(s.span(*second.subject), s.span(first.subject[1], c)),
        joined(pronoun, s.span(second.subject[1], s.stop)),
    )


def because(s: Sentence) -> Iterator[Proposal]:
    """A reason after the main clause."""
    for c in range(3, s.stop - 3):
        if s.word(c) != "because" or s.word(c + 1) == "of" or s.enclosed[c]:
            continue
        if clouded(s, 0, c) or any(s.word(i) in NEGATIVE for i in range(c)) or _joins_verbs(s, c):
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
        if clouded(s, 0, s.stop) or any(s.word(i) in NEGATIVE for i in range(s.stop)):
            continue
        if (
            s.tag(end - 1) in ("BE", "BEN", "RB", "CC")
            or s.word(end - 1) in ("likely", "possible")
            or any(s.tag(i) in FINITE for i in range(c, s.stop))
        ):
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
        halves = named_first(s, c, first, second)
        if halves is None:
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
            (halves[0], joined(connective, halves[1])),
        )
        return


def since(s: Sentence) -> Iterator[Proposal]:
    """A reason with "since" or "as" after a comma."""
    for c in range(3, s.stop - 3):
        if s.word(c) != "," or s.enclosed[c] or s.word(c + 1) not in ("since", "as") or not runs_on(s, c + 2):
            continue
        first, second = clause(s, 0, c), clause(s, c + 2, s.stop)
        if first is None or second is None or second.subject[0] != c + 2 or clouded(s, 0, c):
            continue
        past = is_past(s, first.verb)
        if past is None or any(s.word(i) in NEGATIVE for i in range(c)) or _joins_verbs(s, c):
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


_DONE = frozenset(
    "created formed established founded built constructed restored extended introduced changed enlarged rebuilt renovated".split()
)


def means(s: Sentence) -> Iterator[Proposal]:
    """The means of an action, with "by" and an -ing form at the end."""
    for c in range(4, s.stop - 2):
        if s.word(c) != "by" or s.tag(c + 1) != "VBG" or s.enclosed[c]:
            continue
        first = clause(s, 0, c)
        if first is None or s.word(first.verb) not in ("was", "were"):
            continue
        if s.word(skip_adverbs(s, first.verb + 1)) not in _DONE:
            continue
        if clouded(s, 0, s.stop) or any(s.tag(i) in FINITE and i != first.verb for i in range(s.stop)):
            continue
        if (
            any(s.word(i) in NEGATIVE or (s.tag(i) == "PU" and s.word(i) != ",") for i in range(s.stop))
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
        if s.word(c) != "," or s.enclosed[c] or s.word(c + 1) not in openers or not runs_on(s, c + 2):
            continue
        first, second = clause(s, 0, c), clause(s, c + 2, s.stop)
        if first and second and second.subject[0] == c + 2 and not clouded(s, 0, c):
            yield Proposal(
                "contrast",
                f'a clause with "{s.word(c + 1)}"',
                (s.span(0, c), joined(openers[s.word(c + 1)], s.span(c + 2, s.stop))),
            )


def _joins_verbs(s: Sentence, end: int) -> bool:
    """Whether a conjunction may join verbs, so that a reason may apply to only one of them."""
    ccs = [i for i in range(end) if s.tag(i) == "CC"]
    return bool(ccs) and (
        sum(s.tag(i) in FINITE for i in range(end)) != 1
        or any(s.tag(i + 1) not in ("NN", "NNS", "NNP", "JJ", "DT") for i in ccs)
    )


def _opens(s: Sentence, start: int, subject: int) -> bool:
    return all(s.tag(i) in ("RB", "PU") for i in range(start, subject)) or (
        s.word(subject - 1) == "," and s.tag(start) == "IN" and subject - start <= 7
    )


def clouded(s: Sentence, start: int, end: int) -> bool:
    """Whether there is a report, a condition or a relative clause to which the next clause may belong."""
    return any(s.tag(i) in ("SC", "WP") and s.word(i) not in ("than", "as", "so") for i in range(start, end))


def runs_on(s: Sentence, start: int) -> bool:
    """Whether the clause extends to the full stop: no comma returns to the main clause."""
    return all(
        s.word(i) != "," or s.enclosed[i] or s.tag(i + 1) in ("CD", "NNP") for i in range(start, s.stop)
    )
