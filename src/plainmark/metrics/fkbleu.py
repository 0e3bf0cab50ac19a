"""FKBLEU: the geometric mean of iBLEU and the gain in readability; the mean over sentences.

    FKBLEU = sqrt(iBLEU * sigmoid(FK(source) - FK(output)))

The paper prints the difference the other way round, which would reward harder outputs; its Table 5 follows the sign
above. sign="printed" gives the printed one. A negative iBLEU counts as 0: its root is undefined, but leaving the sentence
out would reward the worst outputs.
Reference: Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification, TACL 4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus
from ..metric import Floats
from .fk import FK
from .ibleu import IBLEU


@dataclass(frozen=True)
class FKBLEU(IBLEU):
    """Geometric mean of iBLEU and a sigmoid of the drop in Flesch-Kincaid grade."""

    constant: Annotated[float, "the constant of fk"] = 15.59
    floored: Annotated[bool, "whether fk counts a grade below 0 as 0"] = False
    syllables: Annotated[Literal["vowels", "cmudict"], "how fk counts syllables"] = "vowels"
    sign: Annotated[
        Literal["corrected", "printed"], "whether easier outputs score higher, or harder ones"
    ] = "corrected"

    family = "simplification"
    bounds = (0.0, 100.0)
    citation = "Xu et al. 2016, TACL 4"
    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("fkbleu", "ibleu", "fk_source", "fk_output")

    def values(self, corpus: Corpus) -> Floats:
        ibleu = self.sentence_scores(corpus)[0]
        fk = FK(self.constant, self.floored, self.syllables, self.tokenizer)
        source, output = (replace(fk, side=side).values(corpus)[:, 0] for side in ("source", "output"))
        gain = source - output if self.sign == "corrected" else output - source
        ease = 1 / (1 + np.exp(-np.clip(gain, -500, 500)))
        # An empty output has no grade, but its iBLEU of 0 decides the score.
        score = np.where(ibleu > 0, np.sqrt(100 * np.maximum(ibleu, 0) * ease), 0.0)
        return np.stack([score, ibleu, source, output], axis=1)
