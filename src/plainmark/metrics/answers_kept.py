"""Answers kept: whether the output still answers questions about the source, by plainmark's own reader.

    answers_kept = mean over the questions of a sample of F1(right answer, the reader's answer from the output), in percent

Questions are sentences of the source with a gap in place of a number, a name, a term or, where a sentence has too few of
these, a rare word. A question counts only if the reader fills the gap rightly from the source itself, so that what the reader cannot
do is not held against the output. With questions='FILE' the questions are your own, one JSON object per line:

    {"id": "12", "question": "Who leads the clinic?", "answer": "Ada Mills"}
    {"id": "12", "question": "Who leads the clinic?", "answer": "Ada Mills", "options": ["Ada Mills", "Tom Hall"]}

with the sample's id (its number, from 1, where samples have none); with options the reader chooses one, and is right or wrong.
Of a text with more than 60 gaps, 60 are asked, evenly spread. Of a text with more than four chunks of 80 words, the four that are
nearest to the question by sentence vectors are read. A sample without questions is undefined, an output without words has 0. Parts: f1, em (the same answer but for case,
punctuation and articles), is_answered (the reader says that the output has an answer), questions (how many). English only. The
reader finds what a text says outright: docs/encoder-card.md says how often it is right. After Deutsch et al. 2021 (QAEval).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from .. import kernels
from ..data import Corpus
from ..errors import InputError
from ..faithfulness import find
from ..files import json_objects
from ..lexicon.language import warn_unless_english
from ..metric import Floats, MeanMetric
from ..models import MODEL, plain_encoder, reader
from ..models.reader import GAP
from ..options import FILE
from ..punkt import PLAIN
from ..wordlists import ranks
from ._answers import answer_em, answer_f1

PER_SENTENCE, PER_TEXT = 3, 60
KINDS = ("number", "name", "term")
RIGHT = 0.5  # F1 from which on an answer from the source counts as right

_RARE = 1000  # rank in the list of frequent words from which on a word is asked for
_CHUNK, _CHUNKS = 80, 4  # words of a chunk of a long text, and how many of them are read for a question
_WORD = re.compile(r"[^\W\d_]{4,}")
_PARTS = ("f1", "em", "is_answered", "questions")


class Question(NamedTuple):
    """A question, its right answer, and the options to choose from, if any."""

    question: str
    answer: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnswersKept(MeanMetric):
    """Share of the questions about the source that the output still answers, by plainmark's own reader, in percent."""

    part: Annotated[Literal["f1", "em", "is_answered"], "what the score is"] = "f1"
    questions: Annotated[
        str, FILE, "a file of JSON lines with your own questions; empty asks about the source's facts"
    ] = ""
    model: Annotated[Literal["reader"], MODEL, "the model that answers"] = "reader"

    bounds = (0.0, 100.0)
    family = "meaning"
    citation = "Deutsch et al. 2021, TACL; plainmark, docs/encoder-card.md"
    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return (self.name, *_PARTS)

    def required(self) -> frozenset[str]:
        return frozenset() if self.questions else frozenset({"source"})

    def missing(self) -> str:
        return reader.missing(self.model)

    def values(self, corpus: Corpus) -> Floats:
        parts = corpus.remember("output", ("answers kept", *self._key()), lambda: self._values(corpus))
        return np.column_stack([parts[:, _PARTS.index(self.part)], parts])

    def asked(self, corpus: Corpus) -> list[list[Question]]:
        """The questions of each sample."""
        self.check_installed()
        if self.questions:
            own = read_questions(self.questions)
            if unknown := own.keys() - set(corpus.ids):
                raise InputError(
                    f"{self.questions}: a question for the sample {min(unknown)!r}, which the texts do not have; "
                    f"their ids begin with {corpus.ids[0] if corpus.ids else 'none'!r}."
                )
            return [own.get(name, []) for name in corpus.ids]
        sources = corpus.texts("source")
        return corpus.remember("source", ("gaps", *self._key()), lambda: answerable(sources))

    def _key(self) -> tuple[str, ...]:
        return (self.questions, *(str(digest) for digest in self.contents().values()))

    def _values(self, corpus: Corpus) -> Floats:
        warn_unless_english(corpus.outputs, self.name)
        asked = self.asked(corpus)
        tasks = [(q, text) for own, text in zip(asked, corpus.outputs, strict=True) for q in own]
        rows = iter(_rated(tasks))
        out = np.full((len(corpus), len(_PARTS)), np.nan)
        for i, own in enumerate(asked):
            out[i, -1] = len(own)
            if own:
                out[i, :-1] = 100 * np.mean([next(rows) for _ in own], axis=0)
        return out


def read_questions(path: str) -> dict[str, list[Question]]:
    """The questions of a file by the ids of their samples."""
    questions: dict[str, list[Question]] = {}
    for place, row in json_objects(path):
        texts = [row.get(name) for name in ("id", "question", "answer")]
        options = row.get("options", [])
        if not all(isinstance(t, str) and t.strip() for t in texts):
            raise InputError(f'{place}: expected texts for "id", "question" and "answer".')
        if not isinstance(options, list) or not all(isinstance(o, str) for o in options):
            raise InputError(f'{place}: expected a list of texts for "options".')
        name, question, answer = map(str, texts)
        if options and answer not in options:
            raise InputError(f"{place}: the answer is none of the options.")
        questions.setdefault(name, []).append(Question(question, answer, tuple(options)))
    return questions


def answerable(sources: Sequence[str]) -> list[list[Question]]:
    """The gaps in each source that the reader fills rightly from the source."""
    gaps = {text: _spread(list(_gaps(text))) for text in dict.fromkeys(sources)}
    tasks = [(q, text) for text, own in gaps.items() for q in own]
    rated = iter(_rated(tasks))
    known = {text: [q for q in own if next(rated)[0] >= RIGHT] for text, own in gaps.items()}
    return [known[text] for text in sources]


def _gaps(text: str) -> Iterator[Question]:
    """Sentences of a text with something left out: facts first, then the rarest words."""
    facts = sorted((m.start, m.end) for kind in KINDS for m in find(kind, text) if not m.weak)
    for start, end in PLAIN.spans(text):
        sentence = text[start:end]
        places = [(a - start, b - start) for a, b in facts if start <= a and b <= end]
        taken: list[tuple[int, int]] = []
        for a, b in [*places, *_rare_words(sentence)]:
            if (
                len(taken) < PER_SENTENCE
                and sentence[a:b].strip()
                and all(b <= c or d <= a for c, d in taken)
            ):
                taken.append((a, b))
                yield Question(f"{sentence[:a]}{GAP}{sentence[b:]}", sentence[a:b])


def _spread(questions: list[Question]) -> list[Question]:
    """At most so many questions as are asked of one text, evenly spread over it."""
    places = np.linspace(0, len(questions) - 1, min(PER_TEXT, len(questions)))
    return [questions[int(i)] for i in places]


def _passages(tasks: Sequence[tuple[Question, str]]) -> list[str]:
    """What is read for each question: the text, or of a long one the chunks that are nearest to the question."""
    chunks = {text: _chunks(text) for text in dict.fromkeys(text for _, text in tasks)}
    encoder = plain_encoder.load()
    vectors = {text: encoder.embed(own) for text, own in chunks.items() if len(own) > _CHUNKS}
    passages = []
    for question, text in tasks:
        if text in vectors:
            near = vectors[text] @ encoder.embed([question.question.replace(GAP, "")])[0]
            chosen = sorted(np.argsort(-near, kind="stable")[:_CHUNKS].tolist())
            passages.append(" ".join(chunks[text][i] for i in chosen))
        else:
            passages.append(text)
    return passages


def _chunks(text: str) -> list[str]:
    """Consecutive sentences, joined up to so many words; a longer sentence is a chunk of its own."""
    chunks: list[list[str]] = []
    for start, end in PLAIN.spans(text):
        words = text[start:end].split()
        for first in range(0, len(words), _CHUNK):
            piece = words[first : first + _CHUNK]
            if chunks and len(chunks[-1]) + len(piece) <= _CHUNK:
                chunks[-1] += piece
            else:
                chunks.append(piece)
    return [" ".join(chunk) for chunk in chunks]


def _rare_words(sentence: str) -> list[tuple[int, int]]:
    places = [m.span() for m in _WORD.finditer(sentence)]
    if not places:
        return []
    found = kernels.tokenize([sentence[a:b].lower() for a, b in places], "plain")
    firsts = found.offsets[:-1]
    rank = ranks(found.hashes)[firsts]
    rank = np.where(rank < 0, np.iinfo(rank.dtype).max, rank)
    return [places[i] for i in np.argsort(-rank, kind="stable") if rank[i] >= _RARE]


def _rated(tasks: Sequence[tuple[Question, str]]) -> list[tuple[float, float, float]]:
    """F1, exact match and whether there is an answer, for each question and the text it is asked of."""
    model = reader.load()
    rows: list[Any] = [None] * len(tasks)
    passages = _passages(tasks)
    choices = [i for i, (q, _) in enumerate(tasks) if q.options]
    shares = model.choose([(tasks[i][0].question, tasks[i][0].options, passages[i]) for i in choices])
    for i, share in zip(choices, shares, strict=True):
        question, text = tasks[i]
        said = any(c.isalnum() for c in text)
        right = float(said and question.options[int(share.argmax())] == question.answer)
        rows[i] = (right, right, float(said))
    open_ended = [i for i, (q, _) in enumerate(tasks) if not q.options]
    answers = model.answer([(tasks[i][0].question, passages[i]) for i in open_ended])
    for i, answer in zip(open_ended, answers, strict=True):
        given = answer.text if answer.given else ""
        expected = tasks[i][0].answer
        rows[i] = (
            (answer_f1(expected, given), answer_em(expected, given), float(answer.given))
            if given
            else (0.0, 0.0, 0.0)
        )
    return rows
