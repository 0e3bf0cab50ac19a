"""Questions answered by a model instead of participants (Agrawal and Carpuat 2024, section 7).

The prompt has the order that the paper prints, with UnifiedQA's \\n, which is a backslash and the letter n:
    {question} \\n (A) {choice 1} (B) {choice 2} ... \\n {paragraph}
An answer is correct if it equals the key's text up to case, punctuation, articles and spaces (exact match). Any function
from prompts to texts will do; `reader("path/to/unifiedqa-v2-t5-base")` loads a local sequence-to-sequence model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..definition.items import key_of, options_of
from ..definition.loading import Study
from ..definition.questions import Mcq, letter
from .responses import Response

Reader = Callable[[Sequence[str]], Sequence[str]]
MODEL = "model"
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_MARKS = re.compile(r"[^\w\s]")


def prompt(question: str, options: Sequence[str], passage: str) -> str:
    """What the model reads."""
    choices = " ".join(f"({letter(i)}) {' '.join(o.split())}" for i, o in enumerate(options))
    return rf"{' '.join(question.split())} \n {choices} \n {' '.join(passage.split())}"


def normalize(text: str) -> str:
    """A text as exact match compares it."""
    return " ".join(_ARTICLES.sub(" ", _MARKS.sub(" ", text.lower())).split())


def reader(model: str) -> Reader:
    """A local checkpoint, or one of the hub's that is on this machine; MissingResourceError says how to get it."""
    from ...models import checkpoints
    from ...models.questions import writer

    generator = writer(checkpoints.find("model", model))
    return lambda prompts: [text for text, _ in generator.write(prompts, 0)]


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
    prompts = [
        prompt(q.text or item.text_of(q.text_field), options_of(q, item), item.texts[system])
        for system, item, q in tasks
    ]
    written = read(prompts)
    answers = []
    for (system, item, q), text in zip(tasks, written, strict=True):
        options = [normalize(o) for o in options_of(q, item)]
        answer = normalize(text)
        value = letter(options.index(answer)) if answer in options else ""
        answers.append(Response(system, item.id, q.id, name, value, key_of(q, item)))
    return answers
