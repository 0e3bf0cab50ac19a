"""The proposal of an operation: sentences that replace one, and the reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...lexicon import is_known
from ...tagger import FINITE
from .phrases import finite_verb, skip_adverbs
from .sentence import Sentence


@dataclass(frozen=True)
class Proposal:
    """Sentences that replace one, still without capitals and full stops."""

    name: str
    why: str
    pieces: tuple[str, ...]


Rule = Callable[[Sentence], Iterator[Proposal]]


def written(s: Sentence, pieces: tuple[str, ...]) -> list[str]:
    """The new sentences, in the style of the old one."""
    stop = " ." if s.is_tokenized else "."
    sentences = []
    for piece in pieces:
        body = piece.lstrip(" ,").rstrip(",;:–— ")
        if s.has_capitals:
            body = body[:1].upper() + body[1:]
        elif s.is_tokenized:
            body = _COMMA.sub(" ,", body)
        ended = body.endswith(".") and not s.is_tokenized  # an abbreviation
        sentences.append(body if ended else body + stop)
    return sentences


_COMMA = re.compile(r"(?<=\w),(?= )")


def opened(s: Sentence, opener: str, start: int, text: str) -> str:
    """Text after an opening word that precedes it; the first word of the sentence loses its capital."""
    if not opener or start > 0 or not s.has_capitals:
        return joined(opener, text)
    return joined(opener, uncapitalised(s, text))


def uncapitalised(s: Sentence, text: str) -> str:
    """Text that is no longer at the beginning of the sentence; names keep their capital."""
    first, *rest = text.split(" ", 1)
    following = rest[0][:1] if rest else ""
    common = s.tag(0) in ("DT", "PRP3", "PRPX", "IN", "RB", "CD", "NNS") or (
        s.tag(0) in ("NN", "JJ") and is_known(first.lower()) and not following.isupper()
    )
    if first in ("I", "I'm") or not common or not (first[1:].islower() or len(first) == 1):
        return text
    return joined(first.lower(), *rest)


def joined(*parts: str) -> str:
    """Parts of a sentence with single spaces between them."""
    return " ".join(p.strip() for p in parts if p.strip())


def without(s: Sentence, start: int, end: int) -> str:
    """The sentence without the words from a comma up to the end of a clause, with correct commas."""
    before, after = s.span(0, start), s.span(end, s.stop)
    if not after:
        return before
    if s.word(end) != ",":
        return joined(before, after)
    following = skip_adverbs(s, end + 1)
    subject_gap = finite_verb(s, 0, start) is None and (
        s.tag(following) in FINITE or s.tag(0) not in ("IN", "SC", "VBG", "VBN", "TO", "RB")
    )
    if subject_gap:
        return joined(before, s.span(end + 1, s.stop))
    comma = " ," if s.is_tokenized else ","
    return before + comma + " " + s.span(end + 1, s.stop)
