"""What a participant sees on one page, and what their form means. Pure: no database and no browser.

A page is blind: form names and values reveal neither conditions nor correct answers. `lay_out` draws the order of options
and texts once, `make_page` shows it, `read_form` turns the form back into answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .definition.items import Item, key_of, options_of
from .definition.loading import Arm
from .definition.models import Attention
from .definition.pages import BlockPage, ConsentPage, PageDefinition, PracticePage
from .definition.questions import (
    NONE,
    TIE,
    UNANSWERABLE,
    Count,
    FreeText,
    Likert,
    Matrix,
    Mcq,
    Multiselect,
    Pairwise,
    Question,
    QuestionBase,
    Rank,
    Slider,
    Spans,
    YesNo,
    letter,
)
from .marks import SOURCE, MarkedText, read_marks, to_json
from .messages import ENGLISH, Messages
from .rewriting import rewrite_problems

PageTemplate = PageDefinition | Attention
Layout = dict[str, Any]  # {"texts": [condition, ...], "options": {question: [letter or statement, ...]}}


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
    type: str  # of the question
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
    condition: str = ""  # never shown; empty for the source


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
    step: str = ""  # of a page with several steps: reading, or the question that is shown
    screen: int = 0  # of one question per screen: 1 for the first
    screens: int = 0
    back: bool = False  # whether one may go back to the question before
    block: str = ""  # id of the block, also of its attention trials
    typed: Mapping[str, str] = field(default_factory=dict)  # what was answered in steps before
    asking: tuple[str, str] = ("", "")  # heading and text of the questions after a text on a page of its own
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
        if isinstance(question, (Mcq, Multiselect, Matrix)):
            names = (
                [s.id for s in question.statements]
                if isinstance(question, Matrix)
                else [letter(i) for i in range(len(options_of(question, item)))]
            )
            if question.shuffle:
                names = [names[i] for i in rng.permutation(len(names))]
            if isinstance(question, Mcq) and question.unanswerable:
                names.append(UNANSWERABLE)
            if isinstance(question, Multiselect) and question.exclusive:
                names.append(NONE)
            options[question.id] = names
    return {"texts": texts, "options": options}


def questions_of(template: PageTemplate) -> tuple[Question, ...]:
    """What a page of the definition asks."""
    if isinstance(template, Attention):
        return template.asked
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
    if isinstance(template, BlockPage):
        place = {**place, "asking": template.words(asking=True)}
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
        elif isinstance(question, Matrix):
            statements = {s.id: s.text for s in question.statements}
            targets = [(name, statements[name]) for name in layout["options"][question.id]]
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
    if isinstance(question, Multiselect):
        labels_of = {letter(i): o for i, o in enumerate(options_of(question, item))}
        labels_of[NONE] = question.exclusive
        return tuple(Choice(str(n), labels_of[x], x) for n, x in enumerate(layout["options"][question.id], 1))
    if isinstance(question, YesNo):
        return tuple(Choice(v, w, v) for v, w in zip(("yes", "no"), question.labels, strict=True))
    if isinstance(question, (Likert, Matrix)):
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
    for each, shown in zip(page.questions, asked(page, form), strict=True):
        answer, message = _read_field(each, form, page)
        if answer is None:
            if shown and (message or each.question.required):
                problems.append(Problem(each.name, message or _missing(each.question, page.messages)))
            continue
        if isinstance(each.question, Rank) and not each.question.ties:
            if answer.value in ranks.setdefault(each.question.id, []):
                problems.append(Problem(each.name, page.messages("answer.rank")))
            ranks[each.question.id].append(answer.value)
        answers.append(PageAnswer(each.key, answer.value, each.target, answer.shown, shown))
    return answers, problems


def asked(page: Page, form: Mapping[str, str]) -> list[bool]:
    """Whether each question of a page is asked, as its show_if and the form say."""
    hidden: set[str] = set()
    for each in page.questions:
        if each.show_if:
            name, values = each.show_if
            if name in hidden or not _sent(form, name) & set(values):
                hidden.add(each.name)
    return [each.name not in hidden for each in page.questions]


def _sent(form: Mapping[str, str], name: str) -> set[str]:
    """What a form says of a field: its value, or the boxes that are ticked."""
    value = form.get(name, "").strip()
    return (
        {value}
        if value
        else {k.rpartition(".")[2] for k, v in form.items() if k.startswith(f"{name}.") and v}
    )


def _missing(question: Question, messages: Messages) -> str:
    if isinstance(question, Spans) and not question.least:
        return messages("marks.missing", nothing=question.nothing or messages("marks.nothing"))
    return messages("answer.missing")


def _read_field(field: ShownQuestion, form: Mapping[str, str], page: Page) -> tuple[PageAnswer | None, str]:
    """The answer of a field; None without a message: there is none."""
    question, messages = field.question, page.messages
    if isinstance(question, Multiselect):
        return _read_boxes(field, question, form, messages)
    if isinstance(question, Spans):
        marks, message = read_marks(question, marked_texts(page, question), form, field.name, messages)
        return (None, message) if marks is None else (PageAnswer(field.key, to_json(marks)), "")
    raw = form.get(field.name, "")
    if not raw.strip():
        return None, ""
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


def _read_boxes(
    field: ShownQuestion, question: Multiselect, form: Mapping[str, str], messages: Messages
) -> tuple[PageAnswer | None, str]:
    """The ticked boxes of a multiselect question; each has a form field of its own."""
    ticked = {c.stored for c in field.choices if form.get(f"{field.name}.{c.value}", "").strip()}
    if not ticked:
        return None, ""
    if NONE in ticked and len(ticked) > 1:
        return None, messages("answer.exclusive", option=question.exclusive)
    if NONE not in ticked and len(ticked) < question.least:
        return None, messages("answer.too_few", count=question.least, chosen=len(ticked))
    if question.most and len(ticked) > question.most:
        return None, messages("answer.too_many", count=question.most, chosen=len(ticked))
    order = [letter(i) for i in range(len(field.choices))] + [NONE]
    return PageAnswer(field.key, ";".join(x for x in order if x in ticked)), ""


def marked_texts(page: Page, question: Spans) -> list[MarkedText]:
    """The texts of a page in which words can be marked."""
    with_source = page.show == "source+text"
    texts = []
    for number, text in enumerate(page.texts, 1):
        is_source = with_source and number == 1
        if question.where == "both" or (question.where == "source") == is_source:
            name = SOURCE if is_source else text.condition or text.label or "text"
            texts.append(MarkedText(number, name, text.label or page.messages("page.text"), text.text))
    return texts


def is_right(field: ShownQuestion, value: str, item: Item | None = None) -> bool | None:
    """Whether a stored answer is correct; None if the question has no key."""
    if not isinstance(field.question, (Mcq, Multiselect, YesNo)):
        return None
    key = key_of(field.question, item)
    return value == key if key else None
