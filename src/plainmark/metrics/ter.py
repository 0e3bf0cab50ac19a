"""TER: the number of edits, including shifts of phrases, that turn the output into a reference, divided by the references'
mean length.

Lower is better. The same numbers as sacreBLEU 2.6 (Tercom's search with its limits).
Reference: Snover et al. 2006, A Study of Translation Edit Rate with Targeted Human Annotation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import kernels
from ..data import Corpus
from ..metric import Floats, Metric, divide
from ..text import TokenizerName, tokens


@dataclass(frozen=True)
class TER(Metric):
    """Translation edit rate as sacreBLEU computes it; parts are the edits and the reference length."""

    tokenizer: Annotated[TokenizerName, "how text becomes words"] = "none"
    lowercase: Annotated[bool, "ignore case"] = True

    family = "similarity"
    higher_is_better = False
    needs = frozenset({"references"})
    bounds = (0.0, np.inf)
    citation = "Snover et al. 2006, AMTA"

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("ter", "edits", "reference_length")

    def stats(self, corpus: Corpus) -> Floats:
        output = tokens(corpus, "output", self.tokenizer, lowercase=self.lowercase)
        reference = tokens(corpus, "references", self.tokenizer, lowercase=self.lowercase)
        offsets = corpus.reference_offsets()
        counts = np.diff(offsets)
        left = np.repeat(np.arange(len(corpus), dtype=np.int64), counts)
        edits = kernels.translation_edits(output, reference, left, np.arange(offsets[-1], dtype=np.int64))
        fewest = np.minimum.reduceat(edits, offsets[:-1])
        return np.column_stack([fewest, np.add.reduceat(reference.lengths, offsets[:-1]) / counts])

    def reduce(self, stats: Floats) -> Floats:
        edits, length = stats[..., 0], stats[..., 1]
        rate = np.where(length > 0, divide(edits, length, 0.0), np.minimum(edits, 1.0))
        return np.stack([100 * rate, edits, length], axis=-1)
