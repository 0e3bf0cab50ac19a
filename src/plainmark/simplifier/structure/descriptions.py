"""Descriptions of a name, in apposition or in brackets, and examples become sentences of their own."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import be, clause, core, finite_verb, is_kind, is_past, is_person, skip_adverbs
from .proposal import Proposal, joined
from .sentence import Sentence

_REPORTED = frozenset("said says say told tells added adds explained explains".split())


def apposition(s: Sentence) -> Iterator[Proposal]:
    """A description of a name between commas, before the verb."""
    for c in range(1, s.stop - 3):
        if s.word(c) != "," or s.enclosed[c]:
            continue
        end = next((i for i in range(c + 1, s.stop) if s.word(i) == "," and not s.enclosed[i]), None)
        start = subject_start(s, c)
        if end is None or s.tag(skip_adverbs(s, end + 1)) not in FINITE or not is_proper(s, start, c):
            continue
        if s.word(c + 1) not in ("a", "an", "the") and not _is_role(s, c + 1, end):
            continue
        if any(s.tag(i) in FINITE or s.tag(i) in ("WP", "SC") for i in range(c + 1, end)):
            continue
        noun = core(s, c + 1, end)
        if noun is None or (s.has_capitals and s.is_name(noun[1] - 1)) or s.tag(noun[1] - 1) == "NNS":
            continue
        verb = skip_adverbs(s, end + 1)
        past = is_past(s, verb)
        person = is_person(s.word(noun[1] - 1))
        tense = None if past is None else _tense(s.word(noun[1] - 1), past)
        if tense is None:
            continue
        past = tense
        if person and s.word(verb) in _REPORTED:
            past = False
        yield Proposal(
            "apposition",
            "a description of a name between commas",
            (
                joined(s.span(0, c), s.span(end + 1, s.stop)),
                joined(s.span(start, c), be(False, past), s.span(c + 1, end)),
            ),
        )


def subject_start(s: Sentence, end: int) -> int:
    """The start of the subject before a comma: at the beginning, or after an opening phrase and its comma."""
    commas = [i for i in range(end) if s.word(i) == "," and not s.enclosed[i]]
    if len(commas) == 1 and s.tag(0) in ("IN", "RB") and finite_verb(s, 0, end) is None:
        return commas[0] + 1
    return 1 if s.word(0) in ("but", "and", "so", "yet") else 0


_KIN = frozenset(
    "son daughter wife husband brother sister father mother child widow cousin nephew niece uncle aunt".split()
)


def _is_role(s: Sentence, start: int, end: int) -> bool:
    """Whether words without an article name the role of a person: "president of the union"."""
    noun = core(s, start, end)
    if (
        noun is None
        or s.tag(noun[1] - 1) != "NN"
        or s.word(noun[1] - 1) in _KIN
        or not is_person(s.word(noun[1] - 1))
    ):
        return False
    plain = all(not s.is_name(i) and s.tag(i) in ("NN", "JJ") for i in range(*noun))
    return plain and noun[1] < end and s.word(noun[1]) in ("of", "at", "for")


_SPOKE = frozenset("said says added adds explained explains".split())


def speaker(s: Sentence) -> Iterator[Proposal]:
    """A description of a quoted person: "...," said Ana Whitfield, a nurse from Leeds."""
    for v in range(3, s.stop - 4):
        if s.word(v) not in _SPOKE or s.enclosed[v] or s.word(v - 1) not in ("”", '"', ",", "’", "'"):
            continue
        c = next((i for i in range(v + 1, s.stop) if s.word(i) == ","), None)
        if c is None or not is_proper(s, v + 1, c) or c - v > 5:
            continue
        if s.word(c + 1) not in ("a", "an", "the") and not _is_role(s, c + 1, s.stop):
            continue
        noun = core(s, c + 1, s.stop)
        if (
            noun is None
            or s.is_name(noun[1] - 1)
            or s.tag(noun[1] - 1) != "NN"
            or not is_person(s.word(noun[1] - 1))
        ):
            continue
        if any(
            s.tag(i) in FINITE | {"SC", "VBG"}
            or s.word(i) in (",", ";", '"', "“", "and", "when", "after", "as")
            for i in range(c + 1, s.stop)
        ):
            continue
        yield Proposal(
            "apposition",
            "who somebody is that was quoted",
            (s.span(0, c), joined(s.span(v + 1, c), "is", s.span(c + 1, s.stop))),
        )


def closing_apposition(s: Sentence) -> Iterator[Proposal]:
    """A description of a name at the end of a sentence."""
    for c in range(3, s.stop - 2):
        if (
            s.word(c) != ","
            or s.enclosed[c]
            or not s.has_capitals
            or s.tokens[c + 1].text not in ("a", "an", "the")
        ):
            continue
        start = c
        while start > 0 and s.is_name(start - 1) and not s.enclosed[start - 1] and s.tag(start - 1) != "PU":
            start -= 1
        main = clause(s, 0, c)
        noun = core(s, c + 1, s.stop)
        if main is None or start in (0, c) or start <= main.verb or noun is None:
            continue
        if s.word(start - 1) == "," or s.word(start - 1) in ("and", "or") or s.is_name(noun[1] - 1):
            continue
        if any(s.word(i) in (",", "and", ";") and not s.enclosed[i] for i in range(c + 1, noun[1] + 1)):
            continue
        if any(
            s.word(i) == "," and not s.enclosed[i] and s.tag(i + 1) not in ("NNP", "CD", "VBN")
            for i in range(c + 1, s.stop)
        ):
            continue
        finites = [i for i in range(c + 1, s.stop) if s.tag(i) in FINITE]
        if finites and not any(s.tag(i) == "WP" for i in range(c + 1, finites[0])):
            continue  # "..., the chance would rise"
        if any(s.word(i) == ":" for i in range(main.verb, c)):
            continue
        head = s.word(noun[1] - 1)
        if s.word(start - 1) == "by" and not is_person(head):
            continue  # "the play by Hertz, an account": the play's
        past = is_past(s, main.verb)
        if past is None or s.tag(noun[1] - 1) == "NNS":
            continue
        tense = _tense(head, past)
        if tense is None:
            continue
        if s.word(c + 1) == "the" and s.tag(noun[1] - 1) != "NN":
            continue
        if start > 1 and s.word(start - 1) == "the":
            start -= 1
        if s.word(start - 1) in ("of", "de", "la", "von", "van", "der", "del", "y", "du", "'", "’", "-"):
            continue
        yield Proposal(
            "apposition",
            "a description of a name at the end",
            (s.span(0, c), joined(s.span(start, c), be(False, tense), s.span(c + 1, s.stop))),
        )


def _tense(noun: str, past: bool) -> bool | None:
    """Whether "was" is right and not "is"; None for companies and similar nouns that may or may not still exist."""
    if not past or noun in _LASTING or is_kind(noun, "location") or is_kind(noun, "written_communication"):
        return False
    return True if is_person(noun) or is_kind(noun, "event") or is_kind(noun, "vehicle") else None


# Lasting things, which are described in the present even in a story in the past.
_LASTING = frozenset(
    "city town village suburb district region county province state country island river mountain lake sea bay hill valley street "
    "film album song novel book series game play opera poem episode language species genus disease drug chemical measure scale test method".split()
)


def is_proper(s: Sentence, start: int, end: int) -> bool:
    """Whether all words are capitalised; None in text without capitals."""
    return (
        s.has_capitals
        and end > start
        and all(s.is_name(i) or (i == 0 and s.tokens[0].text[:1].isupper()) for i in range(start, end))
        and (s.tag(start) not in ("DT", "IN", "RB", "SC", "PRP3", "PRPX"))
    )
