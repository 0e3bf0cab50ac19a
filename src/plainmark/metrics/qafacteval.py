"""QAFactEval: whether the source answers questions about the output as the output does, that is, whether the output is
faithful.

    kept = questions about the output that the output itself answers, with F1 above .6
    qafacteval = mean over kept questions of the rating (QuIP) of the source's answer against the output's

A BART model generates a question for every noun chunk of the output, given its sentence; an ELECTRA model answers from the
source or finds no answer (0). As in the authors' program, except that outputs without kept questions are undefined; in the
program they are 0 (no_questions='zero'). Fabbri et al. 2022, QAFactEval.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus
from ..models import answer_ratings, checkpoints
from ._answers import answer_f1
from ._questions import Answering, QuestionMetric, QuestionScores, Rating, TextQuestion, group_means, rated

ENOUGH = 0.6


@dataclass(frozen=True)
class QAFactEval(QuestionMetric):
    """Ratings of the source's answers to questions about the output; parts: exact match, F1, share answered."""

    part: Annotated[Literal["lerc", "f1", "em", "is_answered"], "what the score is"] = "lerc"

    family = "meaning"
    needs = frozenset({"source"})
    citation = "Fabbri et al. 2022, NAACL"

    def rater(self) -> Rating | None:
        return answer_ratings.quip(checkpoints.find("lerc", self.lerc)).rate if self.lerc else None

    def compute(self, corpus: Corpus) -> QuestionScores:
        about = self.ask(corpus.outputs)
        sources = corpus.texts("source")
        questions = [
            (i, TextQuestion(question, right, output))
            for i, output in enumerate(corpus.outputs)
            for question, right in about[output]
        ]
        answerable = [
            (i, row)
            for (i, row), good in zip(questions, consistent(questions, self.answer), strict=True)
            if good
        ]
        rows = [row._replace(text=sources[i]) for i, row in answerable]
        values = group_means(rated(rows, self.answer, self.rater()), [i for i, _ in answerable], len(corpus))
        reasons = {}
        if self.no_questions == "zero":
            values = np.nan_to_num(values)
        for i in np.flatnonzero(np.isnan(values[:, 0])).tolist():
            count = len(about[corpus.outputs[i]])
            reasons[i] = (
                f"the output answers none of the {count} questions about it"
                if count
                else "no question can be asked about the output"
            )
        return QuestionScores(values, reasons)


def consistent(rows: list[tuple[int, TextQuestion]], answer: Answering) -> list[bool]:
    """Whether the output itself answers each question about it correctly."""
    replies = answer([(row.question, row.text) for _, row in rows]) if rows else []
    return [
        reply.given and answer_f1(row.right, reply.text) > ENOUGH
        for (_, row), reply in zip(rows, replies, strict=True)
    ]
