"""Copied: words of the source that the output repeats, as a share of the source.

    sum over words of min(count in source, count in output) / |source|

A copy of the source has 1. Averaged over samples; a sample with an empty source is undefined.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import kernels
from ..data import Corpus
from ..metric import Floats, divide
from ..text import grams, tokens
from ._source_change import SourceChange


@dataclass(frozen=True)
class Copied(SourceChange):
    """The proportion of the source's words that the output repeats."""

    family = "change"
    citation = ""

    def values(self, corpus: Corpus) -> Floats:
        source, output = (
            grams(corpus, side, self.tokenizer, 1, lowercase=self.lowercase) for side in ("source", "output")
        )
        words = tokens(corpus, "source", self.tokenizer, lowercase=self.lowercase).lengths
        return divide(kernels.overlap(source, output)[:, 0], words.astype(np.float64))
