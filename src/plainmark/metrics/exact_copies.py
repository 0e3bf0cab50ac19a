"""Exact copies: the share of outputs that repeat their source, token for token.

Reference: Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import kernels
from ..data import Corpus
from ..metric import Floats, MeanMetric
from ..text import TokenizerName, tokens


@dataclass(frozen=True)
class ExactCopies(MeanMetric):
    """The share of outputs that are equal to their source."""

    tokenizer: Annotated[TokenizerName, "how text becomes tokens"] = "13a"
    lowercase: Annotated[bool, "ignore case"] = False

    higher_is_better = None
    needs = frozenset({"source"})
    bounds = (0.0, 1.0)
    citation = "Alva-Manchego et al. 2019, EMNLP (EASSE)"

    def values(self, corpus: Corpus) -> Floats:
        source = tokens(corpus, "source", self.tokenizer, lowercase=self.lowercase)
        output = tokens(corpus, "output", self.tokenizer, lowercase=self.lowercase)
        return np.where(kernels.edit_distance(source, output) == 0, 1.0, 0.0)
