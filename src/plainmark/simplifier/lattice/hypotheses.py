"""Prepared lattices and the outputs that are decoded from them, each a path of edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...kernels import Ints
from ...lm import LanguageModel
from ..arrays import Reals
from ..decoding import (
    LM,
    Derivation,
    Hypotheses,
    Prepared,
    Rewrite,
    Weights,
    lm_gains,
    reasons,
    summed,
)
from ..learned.hints import LatticeHints, lattice_arrays
from ..surface import OutputPiece, SplitText
from .lattice import KEEP, Lattice

if TYPE_CHECKING:
    from .decoder import LatticeDecoder


@dataclass(frozen=True, eq=False)
class PreparedLattice(Prepared):
    """Lattices of sentences with the features of their edges."""

    decoder: LatticeDecoder
    lattice: Lattice
    features: Reals
    hints: LatticeHints

    def __len__(self) -> int:
        return len(self.lattice)

    def decode(
        self, weights: Weights, *, width: int | None = None, paths: int = 1, threads: int = 1
    ) -> LatticeHypotheses:
        """The best different outputs of each sentence."""
        limits = self.decoder.limits
        vector = np.array([weights.get(n, 0.0) for n in self.decoder.names])
        sentences, _, lm, offsets, edges = kernels.best_paths(
            self.decoder.model.native,
            float(vector[-1]),
            lattice_arrays(self.lattice, self.features @ vector[:-1]),
            beam=limits.beam if width is None else width,
            threshold=limits.threshold,
            paths=paths,
            threads=threads,
        )
        return LatticeHypotheses(self, sentences, lm, offsets, edges)


class LatticeHypotheses(Hypotheses):
    """Outputs of a lattice, each a path of edges."""

    def __init__(
        self,
        prepared: PreparedLattice,
        offsets: Ints,
        lm: NDArray[np.float64],
        path_offsets: Ints,
        edges: Ints,
    ) -> None:
        self.prepared, self.lm = prepared, lm
        self._offsets, self.path_offsets, self.edges = offsets, path_offsets, edges

    @property
    def offsets(self) -> Ints:
        return self._offsets

    def __len__(self) -> int:
        return len(self.lm)

    def path(self, hypothesis: int) -> Ints:
        """The edges of a hypothesis, from left to right."""
        return self.edges[self.path_offsets[hypothesis] : self.path_offsets[hypothesis + 1]]

    def features(self) -> Reals:
        """The sum of the features of each hypothesis's rules, with its log10 probability in the last column."""
        edge = self.prepared.features
        out = np.zeros((len(self), edge.shape[1] + 1), np.float32)
        owner = np.repeat(np.arange(len(self)), np.diff(self.path_offsets))
        used = self.prepared.lattice.rules[self.edges] != KEEP
        owner, edges = owner[used], self.edges[used]
        for start in range(0, len(edges), 100_000):
            part = slice(start, start + 100_000)
            first = np.flatnonzero(np.diff(owner[part], prepend=-1))
            sums = np.add.reduceat(edge[edges[part]], first, axis=0) if len(first) else edge[:0]
            out[owner[part][first], :-1] += sums
        out[:, -1] = self.lm
        return out

    def words(self) -> list[tuple[str, ...]]:
        """The words of each hypothesis."""
        lattice = self.prepared.lattice
        vocabulary, others = self.prepared.decoder.table.words, lattice.batch.others
        known = len(vocabulary)
        flat = lattice.targets.take(self.edges)
        ends = np.concatenate([[0], np.cumsum(flat.lengths)])[self.path_offsets].tolist()
        text = [vocabulary[w] if w < known else others[w - known] for w in flat.ids.tolist()]
        return [tuple(text[a:b]) for a, b in pairwise(ends)]

    def derivation(self, hypothesis: int, source: SplitText, weights: Weights) -> Derivation:
        """A path as pieces of the source, and the rules on it."""
        lattice, decoder = self.prepared.lattice, self.prepared.decoder
        known, others = decoder.table.words, lattice.batch.others
        pieces = []
        rewrites = []
        for edge in self.path(hypothesis).tolist():
            start, end = int(lattice.starts[edge]), int(lattice.ends[edge])
            rule = int(lattice.rules[edge])
            old = source.words[start:end]
            if rule == KEEP:
                pieces.append(OutputPiece(start, end, old))
                continue
            ids = lattice.targets.ids[lattice.targets.offsets[edge] : lattice.targets.offsets[edge + 1]]
            new = tuple(known[w] if w < len(known) else others[w - len(known)] for w in ids)
            score, parts = reasons(decoder.names, self.prepared.features[edge], weights)
            origins = decoder.table.origins_of(rule)
            rewrites.append(Rewrite(start, end, " ".join(old), " ".join(new), score, origins, parts))
            pieces.append(OutputPiece(start, end, new))
        return Derivation(pieces, _with_lm(rewrites, source.words, decoder.model, weights.get(LM, 0.0)))


def _with_lm(
    rewrites: Sequence[Rewrite], words: Sequence[str], model: LanguageModel, weight: float
) -> list[Rewrite]:
    """The rewrites with the language model's part in their scores: the effect of each, given those on its left.

    The parts add up to the language model's score of the output minus that of the source.
    """
    if not rewrites or not weight:
        return list(rewrites)
    gains = lm_gains(words, [(r.start, r.end, r.target.split()) for r in rewrites], model)
    out = []
    for r, gain in zip(rewrites, gains, strict=True):
        score, parts = summed((*r.reasons, (LM, weight * gain)))
        out.append(replace(r, score=score, reasons=parts))
    return out
