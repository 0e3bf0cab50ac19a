"""Shared by QAEval and QAFactEval: questions about the answers that one text offers, put to another text.

    em, f1 = mean over questions of the agreement of the answer with the one asked for, 0 where there is none
    is_answered = share of questions with an answer;  lerc = mean over questions of a learned rating, 0 where there is none

In percent but for lerc, which is on its model's scale (about 1 to 5).
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Literal, NamedTuple

import numpy as np

from ..data import Corpus
from ..errors import UndefinedWarning
from ..metric import Floats, MeanMetric
from ..models import answering, checkpoints, pipelines, questions
from ..models.answer_ratings import Rated
from ..models.answering import ExtractedAnswer
from ..models.checkpoints import CHECKPOINT
from ..models.pipelines import PIPELINE
from ._answers import Kind, Marked, answer_em, answer_f1, answers_of

PARTS = ("em", "f1", "is_answered")
DOWNLOAD = " (download_models.sh of the repository salesforce/QAFactEval gets it)"

Answering = Callable[[Sequence[tuple[str, str]]], list[ExtractedAnswer]]
Rating = Callable[[Sequence[Rated]], Floats]


class TextQuestion(NamedTuple):
    """A question, the answer it asks for, and the text it is asked of."""

    question: str
    right: str
    text: str


@dataclass
class QuestionScores:
    """Scores and parts of every sample, and why some have none."""

    values: Floats
    reasons: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class QuestionMetric(MeanMetric):
    """Base: the models and how they are used."""

    part: Annotated[Literal["f1", "em", "is_answered", "lerc"], "what the score is"] = "f1"
    qg: Annotated[
        str, CHECKPOINT, "the model that asks: the authors' model.tar.gz, its folder, or a BART in a folder"
    ] = ""
    qa: Annotated[str, CHECKPOINT, "the model that answers: a folder or a name in the hub's cache"] = ""
    lerc: Annotated[str, CHECKPOINT, "the model that rates answers, if wanted"] = ""
    bart: Annotated[str, CHECKPOINT, "where the settings and tokeniser of an archive's BART are"] = (
        "facebook/bart-large"
    )
    answers: Annotated[
        Kind, "which parts of a text are asked for: spaCy's noun chunks, largest phrases, names"
    ] = "np-chunks"
    pipeline: Annotated[str, PIPELINE, "the spaCy pipeline that finds them"] = "en_core_web_sm"
    padded: Annotated[
        bool,
        "fill up what the answering model reads to 384 tokens, as the authors do; without, short texts take less time",
    ] = True
    no_questions: Annotated[
        Literal["undefined", "zero"], "a text without questions: left out, or 0 as in the authors' program"
    ] = "undefined"

    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return (self.name, *PARTS, *(("lerc",) if self.lerc else ()))

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        return (-np.inf, np.inf) if self.part == "lerc" else (0.0, 100.0)

    def missing(self) -> str:
        for option in ("qg", "qa", *(("lerc",) if self.lerc or self.part == "lerc" else ())):
            if reason := checkpoints.missing(option, getattr(self, option), hint=DOWNLOAD):
                return reason
        if questions.needs_base(checkpoints.find("qg", self.qg)) and (
            reason := checkpoints.missing("bart", self.bart)
        ):
            return reason
        return pipelines.missing(self.pipeline)

    def values(self, corpus: Corpus) -> Floats:
        return self.results(corpus).values

    def reasons(self, corpus: Corpus) -> dict[str, str]:
        """Why samples have no score, by their ids."""
        return {corpus.ids[i]: why for i, why in sorted(self.results(corpus).reasons.items())}

    def results(self, corpus: Corpus) -> QuestionScores:
        """Scores, parts and reasons, computed once."""
        return corpus.remember("output", (self.identity(), "results"), lambda: self._results(corpus))

    def _results(self, corpus: Corpus) -> QuestionScores:
        self.check_installed()
        scores = self.compute(corpus)
        shown = {"lerc": 1.0}
        scale = np.array([shown.get(p, 100.0) for p in self.part_names[1:]])
        parts = scores.values * scale
        column = self.part_names[1:].index(self.part)
        if scores.reasons:
            first = min(scores.reasons)
            warnings.warn(
                f"{self.name}: {len(scores.reasons)} of {len(corpus)} samples have no score; "
                f"sample {corpus.ids[first]}: {scores.reasons[first]}.",
                UndefinedWarning,
                stacklevel=2,
            )
        return QuestionScores(np.concatenate([parts[:, [column]], parts], axis=1), scores.reasons)

    @abstractmethod
    def compute(self, corpus: Corpus) -> QuestionScores:
        """The parts of every sample, from 0 to 1."""

    @abstractmethod
    def rater(self) -> Rating | None:
        """The model that rates answers, if there is one."""

    def ask(self, texts: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Questions about each text with the answers they ask for."""
        asking = questions.asker(checkpoints.find("qg", self.qg), checkpoints.locate(self.bart))
        find = cache(lambda text: answers_of(pipelines.load(self.pipeline)(text), text, self.answers))
        return questions_about(texts, find, asking.ask)

    def answer(self, tasks: Sequence[tuple[str, str]]) -> list[ExtractedAnswer]:
        """The answers that texts give to questions."""
        return answering.answerer(checkpoints.find("qa", self.qa)).answer(tasks, padded=self.padded)


def questions_about(
    texts: Sequence[str],
    find: Callable[[str], list[Marked]],
    ask: Callable[[Sequence[tuple[str, int, int]]], list[str]],
) -> dict[str, list[tuple[str, str]]]:
    """Questions about each text, each with the answer it asks for."""
    unique = list(dict.fromkeys(texts))
    tasks = [(text, place) for text in unique if text.strip() for place in find(text)]
    out: dict[str, list[tuple[str, str]]] = {text: [] for text in unique}
    for (text, place), question in zip(
        tasks, ask([(p.sentence, p.start, p.end) for _, p in tasks]) if tasks else [], strict=True
    ):
        out[text].append((question, place.answer))
    return out


def rated(rows: Sequence[TextQuestion], answer: Answering, rate: Rating | None) -> Floats:
    """em, f1, is_answered and perhaps lerc of every question: shape (questions, parts)."""
    answers = answer([(row.question, row.text) for row in rows]) if rows else []
    out = np.zeros((len(rows), len(PARTS) + (rate is not None)))
    answered = [i for i, reply in enumerate(answers) if reply.given]
    for i in answered:
        right, text = rows[i].right, answers[i].text
        out[i, : len(PARTS)] = answer_em(right, text), answer_f1(right, text), 1.0
    if rate is not None and answered:
        out[answered, -1] = rate(
            [Rated(rows[i].text, rows[i].question, rows[i].right, answers[i].text) for i in answered]
        )
    return out


def group_means(values: Floats, groups: Sequence[int], count: int) -> Floats:
    """Means of rows by group; NaN where a group has none."""
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, np.asarray(groups, dtype=np.int64), values)
    sizes = np.bincount(np.asarray(groups, dtype=np.int64), minlength=count)[:, None]
    return np.divide(sums, sizes, out=np.full_like(sums, np.nan), where=sizes > 0)
