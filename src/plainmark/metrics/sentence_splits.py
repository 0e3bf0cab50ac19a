"""Sentence splits: sentences of the output over sentences of the source, averaged over samples.

    sentences in output / sentences in source

A value above 1 means that the output splits sentences. EASSE splits the tokens joined by spaces into sentences, which is
also the default here, although the splitter was made for untokenised text (tokenizer='raw'). Texts in other languages are
split untokenised, by the rules of the language. A sample with an empty source has no ratio.

Reference: Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import punkt
from ..data import Corpus, Side
from ..languages import SplitCode
from ..metric import Floats, MeanMetric, divide
from ..text import TokenizerName, sentence_counts, spaced


@dataclass(frozen=True)
class SentenceSplits(MeanMetric):
    """Number of sentences in the output over that in the source."""

    tokenizer: Annotated[
        TokenizerName | Literal["raw"], "split tokens joined by spaces, or the untokenised text (raw)"
    ] = "13a"
    splitter: Annotated[
        Literal["plain", "punkt"], "the embedded parameters, or Punkt with NLTK's, as in EASSE"
    ] = "plain"

    language: Annotated[
        SplitCode, "the language of the texts; other than English, they are split untokenised"
    ] = "en"

    family = "change"
    higher_is_better = None
    needs = frozenset({"source"})
    bounds = (0.0, np.inf)
    citation = "Alva-Manchego et al. 2019, EMNLP (EASSE)"

    def missing(self) -> str:
        return super().missing() or (punkt.missing() if self.splitter == "punkt" else "")

    def values(self, corpus: Corpus) -> Floats:
        return divide(self._sentences(corpus, "output"), self._sentences(corpus, "source"))

    def _sentences(self, corpus: Corpus, side: Side) -> Floats:
        if self.language != "en":
            counts = sentence_counts(corpus, side, self.language)
            return counts.astype(np.float64)
        splitter = punkt.PLAIN if self.splitter == "plain" else punkt.nltk()

        def build() -> Floats:
            texts = spaced(corpus.texts(side), self.tokenizer)
            return np.array([len(splitter.spans(text)) for text in texts], dtype=np.float64)

        return corpus.remember(side, ("sentences", self.tokenizer, splitter.name), build)
