"""Questions answered by a model instead of participants (Agrawal and Carpuat 2024, section 7).

`reader("plain")` is plainmark's own reader, `reader("path/to/unifiedqa-v2-t5-base")` a local sequence-to-sequence model,
`reader("https://host/v1", model="name")` any model behind an OpenAI-compatible endpoint. Each answers the same questions

    with the text       what participants did
    without the text    what the question and its options give away
    in its own words    without seeing the options; counted as the option that shares most words with the answer

Options are shown in an order that is drawn for each question: definitions often list the right one first. A local model's
prompt has the form that the paper prints, with UnifiedQA's \\n, which is a backslash and the letter n:
    {question} \\n (A) {choice 1} (B) {choice 2} ... \\n {paragraph}
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from ...errors import InputError, OptionError
from ..definition.items import Item, key_of, options_of
from ..definition.loading import Study, arms_of
from ..definition.questions import UNANSWERABLE, Mcq, letter
from .responses import Response

T = TypeVar("T", bound=Hashable)

MODEL, OWN = "model", "plain"
NO_TEXT = "(no text)"
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_MARKS = re.compile(r"[^\w\s]")
_LETTER = re.compile(r"[^\w]*(?:option|answer)?[^\w]*([A-Z]\d?)(?![\w'’])", re.IGNORECASE)
_NOT_SAID = re.compile(
    r"\bnot (?:in|stated|said|given|mentioned|answered)\b|\bdoes not (?:say|tell|answer|state)\b"
)
_PATIENCE = 10  # failures in a row after which an endpoint is given up


class ChoiceQuestion(NamedTuple):
    """A question about a passage with the answers to choose from; the passage is empty where it is not shown."""

    question: str
    options: tuple[str, ...]
    passage: str


Choose = Callable[[Sequence[ChoiceQuestion]], Sequence[str]]
Write = Callable[[Sequence[tuple[str, str]]], Sequence[str]]  # (question, passage) -> answer in own words


@dataclass(frozen=True)
class Reader:
    """A model that answers questions: picks an option, and writes answers of its own if it can."""

    name: str
    choose: Choose
    write: Write | None = None
    guesses: bool = False  # without a text it has no opinion

    def __call__(self, questions: Sequence[ChoiceQuestion]) -> Sequence[str]:
        return self.choose(questions)


@dataclass(frozen=True)
class ModelAnswers:
    """What a model answered, as responses of one rater."""

    name: str
    with_text: tuple[Response, ...]
    without_text: tuple[Response, ...]
    own_words: tuple[Response, ...]  # empty if the model cannot write
    guesses: bool


def prompt(question: str, options: Sequence[str], passage: str) -> str:
    """What a local model reads."""
    choices = " ".join(f"({letter(i)}) {' '.join(o.split())}" for i, o in enumerate(options))
    return rf"{' '.join(question.split())} \n {choices} \n {' '.join(passage.split())}"


def normalize(text: str) -> str:
    """A text as exact match compares it."""
    return " ".join(_ARTICLES.sub(" ", _MARKS.sub(" ", text.lower())).split())


def reader(name: str, *, model: str = "") -> Reader:
    """plainmark's own ("plain"), an endpoint by its address, a local checkpoint, or one of the hub's on this machine."""
    if name.startswith(("http://", "https://")):
        return _endpoint(name, model)
    if model:
        raise OptionError(
            f"a model's name belongs to an endpoint such as https://host/v1; the reader is {name!r}."
        )
    if name == OWN:
        return Reader(OWN, choosing, _spans, guesses=True)
    from ...models import checkpoints
    from ...models.questions import writer

    generator = writer(checkpoints.find("model", name))
    return Reader(name, prompted(lambda prompts: [text for text, _ in generator.write(prompts, 0)]))


def prompted(write: Callable[[Sequence[str]], Sequence[str]]) -> Choose:
    """A reader made from a function that answers prompts."""
    return lambda questions: write([prompt(*question) for question in questions])


def choosing(questions: Sequence[ChoiceQuestion]) -> list[str]:
    """The option that plainmark's own reader finds most likely for each question."""
    from ...models import reader as own

    shares = own.load().choose(questions)
    return [q.options[int(p.argmax())] for q, p in zip(questions, shares, strict=True)]


def _spans(tasks: Sequence[tuple[str, str]]) -> list[str]:
    """The part of the text that plainmark's own reader takes for the answer; empty if it sees none."""
    from ...models import reader as own

    return [a.text if a.given else "" for a in own.load().answer(tasks)]


@dataclass(frozen=True)
class _Connection:
    """How an endpoint is asked; see `plainmark.asking`."""

    url: str
    model: str
    timeout: float = 120.0
    per_minute: float = 0.0
    threads: int = 4
    price_in: float = 0.0
    price_out: float = 0.0


def _endpoint(url: str, model: str) -> Reader:
    """A model behind an OpenAI-compatible endpoint; the key comes from the environment alone."""
    from ...asking import ask_all, built_in_prompt, missing
    from ...judge import Endpoint, Reply, RetryError

    connection = _Connection(url, model)
    if problem := missing(connection, "--reader https://host/v1 --reader-model NAME"):
        raise OptionError(f"the reader {problem}.")

    def choose(questions: Sequence[ChoiceQuestion]) -> list[str]:
        template = built_in_prompt("read-choose")

        def ask(endpoint: Endpoint, task: ChoiceQuestion) -> str:
            letters = [letter(i) for i in range(len(task.options))]
            listed = "\n".join(
                f"{n}: {' '.join(o.split())}" for n, o in zip(letters, task.options, strict=True)
            )

            def read(reply: Reply) -> str:
                place = _LETTER.match(reply.text.strip())
                if place and place[1].upper() in letters:
                    return task.options[letters.index(place[1].upper())]
                if normalize(reply.text) in map(normalize, task.options):
                    return reply.text
                raise RetryError("the reply names no option")

            text = _filled(template, task.question, task.passage or NO_TEXT, listed)
            return endpoint.ask(text, read, temperature=0.0)

        return _replies(ask_all(connection, questions, ask, label=model, patience=_PATIENCE)[0], questions)

    def write(tasks: Sequence[tuple[str, str]]) -> list[str]:
        template = built_in_prompt("read-answer")

        def ask(endpoint: Endpoint, task: tuple[str, str]) -> str:
            text = _filled(template, task[0], task[1] or NO_TEXT, "")
            return endpoint.ask(text, lambda reply: reply.text.strip(), temperature=0.0)

        return _replies(ask_all(connection, tasks, ask, label=model, patience=_PATIENCE)[0], tasks)

    return Reader(model, choose, write)


def _filled(template: str, question: str, passage: str, options: str) -> str:
    """A prompt in one pass, so that a text that contains a place is not filled itself."""
    values = {"question": " ".join(question.split()), "passage": passage, "options": options}
    return re.sub(r"\{(question|passage|options)\}", lambda m: values[m[1]], template)


def _replies(answers: Mapping[T, str], tasks: Sequence[T]) -> list[str]:
    if not answers:
        raise InputError("the endpoint gave no usable reply to any question.")
    return [answers.get(task, "") for task in tasks]


def answer_with(study: Study, read: Choose, *, name: str = MODEL, with_text: bool = True) -> list[Response]:
    """The model's answers to every question about every text, as responses of one rater.

    What matches no option counts as a wrong answer.
    """
    tasks = _tasks(study)
    orders = [_shown_options(q, item) for _, item, q in tasks]
    asked = [
        ChoiceQuestion(_question_text(q, item), tuple(options), item.texts[system] if with_text else "")
        for (system, item, q), options in zip(tasks, orders, strict=True)
    ]
    answers = []
    for (system, item, q), text in zip(tasks, read(asked), strict=True):
        known = {normalize(o): letter(i) for i, o in enumerate(options_of(q, item))}
        if q.unanswerable:
            known.setdefault(normalize(q.unanswerable), UNANSWERABLE)
        value = known.get(normalize(text), "")
        answers.append(Response(system, item.id, q.id, name, value, key_of(q, item)))
    return answers


def all_answers(study: Study, model: Reader) -> ModelAnswers:
    """With the text, without it, and in the model's own words."""
    free: list[Response] = []
    if model.write:
        tasks = _tasks(study)
        written = model.write([(_question_text(q, item), item.texts[system]) for system, item, q in tasks])
        for (system, item, q), text in zip(tasks, written, strict=True):
            value = nearest_option(text, options_of(q, item), unanswerable=bool(q.unanswerable))
            free.append(Response(system, item.id, q.id, MODEL, value, key_of(q, item)))
    return ModelAnswers(
        model.name,
        tuple(answer_with(study, model)),
        tuple(answer_with(study, model, with_text=False)),
        tuple(free),
        model.guesses,
    )


def nearest_option(text: str, options: Sequence[str], *, unanswerable: bool = False) -> str:
    """The letter of the option that shares most words with a free answer (F1); UA for none; empty if it is not clear."""
    if unanswerable and (not text.strip() or _NOT_SAID.search(text.lower())):
        return UNANSWERABLE
    said = Counter(normalize(text).split())
    scores = []
    for option in options:
        words = Counter(normalize(option).split())
        common = (said & words).total()
        scores.append(2 * common / max(said.total() + words.total(), 1))
    best = max(scores, default=0.0)
    return letter(scores.index(best)) if best > 0 and scores.count(best) == 1 else ""


def chance(study: Study) -> float:
    """Percent right by guessing among the options."""
    shares = [100 / len(_shown_options(q, item)) for _, item, q in _tasks(study)]
    return sum(shares) / len(shares) if shares else 0.0


def _tasks(study: Study) -> list[tuple[str, Item, Mcq]]:
    return [
        (arm.id, item, q)
        for block in study.definition.blocks
        for item in study.items_of(block)
        for arm in arms_of(study.definition, block)
        if len(arm.conditions) == 1 and (item.id, arm.id) not in study.absent
        for q in block.questions
        if isinstance(q, Mcq) and key_of(q, item)
    ]


def _question_text(question: Mcq, item: Item) -> str:
    return question.text or item.text_of(question.text_field)


def _shown_options(question: Mcq, item: Item) -> list[str]:
    """The options in an order of their own for each question, the same in every condition; UA last, as people see it."""
    options = options_of(question, item)
    random.Random(f"{item.id}\0{question.id}").shuffle(options)
    return [*options, *([question.unanswerable] if question.unanswerable else [])]
