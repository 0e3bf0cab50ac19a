"""chrF: F-score of character n-grams (chrF++ with word_order=2); the same numbers as sacreBLEU 2.6.

With several references, the one with the best F-score counts for each sample.
Reference: Popović 2015, chrF: character n-gram F-score for automatic MT evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import kernels
from ..data import Corpus
from ..errors import OptionError
from ..kernels import Ints
from ..metric import Floats, Metric, divide
from ..options import Between
from ..text import tokens


@dataclass(frozen=True)
class ChrF(Metric):
    """Character n-gram F-score as sacreBLEU computes it."""

    char_order: Annotated[Annotated[int, Between(0, 100)], "longest character n-gram"] = 6
    word_order: Annotated[Annotated[int, Between(0, 100)], "longest word n-gram; 2 is chrF++"] = 0
    beta: Annotated[Annotated[float, Between(0, 1000)], "weight of recall"] = 2
    lowercase: Annotated[bool, "ignore case"] = False
    whitespace: Annotated[bool, "count white space as characters"] = False

    family = "similarity"
    needs = frozenset({"references"})
    bounds = (0.0, 100.0)
    citation = "Popović 2015, WMT"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.char_order == self.word_order == 0:
            raise OptionError(
                "chrf: char_order and word_order are both 0; expected n-grams of one kind at least."
            )

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("chrf", "precision", "recall")

    def stats(self, corpus: Corpus) -> Floats:
        offsets = corpus.reference_offsets()
        counts = np.diff(offsets)
        left = np.repeat(np.arange(len(corpus), dtype=np.int64), counts)
        right = np.arange(offsets[-1], dtype=np.int64)
        kinds = [("all-char" if self.whitespace else "char", self.char_order), ("chrf", self.word_order)]
        rows = np.concatenate(
            [self._pair_stats(corpus, t, n, left, right) for t, n in kinds if n > 0], axis=1
        )
        # The best reference of each sample, the first if several are equal.
        flat = rows.reshape(len(rows), -1)
        score = self.reduce(flat)[:, 0]
        order = np.lexsort((right, -score, left))
        return flat[order[offsets[:-1]]]

    def reduce(self, stats: Floats) -> Floats:
        counts = stats.reshape(*stats.shape[:-1], -1, 3)
        output, reference, match = counts[..., 0], counts[..., 1], counts[..., 2]
        defined = (output > 0) & (reference > 0)
        orders = defined.sum(axis=-1)
        precision = divide(divide(match, output, 0.0).sum(axis=-1, where=defined), orders, 0.0)
        recall = divide(divide(match, reference, 0.0).sum(axis=-1, where=defined), orders, 0.0)
        weight = self.beta**2
        score = divide((1 + weight) * precision * recall, weight * precision + recall, 0.0)
        return 100 * np.stack([score, precision, recall], axis=-1)

    def _pair_stats(self, corpus: Corpus, tokenizer: str, order: int, left: Ints, right: Ints) -> Floats:
        """Output, reference and common n-grams of each (output, reference): shape (pairs, order, 3)."""
        output = tokens(corpus, "output", tokenizer, lowercase=self.lowercase)
        reference = tokens(corpus, "references", tokenizer, lowercase=self.lowercase)
        match = kernels.overlap(kernels.ngrams(output, order), kernels.ngrams(reference, order), left, right)
        shorter = np.arange(order)
        in_reference = np.maximum(reference.lengths[:, None] - shorter, 0)
        # sacreBLEU ignores output n-grams of an order for which the reference has no n-grams.
        in_output = np.maximum(output.lengths[left][:, None] - shorter, 0) * (in_reference > 0)
        return np.stack([in_output, in_reference, match], axis=-1).astype(np.float64)
