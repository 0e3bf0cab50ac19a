"""D-SARI: SARI for documents, with penalties if the output is too long, too short or has another number of sentences.

O, I and R are the numbers of words in the output, the source and the references (the mean of the references, rounded
down); o and r are the numbers of sentences in the output and the references.

    LP1 = min(1, exp((O - R) / O))      LP2 = exp((R - O) / max(I - R, 1)) if O > R else 1
    SLP = exp(-|r - o| / max(r, o))
    D-SARI = (add * LP1 + keep * LP2 * SLP + del * LP2) / 3

An empty output has LP1 = 0 (the limit) unless the references are empty too; without a sentence on either side SLP = 1.
Reference: Sun et al. 2021, Document-Level Text Simplification: Dataset, Criteria and Baseline, EMNLP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import punkt, text
from ..data import Corpus, Side
from ..kernels import Ints
from ..languages import SplitCode
from ..metric import Floats, MeanMetric, Order, divide
from .sari import SARI


@dataclass(frozen=True)
class DSARI(MeanMetric):
    """D-SARI, the mean over documents; parts are add, keep and del after their penalties."""

    tokenizer: Annotated[
        Literal["nltk-plain", "nltk"],
        "NLTK's words, with sentences split by the embedded splitter, or by NLTK's Punkt as published",
    ] = "nltk-plain"
    lowercase: Annotated[bool, "ignore case when n-grams are compared; lengths keep it"] = True
    order: Annotated[Order, "longest n-gram"] = 4
    language: Annotated[
        SplitCode, "the language of the texts, which decides how words and sentences are split"
    ] = "en"

    family = "simplification"
    needs = frozenset({"source", "references"})
    bounds = (0.0, 100.0)
    citation = "Sun et al. 2021, EMNLP"

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("dsari", "add", "keep", "del")

    def missing(self) -> str:
        return text.missing(self._words_by)

    @property
    def _words_by(self) -> str:
        return (
            self.tokenizer
            if self.language == "en"
            else str(text.TOKENIZERS.get(self.language, self.language))
        )

    def values(self, corpus: Corpus) -> Floats:
        sari = SARI("xu2016", tokenizer=self._words_by, lowercase=self.lowercase, order=self.order)
        parts = sari.sample_parts(corpus)[:, 1:] * self.penalties(corpus)
        return np.concatenate([parts.mean(axis=1, keepdims=True), parts], axis=1)

    def penalties(self, corpus: Corpus) -> Floats:
        """The penalties by which add, keep and del are multiplied: shape (n, 3)."""
        source, output, reference = (self._words(corpus, s) for s in ("source", "output", "references"))
        too_short = np.exp(np.minimum(divide(output - reference, output, -np.inf), 0.0))
        too_short[output >= reference] = 1.0
        too_long = np.exp(np.minimum(reference - output, 0.0) / np.maximum(source - reference, 1.0))
        cuts, expected = self._sentences(corpus, "output"), self._sentences(corpus, "references")
        cut_differently = np.exp(-divide(np.abs(expected - cuts), np.maximum(expected, cuts), 0.0))
        return np.stack([too_short, too_long * cut_differently, too_long], axis=1)

    def _words(self, corpus: Corpus, side: Side) -> Floats:
        return _per_sample(corpus, side, text.tokens(corpus, side, self._words_by).lengths)

    def _sentences(self, corpus: Corpus, side: Side) -> Floats:
        if self.language != "en":
            return _per_sample(corpus, side, text.sentence_counts(corpus, side, self.language))
        splitter = punkt.PLAIN if self.tokenizer == "nltk-plain" else punkt.nltk()

        def count() -> Ints:
            return np.array([len(splitter.spans(words)) for words in corpus.texts(side)], dtype=np.int64)

        return _per_sample(corpus, side, corpus.remember(side, ("sentences", splitter.name), count))


def _per_sample(corpus: Corpus, side: Side, counts: Ints) -> Floats:
    """The mean count of a sample's references, rounded down."""
    if side != "references":
        return counts.astype(np.float64)
    offsets = corpus.reference_offsets()
    return np.floor(np.add.reduceat(counts, offsets[:-1]) / np.diff(offsets))
