"""plainmark's own reader: finds the part of a text that answers a question, or reports that there is none.

    reader = models.reader.load()
    reader.answer([("Who leads the clinic?", text), ...])      an Answer each: text, start, end, margin
    reader.choose([(question, options, text), ...])            a share for each option, the largest for the likeliest

The reader shares its words and lower layers with the encoder `plain`. A question may also be a sentence with a gap, marked
by GAP. Texts are read in windows of 128 tokens, questions are cut after 54. English only. docs/encoder-card.md says what it
was trained on and how often it is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..identity import load_once
from ..punkt import PLAIN
from . import KNOWN, _batches, find, missing, plain_encoder
from ._folder import load_tokenizer, read_json
from ._safetensors import dequantised, read_file, read_tensors
from ._transformer import Transformer

NAME, BASE = "reader", "plain"
GAP = "[MASK]"
WINDOW, LONGEST_QUESTION, LONGEST_ANSWER = 128, 54, 24  # tokens
BATCH_TOKENS = 1024

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int32]

_UNKNOWN, _FIRST, _END, _GAP = 100, 101, 102, 103
_MARKS = (0, _FIRST, _END, _GAP)
_SMALLEST = 1e-6
_SPREADS = (
    1.04,
    0.067,
)  # standard deviations of the two estimates over options, on half of OneStopQA's articles


class Answer(NamedTuple):
    """A part of a text, and by how much the reader prefers it to "the text does not say"."""

    text: str
    start: int
    end: int
    margin: float

    @property
    def given(self) -> bool:
        """Whether the text has an answer, according to the reader."""
        return self.margin > 0


NO_ANSWER = Answer("", 0, 0, -np.inf)


class _Tokens(NamedTuple):
    ids: Ints
    places: list[tuple[int, int]]


class Reader:
    """A loaded reader, created and cached by `load`."""

    def __init__(self, folder: Path, base: Path) -> None:
        own = dequantised(read_file(folder / KNOWN[NAME].weights))
        self._weight, self._bias = (
            np.array(own.pop(f"head.{part}"), np.float32) for part in ("weight", "bias")
        )
        self._backend = Transformer(
            read_json(folder / "config.json", required=True), read_tensors(base) | own
        )
        self._tokenizer: Any = load_tokenizer(base)

    def answer(self, tasks: Sequence[tuple[str, str]]) -> list[Answer]:
        """The answer to each question in its text; a text without words has none."""
        spans = self.spans(tasks, best=1)
        return [own[0] if own else NO_ANSWER for own in spans]

    def spans(self, tasks: Sequence[tuple[str, str]], best: int = 10) -> list[list[Answer]]:
        """The best parts of each text as answers to its question, from each window, the best first."""
        texts = {text: self._tokens(text) for _, text in tasks}
        questions = {question: self._question(question) for question, _ in tasks}
        unique = list(dict.fromkeys(tasks))
        windows = [
            (task, start)
            for task in unique
            for start in _starts(len(texts[task[1]].ids), _room(questions[task[0]]))
        ]
        pieces = [self._piece(questions[q], texts[t].ids, start) for (q, t), start in windows]
        answers: dict[tuple[str, str], list[Answer]] = {task: [] for task in unique}
        for i, logits in _batches.run(pieces, self._logits, BATCH_TOKENS):
            task, start = windows[i]
            shift = len(questions[task[0]]) + 2
            places = texts[task[1]].places[start : start + len(logits) - shift - 1]
            answers[task] += _best(logits, shift, places, task[1], best)
        ordered = {task: sorted(own, key=lambda a: (-a.margin, a.start)) for task, own in answers.items()}
        return [ordered[task][:best] for task in tasks]

    def choose(self, tasks: Sequence[tuple[str, Sequence[str], str]]) -> list[Floats]:
        """The probability that each option is the answer: shares that add up to 1, all equal for a text without words.

        Two estimates have equal weight: whether a sentence of the text entails the question followed by the option, and how
        similar in meaning this is to the sentences in which the reader expects the answer.
        """
        encoder = plain_encoder.load()
        answers = self.spans([(question, text) for question, _, text in tasks])
        shares = []
        for (question, options, text), spans in zip(tasks, answers, strict=True):
            places = PLAIN.spans(text) if spans else []
            if not places or not options:
                shares.append(np.full(len(options), 1 / max(1, len(options))))
                continue
            sentences = [text[a:b] for a, b in places]
            statements = [f"{question} {option}" for option in options]
            entailed = encoder.pairs(sentences * len(options), [s for s in statements for _ in sentences])[
                "entailed"
            ]
            best = np.clip(entailed, _SMALLEST, 1 - _SMALLEST).reshape(len(options), -1).max(axis=1)
            near = encoder.embed(statements) @ encoder.embed(sentences).T @ _attention(spans, places)
            values = np.log(best / (1 - best)) / _SPREADS[0] + near / _SPREADS[1]
            powers = np.exp(values - values.max())
            shares.append(powers / powers.sum())
        return shares

    def _logits(self, ids: Ints) -> Floats32:
        hidden = self._backend.hidden(ids, self._backend.layers)
        return np.asarray(hidden @ self._weight.T + self._bias, np.float32)

    def _piece(self, question: Ints, text: Ints, start: int) -> Ints:
        part = text[start : start + _room(question)]
        return np.concatenate([[_FIRST], question, [_END], part, [_END]]).astype(np.int32)

    def _question(self, question: str) -> Ints:
        """The tokens of a question; for a long one with a gap, those around it."""
        before, gap, after = question.partition(GAP)
        first, last = (self._tokens(part).ids for part in (before, after))
        if not gap:
            return first[:LONGEST_QUESTION]
        lead = first[max(0, len(first) - max(LONGEST_QUESTION // 2, LONGEST_QUESTION - 1 - len(last))) :]
        return np.concatenate([lead, [_GAP], last]).astype(np.int32)[:LONGEST_QUESTION]

    def _tokens(self, text: str) -> _Tokens:
        # Half of a surrogate pair is not a character; "?" keeps the offsets of the others valid.
        encoded = self._tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False)
        ids = np.array(encoded.ids, dtype=np.int32)
        return _Tokens(np.where(np.isin(ids, _MARKS), np.int32(_UNKNOWN), ids), encoded.offsets)


def load() -> Reader:
    """The reader, loaded once; MissingResourceError says what to install."""
    return _load(find(NAME).path, find(BASE).path)


@load_once
def _load(folder: Path, base: Path) -> Reader:
    return Reader(folder, base)


def _room(question: Ints) -> int:
    return WINDOW - 3 - len(question)


def _starts(tokens: int, room: int) -> list[int]:
    """The starts of the windows of a text: half a window apart, the last one full."""
    if tokens == 0:
        return []
    if tokens <= room:
        return [0]
    return [*range(0, tokens - room, room // 2), tokens - room]


def _attention(spans: Sequence[Answer], places: Sequence[tuple[int, int]]) -> Floats:
    """The attention to each sentence: the probability that the answer begins in it."""
    margins = np.array([span.margin for span in spans])
    shares = np.exp(margins - margins.max())
    weights = np.zeros(len(places))
    ends = np.array([end for _, end in places])
    for span, share in zip(spans, shares / shares.sum(), strict=True):
        weights[min(int(np.searchsorted(ends, span.start, side="right")), len(places) - 1)] += share
    return weights


def _best(
    logits: Floats32, shift: int, places: Sequence[tuple[int, int]], text: str, count: int
) -> list[Answer]:
    """The best spans of a window, from logits (tokens, 2)."""
    none = logits[0].sum()
    begins, ends = logits[shift:-1].T
    sums = begins[:, None] + ends[None, :] - none
    length = np.arange(len(ends))[None, :] - np.arange(len(begins))[:, None]
    sums[(length < 0) | (length >= LONGEST_ANSWER)] = -np.inf
    order = np.argsort(-sums, axis=None, kind="stable")[:count]
    answers = []
    for first, last in zip(*np.unravel_index(order, sums.shape), strict=True):
        if np.isfinite(sums[first, last]):
            start, end = places[first][0], places[last][1]
            answers.append(Answer(text[start:end], start, end, float(sums[first, last])))
    return answers


__all__ = ["GAP", "Answer", "Reader", "load", "missing"]
