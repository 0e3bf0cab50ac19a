"""Compression: characters of the output over characters of the source, averaged over samples.

    |output| / |source|

A value below 1 means that the output is shorter. EASSE counts the characters of the tokens joined by spaces, which is also
the default here. A sample with an empty source has no ratio.

Reference: Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus, Side
from ..metric import Floats, MeanMetric, divide
from ..text import TokenizerName, spaced


@dataclass(frozen=True)
class Compression(MeanMetric):
    """Length of the output over length of the source, in characters."""

    tokenizer: Annotated[
        TokenizerName | Literal["raw"],
        "count the characters of tokens joined by spaces, or of the unchanged text (raw)",
    ] = "13a"

    family = "change"
    higher_is_better = None
    needs = frozenset({"source"})
    bounds = (0.0, np.inf)
    citation = "Alva-Manchego et al. 2019, EMNLP (EASSE)"

    def values(self, corpus: Corpus) -> Floats:
        return divide(self._lengths(corpus, "output"), self._lengths(corpus, "source"))

    def _lengths(self, corpus: Corpus, side: Side) -> Floats:
        def build() -> Floats:
            texts = spaced(corpus.texts(side), self.tokenizer)
            return np.array([len(text) for text in texts], dtype=np.float64)

        return corpus.remember(side, ("characters", self.tokenizer), build)
