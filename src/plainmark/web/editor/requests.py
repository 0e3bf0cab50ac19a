"""The editor's requests: a check, the facts, what lowers the score, a document to open or save, a checklist."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...checks import CEFR_LEVELS, Targets
from ...schema import Expected, StrictModel
from ..playground.requests import Text

MAX_WORDS = 1_000_000  # longest word list, in characters
MAX_NAME = 200  # longest file name, in characters
MAX_QUALITY_SECONDS = 60.0  # estimated, for leaving out each sentence and word of a text

_Level = Annotated[
    Literal["A1", "A2", "B1", "B2", "C1", "C2"] | None, Expected(f"one of {', '.join(CEFR_LEVELS)}")
]


class TargetsRequest(StrictModel):
    """Upper limits for the text; None for no limit."""

    grade: Annotated[float | None, Field(ge=0, le=30), Expected("a school grade from 0 to 30")] = None
    cefr: _Level = None
    max_sentence: Annotated[int | None, Field(ge=1, le=1000), Expected("1 to 1000 words per sentence")] = None
    max_passive: Annotated[float | None, Field(ge=0, le=100), Expected("0 to 100 percent")] = None

    def targets(self) -> Targets:
        """The targets for the checker."""
        return Targets(self.grade, self.cefr, self.max_sentence, self.max_passive)


class CheckRequest(StrictModel):
    """A text to check, the targets, and the word list as CSV."""

    text: Text
    targets: TargetsRequest = TargetsRequest()
    words: Annotated[str, Field(max_length=MAX_WORDS)] = ""


class FactsRequest(StrictModel):
    """An original and the text that is written from it."""

    source: Text
    output: Text


class QualityRequest(FactsRequest):
    """An original and a text, and how many of its sentences and words were left out by earlier requests."""

    done: Annotated[int, Field(ge=0, le=100_000), Expected("0 to 100,000")] = 0


class ChecklistRequest(FactsRequest):
    """The facts as a list to sign; `confirmed` are entries of the ledger."""

    confirmed: Annotated[tuple[int, ...], Field(max_length=100_000)] = ()
    format: Literal["html", "csv", "docx"] = "html"


class SaveRequest(CheckRequest):
    """A text to save as a document; `kind` is the format that it was opened from, targets and words are for comments."""

    format: Literal["docx", "tracked", "comments", "md", "html", "txt"]
    kind: Literal["text", "markdown", "word"] = "text"
    name: Annotated[str, Field(max_length=MAX_NAME)] = ""

    @property
    def suffix(self) -> str:
        """The suffix of the file name."""
        return "docx" if self.format in ("tracked", "comments") else self.format
