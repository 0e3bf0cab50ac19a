"""What a participant sees on one page, and what their form means. Pure: no database and no browser.

A page is blind: form names and values reveal neither conditions nor correct answers. `lay_out` draws the order of options
and texts once, `make_page` shows it, `read_form` turns the form back into answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .definition.items import Item, key_of, options_of
from .definition.loading import Arm
from .definition.models import Attention, BlockPage, ConsentPage, PageDefinition, PracticePage
from .definition.questions import (
    TIE,
    UNANSWERABLE,
    Count,
    FreeText,
    Likert,
    Mcq,
    Pairwise,
    Question,
    QuestionBase,
    Rank,
    Slider,
    YesNo,
    letter,
)
from .messages import ENGLISH, Messages
from .rewriting import rewrite_problems

PageTemplate = PageDefinition | Attention
Layout = dict[str, Any]  # {"texts": [condition, ...], "options": {question: [letter, ...]}}


@dataclass(frozen=True)
class Choice:
    """One option of a closed question: what the form sends and what the participant reads."""

    value: str
    label: str
    stored: str  # what it means; never shown


@dataclass(frozen=True)
class ShownQuestion:
    """A question as it is shown on a page."""

    name: str  # of the form field
    type: str  # mcq, likert, slider, count, pairwise, rank, yesno, text
    text: str
    question: Question
    label: str = ""  # which text of a grid it is about
    target: str = ""  # that text's condition, or the ranked option; never shown
    choices: tuple[Choice, ...] = ()
    show_if: tuple[str, tuple[str, ...]] | None = None  # form field and the values that show this one

    @property
    def key(self) -> str:
        """The name under which the answer is stored."""
        return f"{self.question.id}[{self.target}]" if self.target else self.question.id


@dataclass(frozen=True)
class ShownText:
    """A text on a page."""

    label: str
    text: str
    condition: str = ""  # never shown


@dataclass(frozen=True)
class Page:
    """Everything that a browser shows; `token` identifies this page in a submit."""

    token: str
    kind: str  # consent, practice, block, attention, survey
    title: str
    text: str
    texts: tuple[ShownText, ...] = ()
    source: str = ""  # above a pair or a grid
    show: str = "text"
    questions: tuple[ShownQuestion, ...] = ()
    trial: int = 0  # of the block: 1 for the first
    trials: int = 0
    position: int = 0  # pages before this one, for a progress bar
    pages: int = 1
    messages: Messages = ENGLISH


@dataclass(frozen=True)
class PageAnswer:
    """An answer as it is stored."""

    question: str  # with the target in brackets if it has one
    value: str
    target: str = ""
    shown: int | None = None  # place of the chosen option, from 1
    asked: bool = True  # False: its show_if was not fulfilled, but the form had a value


@dataclass(frozen=True)
class Problem:
    """What a participant must correct before a page is stored."""

    name: str
    message: str


def lay_out(template: PageTemplate, arm: Arm | None, item: Item | None, rng: np.random.Generator) -> Layout:
    """Draw the random order of the texts and of each question's options."""
    texts = list(arm.conditions) if arm else []
    if isinstance(template, BlockPage) and template.sides == "random" and len(texts) > 1:
        texts = [texts[i] for i in rng.permutation(len(texts))]
    options: dict[str, list[str]] = {}
    for question in questions_of(template):
        if isinstance(question, Mcq):
            letters = [letter(i) for i in range(len(options_of(question, item)))]
            if question.shuffle:
                letters = [letters[i] for i in rng.permutation(len(letters))]
            options[question.id] = letters + ([UNANSWERABLE] if question.unanswerable else [])
    return {"texts": texts, "options": options}


def questions_of(template: PageTemplate) -> tuple[Question, ...]:
    """What a page of the definition asks."""
    if isinstance(template, Attention):
        return (template.question,)
    return () if isinstance(template, ConsentPage) else template.questions


def make_page(
    template: PageTemplate,
    layout: Layout,
    *,
    token: str,
    item: Item | None = None,
    messages: Messages = ENGLISH,
    **place: Any,
) -> Page:
    """A page of the definition, for one item, in a drawn order."""
    kind = "attention" if isinstance(template, Attention) else template.kind
    title = "" if isinstance(template, Attention) else template.title
    show = template.show if isinstance(template, (BlockPage, PracticePage)) else "text"
    if isinstance(template, ConsentPage):
        question = YesNo(
            id="consent",
            text=template.title or messages("default.consent"),
            labels=(template.agree, template.decline),
        )
        choices = (Choice("yes", template.agree, "yes"), Choice("no", template.decline, "no"))
        consent = ShownQuestion("consent", "yesno", question.text, question, choices=choices)
        return Page(token, kind, title, template.text, questions=(consent,), messages=messages, **place)
    texts = _texts(template, layout, item, messages)
    questions = _shown_questions(template, layout, item, texts, each=show == "grid")
    intro = "" if isinstance(template, Attention) else template.text
    source = item.source if isinstance(template, BlockPage) and template.source and item is not None else ""
    return Page(token, kind, title, intro, texts, source, show, questions, messages=messages, **place)


def _texts(
    template: PageTemplate, layout: Layout, item: Item | None, messages: Messages
) -> tuple[ShownText, ...]:
    if isinstance(template, Attention):
        return (ShownText("", template.text),) if template.text else ()
    if isinstance(template, PracticePage):
        source = [template.item.source] if template.show == "source+text" else []
        texts = [("", text) for text in [*source, *template.item.texts]]
    elif isinstance(template, BlockPage) and item is not None:
        source = [item.source] if template.show == "source+text" else []
        texts = [("", text) for text in source] + [(c, item.texts[c]) for c in layout["texts"]]
    else:
        return ()
    if len(template.labels) == len(texts):
        labels: Sequence[str] = template.labels
    elif template.show == "source+text":
        labels = [messages("page.original"), messages("page.rewritten")]
    elif len(texts) > 1:
        labels = [messages("page.text_letter", letter=letter(i)) for i in range(len(texts))]
    else:
        labels = [""]
    return tuple(
        ShownText(label, text, condition) for label, (condition, text) in zip(labels, texts, strict=False)
    )


def _shown_questions(
    template: PageTemplate, layout: Layout, item: Item | None, texts: Sequence[ShownText], *, each: bool
) -> tuple[ShownQuestion, ...]:
    shown: list[ShownQuestion] = []
    for question in questions_of(template):
        text = question.text or (item.text_of(question.text_field) if item else "")
        targets: list[tuple[str, str]] = [("", "")]
        if isinstance(question, Rank):
            targets = [(o, o) for o in question.options] or [(t.condition or t.label, t.label) for t in texts]
        elif each and isinstance(question, (Likert, Slider, Count)):
            targets = [(t.condition or t.label, t.label) for t in texts]
        for target, label in targets:
            choices = _choices(question, layout, item, texts, len(targets))
            name = f"q{len(shown) + 1}"
            shown.append(
                ShownQuestion(
                    name, question.type, text, question, label, target, choices, _shown_if(question, shown)
                )
            )
    return tuple(shown)


def _choices(
    question: Question, layout: Layout, item: Item | None, texts: Sequence[ShownText], count: int
) -> tuple[Choice, ...]:
    if isinstance(question, Mcq):
        labels_of = {letter(i): o for i, o in enumerate(options_of(question, item))}
        labels_of[UNANSWERABLE] = question.unanswerable
        return tuple(Choice(str(n), labels_of[x], x) for n, x in enumerate(layout["options"][question.id], 1))
    if isinstance(question, YesNo):
        return tuple(Choice(v, w, v) for v, w in zip(("yes", "no"), question.labels, strict=True))
    if isinstance(question, Likert):
        points = [str(i) for i in range(question.low, question.high + 1)]
        labels = (
            dict(zip(points, question.labels, strict=False)) if len(question.labels) == len(points) else {}
        )
        return tuple(Choice(p, labels.get(p, p), p) for p in points)
    if isinstance(question, Pairwise):
        pair = tuple(Choice(str(n), t.label, t.condition or t.label) for n, t in enumerate(texts[-2:], 1))
        return (*pair, Choice(TIE, question.tie, TIE)) if question.tie else pair
    if isinstance(question, Rank):
        return tuple(Choice(str(i), str(i), str(i)) for i in range(1, count + 1))
    return ()


def _shown_if(question: QuestionBase, before: Sequence[ShownQuestion]) -> tuple[str, tuple[str, ...]] | None:
    if question.show_if is None:
        return None
    earlier = next(a for a in before if a.question.id == question.show_if.question)
    equals = question.show_if.equals
    values = tuple(c.value for c in earlier.choices if c.stored in equals) if earlier.choices else equals
    return earlier.name, values


def read_form(page: Page, form: Mapping[str, str]) -> tuple[list[PageAnswer], list[Problem]]:
    """The answers of a submitted form, and what is missing or invalid."""
    answers: list[PageAnswer] = []
    problems: list[Problem] = []
    ranks: dict[str, list[str]] = {}
    hidden: set[str] = set()
    for field in page.questions:
        raw = form.get(field.name, "")
        shown = field.show_if is None or (
            field.show_if[0] not in hidden and form.get(field.show_if[0], "").strip() in field.show_if[1]
        )
        if not shown:
            hidden.add(field.name)
        if not raw.strip():
            if shown and field.question.required:
                problems.append(Problem(field.name, page.messages("answer.missing")))
            continue
        answer, message = _read_field(field, raw, page)
        if answer is None:
            if shown:
                problems.append(Problem(field.name, message))
            continue
        if isinstance(field.question, Rank) and not field.question.ties:
            if answer.value in ranks.setdefault(field.question.id, []):
                problems.append(Problem(field.name, page.messages("answer.rank")))
            ranks[field.question.id].append(answer.value)
        answers.append(PageAnswer(field.key, answer.value, field.target, answer.shown, shown))
    return answers, problems


def _read_field(field: ShownQuestion, raw: str, page: Page) -> tuple[PageAnswer | None, str]:
    question, messages = field.question, page.messages
    if field.choices:
        for place, choice in enumerate(field.choices, 1):
            if raw.strip() == choice.value:
                return PageAnswer(field.key, choice.stored, shown=place), ""
        return None, messages("answer.choose")
    if isinstance(question, (Slider, Count)):
        message = messages("answer.number", low=question.low, high=question.high)
        try:
            number = int(raw.strip()) if len(raw) < 20 else math.inf
        except ValueError:
            return None, message
        inside = question.low <= number <= question.high
        return (PageAnswer(field.key, str(number)), "") if inside else (None, message)
    assert isinstance(question, FreeText)
    text = raw.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
    text = text.encode("utf-8", "replace").decode("utf-8").strip("\n")
    if len(text) > question.longest:
        return None, messages("answer.too_long", count=question.longest, written=len(text))
    if question.rewrite and page.texts:
        problems = rewrite_problems(page.texts[0].text, text, question.rewrite, messages)
        if problems:
            return None, " ".join(problems)
    return PageAnswer(field.key, text), ""


def is_right(field: ShownQuestion, value: str, item: Item | None = None) -> bool | None:
    """Whether a stored answer is correct; None if the question has no key."""
    if not isinstance(field.question, (Mcq, YesNo)):
        return None
    key = key_of(field.question, item)
    return value == key if key else None
