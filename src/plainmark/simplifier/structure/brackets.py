"""Brackets after a subject, with dates of a life or another name, become a sentence of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...tagger import FINITE
from .descriptions import is_proper
from .phrases import MONTHS, be, core, finite_verb, is_past, is_person, mention, skip_adverbs, verb_number
from .proposal import Proposal, joined
from .sentence import Sentence

_OTHER_NAME = re.compile(r"(?:also|often|sometimes|formerly|commonly|better|usually|previously|originally)$")


def bracketed(s: Sentence) -> Iterator[Proposal]:
    """A date of birth or another name in brackets after the subject."""
    for c in range(1, s.stop - 3):
        if s.word(c) != "(":
            continue
        end = next((i for i in range(c + 1, s.stop) if s.word(i) == ")"), None)
        if end is None or s.tag(skip_adverbs(s, end + 1)) not in FINITE or finite_verb(s, 0, c) is not None:
            return
        if any(s.word(i) in ("(", ";", '"', ":", "/") for i in range(c + 1, end)):
            return
        inner = s.span(c + 1, end)
        whole = core(s, 0, c)
        subject = mention(s, 0, c, near=False) if whole and whole[1] == c else None
        past = is_past(s, skip_adverbs(s, end + 1))
        if subject is None or past is None:
            return
        plural = bool(subject[1]) or bool(verb_number(s, skip_adverbs(s, end + 1)))
        life = _life(s, c + 1, end)
        person = is_proper(s, 0, c) or (not s.has_capitals and _is_about_person(s, end + 1))
        if life and person and past and not plural and _is_about_person(s, end + 1):
            text = joined(subject[0], life)
        elif (
            s.word(c + 1) == "born"
            and person
            and not plural
            and (link := _date_link(s, c + 2, end)) is not None
        ):
            text = joined(subject[0], "was born", link, s.span(c + 2, end))
        elif _OTHER_NAME.match(s.word(c + 1)) and s.word(c + 2) in ("known", "called") and end - c <= 14:
            was = past or s.word(c + 1) in ("formerly", "previously", "originally")
            text = joined(subject[0], be(plural, was), inner)
        else:
            return
        yield Proposal(
            "brackets", "a description in brackets", (joined(s.span(0, c), s.span(end + 1, s.stop)), text)
        )


def _date_link(s: Sentence, start: int, end: int) -> str | None:
    """The preposition that a date needs, or None if these words are not a date or year."""
    words = [s.word(i) for i in range(start, end) if s.word(i) not in (",", "in", "on")]
    if not 0 < len(words) <= 3 or not all(w.isdigit() or w in MONTHS for w in words):
        return None
    if not (words[-1].isdigit() and len(words[-1]) == 4):
        return None
    return (
        ""
        if s.tag(start) == "IN"
        else "in"
        if len(words) == 1 or (words[0] in MONTHS and len(words) == 2)
        else "on"
    )


def _life(s: Sentence, start: int, end: int) -> str:
    """A sentence about a person from brackets with two dates."""
    years = [i for i in range(start, end) if s.word(i).isdigit() and len(s.word(i)) == 4]
    if len(years) != 2 or years[1] != end - 1 or s.word(start) == "born":
        return ""
    second = years[0] + 1
    while s.word(second) in ("–", "-", "—"):
        second += 1
    first_link, second_link = _date_link(s, start, years[0] + 1), _date_link(s, second, end)
    if first_link is None or second_link is None:
        return ""
    birth, death = joined(first_link, s.span(start, years[0] + 1)), joined(second_link, s.span(second, end))
    return f"was born {birth} and died {death}"


def _is_about_person(s: Sentence, start: int) -> bool:
    """Whether the words after "was" name what a person is."""
    at = skip_adverbs(s, start + 1)
    if s.word(start) not in ("was", "is") or s.word(at) not in ("a", "an", "the"):
        return False
    noun = core(s, at, s.stop)
    return noun is not None and any(is_person(s.word(i)) for i in range(at + 1, noun[1]))
