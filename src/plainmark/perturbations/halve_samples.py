"""Halve samples: a control of length. Only the first half of the sentences of source, text and references is left.

The halves may differ slightly in content, so that measures of overlap and meaning lose a little at the cut.
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
