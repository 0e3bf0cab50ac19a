"""Descriptions of a name, in apposition or in brackets, and examples become sentences of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import MONTHS, be, clause, core, finite_verb, is_kind, is_past, is_person, mention, skip_adverbs
from .proposal import Proposal, joined
from .sentence import Sentence

_REPORTED = frozenset("said says say told tells added adds explained explains".split())
_OTHER_NAME = re.compile(r"(?:also|often|sometimes|formerly|commonly|better|usually|previously|originally)$")


def apposition(s: Sentence) -> Iterator[Proposal]:
    """A description of a name between commas, before the verb."""
    for c in range(1, s.stop - 3):
        if s.word(c) != "," or s.word(c + 1) not in ("a", "an", "the") or s.enclosed[c]:
            continue
        end = next((i for i in range(c + 1, s.stop) if s.word(i) == "," and not s.enclosed[i]), None)
        if end is None or s.tag(skip_adverbs(s, end + 1)) not in FINITE or not _is_name(s, 0, c):
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
                joined(s.span(0, c), be(False, past), s.span(c + 1, end)),
            ),
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
    """Whether something was, rather than is; None for companies and the like, of which nobody knows whether they last."""
    if not past or noun in _LASTING or is_kind(noun, "location") or is_kind(noun, "written_communication"):
        return False
    return True if is_person(noun) or is_kind(noun, "event") or is_kind(noun, "vehicle") else None


# What lasts, so that it is said in the present even in a story of the past.
_LASTING = frozenset(
    "city town village suburb district region county province state country island river mountain lake sea bay hill valley street "
    "film album song novel book series game play opera poem episode language species genus disease drug chemical".split()
)


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
        if subject is None or past is None or subject[1]:
            return
        life = _life(s, c + 1, end)
        person = _is_name(s, 0, c) or (not s.has_capitals and _is_about_person(s, end + 1))
        if life and person and past and _is_about_person(s, end + 1):
            text = joined(subject[0], life)
        elif s.word(c + 1) == "born" and person and (link := _date_link(s, c + 2, end)) is not None:
            text = joined(subject[0], "was born", link, s.span(c + 2, end))
        elif _OTHER_NAME.match(s.word(c + 1)) and s.word(c + 2) in ("known", "called") and end - c <= 9:
            was = past or s.word(c + 1) in ("formerly", "previously", "originally")
            text = joined(subject[0], be(False, was), inner)
        else:
            return
        yield Proposal(
            "brackets", "a description in brackets", (joined(s.span(0, c), s.span(end + 1, s.stop)), text)
        )


def _date_link(s: Sentence, start: int, end: int) -> str | None:
    """The preposition that a date needs, or None if these words are no date or year."""
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
    """What brackets with two dates say of a person."""
    years = [i for i in range(start, end) if s.word(i).isdigit() and len(s.word(i)) == 4]
    if len(years) != 2 or years[1] != end - 1 or s.word(start) == "born":
        return ""
    second = years[0] + 1
    while s.word(second) in ("–", "-", "—"):
        second += 1
    first_link, second_link = _date_link(s, start, years[0] + 1), _date_link(s, second, end)
    if first_link is None or second_link is None or years[0] - start != years[1] - second:
        return ""
    birth, death = joined(first_link, s.span(start, years[0] + 1)), joined(second_link, s.span(second, end))
    return f"was born {birth} and died {death}"


def _is_about_person(s: Sentence, start: int) -> bool:
    """Whether the words after "was" call somebody by what people are."""
    at = skip_adverbs(s, start + 1)
    if s.word(start) not in ("was", "is") or s.word(at) not in ("a", "an", "the"):
        return False
    noun = core(s, at, s.stop)
    return noun is not None and any(is_person(s.word(i)) for i in range(at + 1, noun[1]))


def examples(s: Sentence) -> Iterator[Proposal]:
    """A list of examples at the end: "several islands, including ..."."""
    for c in range(4, s.stop - 1):
        if s.word(c) != "," or s.enclosed[c]:
            continue
        such = (s.word(c + 1), s.word(c + 2)) == ("such", "as")
        start = c + 2 if s.word(c + 1) == "including" else c + 3 if such else s.stop
        if start >= s.stop or s.tag(start) in ("VBG", "IN", "TO", "WP", "SC", "RB"):
            continue
        main = clause(s, 0, c)
        if main is None or any(s.tag(i) in FINITE | {"WP", "SC", "VBG", "VBN"} for i in range(start, s.stop)):
            continue
        past = is_past(s, main.verb)
        if past is None or any(s.tag(i) in ("SC", "WP") or s.word(i) in _UNCERTAIN for i in range(c)):
            continue
        if any(s.word(i) == "or" for i in range(start, s.stop)):
            continue
        plurals = [
            i for i in range(c) if s.tag(i) == "NNS" and not (s.has_capitals and s.is_name(i) and i > 0)
        ]
        if plurals != [c - 1] or any(s.tag(i) == "CC" for i in range(c - 4, c)):
            continue
        yield Proposal(
            "examples",
            "examples at the end",
            (
                s.span(0, c),
                joined("these", s.word(plurals[0]), "included" if past else "include", s.span(start, s.stop)),
            ),
        )


_UNCERTAIN = frozenset("no not n't never any every without other".split())


def _is_name(s: Sentence, start: int, end: int) -> bool:
    """Whether all words are capitalised; in text without capitals nobody knows."""
    return (
        s.has_capitals
        and end > start
        and all(s.is_name(i) or (i == 0 and s.tokens[0].text[:1].isupper()) for i in range(start, end))
        and (s.tag(start) not in ("DT", "IN", "RB", "SC", "PRP3", "PRPX"))
    )
