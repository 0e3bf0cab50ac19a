"""Refusals that became an acceptance, and vice versa: "rejected the plan", "voted for the plan"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..alignment import Pair
from ..passage import Passage
from . import Finding, Mention
from ._cues import NEGATORS, plain

_REFUSING = frozenset("reject dismiss veto oppose refuse decline block".split())
_ACCEPTING = frozenset(
    "approve accept adopt back support endorse ratify grant agree welcome favour favor".split()
)
# Verbs with the words that follow within two words; +1 accepts.
_TWO_WORDS = {
    ("turn", "down"): -1,
    ("vote", "against"): -1,
    ("vote", "down"): -1,
    ("throw", "out"): -1,
    ("strike", "down"): -1,
    ("vote", "for"): 1,
    ("vote", "in"): 1,
    ("say", "yes"): 1,
    ("say", "no"): -1,
}
# Things for which "passed" means "accepted".
_LAWS = frozenset("bill law motion act budget resolution amendment measure".split())
_VERBS = frozenset(verb for verb, _ in _TWO_WORDS)
_OBJECT, _BEFORE = 6, 3
_KEPT = frozenset(("same", "form", "synonym", "hypernym", "hyponym"))


class Act(NamedTuple):
    """A refusal (-1) or an acceptance (+1), with its words, its agent, and the words it is about."""

    first: int
    last: int
    sign: int
    actor: int
    about: tuple[int, ...]


def reversed_acts(pair: Pair) -> Iterator[Finding]:
    """Acts of the source that the output has with the opposite sign."""
    before, after = _acts(pair.source), _acts(pair.output)
    for a in before:
        group = pair.group_of_source.get(pair.source.words[a.first].sentence)
        in_output = [
            b for b in after if pair.group_of_output.get(pair.output.words[b.first].sentence) == group
        ]
        in_source = [
            x for x in before if pair.group_of_source.get(pair.source.words[x.first].sentence) == group
        ]
        if not in_output or len({x.sign for x in in_source}) > 1 or any(b.sign == a.sign for b in in_output):
            continue
        for b in in_output:
            actor = pair.after.get(a.actor)
            same = pair.source.words[a.first].base == pair.output.words[b.first].base
            if actor is None or actor.j != b.actor or same:
                continue
            shared = sum(
                (link := pair.linked(1, j)) is not None and link.i in a.about and link.relation in _KEPT
                for j in b.about
            )
            if shared:
                yield _finding(pair, a, b)
                break


def _acts(passage: Passage) -> list[Act]:
    words = passage.words
    out = []
    for i, word in enumerate(words):
        sign, last = _sign(passage, i)
        if not sign or not word.text.islower():
            continue
        first = passage.first_word[word.sentence]
        stop = passage.first_word[word.sentence + 1]
        actors = [k for k in range(first, i) if words[k].content]
        about = [k for k in range(last + 1, stop) if words[k].content][:_OBJECT]
        if not actors or not about:
            continue
        if any(plain(w.lower) in NEGATORS for w in words[first : max(first, i - _BEFORE)]):
            continue  # "no evidence to support"
        denied = sum(plain(w.lower) in NEGATORS for w in words[max(first, i - _BEFORE) : i])
        out.append(Act(i, last, -sign if denied % 2 else sign, actors[-1], tuple(about)))
    return out


def _sign(passage: Passage, i: int) -> tuple[int, int]:
    """Whether a word refuses or accepts, and the last word of the expression."""
    words = passage.words
    word = words[i]
    if word.base in _VERBS:
        for k in range(i + 1, min(i + 4, passage.first_word[word.sentence + 1])):
            if sign := _TWO_WORDS.get((word.base, words[k].lower)):
                return sign, k
        return 0, i
    if i and words[i - 1].lower in ("the", "a", "an", "of", "his", "her", "their", "no", "and"):
        return 0, i
    if word.base == "pass":
        return int(any(w.base in _LAWS for w in words[i + 1 : i + 4])), i
    return (-1 if word.base in _REFUSING else word.base in _ACCEPTING), i


def _finding(pair: Pair, a: Act, b: Act) -> Finding:
    before, after = _mention(pair.source, a), _mention(pair.output, b)
    first, second = pair.source.text[before.start : before.end], pair.output.text[after.start : after.end]
    reason = f"The original says “{first}”; the simplified text says “{second}”."
    return Finding("changed", before, after, "refusal", reason)


def _mention(passage: Passage, act: Act) -> Mention:
    start, end = passage.words[act.first].start, passage.words[act.last].end
    return Mention(start, end, act.first, act.last, ("act", act.sign), act.about)
