"""Negations of a text: not, no, never, without and their like, each with the words that it is about.

"Not only", "no doubt" and "No. 5" deny nothing. Words that deny by meaning ("unable", "lack", "hardly") are weak: they
confirm a negation of the other text, but nobody asks what became of them.
"""

from __future__ import annotations

import re

from .. import kernels
from ._mention import Checked, Mention, mark

_CUE = re.compile(
    r"\b(?:not(?!\s+(?:only|just|merely|least))|cannot|no(?!\s+doubt\b|\.\s*\d)|never|none|nobody|nothing|nowhere"
    r"|neither|without)\b|(?:(?<=\w)|\b)n['’]t\b",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:nor|unable|inability|impossible|unlikely|lack(?:s|ed|ing)?|fail(?:s|ed|ing|ure)?|absen(?:ce|t)|refus\w+"
    r"|hardly|barely|scarcely|rarely|seldom|few|little|except|unless|stop(?:s|ped|ping)?|prevent\w*|avoid\w*"
    r"|den(?:y|ies|ied)|free\s+(?:of|from)|rather\s+than|instead\s+of)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_STOP = re.compile(r"[.,;:!?()\u2014]|\bbut\b", re.IGNORECASE)
_FUNCTION = frozenset(
    "a an the this that these those it its he she they them his her their we us our you your i me my there here who "
    "which what be is are was were been being am do does did done doing have has had having will would can could may "
    "might shall should must to of in on at by for from with as and or if then than so any some all each every much "
    "many more most very too also just only even yet still such own same other another one up out about into over "
    "after before between through during under no not never none nor neither without cannot nobody nothing nowhere t s".split()
)
# A negation is about the words that follow it; so many of them.
_REACH = 4


def negations(text: str) -> list[Mention]:
    """The negations of a text, in order; the key holds the stems of the words that each is about.

    >>> [(m.text, m.key) for m in negations("It isn't safe, and nobody knows why.")]
    [("n't", ('safe',)), ('nobody', ('know', 'whi'))]
    """
    matches = [(m, weak) for pattern, weak in ((_CUE, False), (_WEAK, True)) for m in pattern.finditer(text)]
    return [
        Mention(m.group(), m.start(), m.end(), tuple(s for s, _ in _scope(text, m.end())), weak=weak)
        for m, weak in sorted(matches, key=lambda f: f[0].start())
    ]


def match_negations(source: str, of_source: list[Mention], output: str, of_output: list[Mention]) -> Checked:
    """Negations are the same if they share a word that they are about.

    Of what is left, one may stand for another in other words, unless the other text says the same thing undenied.
    """
    pairs: dict[int, int] = {}
    for i, a in enumerate(of_source):
        for j, b in enumerate(of_output):
            if i not in pairs and j not in pairs.values() and set(a.key) & set(b.key):
                pairs[i] = j
    said_in_source, said_in_output = _affirmed(source, of_source), _affirmed(output, of_output)
    for i, a in enumerate(of_source):
        for j, b in enumerate(of_output):
            free = i not in pairs and j not in pairs.values() and not (a.weak and b.weak)
            if free and not set(a.key) & said_in_output and not set(b.key) & said_in_source:
                pairs[i] = j
    kept_source = {id(of_source[i]) for i in pairs}
    kept_output = {id(of_output[j]) for j in pairs.values()}
    return mark(of_source, of_output, lambda m: id(m) in kept_source, lambda m: id(m) in kept_output)


def _scope(text: str, start: int) -> list[tuple[str, int]]:
    """Stems of the content words after a place, up to the end of the clause, with their positions."""
    stop = _STOP.search(text, start)
    end = stop.start() if stop else len(text)
    out: list[tuple[str, int]] = []
    for word in _WORD.finditer(text, start, end):
        lower = word.group().lower()
        if lower not in _FUNCTION:
            out.append((kernels.stem(lower), word.start()))
        if len(out) == _REACH:
            break
    return out


def _affirmed(text: str, mentions: list[Mention]) -> set[str]:
    """Stems of the content words that no negation is about."""
    denied = {place for m in mentions for _, place in _scope(text, m.end)}
    cues = [(m.start, m.end) for m in mentions]
    return {
        kernels.stem(w.group().lower())
        for w in _WORD.finditer(text)
        if w.start() not in denied
        and w.group().lower() not in _FUNCTION
        and not any(a < w.end() and w.start() < b for a, b in cues)
    }
