"""Relative clauses become sentences about the noun that they describe."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .definitions import DENIALS, defined
from .descriptions import subject_start
from .phrases import (
    NOUNS,
    agree,
    clause,
    finite_verb,
    is_past,
    is_person,
    is_plural,
    mention,
    skip_adverbs,
    verb_number,
)
from .proposal import Proposal, joined, without
from .sentence import Sentence, Unit

# Lasting states: "The town, located in Kent, was" says nothing about the time of the state.
STATES = frozenset(
    "located situated known based surrounded bordered connected used called named owned spelled spelt dedicated made found "
    "composed characterized characterised associated inhabited spoken".split()
)
EVENTS = frozenset(
    "written published released born founded built designed created directed produced developed established recorded "
    "discovered formed introduced launched composed painted invented constructed signed fought held awarded".split()
)

# "He wanted a house that was large" does not say that there is one.
_INTENSIONAL = frozenset(
    "want need seek require propose intend plan imagine describe lack refuse avoid search look hope wish ask promise demand "
    "suggest believe consider request expect order deny doubt".split()
)


def relative(s: Sentence) -> Iterator[Proposal]:
    """A clause between commas that begins with "who" or "which"."""
    for w in range(2, s.stop - 2):
        if s.word(w) not in ("who", "which") or s.word(w - 1) != "," or s.enclosed[w]:
            continue
        end = _clause_end(s, w)
        verb = skip_adverbs(s, w + 1)
        if end is None or s.tag(verb) not in FINITE:
            continue
        place = _antecedent(s, w - 1)
        if place is None or (_joins_list(s, place[0], end) and subject_start(s, w - 1) != place[0]):
            continue
        if any(s.tag(i) == "CC" for i in range(w, end)) and any(
            s.word(i) in ("who", "which") for i in range(w + 1, end)
        ):
            continue
        if any(s.word(i) == "," and s.tag(i + 1) == "CC" for i in range(w, end)):
            continue  # "wine, which sells, and grapes"
        if s.word(w) == "which" and end == s.stop and not _is_sure(s, place, verb):
            continue
        if defined(s, w - 1) and any(
            s.tag(i) == "IN" for i in range(w - 1) if i > (finite_verb(s, 0, w) or 0)
        ):
            continue  # "X is a team in the league, which": the team or the league
        if s.word(w) == "who" and not _may_be_person(s, *place):
            continue
        plural = is_plural(s, *place)
        if not agree(plural, verb_number(s, verb)):
            continue
        subject = mention(s, *place, near=False)
        if subject is None or subject[0].lower() in ("it", "they"):
            continue
        yield Proposal(
            "relative",
            f'a clause with "{s.word(w)}" between commas',
            (without(s, w - 1, end), joined(subject[0], s.span(w + 1, end))),
        )


def possessive(s: Sentence) -> Iterator[Proposal]:
    """A clause between commas that begins with "whose"."""
    for w in range(2, s.stop - 3):
        if s.word(w) != "whose" or s.word(w - 1) != "," or s.enclosed[w]:
            continue
        end = _clause_end(s, w)
        place = _antecedent(s, w - 1)
        verb = next((i for i in range(w + 2, end or w) if s.tag(i) in FINITE), None)
        if end is None or place is None or verb is None:
            continue
        if any(s.tag(i) not in NOUNS | {"JJ", "RB"} for i in range(w + 1, verb)):
            continue
        if _joins_list(s, place[0], end) and subject_start(s, w - 1) != place[0]:
            continue
        subject = mention(s, *place, near=False)
        if subject is None or subject[0].lower() in ("it", "they") or subject[1]:
            continue
        yield Proposal(
            "relative",
            'a clause with "whose" between commas',
            (without(s, w - 1, end), joined(subject[0] + "’s", s.span(w + 1, end))),
        )


_INNER = frozenset("in on at from to for through during with by under".split())


def inner(s: Sentence) -> Iterator[Proposal]:
    """A clause with "in which" or similar words at the end."""
    for w in range(3, s.stop - 3):
        if (
            s.word(w) not in _INNER
            or s.word(w + 1) not in ("which", "whom")
            or s.word(w - 1) != ","
            or s.enclosed[w]
        ):
            continue
        end = next((u.end for i in (w, w + 1) for u in s.starting(i) if u.is_scene and u.end == s.stop), None)
        place = _antecedent(s, w - 1, w)
        clause_ = clause(s, w + 2, s.stop)
        if end is None or place is None or clause_ is None or clause_.subject[0] != w + 2:
            continue
        if s.word(place[0] - 1) in ("and", "or", ",") or any(s.word(i) == "which" for i in range(w)):
            continue
        subject = mention(s, *place, near=False)
        if subject is None or subject[0].lower() in ("it", "they") or finite_verb(s, 0, w) is None:
            continue
        yield Proposal(
            "relative",
            f'a clause with "{s.span(w, w + 2)}" at the end',
            (s.span(0, w - 1), joined(s.word(w), subject[0] + ",", s.span(w + 2, end))),
        )


# "It rained, which made us wet": the clause may refer to everything before it.
_ABOUT_ALL = frozenset(
    "make mean allow lead result cause give enable help force bring create suggest show indicate leave prove provide".split()
)


def _is_sure(s: Sentence, place: tuple[int, int], verb: int) -> bool:
    """Whether a closing clause with "which" can refer only to the noun before it."""
    if s.tokens[verb].lemma in _ABOUT_ALL:
        return False
    before = s.tag(place[0] - 1)
    if before in ("IN", "TO"):
        return s.has_capitals and s.is_name(place[1] - 1)
    return before in FINITE or before in ("VB", "VBN", "VBG", "BEN")


def described_object(s: Sentence) -> Iterator[Proposal]:
    """A clause about something that the sentence introduces: "He met a man who ...", "... a book called ..."."""
    for w in range(4, s.stop - 2):
        relative = s.word(w) in ("that", "who", "which")
        if (
            s.tag(w - 1) not in NOUNS
            or s.enclosed[w]
            or not (relative or s.word(w) in STATES or s.word(w) in EVENTS)
        ):
            continue
        verb = skip_adverbs(s, w + 1)
        if not _runs_to_stop(s, w) or (relative and s.tag(verb) not in FINITE):
            continue
        if not relative and (s.tag(w) not in ("VBN", "VBD") or s.tag(w + 1) not in ("IN", "TO")):
            continue
        unit = next(
            (
                u
                for u in s.all_units
                if any(c.start == w and c.is_scene and c.category == "E" for c in u.children)
            ),
            None,
        )
        main = clause(s, 0, w)
        if unit is None or main is None or main.verb > unit.start:
            continue
        start = unit.start if s.word(unit.start) in ("a", "an") else unit.start + 1
        lemma = s.tokens[main.verb].lemma
        if s.word(start - 1) == ",":
            continue  # "a golden age, an image that": the image would lose its context
        if s.word(start) not in ("a", "an") or not is_past(s, main.verb) or lemma in _INTENSIONAL:
            continue
        if any(s.tag(i) in ("IN", "CC", "PU", "SC", "WP", "TO") for i in range(start, w)):
            continue
        if any(
            s.tag(i) in ("SC", "WP", "TO", "CC") or s.word(i) in DENIALS or s.tag(i) in FINITE
            for i in range(w)
            if i != main.verb
        ):
            continue
        subject = mention(s, start, w, near=False)
        if subject is None or (relative and not agree(False, verb_number(s, verb))):
            continue
        rest = s.span(w + 1, s.stop) if relative else joined("was", s.span(w, s.stop))
        yield Proposal(
            "introduction",
            f'a clause with "{s.word(w)}" about something new',
            (s.span(0, w), joined(subject[0], rest)),
        )


def _runs_to_stop(s: Sentence, w: int) -> bool:
    """Whether a clause at the end of the sentence begins with this word."""
    return any(u.is_scene and u.whole and u.category == "E" and u.end == s.stop for u in s.starting(w))


def place_clause(s: Sentence) -> Iterator[Proposal]:
    """A clause with "where" at the end of a sentence."""
    for w in range(3, s.stop - 2):
        if s.word(w) != "where" or s.enclosed[w]:
            continue
        runs = any(u.category == "H" and u.end == s.stop for u in s.starting(w + 1))
        end = s.stop if runs else _clause_end(s, w)
        comma = w - 1 if s.word(w - 1) == "," else w
        if end != s.stop or s.tag(comma - 1) not in NOUNS:
            continue
        if comma == w and not _is_place_name(s, w):
            continue  # "a place where": which one?
        inner = clause(s, w + 1, end)
        if inner is None or inner.subject[0] != w + 1 or finite_verb(s, 0, w) is None:
            continue
        if any(s.word(i) in ("if", "that", "where") for i in range(w)):
            continue
        yield Proposal(
            "where", 'a clause with "where"', (s.span(0, comma), joined("there,", s.span(w + 1, end)))
        )


def _is_place_name(s: Sentence, end: int) -> bool:
    """Whether only a name with "in" or a similar word precedes a word."""
    start = end
    while start > 0 and s.has_capitals and s.is_name(start - 1):
        start -= 1
    return start < end and s.word(start - 1) in ("in", "at", "to", "from")


def _antecedent(s: Sentence, comma: int, opening: int | None = None) -> tuple[int, int] | None:
    """The noun phrase that ends before a comma, if a clause after it can describe only that one."""
    opening = comma + 1 if opening is None else opening
    end = comma
    if s.word(end - 1) == ")":  # "Wi-Fi Protected Access (WPA), which"
        end = max(i for i in range(end) if s.word(i) == "(" or i == 0)
    start = _phrase_start(s, end)
    described = next(
        (
            u
            for u in s.all_units
            if any(c.start in (opening, comma + 1) and _has_verb(s, c) for c in u.children)
        ),
        None,
    )
    if start is None or described is None or described.start < start - 1:
        return None
    if s.word(start - 1) == "of" and not (
        s.word(comma + 1) == "who" and s.has_capitals and s.is_name(end - 1) and s.tag(end - 1) != "NNS"
    ):
        return None  # "the head of the company, which": one or the other; "the son of Eva Janko, who" is hers
    return start, end


def _phrase_start(s: Sentence, end: int) -> int | None:
    """The start of the noun phrase before a comma, searched backwards."""
    if s.tag(end - 1) not in NOUNS and not (s.has_capitals and s.is_name(end - 1)):
        return None
    start = end - 1
    while (
        start > 0
        and s.tag(start - 1) in ("DT", "JJ", "NN", "NNS", "NNP", "CD", "POS", "VBN")
        and not s.enclosed[start - 1]
    ):
        start -= 1
        if s.tag(start) == "DT":
            break
        if s.tag(start) == "POS":
            return None
    while start < end and s.tag(start) in ("VBN",):
        start += 1
    return start if start < end else None


_ENDS = (",", ".")


def _clause_end(s: Sentence, w: int) -> int | None:
    """The end of a clause that begins with a relative pronoun: at a comma or the full stop."""
    for u in s.starting(w):
        if _has_verb(s, u) and u.whole and u.category == "E" and s.word(u.end) in _ENDS:
            return u.end
    return None


def _has_verb(s: Sentence, unit: Unit) -> bool:
    """Whether a unit is a clause; the parser does not recognise "who is president" as one."""
    return unit.is_scene or any(s.tag(i) in FINITE for i in range(unit.start, unit.end))


def _joins_list(s: Sentence, start: int, end: int) -> bool:
    """Whether the noun phrase is one of several in a list."""
    return s.word(end + 1) in ("and", "or") or s.word(start - 1) in ("and", "or", ",", "&")


def _may_be_person(s: Sentence, start: int, end: int) -> bool:
    return (s.has_capitals and s.is_name(end - 1)) or not s.has_capitals or is_person(s.word(end - 1))
