"""Double samples: a control of length. Source, text and references contain everything twice, one copy after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._samples import SampleControl


@dataclass(frozen=True)
class DoubleSamples(SampleControl):
    """Repeats all sentences, in the source and the references too."""

    criterion = "informativeness"
    english_only = False
    nothing = "no sentences"

    def rearranged(self, sentences: Sequence[str]) -> Sequence[str]:
        return [*sentences, *sentences]
