"""Questions answered by a model instead of participants (Agrawal and Carpuat 2024, section 7).

The prompt has the order that the paper prints, with UnifiedQA's \\n, which is a backslash and the letter n:
    {question} \\n (A) {choice 1} (B) {choice 2} ... \\n {paragraph}
An answer is correct if it equals the key's text up to case, punctuation, articles and spaces (exact match).
`reader("path/to/unifiedqa-v2-t5-base")` loads a local sequence-to-sequence model, `reader("plain")` plainmark's own reader,
which picks an option. Any function from questions to texts will do; `prompted` makes one from a function that reads prompts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..definition.items import key_of, options_of
from ..definition.loading import Study
from ..definition.questions import Mcq, letter
from .responses import Response

MODEL, OWN = "model", "plain"
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_MARKS = re.compile(r"[^\w\s]")


class ChoiceQuestion(NamedTuple):
    """A question about a passage with the answers to choose from."""

    question: str
    options: tuple[str, ...]
    passage: str


Reader = Callable[[Sequence[ChoiceQuestion]], Sequence[str]]


def prompt(question: str, options: Sequence[str], passage: str) -> str:
    """What the model reads."""
    choices = " ".join(f"({letter(i)}) {' '.join(o.split())}" for i, o in enumerate(options))
    return rf"{' '.join(question.split())} \n {choices} \n {' '.join(passage.split())}"


def normalize(text: str) -> str:
    """A text as exact match compares it."""
    return " ".join(_ARTICLES.sub(" ", _MARKS.sub(" ", text.lower())).split())


def reader(model: str) -> Reader:
    """plainmark's own ("plain"), a local checkpoint, or one of the hub's that is on this machine."""
    if model == OWN:
        return choosing
    from ...models import checkpoints
    from ...models.questions import writer

    generator = writer(checkpoints.find("model", model))
    return prompted(lambda prompts: [text for text, _ in generator.write(prompts, 0)])


def prompted(write: Callable[[Sequence[str]], Sequence[str]]) -> Reader:
    """A reader made from a function that answers prompts."""
    return lambda questions: write([prompt(*question) for question in questions])


def choosing(questions: Sequence[ChoiceQuestion]) -> list[str]:
    """The option that plainmark's own reader finds most likely for each question."""
    from ...models import reader as own

    shares = own.load().choose(questions)
    return [q.options[int(p.argmax())] for q, p in zip(questions, shares, strict=True)]


def answer_with(study: Study, read: Reader, *, name: str = MODEL) -> list[Response]:
    """The model's answers to every question about every text, as responses of one rater.

    Options are given in the definition's order. What matches no option counts as a wrong answer.
    """
    questions = [q for q in study.definition.block.questions if isinstance(q, Mcq)]
    tasks = [
        (arm.id, item, q)
        for item in study.items
        for arm in study.arms
        if len(arm.conditions) == 1 and (item.id, arm.id) not in study.absent
        for q in questions
        if key_of(q, item)
    ]
    written = read(
        [
            ChoiceQuestion(
                q.text or item.text_of(q.text_field), tuple(options_of(q, item)), item.texts[system]
            )
            for system, item, q in tasks
        ]
    )
    answers = []
    for (system, item, q), text in zip(tasks, written, strict=True):
        options = [normalize(o) for o in options_of(q, item)]
        answer = normalize(text)
        value = letter(options.index(answer)) if answer in options else ""
        answers.append(Response(system, item.id, q.id, name, value, key_of(q, item)))
    return answers
