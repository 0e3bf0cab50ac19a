"""Directions that two words express together: losses that narrow are smaller; hyperthyroidism is an overactive thyroid."""

from __future__ import annotations

from collections.abc import Iterator

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage
from . import Mention

_BALANCE = {
    **dict.fromkeys("profit surplus earnings".split(), 1),
    **dict.fromkeys("loss lose lost deficit shortfall debt".split(), -1),
}
_CHANGE = {
    **dict.fromkeys(
        "widen grow rise increase deepen mount swell double triple more bigger larger higher greater climb jump".split(),
        1,
    ),
    **dict.fromkeys(
        "narrow shrink fall decrease reduce cut drop decline halve less fewer smaller lower dwindle".split(),
        -1,
    ),
}
_NEAR = 3
_DENIALS = frozenset("no not n't n’t never without".split())
_PREFIXES = ("hyper", "hypo")
# The meanings of Greek and Latin stems: hypoglycaemia is low blood sugar.
_STEMS = {
    "glyc": "sugar glucose", "tens": "pressure", "therm": "temperature", "kal": "potassium", "natr": "sodium salt",
    "lipid": "fat lipid", "calc": "calcium", "chol": "cholesterol", "thyr": "thyroid",
}  # fmt: skip


def balances(pair: Pair) -> tuple[Mention, Mention] | None:
    """Opposite statements of two single sentences about losses or profits."""
    before, after = list(_changes(pair.source)), list(_changes(pair.output))
    if len(before) != 1 or len(after) != 1 or before[0][1] == after[0][1]:
        return None
    return before[0][0], after[0][0]


def _changes(passage: Passage) -> Iterator[tuple[Mention, int]]:
    """Words for loss and profit with the adjacent word that gives their direction, and the sum of both."""
    words = passage.words
    for i, word in enumerate(words):
        sign = _BALANCE.get(word.base)
        if sign is None:
            continue
        near = range(max(i - _NEAR, 0), min(i + _NEAR + 1, len(words)))
        signs = [
            (k, way) for k in near if words[k].sentence == word.sentence and (way := _way(words[k].lower))
        ]
        if len(signs) != 1 or _DENIALS & {words[k].lower for k in near}:
            continue
        k, way = signs[0]
        first, last = sorted((i, k))
        yield Mention(words[first].start, words[last].end, first, last, ("balance", sign * way)), sign * way


def _way(word: str) -> int:
    return next((_CHANGE[form] for form in (word, *lexicon.bases(word)) if form in _CHANGE), 0)


def is_named_by(pair: Pair, a: Mention, b: Mention) -> bool:
    """Whether one is a technical word with hyper- or hypo-, and its meaning follows the other: "low blood sugar"."""
    sides = (pair.source, a), (pair.output, b)
    return any(
        _names(passage.words[m.last].lower, other, n) for (passage, m), (other, n) in (sides, sides[::-1])
    )


def _names(word: str, other: Passage, m: Mention) -> bool:
    prefix = next((p for p in _PREFIXES if word.startswith(p)), None)
    if prefix is None:
        return False
    stem = word.removeprefix(prefix)
    named = next((names.split() for start, names in _STEMS.items() if stem.startswith(start)), [])
    following = [w.lower for w in other.words[m.last + 1 : m.last + 1 + _NEAR]]
    return any(w in named for w in following)
