"""Additions: words of the output that the source does not have, as a share of the longer of the two.

    sum over words of max(0, count in output - count in source) / max(|source|, |output|)

Averaged over samples; a sample without any word has no share.

Reference: Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from .. import kernels
from ..data import Corpus, Side
from ..metric import Floats, MeanMetric, divide
from ..text import TokenizerName, grams, tokens


@dataclass(frozen=True)
class Additions(MeanMetric):
    """The proportion of words added."""

    tokenizer: Annotated[TokenizerName, "how text becomes words"] = "13a"
    lowercase: Annotated[bool, "ignore case"] = False

    higher_is_better = None
    needs = frozenset({"source"})
    bounds = (0.0, 1.0)
    citation = "Alva-Manchego et al. 2019, EMNLP (EASSE)"

    counted: ClassVar[Side] = "output"  # deletions count the words that only the source has

    def values(self, corpus: Corpus) -> Floats:
        how = {"lowercase": self.lowercase}
        common = kernels.overlap(
            grams(corpus, "source", self.tokenizer, 1, **how),
            grams(corpus, "output", self.tokenizer, 1, **how),
        )[:, 0]
        lengths = {side: tokens(corpus, side, self.tokenizer, **how).lengths for side in ("source", "output")}
        return divide(lengths[self.counted] - common, np.maximum(lengths["source"], lengths["output"]))
