"""RIX: long words per sentence, a short form of LIX.

    words of more than six letters / sentences

Reference: Anderson 1983, Lix and Rix: Variations on a little-known readability index.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..languages import LanguageCode
from ..metric import Floats
from ._readability import Formula


@dataclass(frozen=True)
class RIX(Formula):
    """RIX, long words per sentence."""

    language: Annotated[LanguageCode, "the language of the texts, which decides how they are split"] = "en"

    higher_is_better = False
    citation = "Anderson 1983, Journal of Reading 26"
    columns = ("words", "sentences", "long_words")

    def formula(self, n: dict[str, Floats]) -> Floats:
        return n["long_words"] / n["sentences"]
