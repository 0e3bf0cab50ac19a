"""Reverse samples: a control of order. The sentences of source, text and references are reversed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._samples import SampleControl


@dataclass(frozen=True)
class ReverseSamples(SampleControl):
    """Reverses the order of sentences, in the source and the references too."""

    criterion = "coherence"
    english_only = False

    def rearranged(self, sentences: Sequence[str]) -> Sequence[str]:
        return sentences[::-1]
