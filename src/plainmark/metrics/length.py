"""Length: the number of words of the output, averaged over samples.

Not a measure of quality, but a baseline that others must beat: people often rate shorter outputs as simpler, and any
score that falls with length then seems to agree with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..data import Corpus
from ..metric import Floats, MeanMetric
from ..text import TokenizerName, tokens


@dataclass(frozen=True)
class Length(MeanMetric):
    """The number of words of the output."""

    tokenizer: Annotated[TokenizerName, "how text becomes words"] = "13a"

    family = "text"
    higher_is_better = None
    bounds = (0.0, np.inf)

    def values(self, corpus: Corpus) -> Floats:
        return tokens(corpus, "output", self.tokenizer).lengths.astype(np.float64)
