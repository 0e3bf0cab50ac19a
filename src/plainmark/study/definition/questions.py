"""The kinds of questions that a study asks.

An answer is stored under the question's id as a short text: an option's letter (mcq; UA for unanswerable), a number
(likert, slider, count, rank), yes or no, the preferred condition or "tie" (pairwise), or what the person wrote (text).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from ...options import Between
from .yaml_reader import Pattern

Word = Annotated[
    str, Pattern(r"[A-Za-z][A-Za-z0-9_-]{0,39}", "a word of letters, digits, - and _ (at most 40)")
]

Name = Annotated[str, Pattern(r"[^\s|\[\]][^|\[\]\n]{0,79}", "a name of at most 80 characters without | [ ]")]

UNANSWERABLE = "UA"
TIE = "tie"


@dataclass(frozen=True)
class ShowIf:
    """Ask only if an earlier question of the same page has one of these answers."""

    question: Annotated[str, "id of the earlier question"]
    equals: Annotated[tuple[str, ...], "answers (letters, numbers, yes or no), one of which was given"]


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What all questions have."""

    tag_key: ClassVar[str] = "type"
    tag: ClassVar[str]
    id: Annotated[Word, "name of the answer in exports"]
    text: Annotated[str, "the question"] = ""
    text_field: Annotated[str, "field of the item that holds the question instead"] = ""
    help: Annotated[str, "an explanation under the question"] = ""
    example: Annotated[str, "an example under the question"] = ""
    required: Annotated[bool, "whether it must be answered"] = True
    show_if: Annotated[ShowIf | None, "ask only after a certain answer"] = None
    feedback: Annotated[str, "said after a practice answer"] = ""
    screen_out: Annotated[tuple[str, ...], "answers that end the study as screened out (surveys only)"] = ()


@dataclass(frozen=True, kw_only=True)
class Mcq(Asking):
    """One of several options; letters A, B, C, ... are given in the order of the definition."""

    tag: ClassVar[str] = "mcq"
    options: Annotated[tuple[str, ...], "the options"] = ()
    options_field: Annotated[
        str, "field of the item that holds the options (a list; in CSV divided by |)"
    ] = ""
    key: Annotated[str, "the right option: its letter or its text"] = ""
    key_field: Annotated[str, "field of the item that holds the right option"] = ""
    shuffle: Annotated[bool, "show the options in an order of each person's own"] = True
    unanswerable: Annotated[str, "text of a last option, stored as UA: the text does not tell"] = ""


@dataclass(frozen=True, kw_only=True)
class Likert(Asking):
    """A point on a labelled scale."""

    tag: ClassVar[str] = "likert"
    low: Annotated[int, Between(-100, 100), "number of the lowest point"] = 1
    high: Annotated[int, Between(-100, 100), "number of the highest point"] = 5
    labels: Annotated[tuple[str, ...], "a label for every point, or for the two ends"] = ()


@dataclass(frozen=True, kw_only=True)
class Slider(Asking):
    """A number on a line."""

    tag: ClassVar[str] = "slider"
    low: Annotated[int, Between(-10_000, 10_000), "its left end"] = 0
    high: Annotated[int, Between(-10_000, 10_000), "its right end"] = 100
    step: Annotated[int, Between(1, 1000), "between two values"] = 1
    labels: Annotated[tuple[str, ...], "words at the two ends"] = ()


@dataclass(frozen=True, kw_only=True)
class Count(Asking):
    """How many: a whole number."""

    tag: ClassVar[str] = "count"
    low: Annotated[int, Between(0, 10_000), "the smallest"] = 0
    high: Annotated[int, Between(0, 10_000), "the largest"] = 99


@dataclass(frozen=True, kw_only=True)
class Pairwise(Asking):
    """Which of the two texts of a pair."""

    tag: ClassVar[str] = "pairwise"
    tie: Annotated[str, "text of an option for no preference; none without it"] = ""


@dataclass(frozen=True, kw_only=True)
class Rank(Asking):
    """All texts of a grid (or these options) from best, 1, to worst."""

    tag: ClassVar[str] = "rank"
    options: Annotated[tuple[Name, ...], "what to rank, if not the texts of the grid"] = ()
    ties: Annotated[bool, "whether two may have the same rank"] = False


@dataclass(frozen=True, kw_only=True)
class YesNo(Asking):
    """Yes or no."""

    tag: ClassVar[str] = "yesno"
    labels: Annotated[tuple[str, ...], "words for yes and no"] = ("Yes", "No")
    key: Annotated[str, "the right answer, yes or no"] = ""


@dataclass(frozen=True)
class RewriteRules:
    """What a rewriting of the source must keep to."""

    shortest: Annotated[float, Between(0, 10), "least length in words, as a share of the source's"] = 0.5
    longest: Annotated[float, Between(0, 10), "greatest length in words, as a share of the source's"] = 1.5
    copying: Annotated[float, Between(0, 1), "greatest share of the source's word order that may be kept"] = (
        0.95
    )
    splitting: Annotated[bool, "whether it may have more sentences than the source"] = False


@dataclass(frozen=True, kw_only=True)
class Text(Asking):
    """Free text."""

    tag: ClassVar[str] = "text"
    lines: Annotated[int, Between(1, 40), "height of the box"] = 3
    longest: Annotated[int, Between(1, 20_000), "most characters"] = 2000
    rewrite: Annotated[RewriteRules | None, "it is a rewriting of the source, and must keep to rules"] = None


Question = Mcq | Likert | Slider | Count | Pairwise | Rank | YesNo | Text


def letter(index: int) -> str:
    """A, B, ..., Z, A1, B1, ... of an option."""
    return chr(ord("A") + index % 26) + (str(index // 26) if index >= 26 else "")


def answers_of(question: Question, options: int = 0) -> list[str] | None:
    """All answers that a closed question can have; None for open ones. `options` is the number an item gives."""
    if isinstance(question, Mcq):
        count = options or len(question.options)
        return [letter(i) for i in range(count)] + ([UNANSWERABLE] if question.unanswerable else [])
    if isinstance(question, YesNo):
        return ["yes", "no"]
    if isinstance(question, Likert):
        return [str(i) for i in range(question.low, question.high + 1)]
    return None
