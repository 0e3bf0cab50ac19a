"""Additions: words of the output that the source does not have, as a share of the longer of the two.

    sum over words of max(0, count in output - count in source) / max(|source|, |output|)

Averaged over samples; a sample without any word has no share.

Reference: Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import kernels
from ..data import Corpus, Side
from ..metric import Floats, divide
from ..text import grams, tokens
from ._source_change import SourceChange

_SIDES: tuple[Side, ...] = ("source", "output")


@dataclass(frozen=True)
class Additions(SourceChange):
    """The proportion of words added."""

    family = "change"

    counted: ClassVar[Side] = "output"  # deletions counts the words that only the source has

    def values(self, corpus: Corpus) -> Floats:
        words, lengths = {}, {}
        for side in _SIDES:
            words[side] = grams(corpus, side, self.tokenizer, 1, lowercase=self.lowercase)
            lengths[side] = tokens(corpus, side, self.tokenizer, lowercase=self.lowercase).lengths
        common = kernels.overlap(words["source"], words["output"])[:, 0]
        return divide(lengths[self.counted] - common, np.maximum(lengths["source"], lengths["output"]))
