"""LIX: words per sentence and the percentage of long words, for any language with spaces between words.

    words / sentences + 100 * words of more than six letters / words

About 25 for children's books, 40 for newspapers, 60 for research. Words are longer in some languages than in others, so
values for different languages cannot be compared.
Reference: Björnsson 1968, Läsbarhet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..languages import LanguageCode
from ..metric import Floats
from ._readability import Formula


@dataclass(frozen=True)
class LIX(Formula):
    """LIX, from the length of sentences and words."""

    language: Annotated[LanguageCode, "the language of the texts, which decides how they are split"] = "en"

    higher_is_better = False
    citation = "Björnsson 1968, Liber"
    columns = ("words", "sentences", "long_words")

    def formula(self, n: dict[str, Floats]) -> Floats:
        return n["words"] / n["sentences"] + 100 * n["long_words"] / n["words"]
