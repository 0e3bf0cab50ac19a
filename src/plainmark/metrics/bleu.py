"""BLEU: geometric mean of clipped n-gram precisions times a brevity penalty; the same numbers as sacreBLEU 2.6.

    BLEU = BP * exp(mean_n log p_n),  BP = min(1, exp(1 - reference length / output length))

Reference: Papineni et al. 2002; Post 2018 (A Call for Clarity in Reporting BLEU Scores).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from .. import kernels
from ..data import Corpus, Side
from ..kernels import Ints
from ..metric import Floats, Metric, Order, divide
from ..options import Between
from ..text import TokenizerName, grams, tokens

# sacreBLEU's value for the logarithm of 0, so that a zero precision gives exactly its 0.0.
_LOG_ZERO = -9999999999.0


@dataclass(frozen=True)
class BLEU(Metric):
    """BLEU as sacreBLEU computes it; parts are the precisions, the brevity penalty and the lengths."""

    tokenizer: Annotated[TokenizerName, "how text becomes tokens"] = "13a"
    lowercase: Annotated[bool, "ignore case"] = False
    order: Annotated[Order, "longest n-gram"] = 4
    smoothing: Annotated[Literal["exp", "floor", "add-k", "none"], "what replaces a precision of 0"] = "exp"
    smoothing_value: Annotated[
        Annotated[float, Between(0, 1000)] | None, "value for floor (default: 0.1) and add-k (default: 1)"
    ] = None
    effective_order: Annotated[bool, "leave out orders longer than the output"] = False
    reference_length: Annotated[
        Literal["closest", "shortest", "average"], "which reference's length the brevity penalty takes"
    ] = "closest"

    family = "similarity"
    needs = frozenset({"references"})
    bounds = (0.0, 100.0)
    citation = "Papineni et al. 2002, ACL; Post 2018, WMT"

    against: ClassVar[Side] = "references"  # self_bleu compares with the source

    @property
    def part_names(self) -> tuple[str, ...]:
        precisions = (f"precision_{n}" for n in range(1, self.order + 1))
        return (self.name, *precisions, "brevity_penalty", "output_length", "reference_length")

    def sample_metric(self) -> Metric:
        # sacreBLEU's sentence_bleu turns this on; without it a sentence of three words would score 0.
        return replace(self, effective_order=True)

    def stats(self, corpus: Corpus) -> Floats:
        output = grams(corpus, "output", self.tokenizer, self.order, lowercase=self.lowercase)
        reference = grams(
            corpus,
            self.against,
            self.tokenizer,
            self.order,
            counting="peak" if self.against == "references" else "sum",
            lowercase=self.lowercase,
        )
        correct = kernels.overlap(output, reference)
        length = tokens(corpus, "output", self.tokenizer, lowercase=self.lowercase).lengths
        reference_length = self._reference_lengths(corpus, length)
        total = np.maximum(length[:, None] - np.arange(self.order), 0)
        return np.column_stack([length, reference_length, correct, total]).astype(np.float64)

    def reduce(self, stats: Floats) -> Floats:
        length, reference_length = stats[..., 0], stats[..., 1]
        correct, total = np.split(stats[..., 2:], 2, axis=-1)
        if self.smoothing == "add-k":
            plus = 1.0 if self.smoothing_value is None else self.smoothing_value
            added = np.where(np.arange(self.order) > 0, plus, 0.0)
            precision = divide(correct + added, total + added, 0.0)
            counted = total + added > 0
        else:
            precision = divide(correct, total, 0.0)
            missing = (correct == 0) & (total > 0)
            if self.smoothing == "exp":
                precision = np.where(
                    missing, divide(0.5 ** np.cumsum(missing, axis=-1), total, 0.0), precision
                )
            elif self.smoothing == "floor":
                floor = 0.1 if self.smoothing_value is None else self.smoothing_value
                precision = np.where(missing, divide(np.full_like(total, floor), total, 0.0), precision)
            counted = total > 0
        # sacreBLEU stops at the first order without n-grams; effective order leaves out this order and all longer ones.
        counted = np.logical_and.accumulate(counted, axis=-1)
        precision = np.where(counted, precision, 0.0)
        logs = np.log(precision, out=np.full_like(precision, _LOG_ZERO), where=precision > 0)
        if self.effective_order:
            logs = np.where(counted, logs, 0.0)
            mean = divide(logs.sum(axis=-1), counted.sum(axis=-1), _LOG_ZERO)
        else:
            mean = logs.mean(axis=-1)
        penalty = np.where(
            length < reference_length, np.exp(1 - divide(reference_length, length, np.inf)), 1.0
        )
        # Without any common word, sacreBLEU gives 0 for the score and all precisions, whatever the smoothing.
        common = correct.sum(axis=-1, keepdims=True) > 0
        score = np.where(common, 100 * (penalty * np.exp(mean))[..., None], 0.0)
        precision = np.where(common, 100 * precision, 0.0)
        return np.concatenate(
            [score, precision, np.stack([penalty, length, reference_length], axis=-1)], axis=-1
        )

    def _reference_lengths(self, corpus: Corpus, output_length: Ints) -> Floats:
        lengths = tokens(corpus, self.against, self.tokenizer, lowercase=self.lowercase).lengths
        if self.against == "source":
            return lengths.astype(np.float64)
        offsets = corpus.reference_offsets()
        starts, counts = offsets[:-1], np.diff(offsets)
        if self.reference_length == "shortest":
            return np.minimum.reduceat(lengths, starts).astype(np.float64)
        if self.reference_length == "average":
            return np.floor(np.add.reduceat(lengths, starts) / counts)
        # Closest, the shorter of two equally close: order by distance, then by length.
        distance = np.abs(lengths - np.repeat(output_length, counts))
        widest = int(lengths.max(initial=0)) + 1
        return (np.minimum.reduceat(distance * widest + lengths, starts) % widest).astype(np.float64)
