"""QAEval: whether the output answers questions about what the reference says.

    qaeval = mean over references of the mean over their questions of F1 (or EM, is_answered, LERC) of the answer

A BART model generates a question for every noun chunk of a reference, given its sentence; an ELECTRA model answers from the
output or finds no answer; answers are compared as in SQuAD. With against='source' the questions are about the source. As in
the authors' program, except that texts without questions are undefined; in the program they are 0 (no_questions='zero').
Deutsch et al. 2021, Towards Question-Answering as an Automatic Metric for Evaluating the Content Quality of a Summary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus
from ..models import answer_ratings, checkpoints
from ..models.checkpoints import CHECKPOINT
from ._questions import QuestionMetric, QuestionScores, Rating, TextQuestion, group_means, rated


@dataclass(frozen=True)
class QAEval(QuestionMetric):
    """Answers of the output to questions about the references (or the source), as F1, exact match or LERC."""

    against: Annotated[Literal["references", "source"], "what the questions are about"] = "references"
    bert: Annotated[str, CHECKPOINT, "folder or hub name of the settings and tokeniser of LERC's BERT"] = (
        "google-bert/bert-base-uncased"
    )

    family = "meaning"
    citation = "Deutsch et al. 2021, TACL"

    def required(self) -> frozenset[str]:
        return frozenset({self.against})

    def missing(self) -> str:
        return super().missing() or (checkpoints.missing("bert", self.bert) if self.lerc else "")

    def rater(self) -> Rating | None:
        if not self.lerc:
            return None
        return answer_ratings.lerc(
            checkpoints.find("lerc", self.lerc), checkpoints.find("bert", self.bert)
        ).rate

    def compute(self, corpus: Corpus) -> QuestionScores:
        texts = corpus.texts(self.against)
        sizes = (
            np.diff(corpus.reference_offsets()) if self.against == "references" else np.ones(len(corpus), int)
        )
        sample = np.repeat(np.arange(len(corpus)), sizes)
        about = self.ask(texts)
        rows, group = [], []
        for i, text in enumerate(texts):
            for question, right in about[text]:
                rows.append(TextQuestion(question, right, corpus.outputs[sample[i]]))
                group.append(i)
        means = group_means(rated(rows, self.answer, self.rater()), group, len(texts))
        if self.no_questions == "zero":
            means = np.nan_to_num(means)
        defined = np.isfinite(means[:, 0])
        values = group_means(means[defined], sample[defined].tolist(), len(corpus))
        kind = "reference" if self.against == "references" else "source"
        undefined = np.flatnonzero(np.isnan(values[:, 0])).tolist()
        return QuestionScores(values, dict.fromkeys(undefined, f"no question can be asked about its {kind}"))
