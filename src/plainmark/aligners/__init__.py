"""One module per aligner; the file name is the aligner's name.

An aligner compares every sentence of one text with every sentence of another. Sentences with a similarity above the
threshold of 0.5 are aligned. Just below it, a sentence is neither linked nor certain to have no partner.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import models
from ..errors import MissingResourceError
from ..registry import Named, Registry

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Aligner(Named, ABC):
    """Base of all aligners."""

    citation: ClassVar[str] = ""
    doubtful: ClassVar[float] = 0.25  # a sentence whose best similarity is below this has no partner

    @abstractmethod
    def similarity(self, a: list[str], b: list[str]) -> Floats:
        """Similarity from 0 to 1 of the sentences of a, more complex text, and b, simpler text: shape (len(a), len(b))."""

    def prepare(self, sentences: Sequence[str]) -> None:
        """Process all sentences of a corpus before they are compared, because encoders are fastest on large batches."""
        return

    def missing(self) -> str:
        """What this aligner needs that is not installed, and how to get it; empty if it can run."""
        return ""

    def align(self, a: Sequence[str], b: Sequence[str]) -> Floats:
        """The similarity matrix of two lists of sentences, either of which may be empty."""
        return self.align_many([(a, b)])[0]

    def align_many(
        self,
        pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Floats]:
        """The matrices of many pairs of texts; read from the cache folder if one is set, else computed together.

        Equal pairs, such as a source and a reference that many systems share, are compared once.
        """
        if reason := self.missing():
            raise MissingResourceError(f"aligner {self.name} {reason}")
        keys = [(tuple(a), tuple(b)) for a, b in pairs]
        different = list(dict.fromkeys(keys))
        cache = _Matrices(self)
        matrices = cache.get(different)
        lacking = [i for i, matrix in enumerate(matrices) if matrix is None]
        self.prepare([s for i in lacking for side in different[i] for s in side])
        for done, i in enumerate(lacking, 1):
            a, b = different[i]
            matrices[i] = self.similarity(list(a), list(b))
            if progress:
                progress(done, len(lacking))
        cache.put([(different[i], matrices[i]) for i in lacking])
        by_key = dict(zip(different, matrices, strict=True))
        return [matrix for key in keys if (matrix := by_key[key]) is not None]


class _Matrices:
    """Similarity matrices in the cache folder of plainmark.models, keyed by sentences and the aligner's identity."""

    def __init__(self, aligner: Aligner) -> None:
        folder = models.settings().cache
        self.disk = None if folder is None else models.DiskCache(folder)
        self.start = sha256(aligner.identity().encode()).digest()

    def get(self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[Floats | None]:
        """The cached matrices, None for missing ones; those of empty texts need no cache."""
        out: list[Floats | None] = [
            None if len(a) and len(b) else np.zeros((len(a), len(b))) for a, b in pairs
        ]
        if self.disk is not None:
            keys = [self._key(pair) for pair in pairs]
            known = self.disk.get([k for k, m in zip(keys, out, strict=True) if m is None])
            for i, (key, (a, b)) in enumerate(zip(keys, pairs, strict=True)):
                if key in known and known[key].shape == (len(a), 2 * len(b)):
                    out[i] = np.ascontiguousarray(known[key]).view(np.float64)
        return out

    def put(self, matrices: Sequence[tuple[tuple[Sequence[str], Sequence[str]], Floats | None]]) -> None:
        """Store matrices; the cache holds 32-bit numbers, so that each 64-bit one is written as two."""
        if self.disk is not None and matrices:
            self.disk.put(
                {
                    self._key(pair): np.ascontiguousarray(m).view(np.float32)
                    for pair, m in matrices
                    if m is not None
                }
            )

    def _key(self, pair: tuple[Sequence[str], Sequence[str]]) -> bytes:
        text = "\0\0".join("\0".join(side) for side in pair)
        return sha256(self.start + text.encode("utf-8", "surrogatepass")).digest()


ALIGNERS: Registry[Aligner] = Registry("aligner", Aligner, "plainmark.aligners")  # type: ignore[type-abstract]


def aligner(spec: str | Aligner) -> Aligner:
    """The aligner of a name or a specification.

    >>> aligner("jaccard(cut=0.5)").align(["The cat sat down."], ["A cat sat.", "Prices rose."]).round(2).tolist()
    [[0.4, 0.0]]
    """
    return spec if isinstance(spec, Aligner) else ALIGNERS.parse(spec)
