"""Halve samples: a control of length. Of source, text and references only the first half of the sentences is left.

The halves need not say quite the same, so that measures of overlap and meaning lose a little where the cut is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._samples import SampleControl


@dataclass(frozen=True)
class HalveSamples(SampleControl):
    """Keeps the first half of the sentences, in the source and the references too."""

    criterion = "informativeness"
    english_only = False

    def rearranged(self, sentences: Sequence[str]) -> Sequence[str]:
        return sentences[: (len(sentences) + 1) // 2]
