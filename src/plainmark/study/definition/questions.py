"""The kinds of questions that a study asks.

An answer is stored under the question's id as a short text: an option's letter (mcq; UA for unanswerable), letters joined
by ; or NONE (multiselect), a number (likert, slider, count, rank, and each statement of a matrix), yes or no, the preferred
condition or "tie" (pairwise), what the participant wrote (text), or marks as JSON (spans; marks.py says how).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...schema import StrictModel, Tagged
from .fields import Flag, Names, Range, Text, Texts, Word

UNANSWERABLE = "UA"
TIE = "tie"
NONE = "NONE"  # the exclusive option of a multiselect question


class ShowIf(StrictModel):
    """Ask only if an earlier question of the same page has one of these answers."""

    question: Text = Field(description="id of the earlier question")
    equals: Texts = Field(description="answers (letters, numbers, yes or no), one of which was given")


class QuestionBase(StrictModel):
    """What all questions have in common."""

    type: str
    id: Word = Field(description="name of the answer in exports")
    text: Text = Field(default="", description="the question")
    text_field: Text = Field(default="", description="field of the item that holds the question instead")
    help: Text = Field(default="", description="an explanation under the question")
    example: Text = Field(default="", description="an example under the question")
    required: Flag = Field(default=True, description="whether it must be answered")
    show_if: ShowIf | None = Field(default=None, description="ask only after a certain answer")
    feedback: Text = Field(default="", description="shown after a practice answer")
    screen_out: Texts = Field(
        default=(), description="answers that end the study as screened out (surveys only)"
    )


class Mcq(QuestionBase):
    """One of several options; letters A, B, C, ... are given in the order of the definition."""

    type: Literal["mcq"] = "mcq"
    options: Texts = Field(default=(), description="the options")
    options_field: Text = Field(
        default="", description="field of the item that holds the options (a list; in CSV divided by |)"
    )
    key: Text = Field(default="", description="the right option: its letter or its text")
    key_field: Text = Field(default="", description="field of the item that holds the right option")
    shuffle: Flag = Field(default=True, description="show the options in a random order")
    unanswerable: Text = Field(
        default="", description="text of a last option, stored as UA: the text does not answer the question"
    )


class Likert(QuestionBase):
    """A point on a labelled scale."""

    type: Literal["likert"] = "likert"
    low: Annotated[int, Range(-100, 100)] = Field(default=1, description="number of the lowest point")
    high: Annotated[int, Range(-100, 100)] = Field(default=5, description="number of the highest point")
    labels: Texts = Field(default=(), description="a label for every point, or for the two ends")


class Multiselect(QuestionBase):
    """Several of several options; letters A, B, C, ... are given in the order of the definition."""

    type: Literal["multiselect"] = "multiselect"
    options: Texts = Field(default=(), description="the options")
    options_field: Text = Field(
        default="", description="field of the item that holds the options (a list; in CSV divided by |)"
    )
    key: Texts = Field(default=(), description="the right options, all of them: letters or texts")
    shuffle: Flag = Field(default=True, description="show the options in a random order")
    least: Annotated[int, Range(0, 100)] = Field(default=1, description="fewest options to choose")
    most: Annotated[int, Range(0, 100)] = Field(default=0, description="most options to choose; 0: all")
    exclusive: Text = Field(
        default="",
        description="text of a last option that excludes all others, such as None of these; stored as NONE",
    )


class Statement(StrictModel):
    """A row of a matrix."""

    id: Word = Field(description="its name in exports, in brackets after the question's")
    text: Text = Field(description="what is rated")


class Matrix(QuestionBase):
    """Several statements on one scale."""

    type: Literal["matrix"] = "matrix"
    statements: tuple[Statement, ...] = Field(description="what is rated, one row each")
    low: Annotated[int, Range(-100, 100)] = Field(default=1, description="number of the lowest point")
    high: Annotated[int, Range(-100, 100)] = Field(default=5, description="number of the highest point")
    labels: Texts = Field(default=(), description="a label for every point, or for the two ends")
    shuffle: Flag = Field(default=False, description="show the statements in a random order")


class Slider(QuestionBase):
    """A number on a line."""

    type: Literal["slider"] = "slider"
    low: Annotated[int, Range(-10000, 10000)] = Field(default=0, description="its left end")
    high: Annotated[int, Range(-10000, 10000)] = Field(default=100, description="its right end")
    step: Annotated[int, Range(1, 1000)] = Field(default=1, description="between two values")
    labels: Texts = Field(default=(), description="words at the two ends")


class Count(QuestionBase):
    """How many: a whole number."""

    type: Literal["count"] = "count"
    low: Annotated[int, Range(0, 10000)] = Field(default=0, description="the smallest")
    high: Annotated[int, Range(0, 10000)] = Field(default=99, description="the largest")


class Pairwise(QuestionBase):
    """Which of the two texts of a pair."""

    type: Literal["pairwise"] = "pairwise"
    tie: Text = Field(default="", description="text of an option for no preference; without it there is none")


class Rank(QuestionBase):
    """All texts of a grid (or these options) from best, 1, to worst."""

    type: Literal["rank"] = "rank"
    options: Names = Field(default=(), description="what to rank, if not the texts of the grid")
    ties: Flag = Field(default=False, description="whether two may have the same rank")


class YesNo(QuestionBase):
    """Yes or no."""

    type: Literal["yesno"] = "yesno"
    labels: Texts = Field(default=("Yes", "No"), description="words for yes and no")
    key: Text = Field(default="", description="the right answer, yes or no")


class RewriteRules(StrictModel):
    """What a rewriting of the source must keep to."""

    shortest: Annotated[float, Range(0, 10)] = Field(
        default=0.5, description="least length in words, as a share of the source's"
    )
    longest: Annotated[float, Range(0, 10)] = Field(
        default=1.5, description="greatest length in words, as a share of the source's"
    )
    copying: Annotated[float, Range(0, 1)] = Field(
        default=0.95, description="greatest share of the source's word order that may be kept"
    )
    splitting: Flag = Field(default=False, description="whether it may have more sentences than the source")


class FreeText(QuestionBase):
    """Free text."""

    type: Literal["text"] = "text"
    lines: Annotated[int, Range(1, 40)] = Field(default=3, description="height of the box")
    longest: Annotated[int, Range(1, 20000)] = Field(default=2000, description="most characters")
    rewrite: RewriteRules | None = Field(
        default=None, description="it is a rewriting of the source, and must keep to rules"
    )


class MarkCategory(StrictModel):
    """A kind of mark, such as an edit or an error."""

    id: Word = Field(description="its name in exports")
    text: Text = Field(default="", description="what participants read; without it the id")
    help: Text = Field(default="", description="an explanation")
    where: Literal["any", "source", "text", "both"] = Field(
        default="any",
        description="where it is marked: anywhere, in the source, in the text, or with a part in each",
    )
    severity: Flag = Field(default=True, description="whether it has one of the question's severities")


class Spans(QuestionBase):
    """Words to mark in a text, each mark with a category and a severity."""

    type: Literal["spans"] = "spans"
    categories: tuple[MarkCategory, ...] = Field(description="kinds of marks")
    severities: Names = Field(default=(), description="how severe a mark is, from the least")
    where: Literal["text", "source", "both"] = Field(
        default="text", description="what is marked: the texts, the source, or both"
    )
    parts: Flag = Field(default=False, description="whether a mark may have several separate parts")
    overlap: Flag = Field(default=False, description="whether two marks may share words")
    least: Annotated[int, Range(0, 100)] = Field(default=0, description="fewest marks")
    most: Annotated[int, Range(1, 100)] = Field(default=20, description="most marks")
    nothing: Text = Field(
        default="", description="words for what to tick if there are no marks (with least 0)"
    )

    def category(self, name: str) -> MarkCategory | None:
        """The category with that id."""
        return next((c for c in self.categories if c.id == name), None)


Question = Mcq | Multiselect | Likert | Matrix | Slider | Count | Pairwise | Rank | YesNo | FreeText | Spans
Questions = tuple[Annotated[Question, Field(discriminator="type"), Tagged("type")], ...]


def letter(index: int) -> str:
    """A, B, ..., Z, A1, B1, ... of an option."""
    return chr(ord("A") + index % 26) + (str(index // 26) if index >= 26 else "")


def answers_of(question: Question, options: int = 0) -> list[str] | None:
    """All answers that a closed question can have, or of which a multiselect answer has several; None for open ones.

    `options` is the number that an item gives.
    """
    if isinstance(question, Multiselect):
        count = options or len(question.options)
        return [letter(i) for i in range(count)] + ([NONE] if question.exclusive else [])
    if isinstance(question, Mcq):
        count = options or len(question.options)
        return [letter(i) for i in range(count)] + ([UNANSWERABLE] if question.unanswerable else [])
    if isinstance(question, YesNo):
        return ["yes", "no"]
    if isinstance(question, Likert):
        return [str(i) for i in range(question.low, question.high + 1)]
    return None


def chosen(question: Question | None, value: str) -> list[str]:
    """The answers that a stored value stands for: one, or all that a multiselect question was answered with."""
    return value.split(";") if isinstance(question, Multiselect) else [value]
