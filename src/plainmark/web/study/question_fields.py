"""A page's questions as its template shows them: fields grouped, with what was typed and what must be mended."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...study.definition.questions import Count, Likert, Rank, Slider, Text, YesNo
from ...study.pages import Asked, Page, Problem

_MOST_RADIOS = 11  # a ranking of more is a list to choose from


@dataclass(frozen=True)
class Option:
    """A radio button."""

    value: str
    label: str
    number: str = ""  # of a point on a scale, shown before its label
    chosen: bool = False


@dataclass(frozen=True)
class Field:
    """One form field, or one set of radio buttons."""

    name: str
    label: str
    value: str
    problem: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Group:
    """A question with its fields: one, or one for each text of a grid."""

    type: str
    text: str
    help: str
    example: str
    fields: tuple[Field, ...]
    required: bool
    condition: str = ""  # in words, for those without scripts
    depends: str = ""  # on this field
    wanted: str = ""  # having one of these values, as JSON
    ends: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1
    lines: int = 3
    longest: int = 0
    rules: str = ""  # of a rewriting, as JSON
    as_list: bool = False
    scale: bool = False  # options stand in a row

    @property
    def problem(self) -> str:
        """What must be mended, of the first field that needs it."""
        return next((f.problem for f in self.fields if f.problem), "")

    @property
    def id(self) -> str:
        """Where a link to it leads."""
        return self.fields[0].name


def groups_of(page: Page, form: Mapping[str, str], problems: Sequence[Problem]) -> list[Group]:
    """The questions of a page."""
    wrong = {p.name: p.message for p in reversed(problems)}
    by_name = {a.name: a for a in page.questions}
    out = []
    for _, asked in groupby(page.questions, key=lambda a: a.question.id):
        out.append(_group(list(asked), form, wrong, by_name))
    return out


def _group(
    asked: Sequence[Asked], form: Mapping[str, str], wrong: Mapping[str, str], by_name: Mapping[str, Asked]
) -> Group:
    first = asked[0]
    question = first.question
    fields = tuple(
        Field(a.name, a.label, form.get(a.name, ""), wrong.get(a.name, ""), _options(a, form)) for a in asked
    )
    more: dict[str, object] = {}
    if isinstance(question, Slider):
        more = {"low": question.low, "high": question.high, "step": question.step, "ends": question.labels}
    elif isinstance(question, Count):
        more = {"low": question.low, "high": question.high}
    elif isinstance(question, Likert):
        two = len(question.labels) == 2 and question.high - question.low > 1
        more = {"ends": question.labels if two else (), "scale": True}
    elif isinstance(question, Rank):
        more = {"as_list": len(first.choices) > _MOST_RADIOS, "scale": True}
    elif isinstance(question, YesNo):
        more = {"scale": max(map(len, question.labels)) <= 24 and bool(first.target == "")}
    elif isinstance(question, Text):
        more = {"lines": question.lines, "longest": question.longest}
        if question.rewrite:
            rules = question.rewrite
            more["rules"] = json.dumps(
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
        more["depends"], more["wanted"] = name, json.dumps(list(values))
        more["condition"] = f"Only if you answered “{'” or “'.join(labels)}” to “{earlier.text}”."
    return Group(
        type=first.type,
        text=first.text,
        help=question.help,
        example=question.example,
        fields=fields,
        required=question.required,
        **more,  # type: ignore[arg-type]
    )


def _options(asked: Asked, form: Mapping[str, str]) -> tuple[Option, ...]:
    chosen = form.get(asked.name, "").strip()
    numbered = isinstance(asked.question, Likert) and any(not c.label for c in asked.choices)
    return tuple(
        Option(c.value, c.label, c.value if numbered else "", c.value == chosen) for c in asked.choices
    )
