"""A page's questions as its template shows them: form fields in groups, with what was typed and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...study.definition.questions import (
    NONE,
    Count,
    FreeText,
    Likert,
    Matrix,
    Multiselect,
    Rank,
    Slider,
    Spans,
    YesNo,
)
from ...study.marks import SPARE_ROWS, MarkedText
from ...study.messages import Messages
from ...study.pages import Page, Problem, ShownQuestion, marked_texts

_MAX_RADIOS = 11  # a longer ranking is a drop-down list


@dataclass(frozen=True)
class AnswerOption:
    """A radio button, or a box to tick."""

    value: str
    label: str
    number: str = ""  # of a point on a scale, shown before its label
    chosen: bool = False
    exclusive: bool = False  # excludes the other boxes


@dataclass(frozen=True)
class FormField:
    """One form field, or one set of radio buttons."""

    name: str
    label: str
    value: str
    problem: str
    options: tuple[AnswerOption, ...]


@dataclass(frozen=True)
class MarkRow:
    """A row in which a mark is typed, for those without scripts."""

    number: int
    words: tuple[str, ...]  # in each text that can be marked
    category: str
    severity: str


@dataclass(frozen=True)
class QuestionGroup:
    """A question with its form fields: one, or one for each text of a grid."""

    type: str
    text: str
    help: str
    example: str
    fields: tuple[FormField, ...]
    required: bool
    condition: str = ""  # in words, for those without scripts
    depends: str = ""  # shown only if this field
    wanted: str = ""  # has one of these values, as JSON
    ends: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1
    lines: int = 3
    longest: int = 0
    rules: str = ""  # of a rewriting, as JSON
    as_list: bool = False
    scale: bool = False  # options are in a row
    choose: str = ""  # how many boxes to tick, in words
    spans: Spans | None = None
    texts: tuple[MarkedText, ...] = ()  # that can be marked
    rows: tuple[MarkRow, ...] = ()
    nothing: bool = False  # "there is nothing to mark" is ticked
    script: str = ""  # what the script for marks needs to know, as JSON

    @property
    def problem(self) -> str:
        """What is wrong with the first invalid field."""
        return next((f.problem for f in self.fields if f.problem), "")

    @property
    def id(self) -> str:
        """The id of its element, for links to it."""
        return self.fields[0].name


def question_groups(page: Page, form: Mapping[str, str], problems: Sequence[Problem]) -> list[QuestionGroup]:
    """The questions of a page in the order of the page."""
    problem_of = {p.name: p.message for p in reversed(problems)}
    by_name = {a.name: a for a in page.questions}
    return [
        _group(page, list(fields), form, problem_of, by_name)
        for _, fields in groupby(page.questions, key=lambda a: a.question.id)
    ]


def _group(
    page: Page,
    shown: Sequence[ShownQuestion],
    form: Mapping[str, str],
    problem_of: Mapping[str, str],
    by_name: Mapping[str, ShownQuestion],
) -> QuestionGroup:
    messages = page.messages
    first = shown[0]
    question = first.question
    fields = tuple(
        FormField(a.name, a.label, form.get(a.name, ""), problem_of.get(a.name, ""), _options(a, form))
        for a in shown
    )
    details: dict[str, object] = {}
    if isinstance(question, Slider):
        details = {"low": question.low, "high": question.high, "step": question.step, "ends": question.labels}
    elif isinstance(question, Multiselect):
        options = len(first.choices) - bool(question.exclusive)
        details = {
            "choose": _how_many(question, options, messages),
            "low": max(1, question.least),
            "high": question.most or options,
        }
    elif isinstance(question, Spans):
        details = _marks(page, question, first.name, form)
    elif isinstance(question, Count):
        details = {"low": question.low, "high": question.high}
    elif isinstance(question, (Likert, Matrix)):
        only_ends = len(question.labels) == 2 and question.high - question.low > 1
        details = {"ends": question.labels if only_ends else (), "scale": True}
    elif isinstance(question, Rank):
        details = {"as_list": len(first.choices) > _MAX_RADIOS, "scale": True}
    elif isinstance(question, YesNo):
        details = {"scale": max(map(len, question.labels)) <= 24 and bool(first.target == "")}
    elif isinstance(question, FreeText):
        details = {"lines": question.lines, "longest": question.longest}
        if question.rewrite:
            rules = question.rewrite
            details["rules"] = json.dumps(
                {
                    "shortest": rules.shortest,
                    "longest": rules.longest,
                    "copying": rules.copying,
                    "splitting": rules.splitting,
                }
            )
    if first.show_if and first.show_if[0] in by_name:  # not so if each question has a screen of its own
        name, values = first.show_if
        earlier = by_name[name]
        labels = [c.label for c in earlier.choices if c.value in values] or list(values)
        details["depends"], details["wanted"] = name, json.dumps(list(values))
        answers = messages("page.or").join(messages("page.quoted", answer=label) for label in labels)
        details["condition"] = messages("page.only_if", answers=answers, question=earlier.text)
    return QuestionGroup(
        type=first.type,
        text=first.text,
        help=question.help,
        example=question.example,
        fields=fields,
        required=question.required,
        **details,  # type: ignore[arg-type]
    )


def _how_many(question: Multiselect, options: int, messages: Messages) -> str:
    """How many boxes to tick, in words."""
    least, most = question.least, question.most or options
    if least == most:
        return messages("choose.exactly", count=least)
    if most < options:
        between = messages("choose.between", least=least, most=most)
        return between if least > 1 else messages("choose.up_to", count=most)
    return messages("choose.at_least", count=least) if least > 1 else messages("choose.any")


def _marks(page: Page, question: Spans, name: str, form: Mapping[str, str]) -> dict[str, object]:
    texts = tuple(marked_texts(page, question))

    def row(number: int) -> MarkRow:
        typed = tuple(form.get(f"{name}.{number}.{t.number}", "") for t in texts)
        of = f"{name}.{number}"
        return MarkRow(number, typed, form.get(f"{of}.category", ""), form.get(f"{of}.severity", ""))

    rows = [row(number) for number in range(1, question.most + 1)]
    filled = max((r.number for r in rows if any(w.strip() for w in r.words)), default=0)
    categories = [{"id": c.id, "text": c.text or c.id, "severity": c.severity} for c in question.categories]
    script = {
        "name": name,
        "categories": categories,
        "severities": list(question.severities),
        "texts": [t.number for t in texts],
        "parts": question.parts,
        "overlap": question.overlap,
        "most": question.most,
    }
    return {
        "spans": question,
        "texts": texts,
        "nothing": bool(form.get(f"{name}.nothing")),
        "rows": tuple(rows[: max(filled, question.least) + SPARE_ROWS]),
        "script": json.dumps(script, ensure_ascii=False),
    }


def _options(shown: ShownQuestion, form: Mapping[str, str]) -> tuple[AnswerOption, ...]:
    value = form.get(shown.name, "").strip()
    if isinstance(shown.question, Multiselect):
        return tuple(
            AnswerOption(
                c.value,
                c.label,
                chosen=bool(form.get(f"{shown.name}.{c.value}")),
                exclusive=c.stored == NONE,
            )
            for c in shown.choices
        )
    numbered = isinstance(shown.question, Likert) and any(not c.label for c in shown.choices)
    return tuple(
        AnswerOption(c.value, c.label, c.value if numbered else "", c.value == value) for c in shown.choices
    )
