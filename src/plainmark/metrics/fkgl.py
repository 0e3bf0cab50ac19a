"""Flesch-Kincaid grade level: years of school in the United States that a text needs.

    0.39 * words / sentences + 11.8 * syllables / words - 15.59

The formula is the same everywhere; the counts are not:

plainmark         running text: words without punctuation, syllables of CMUdict. The default.
easse             EASSE's corpus_fkgl: lowercased 13a tokens, punctuation marks are words, a sentence ends at every stop
                  that stands alone, syllables by rule; a grade below 0 is 0.
textstat          textstat 0.7.3: syllables by Pyphen's hyphenation.
textstat-0.7.13   textstat 0.7.13: syllables of CMUdict, and Pyphen's hyphenation for other words.
textdescriptives  TextDescriptives 2.8.4: spaCy's tokens and sentences, syllables by Pyphen's hyphenation.

On sentences of Wikipedia the default is about two grades higher than EASSE's; docs/differences.md says why.
Reference: Kincaid et al. 1975, Derivation of new readability formulas for Navy enlisted personnel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..metric import Floats
from ._readability import Readability


@dataclass(frozen=True)
class FKGL(Readability):
    """Flesch-Kincaid grade level."""

    variant: Annotated[
        Literal["plainmark", "easse", "textstat", "textstat-0.7.13", "textdescriptives"],
        "which program's counts: CMUdict syllables, EASSE 0.2.4, textstat 0.7.3 or 0.7.13, or TextDescriptives 2.8.4",
    ] = "plainmark"  # type: ignore[assignment]

    citation = "Kincaid et al. 1975, Research Branch Report 8-75"
    columns = ("words", "sentences", "syllables")

    def formula(self, n: dict[str, Floats]) -> Floats:
        length = self.round(n["words"] / n["sentences"], 1)
        weight = self.round(n["syllables"] / n["words"], 1)
        grade = self.round(0.39 * length + 11.8 * weight - 15.59, 1)
        return np.maximum(grade, 0) if self.variant == "easse" else grade
