"""Words per paragraph; a blank line ends a paragraph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..languages import LanguageCode
from ..metric import Floats
from ._readability import Counted


@dataclass(frozen=True)
class ParagraphLength(Counted):
    """Mean number of words in a paragraph."""

    language: Annotated[LanguageCode, "the language of the texts, which decides how they are split"] = "en"

    family = "text"
    higher_is_better = None
    citation = "Guo et al. 2024, APPLS"
    columns = ("words", "paragraphs", "sentences")

    def formula(self, n: dict[str, Floats]) -> Floats:
        return n["words"] / n["paragraphs"]
