"""What a person sees on one page, and what their form means. Pure: nothing here knows a database or a browser.

A page is blind: form names and values say nothing of conditions or right answers. `lay_out` draws the order of options
and texts once, `make_page` shows it, `read_form` turns the form back into answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .definition.items import Item
from .definition.loading import Arm, key_of, options_of
from .definition.models import Attention, Block, Consent, PageDefinition, Practice, Survey
from .definition.questions import (
    TIE,
    UNANSWERABLE,
    Asking,
    Count,
    Likert,
    Mcq,
    Pairwise,
    Question,
    Rank,
    Slider,
    Text,
    YesNo,
    letter,
)
from .rewriting import rewrite_problems

Sheet = PageDefinition | Attention
Layout = dict[str, Any]  # {"texts": [condition, ...], "options": {question: [letter, ...]}}


@dataclass(frozen=True)
class Choice:
    """One option of a closed question: what the form sends and what the person reads."""

    value: str
    label: str
    stored: str  # what it means; never shown


@dataclass(frozen=True)
class Asked:
    """A question as it stands on a page."""

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
        """Under what the answer is stored."""
        return f"{self.question.id}[{self.target}]" if self.target else self.question.id


@dataclass(frozen=True)
class ShownText:
    """A text on a page."""

    label: str
    text: str
    condition: str = ""  # never shown


@dataclass(frozen=True)
class Page:
    """All that a browser needs to show; `token` names this page in a submit."""

    token: str
    kind: str  # consent, practice, block, attention, survey
    title: str
    text: str
    texts: tuple[ShownText, ...] = ()
    source: str = ""  # above a pair or a grid
    show: str = "text"
    questions: tuple[Asked, ...] = ()
    trial: int = 0  # of the block: 1 for the first
    trials: int = 0
    position: int = 0  # pages before this one, for a progress bar
    pages: int = 1


@dataclass(frozen=True)
class Answer:
    """An answer as it is stored."""

    question: str  # with the target in brackets if it has one
    value: str
    target: str = ""
    shown: int | None = None  # place of the chosen option, from 1
    asked: bool = True  # False: its show_if did not hold, but the form had a value


@dataclass(frozen=True)
class Problem:
    """What a person must mend before a page is taken."""

    name: str
    message: str


def lay_out(sheet: Sheet, arm: Arm | None, item: Item | None, rng: np.random.Generator) -> Layout:
    """Draw the order of the texts and of each question's options."""
    texts = list(arm.conditions) if arm else []
    if isinstance(sheet, Block) and sheet.sides == "random" and len(texts) > 1:
        texts = [texts[i] for i in rng.permutation(len(texts))]
    options: dict[str, list[str]] = {}
    for question in questions_of(sheet):
        if isinstance(question, Mcq):
            letters = [letter(i) for i in range(len(options_of(question, item)))]
            if question.shuffle:
                letters = [letters[i] for i in rng.permutation(len(letters))]
            options[question.id] = letters + ([UNANSWERABLE] if question.unanswerable else [])
    return {"texts": texts, "options": options}


def questions_of(sheet: Sheet) -> tuple[Question, ...]:
    """What a page of the definition asks."""
    if isinstance(sheet, Attention):
        return (sheet.question,)
    return () if isinstance(sheet, Consent) else sheet.questions


def make_page(sheet: Sheet, layout: Layout, *, token: str, item: Item | None = None, **place: Any) -> Page:
    """A page of the definition, for one item, in a drawn order."""
    kind = "attention" if isinstance(sheet, Attention) else sheet.tag
    title = "" if isinstance(sheet, Attention) else sheet.title
    show = sheet.show if isinstance(sheet, (Block, Practice)) else "text"
    if isinstance(sheet, Consent):
        ask = YesNo(id="consent", text=sheet.title or "Do you agree?", labels=(sheet.agree, sheet.decline))
        choices = (Choice("yes", sheet.agree, "yes"), Choice("no", sheet.decline, "no"))
        asked: tuple[Asked, ...] = (Asked("consent", "yesno", ask.text, ask, choices=choices),)
        return Page(token, kind, title, sheet.text, questions=asked, **place)
    texts = _texts(sheet, layout, item)
    asked = _ask(sheet, layout, item, texts, each=show == "grid")
    intro = "" if isinstance(sheet, Attention) else sheet.text
    source = item.source if isinstance(sheet, Block) and sheet.source and item is not None else ""
    return Page(token, kind, title, intro, texts, source, show, asked, **place)


def _texts(sheet: Sheet, layout: Layout, item: Item | None) -> tuple[ShownText, ...]:
    if isinstance(sheet, Attention):
        return (ShownText("", sheet.text),) if sheet.text else ()
    if isinstance(sheet, Practice):
        source = [sheet.item.source] if sheet.show == "source+text" else []
        found = [("", text) for text in [*source, *sheet.item.texts]]
    elif isinstance(sheet, Block) and item is not None:
        source = [item.source] if sheet.show == "source+text" else []
        found = [("", text) for text in source] + [(c, item.texts[c]) for c in layout["texts"]]
    else:
        return ()
    if len(sheet.labels) == len(found):
        labels: Sequence[str] = sheet.labels
    elif sheet.show == "source+text":
        labels = ["Original", "Rewritten"]
    else:
        labels = [f"Text {letter(i)}" for i in range(len(found))] if len(found) > 1 else [""]
    return tuple(
        ShownText(label, text, condition) for label, (condition, text) in zip(labels, found, strict=False)
    )


def _ask(
    sheet: Sheet, layout: Layout, item: Item | None, texts: Sequence[ShownText], *, each: bool
) -> tuple[Asked, ...]:
    out: list[Asked] = []
    for question in questions_of(sheet):
        text = question.text or (item.text_of(question.text_field) if item else "")
        targets: list[tuple[str, str]] = [("", "")]
        if isinstance(question, Rank):
            targets = [(o, o) for o in question.options] or [(t.condition or t.label, t.label) for t in texts]
        elif each and isinstance(question, (Likert, Slider, Count)):
            targets = [(t.condition or t.label, t.label) for t in texts]
        for target, label in targets:
            choices = _choices(question, layout, item, texts, len(targets))
            name = f"q{len(out) + 1}"
            out.append(
                Asked(name, question.tag, text, question, label, target, choices, _shown_if(question, out))
            )
    return tuple(out)


def _choices(
    question: Question, layout: Layout, item: Item | None, texts: Sequence[ShownText], count: int
) -> tuple[Choice, ...]:
    if isinstance(question, Mcq):
        words = {letter(i): o for i, o in enumerate(options_of(question, item))}
        words[UNANSWERABLE] = question.unanswerable
        return tuple(Choice(str(n), words[x], x) for n, x in enumerate(layout["options"][question.id], 1))
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


def _shown_if(question: Asking, before: Sequence[Asked]) -> tuple[str, tuple[str, ...]] | None:
    if question.show_if is None:
        return None
    earlier = next(a for a in before if a.question.id == question.show_if.question)
    wanted = question.show_if.equals
    values = tuple(c.value for c in earlier.choices if c.stored in wanted) if earlier.choices else wanted
    return earlier.name, values


def read_form(page: Page, form: Mapping[str, str]) -> tuple[list[Answer], list[Problem]]:
    """The answers of a submitted form, and what is missing or out of range."""
    answers: list[Answer] = []
    problems: list[Problem] = []
    ranks: dict[str, list[str]] = {}
    hidden: set[str] = set()
    for asked in page.questions:
        raw = form.get(asked.name, "")
        shown = asked.show_if is None or (
            asked.show_if[0] not in hidden and form.get(asked.show_if[0], "").strip() in asked.show_if[1]
        )
        if not shown:
            hidden.add(asked.name)
        if not raw.strip():
            if shown and asked.question.required:
                problems.append(Problem(asked.name, "Please answer this question."))
            continue
        answer, message = _read_one(asked, raw, page)
        if answer is None:
            if shown:
                problems.append(Problem(asked.name, message))
            continue
        if isinstance(asked.question, Rank) and not asked.question.ties:
            if answer.value in ranks.setdefault(asked.question.id, []):
                problems.append(Problem(asked.name, "Please give each rank only once."))
            ranks[asked.question.id].append(answer.value)
        answers.append(Answer(asked.key, answer.value, asked.target, answer.shown, shown))
    return answers, problems


def _read_one(asked: Asked, raw: str, page: Page) -> tuple[Answer | None, str]:
    question = asked.question
    if asked.choices:
        for place, choice in enumerate(asked.choices, 1):
            if raw.strip() == choice.value:
                return Answer(asked.key, choice.stored, shown=place), ""
        return None, "Please choose one of the answers."
    if isinstance(question, (Slider, Count)):
        words = f"Please give a whole number from {question.low} to {question.high}."
        try:
            number = int(raw.strip()) if len(raw) < 20 else math.inf
        except ValueError:
            return None, words
        inside = question.low <= number <= question.high
        return (Answer(asked.key, str(number)), "") if inside else (None, words)
    assert isinstance(question, Text)
    text = raw.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
    text = text.encode("utf-8", "replace").decode("utf-8").strip("\n")
    if len(text) > question.longest:
        return None, f"Please write at most {question.longest:,} characters; this has {len(text):,}."
    if question.rewrite and page.texts:
        found = rewrite_problems(page.texts[0].text, text, question.rewrite)
        if found:
            return None, " ".join(found)
    return Answer(asked.key, text), ""


def is_right(asked: Asked, value: str, item: Item | None = None) -> bool | None:
    """Whether a stored answer is the right one; None if the question has no key."""
    if not isinstance(asked.question, (Mcq, YesNo)):
        return None
    key = key_of(asked.question, item)
    return value == key if key else None


def is_survey(sheet: Sheet) -> bool:
    """Whether its answers can screen a person out."""
    return isinstance(sheet, Survey)
