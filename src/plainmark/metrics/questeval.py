"""QuestEval: whether questions about one text are answered alike by the other, in both directions.

        half(a, b) = mean over questions about b, answered from a, of answerability, BERTScore and F1 of the answer
    questeval  = 100 * max over compared texts t of (half(output, t) + half(t, output)) / 2

Answerability, BERTScore and F1 are each limited to the range from 0 to 1. As in the authors' program, the expected answers are the named entities and noun chunks of the first 5 sentences; one T5
generates questions ("sv1 </s> answer </s> text"), another answers them ("question </s> text") and has a token for
"unanswerable"; questions are not weighted. The half of a text without questions is 0, and so is an empty text; two empty
texts are undefined. Scialom et al. 2021, QuestEval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

import numpy as np

from ..data import Corpus
from ..metric import Floats, MeanMetric
from ..models import checkpoints, pipelines
from ..models.checkpoints import CHECKPOINT
from ..models.pipelines import PIPELINE
from ..models.questions import writer
from ._answers import answer_f1
from .bertscore import BERTScore

UNANSWERABLE = 73  # the program's token for "unanswerable" in T5's vocabulary
SENTENCES = 5

Answers = Callable[[str], list[str]]
# (question, text) -> (answer, probability that there is one)
Answering = Callable[[Sequence[tuple[str, str]]], list[tuple[str, float]]]
Asking = Callable[[Sequence[tuple[str, str]]], list[str]]
Similarity = Callable[[Sequence[tuple[str, str]]], Floats]


@dataclass(frozen=True)
class QuestEval(MeanMetric):
    """Agreement of answers to questions about the output and about the text it is compared with."""

    against: Annotated[Literal["source", "references", "both"], "what the output is compared with"] = "source"
    qg: Annotated[
        str, CHECKPOINT, "the model that generates questions: a folder or a name in the hub's cache"
    ] = "ThomasNLG/t5-qg_squad1-en"
    qa: Annotated[str, CHECKPOINT, "the model that answers them: a folder or a name in the hub's cache"] = (
        "ThomasNLG/t5-qa_squad2neg-en"
    )
    encoder: Annotated[str, CHECKPOINT, "the encoder of BERTScore: a folder or a name in the hub's cache"] = (
        "google-bert/bert-base-multilingual-cased"
    )
    layer: Annotated[int, "its layer (9 is bert-score's for the default encoder)"] = 9
    pipeline: Annotated[str, PIPELINE, "the spaCy pipeline that finds answers"] = "en_core_web_sm"

    family = "meaning"
    bounds = (0.0, 100.0)
    citation = "Scialom et al. 2021, EMNLP"
    english_only = True

    def required(self) -> frozenset[str]:
        return frozenset({"source", "references"} if self.against == "both" else {self.against})

    def missing(self) -> str:
        for option in ("qg", "qa", "encoder"):
            if reason := checkpoints.missing(option, getattr(self, option)):
                return reason
        return pipelines.missing(self.pipeline)

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        compared: list[list[str]] = [[] for _ in corpus.outputs]
        if self.against != "references":
            compared = [[text] for text in corpus.texts("source")]
        if self.against != "source" and corpus.references is not None:
            compared = [[*own, *more] for own, more in zip(compared, corpus.references, strict=True)]
        pairs = [(output, t) for output, row in zip(corpus.outputs, compared, strict=True) for t in row]
        answers = cache(lambda text: answers_in(pipelines.load(self.pipeline), text))
        both = agreements(pairs, answers, self._ask, self._answer, self._similarity)
        starts = np.cumsum([0, *map(len, compared)])[:-1]
        return 100 * np.fmax.reduceat(both, starts)

    def _ask(self, tasks: Sequence[tuple[str, str]]) -> list[str]:
        asking = writer(checkpoints.find("qg", self.qg))
        texts = [f"sv1 </s> {answer} </s> {text}" for answer, text in tasks]
        return [question for question, _ in asking.write(texts, UNANSWERABLE)]

    def _answer(self, tasks: Sequence[tuple[str, str]]) -> list[tuple[str, float]]:
        answering = writer(checkpoints.find("qa", self.qa))
        return answering.write([f"{question} </s> {text}" for question, text in tasks], UNANSWERABLE)

    def _similarity(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        folder = str(checkpoints.find("encoder", self.encoder))
        predicted, gold = zip(*pairs, strict=True)
        corpus = Corpus(None, list(predicted), [[g] for g in gold])
        return BERTScore(model=folder, layer=self.layer).sample_scores(corpus) / 100


def agreements(
    pairs: Sequence[tuple[str, str]], answers: Answers, ask: Asking, answer: Answering, similarity: Similarity
) -> Floats:
    """The agreement of each pair of texts, from 0 to 1."""
    texts = list(dict.fromkeys(t for pair in pairs for t in pair if t))
    tasks = [(answer_span, text) for text in texts for answer_span in answers(text)]
    about: dict[str, list[tuple[str, str]]] = {text: [] for text in texts}
    for question, (answer_span, text) in zip(ask(tasks) if tasks else [], tasks, strict=True):
        about[text].append((question, answer_span))
    # Questions about b are answered from a, for both orders of a pair.
    orders = [order for a, b in pairs for order in ((a, b), (b, a))]
    asked = [(i, q, gold) for i, (a, b) in enumerate(orders) if a and b for q, gold in about[b]]
    halves = np.zeros(len(orders))
    if asked:
        replies = answer([(q, orders[i][0]) for i, q, _ in asked])
        both = [(predicted, gold) for (predicted, _), (_, _, gold) in zip(replies, asked, strict=True)]
        scores = np.column_stack(
            [
                [p for _, p in replies],
                np.nan_to_num(similarity(both)),
                [answer_f1(gold, p) for p, gold in both],
            ]
        )
        indices = np.array([i for i, _, _ in asked])
        sums = np.bincount(indices, weights=scores.clip(0, 1).mean(axis=1), minlength=len(orders))
        counts = np.bincount(indices, minlength=len(orders))
        halves = sums / np.maximum(counts, 1)
    out: Floats = halves.reshape(-1, 2).mean(axis=1)
    out[[not a and not b for a, b in pairs]] = np.nan
    return out


def answers_in(parse: Any, text: str) -> list[str]:
    """Named entities, then noun chunks, of the first sentences; a sentence ends before the word after . ! or ?"""
    tokens = parse(text)
    count, ended, stop = 0, False, len(text)
    for token in tokens:
        if ended and not token.is_punct:
            count, ended = count + 1, False
            if count == SENTENCES:
                stop = token.idx
                break
        elif token.text in (".", "!", "?"):
            ended = True
    if stop < len(text):
        tokens = parse(text[:stop].strip())
    return [span.text for span in (*tokens.ents, *tokens.noun_chunks)]
