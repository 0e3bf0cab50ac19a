"""Word operations: whether the output keeps, deletes, replaces, moves and adds the same words as a reference.

Every token of the source is kept, deleted, replaced or moved (plainmark.operations), once by the output and once by a
reference; an operation is right where both do the same to the same token. Added tokens, and those that replace others,
are right when the reference brings the same token.

    F1(operation) = 2 * right / (by the output + by the reference)

Counts are added over the corpus; with several references, the one with the best F1 over all operations counts, the first if
several are equal. An operation that neither side performs has no F1; the score is the mean of the others. EASSE reports
such F1 values, too, but computes them with an aligner and a parser; plainmark needs neither, so the values differ.

Reference: Alva-Manchego et al. 2017, Learning How to Simplify From Explicit Labeling of Complex-Simplified Text Pairs;
2019 (EASSE).
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..data import Corpus
from ..kernels import Ints, Tokens
from ..metric import Floats, Metric, divide
from ..text import TokenizerName, tokens

_PARTS = ("keep", "move", "replace", "delete", "add")  # the first four in the order of kernels.operations
_REPLACE, _LONE = 2, 3
_MARKS = " ".join(string.punctuation + "–—…“”‘’«»•")


@dataclass(frozen=True)
class WordOperations(Metric):
    """F1 of the words kept, moved, replaced, deleted and added, against the nearest reference."""

    tokenizer: Annotated[TokenizerName, "how text becomes words"] = "13a"
    lowercase: Annotated[bool, "ignore case"] = True

    family = "simplification"
    needs = frozenset({"source", "references"})
    bounds = (0.0, 100.0)
    citation = "Alva-Manchego et al. 2017, IJCNLP; 2019, EMNLP (EASSE)"

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("word_operations", *_PARTS)

    def stats(self, corpus: Corpus) -> Floats:
        source, output, reference = (
            tokens(corpus, side, self.tokenizer, lowercase=self.lowercase)
            for side in ("source", "output", "references")
        )
        samples = np.arange(len(corpus), dtype=np.int64)
        offsets = corpus.reference_offsets()
        left, right = np.repeat(samples, np.diff(offsets)), np.arange(offsets[-1], dtype=np.int64)
        by_output, new_in_output = _operations(source, output, samples, samples)
        by_reference, new_in_reference = corpus.remember(
            "references",
            ("operations", self.tokenizer, self.lowercase),
            lambda: _operations(source, reference, left, right),
        )

        pair = np.repeat(right, source.lengths[left])
        mine, theirs = by_output[_tiled(source.offsets, left)], by_reference
        same = mine == theirs

        def tally(pairs: Ints, labels: NDArray[np.uint8]) -> Ints:
            return np.bincount(pairs * 4 + labels, minlength=4 * len(right)).reshape(-1, 4)

        rows = np.zeros((len(right), len(_PARTS), 3))
        rows[:, :4, 0] = tally(pair[same], mine[same])
        rows[:, :4, 1] = tally(pair, mine)
        rows[:, :4, 2] = tally(pair, theirs)
        rows[:, 4, 0] = kernels.overlap(
            kernels.ngrams(new_in_output, 1), kernels.ngrams(new_in_reference, 1), left, right
        )[:, 0]
        rows[:, 4, 1], rows[:, 4, 2] = new_in_output.lengths[left], new_in_reference.lengths
        right_ones, performed = rows[..., 0].sum(axis=1), rows[..., 1:].sum(axis=(1, 2))
        best = np.lexsort((right, -divide(2 * right_ones, performed, 1.0), left))[offsets[:-1]]
        return rows[best].reshape(len(corpus), -1)

    def reduce(self, stats: Floats) -> Floats:
        counts = stats.reshape(*stats.shape[:-1], len(_PARTS), 3)
        parts = 100 * divide(2 * counts[..., 0], counts[..., 1] + counts[..., 2])
        defined = ~np.isnan(parts)
        mean = divide(np.where(defined, parts, 0.0).sum(axis=-1), defined.sum(axis=-1))
        return np.concatenate([mean[..., None], parts], axis=-1)


def _operations(a: Tokens, b: Tokens, left: Ints, right: Ints) -> tuple[NDArray[np.uint8], Tokens]:
    """The operation on each token of a[left[i]], pair by pair, and the tokens that b[right[i]] adds."""
    marks = kernels.tokenize([_MARKS], "none").hashes
    on_a, on_b, _, _ = kernels.operations(a, b, left, right, marks=marks)
    new = (on_b == _LONE) | (on_b == _REPLACE)
    lengths = b.lengths[right]
    ends = np.cumsum(lengths)
    totals = np.concatenate([[0], np.cumsum(new)])
    offsets = np.concatenate([[0], totals[ends]]).astype(np.int64)
    return on_a, Tokens(b.hashes[_tiled(b.offsets, right)][new], offsets)


def _tiled(offsets: Ints, rows: Ints) -> Ints:
    """Indices of the tokens of the selected texts, concatenated."""
    lengths = np.diff(offsets)[rows]
    ends = np.cumsum(lengths)
    result: Ints = np.arange(ends[-1] if len(ends) else 0) + np.repeat(
        offsets[rows] - ends + lengths, lengths
    )
    return result
