"""One module per aligner; the file name is the aligner's name.

An aligner compares every sentence of one text with every sentence of another. 0.5 is the cut: sentences with a higher
similarity belong together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingResourceError
from ..registry import Named, Registry

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Aligner(Named, ABC):
    """Base of all aligners."""

    citation: ClassVar[str] = ""

    @abstractmethod
    def similarity(self, a: list[str], b: list[str]) -> Floats:
        """Similarity from 0 to 1 of the sentences of a, more complex text, and b, simpler text: shape (len(a), len(b))."""

    def prepare(self, sentences: Sequence[str]) -> None:
        """See all sentences of a corpus before they are compared: encoders work best on many at once."""
        return

    def missing(self) -> str:
        """What is not installed that this aligner needs, and how to get it; empty if it can run."""
        return ""

    def align(self, a: Sequence[str], b: Sequence[str]) -> Floats:
        """The similarity matrix of two lists of sentences, either of which may be empty."""
        if reason := self.missing():
            raise MissingResourceError(f"aligner {self.name} {reason}")
        if not len(a) or not len(b):
            return np.zeros((len(a), len(b)))
        return self.similarity(list(a), list(b))


ALIGNERS: Registry[Aligner] = Registry("aligner", Aligner, "plainmark.aligners")  # type: ignore[type-abstract]


def aligner(spec: str | Aligner) -> Aligner:
    """The aligner of a name or a specification.

    >>> aligner("jaccard(cut=0.5)").align(["The cat sat down."], ["A cat sat.", "Prices rose."]).round(2).tolist()
    [[0.4, 0.0]]
    """
    return spec if isinstance(spec, Aligner) else ALIGNERS.parse(spec)
