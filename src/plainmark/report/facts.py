"""What the outputs look like, apart from any score: length, compression, copies, empty outputs, grade level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data import Corpus
from ..metric import METRICS, Floats, divide
from ..text import tokens


@dataclass(frozen=True, eq=False)
class Facts:
    """Plain facts of every output; arrays have the shape (systems, samples)."""

    source_words: NDArray[np.int64] | None  # (samples,)
    words: NDArray[np.int64]
    ratio: Floats | None  # characters of the output over those of the source
    copied: NDArray[np.bool_] | None
    empty: NDArray[np.bool_]
    grade: Floats | None  # Flesch-Kincaid grade level, where that metric is installed


def gather(corpora: Sequence[Corpus]) -> Facts:
    """The facts of all systems on one test set."""
    first = corpora[0]
    sources = first.sources
    ratio = copied = None
    if sources is not None:
        lengths = np.array([len(t) for t in sources], dtype=np.float64)
        ratio = np.stack(
            [divide(np.array([len(t) for t in c.outputs], dtype=np.float64), lengths) for c in corpora]
        )
        bare = [t.strip() for t in sources]
        copied = np.array([[o.strip() == s for o, s in zip(c.outputs, bare, strict=True)] for c in corpora])
    grade = None
    if "fkgl" in METRICS.names():
        fkgl = METRICS.find("fkgl")()
        grade = np.stack([fkgl.sample_scores(c) for c in corpora])
    return Facts(
        source_words=None if sources is None else tokens(first, "source", "none").lengths,
        words=np.stack([tokens(c, "output", "none").lengths for c in corpora]),
        ratio=ratio,
        copied=copied,
        empty=np.array([[not t.strip() for t in c.outputs] for c in corpora]),
        grade=grade,
    )
