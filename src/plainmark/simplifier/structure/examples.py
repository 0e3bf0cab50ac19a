"""Examples at the end of a sentence become a sentence of their own."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import clause, is_past
from .proposal import Proposal, joined
from .sentence import Sentence

_UNCERTAIN = frozenset("no not n't n’t never any every without other only if whether unless".split())
_UNNAMED = frozenset("factors things ways others those ones such".split())


def examples(s: Sentence) -> Iterator[Proposal]:
    """A list of examples at the end: "several islands, including ..."; "fruits such as ..."."""
    for c in range(4, s.stop - 1):
        comma = s.word(c) == ","
        at = c + 1 if comma else c
        such = (s.word(at), s.word(at + 1)) == ("such", "as")
        if s.enclosed[c] or not (such or (comma and s.word(at) == "including")):
            continue
        start = at + 2 if such else at + 1
        if start >= s.stop - 1 or s.tag(start) in ("VBG", "IN", "TO", "WP", "SC", "RB"):
            continue
        main = clause(s, 0, c)
        if main is None or any(s.tag(i) in FINITE | {"WP", "SC", "VBG", "VBN"} for i in range(start, s.stop)):
            continue
        if any(s.word(i) == "or" or s.word(i) in ("but", "which", "as") for i in range(start, s.stop)):
            continue
        if any(s.tag(i) in ("SC", "WP") or s.word(i) in _UNCERTAIN for i in range(c)):
            continue
        past = is_past(s, main.verb)
        if past is None and not (such and s.word(main.verb) in ("can", "may")):
            continue
        noun = c - 1
        if any(s.word(i) == "such" for i in range(c - 4, c)):
            continue
        if s.tag(noun) != "NNS" or (s.has_capitals and s.is_name(noun)) or s.word(noun) in _UNNAMED:
            continue
        if not _is_list(s, start, such=such) or not _is_nearest(s, noun, such=such):
            continue
        yield Proposal(
            "examples",
            "examples at the end",
            (
                s.span(0, c),
                joined("these", s.word(noun), "included" if past else "include", s.span(start, s.stop)),
            ),
        )


def _is_list(s: Sentence, start: int, *, such: bool) -> bool:
    """Whether the words up to the full stop are at least two things; a phrase after them may belong to the clause before."""
    if such and any(s.tag(i) in ("IN", "TO") and s.word(i) != "of" for i in range(start, s.stop)):
        return False
    return s.stop - start >= 3 and any(s.word(i) == "and" for i in range(start, s.stop))


def _is_nearest(s: Sentence, noun: int, *, such: bool) -> bool:
    """Whether the examples can only be of the noun before them."""
    before = noun
    while before > 0 and s.tag(before - 1) not in FINITE | {"VBN", "VBG", "VB", "PU"}:
        before -= 1
    others = [
        i
        for i in range(before, noun)
        if s.tag(i) == "NNS" and not (s.has_capitals and s.is_name(i) and i > 0)
    ]
    joint = any(s.tag(i) == "CC" for i in range(max(before, noun - 4), noun))
    return not others and (such or not joint)
