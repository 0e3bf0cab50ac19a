"""A page's questions as its template shows them: form fields in groups, with what was typed and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...study.definition.questions import Count, FreeText, Likert, Rank, Slider, YesNo
from ...study.messages import Messages
from ...study.pages import Page, Problem, ShownQuestion

_MAX_RADIOS = 11  # a longer ranking is a drop-down list


@dataclass(frozen=True)
class RadioOption:
    """A radio button."""

    value: str
    label: str
    number: str = ""  # of a point on a scale, shown before its label
    chosen: bool = False


@dataclass(frozen=True)
class FormField:
    """One form field, or one set of radio buttons."""

    name: str
    label: str
    value: str
    problem: str
    options: tuple[RadioOption, ...]


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
        _group(list(fields), form, problem_of, by_name, page.messages)
        for _, fields in groupby(page.questions, key=lambda a: a.question.id)
    ]


def _group(
    shown: Sequence[ShownQuestion],
    form: Mapping[str, str],
    problem_of: Mapping[str, str],
    by_name: Mapping[str, ShownQuestion],
    messages: Messages,
) -> QuestionGroup:
    first = shown[0]
    question = first.question
    fields = tuple(
        FormField(a.name, a.label, form.get(a.name, ""), problem_of.get(a.name, ""), _options(a, form))
        for a in shown
    )
    details: dict[str, object] = {}
    if isinstance(question, Slider):
        details = {"low": question.low, "high": question.high, "step": question.step, "ends": question.labels}
    elif isinstance(question, Count):
        details = {"low": question.low, "high": question.high}
    elif isinstance(question, Likert):
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
    if first.show_if:
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


def _options(shown: ShownQuestion, form: Mapping[str, str]) -> tuple[RadioOption, ...]:
    value = form.get(shown.name, "").strip()
    numbered = isinstance(shown.question, Likert) and any(not c.label for c in shown.choices)
    return tuple(
        RadioOption(c.value, c.label, c.value if numbered else "", c.value == value) for c in shown.choices
    )
