"""The values of numbers: an amount with its unit, or the label of a term; and the nouns that amounts count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...passage import Word
from . import units
from .numerals import TENS
from .numerals import UNITS as SMALL
from .units import NO_UNIT, Unit

FRACTION = 2.0  # the step of "a third" and similar fractions, in per cent
# Words for people in general; "men" and "women" agree with these but not with each other.
ANYONE = frozenset(
    "people person persons patient patients participant participants individual individuals subject subjects volunteer "
    "volunteers case cases user users resident residents respondent respondents member members citizen citizens".split()
)
PEOPLE = ANYONE | frozenset(
    "adult adults child children woman women man men infant infants baby babies student students worker workers boy boys "
    "girl girls male males female females".split()
)
# Words for counted studies; "RCTs" are randomised controlled trials.
STUDIES = frozenset("study studies trial trials rct rcts".split())
MULTIPLES = {
    "twice": 2.0, "thrice": 3.0, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "doubling": 2.0, "triple": 3.0,
    "tripled": 3.0, "triples": 3.0, "tripling": 3.0, "treble": 3.0, "trebled": 3.0, "quadruple": 4.0, "quadrupled": 4.0,
    "halved": 0.5, "halve": 0.5, "halving": 0.5, "halves": 0.5, "once": 1.0, "twofold": 2.0, "threefold": 3.0,
    "fourfold": 4.0, "fivefold": 5.0, "sixfold": 6.0, "tenfold": 10.0,
}  # fmt: skip
_PLURALS = frozenset(
    "people children men women mice feet teeth geese lice oxen police sheep fish data cattle".split()
)
_STOP = frozenset(
    "to and or was were is are had have has with who that which in on at from by for but than as per".split()
)
_NOT_HEADS = (
    frozenset("vs versus ago later earlier old ci respectively total times".split())
    | frozenset(SMALL)
    | frozenset(TENS)
    | frozenset(MULTIPLES)
    | frozenset(units.PER)
)
# Verbs after a number that is used as a noun: "eight met the criteria".
_VERBS = frozenset("met took got came said found gave made saw went left won lost felt used".split())


class Amount(NamedTuple):
    """A number with its unit, range, bound and sign.

    `second` ends a range, a score or a ratio, according to `join` ("range", "from", "between", "ratio", "±"); `step` is the
    size of the last given digit; `bound` is "<", ">" or "~" ("under", "over", "about"), `sign` whether a sign says so; `of`
    holds the two numbers of "1 in 5"; `closed` says that the bound includes the number ("at least", "or more").
    """

    form: str
    number: float
    second: float | None = None
    unit: Unit = NO_UNIT
    per: tuple[str, ...] = ()
    step: float = 1.0
    bound: str = ""
    sign: bool = False
    join: str = ""
    of: tuple[float, float] | None = None
    closed: bool = False


class Label(NamedTuple):
    """A number that is part of a term: its head ("type", "covid-#") and its code ("2", "19")."""

    form: str
    head: str
    code: str


class Read(NamedTuple):
    """A value with the first word it covers and the word after it."""

    value: Amount | Label
    first: int
    after: int
    weak: bool = False


def head_of(words: Sequence[Word], k: int, stop: int) -> tuple[int, ...]:
    """The noun that an amount counts if it ends before word k: the head of the following noun phrase."""
    i, depth = k, 0
    while i < stop and i < k + 6 and not words[i].content:
        if words[i].text in "([":
            while i < stop and words[i].text not in ")]" and depth < 12:
                i, depth = i + 1, depth + 1
        elif words[i].lower not in (
            "of",
            "the",
            "these",
            "those",
            "its",
            "their",
            "our",
            "his",
            "her",
            "all",
            "-",
            "–",
            "a",
            "an",
            "other",
            "more",
            "such",
            ")",
        ):
            return ()
        i += 1
    run: list[int] = []
    while i < stop and len(run) < 4:
        word = words[i]
        if not run and i > k and word.text[0].isdecimal():  # 12 of the 60 patients
            i += 1
            continue
        if word.lower in _NOT_HEADS:
            break
        if not word.content or word.lower in _STOP or word.text[0].isdecimal():
            suspended = word.lower in ("and", "or") and words[i - 1].text == "-"  # sex- and age-matched
            if word.text == "-" or suspended:
                i += 1
                continue
            break
        run.append(i)
        i += 1
    if run and words[run[0]].lower in _VERBS:
        return ()
    for j in run:
        lower = words[j].lower
        if lower in _PLURALS or lower in PEOPLE:
            return (j,)
        if len(lower) > 3 and lower.endswith("s") and not lower.endswith(("ss", "us", "is", "ous")):
            return (j,)
    return tuple(run[:1])
