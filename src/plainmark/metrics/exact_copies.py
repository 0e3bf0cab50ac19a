"""Exact copies: the share of outputs that repeat their source, token for token.

Reference: Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import kernels
from ..data import Corpus
from ..metric import Floats
from ..text import tokens
from ._source_change import SourceChange


@dataclass(frozen=True)
class ExactCopies(SourceChange):
    """The share of outputs that are equal to their source."""

    family = "change"

    def values(self, corpus: Corpus) -> Floats:
        source = tokens(corpus, "source", self.tokenizer, lowercase=self.lowercase)
        output = tokens(corpus, "output", self.tokenizer, lowercase=self.lowercase)
        return np.where(kernels.edit_distance(source, output) == 0, 1.0, 0.0)
