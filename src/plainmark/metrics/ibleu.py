"""iBLEU: BLEU against the references, minus a share of BLEU against the source; the mean over sentences.

    iBLEU = alpha * BLEU(output, references) - (1 - alpha) * BLEU(output, source)

Xu et al. use alpha = 0.9. Their Table 5 is approximated best with tokenizer="none" and reference_length="average".
Reference: Sun and Zhou 2012, Joint Learning of a Dual SMT System for Paraphrase Generation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus
from ..metric import Floats, MeanMetric
from ..text import TokenizerName
from .bleu import BLEU
from .self_bleu import SelfBLEU


@dataclass(frozen=True)
class IBLEU(MeanMetric):
    """Sentence BLEU with a penalty for copying, averaged; negative if the output copies more of the source than allowed."""

    alpha: Annotated[float, "weight of the references"] = 0.9
    tokenizer: Annotated[TokenizerName, "how text becomes tokens"] = "13a"
    lowercase: Annotated[bool, "ignore case"] = False
    order: Annotated[int, "longest n-gram"] = 4
    smoothing: Annotated[Literal["exp", "floor", "add-k", "none"], "what replaces a precision of 0"] = "exp"
    reference_length: Annotated[
        Literal["closest", "shortest", "average"], "which reference's length the brevity penalty takes"
    ] = "closest"

    family = "simplification"
    needs = frozenset({"source", "references"})
    bounds = (-100.0, 100.0)
    citation = "Sun and Zhou 2012, ACL"

    @property
    def part_names(self) -> tuple[str, ...]:
        return (self.name, "bleu", "self_bleu")

    def values(self, corpus: Corpus) -> Floats:
        return np.stack(self.sentence_scores(corpus), axis=1)

    def sentence_scores(self, corpus: Corpus) -> tuple[Floats, Floats, Floats]:
        """iBLEU, BLEU and BLEU against the source of each sentence."""
        options = (self.tokenizer, self.lowercase, self.order, self.smoothing)
        bleu = BLEU(*options, reference_length=self.reference_length).sample_scores(corpus)
        copied = SelfBLEU(*options).sample_scores(corpus)
        return self.alpha * bleu - (1 - self.alpha) * copied, bleu, copied
