"""Words after "X is a ..." that describe X become a sentence about X."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import (
    NOUNS,
    agree,
    clause,
    core,
    finite_verb,
    is_kind,
    is_past,
    mention,
    skip_adverbs,
    verb_number,
)
from .proposal import Proposal, joined
from .sentence import Sentence

DENIALS = frozenset("not n't n’t never no nor neither without hardly rarely only".split())


def defined(s: Sentence, end: int) -> tuple[int, int] | None:
    """The subject of a sentence that says what it is: "X is a ..." up to a word."""
    main = clause(s, 0, end)
    if main is None or main.subject[0] != 0 or s.tag(main.verb) != "BE" or s.word(main.verb + 1) in DENIALS:
        return None
    at = skip_adverbs(s, main.verb + 1)
    kinds = (
        s.tag(end - 1) == "NNS" and s.tag(at) in ("JJ", "NN", "NNS") and s.word(main.verb) in ("are", "were")
    )
    if not kinds and (s.word(at) not in ("a", "an") or s.word(main.verb) not in ("is", "was")):
        return None
    if kinds and any(s.tag(i) not in ("JJ", "NN", "NNS", "RB") for i in range(at, end)):
        return None
    inner = range(main.verb + 1, end)
    if any(
        s.tag(i) in FINITE or s.tag(i) in ("SC", "WP", "TO") or s.word(i) in (",", ";", ":", "or")
        for i in inner
    ):
        return None
    return main.subject


def again(s: Sentence, start: int, end: int) -> tuple[str, bool | None] | None:
    """The subject of a definition, mentioned a second time; "a lake" in general is not changed."""
    if s.word(start) in ("a", "an"):
        return (
            (s.span(start, end), False)
            if end - start <= 4 and not any(s.tag(i) == "PU" for i in range(start, end))
            else None
        )
    return mention(s, start, end)


def described_subject(s: Sentence) -> Iterator[Proposal]:
    """A clause after "X is a ..." that describes X."""
    for w in range(4, s.stop - 2):
        before = w - 1 if s.word(w - 1) == "," else w
        if s.word(w) not in ("that", "who", "which") or s.tag(before - 1) not in NOUNS or s.enclosed[w]:
            continue
        if before < w and s.word(w) != "who":
            continue
        verb = skip_adverbs(s, w + 1)
        main = defined(s, before)
        if (
            main is None
            or s.tag(verb) not in FINITE
            or not any(u.is_scene and u.category == "E" for u in s.starting(w))
        ):
            continue
        if any(s.tag(i) == "CC" and any(u.start in (i, i + 1) for u in s.units) for i in range(w, s.stop)):
            continue
        if s.word(main[0]) == "it" and before == w:
            continue  # "It was a Frenchman who ..."
        subject = again(s, *main)
        copula = finite_verb(s, 0, w)
        if subject is None or copula is None or not agree(subject[1], verb_number(s, verb)):
            continue
        if not agree(verb_number(s, copula), verb_number(s, verb)) or not agree(
            subject[1], verb_number(s, copula)
        ):
            continue
        yield Proposal(
            "definition",
            f'a clause with "{s.word(w)}" that describes the subject',
            (s.span(0, before), joined(subject[0], s.span(w + 1, s.stop))),
        )


def possession(s: Sentence) -> Iterator[Proposal]:
    """A phrase with "with" after "X is a ...": X has it."""
    for w in range(4, s.stop - 2):
        before = w - 1 if s.word(w - 1) == "," else w
        if s.word(w) != "with" or s.tag(before - 1) not in NOUNS or s.enclosed[w]:
            continue
        if s.word(w + 1) not in ("a", "an") or s.tag(w + 2) == "RB":
            continue
        main = defined(s, before)
        if main is None or any(
            s.tag(i) in FINITE | {"VBG", "WP", "SC"} or s.word(i) == "," for i in range(w + 1, s.stop)
        ):
            continue
        if not any(u.category == "E" and u.end == s.stop for u in s.starting(w)):
            continue
        subject = again(s, *main)
        verb = finite_verb(s, 0, w)
        if subject is None or verb is None:
            continue
        plural = bool(subject[1])
        if not agree(subject[1], verb_number(s, verb)):
            continue
        have = "had" if is_past(s, verb) else "have" if plural else "has"
        yield Proposal(
            "definition",
            'a phrase with "with" that describes the subject',
            (s.span(0, before), joined(subject[0], have, s.span(w + 1, s.stop))),
        )


_PLACES = ("location", "structure", "geological_formation", "body_of_water", "region", "institution")
_SETTLED = frozenset(
    "commune municipality village town city suburb neighbourhood neighborhood district county province parish station church "
    "airport castle stadium museum school university college hospital lake river mountain island peninsula park bridge".split()
)
_WORKS = frozenset(
    "film album song novel book single composition opera play poem painting series story symphony game musical concerto memoir "
    "essay comic manga sculpture ballet cantata quartet sonata documentary".split()
)
_LEAST_WORDS = 15  # shorter sentences are plain already


def setting(s: Sentence) -> Iterator[Proposal]:
    """Where a place is: "X is a village in ..."."""
    if s.stop < _LEAST_WORDS:
        return
    w = next((i for i in range(4, s.stop - 3) if s.word(i) in ("in", "on", "near", "at")), None)
    if w is None or s.tag(w - 1) not in NOUNS or s.enclosed[w]:
        return
    subject_place = defined(s, w)
    head = _head(s, w)
    if (
        subject_place is None
        or head is None
        or not (head in _SETTLED or any(is_kind(head, k) for k in _PLACES))
    ):
        return
    rest = range(w + 1, s.stop)
    if any(s.tag(i) in FINITE | {"WP", "SC", "VBG", "VBN", "TO"} or s.enclosed[i] for i in rest):
        return
    if any((s.tag(i) in ("CD", "PU") and s.word(i) != ",") or s.word(i) in _OF_TIME for i in rest):
        return
    if s.has_capitals and not any(s.is_name(i) for i in rest):
        return
    if any(s.word(i) in ("with", "for", "by", "from", "and", "or", "but", "as", "that") for i in rest):
        return
    yield from _about(s, subject_place, w, "where a place is")


_OF_TIME = frozenset("century centuries year years season time war era age history".split())


def maker(s: Sentence) -> Iterator[Proposal]:
    """Who made a work: "X is a song by ..."."""
    if s.stop < _LEAST_WORDS:
        return
    w = next((i for i in range(4, s.stop - 1) if s.word(i) == "by"), None)
    if w is None or s.tag(w - 1) not in NOUNS or s.enclosed[w] or _head(s, w) not in _WORKS:
        return
    subject_place = defined(s, w)
    rest = range(w + 1, s.stop)
    if subject_place is None or not any(s.is_name(i) for i in rest) or s.tag(w + 1) == "VBG":
        return
    if any(
        s.tag(i) in FINITE | {"WP", "SC", "VBG", "VBN", "TO", "IN", "CD"} or s.word(i) == "," for i in rest
    ):
        return
    yield from _about(s, subject_place, w, "who made it")


def _about(s: Sentence, subject_place: tuple[int, int], w: int, why: str) -> Iterator[Proposal]:
    """The definition, and a sentence about its subject with the rest."""
    subject = again(s, *subject_place)
    verb = finite_verb(s, 0, w)
    if subject is None or verb is None or not agree(subject[1], verb_number(s, verb)):
        return
    name = subject[0] if subject[1] else "it"
    yield Proposal("definition", why, (s.span(0, w), joined(name, s.word(verb), s.span(w, s.stop))))


def _head(s: Sentence, end: int) -> str | None:
    """The noun that a definition calls its subject: "village" in "is a small village of farmers"."""
    verb = finite_verb(s, 0, end)
    noun = core(s, verb + 1, end) if verb is not None else None
    return s.word(noun[1] - 1) if noun else None
