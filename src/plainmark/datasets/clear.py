"""CLEAR: excerpts of school texts with their easiness, estimated from teachers' comparisons.

Teachers said which of two excerpts is easier to understand; easiness is the estimate of a Bradley-Terry model, higher for
easier texts, and standard_errors() gives its standard error. Source and output of a sample are the excerpt itself. Sample
ids are those of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..data import Corpus, Rating, Ratings
from ..files import json_objects
from . import TEXT, Card, Dataset
from ._readers import finite, reporting_errors, text

FILE = "ratings/clear/clear.jsonl"


@dataclass(frozen=True)
class CLEAR(Dataset):
    """Excerpts of school texts with their easiness by teachers."""

    card = Card(
        title="CLEAR",
        about="excerpts of school texts with their easiness, by teachers' comparisons",
        level="document",
        samples=3524,
        systems=1,
        ratings=3524,
        dimensions=("easiness",),
        raters="Bradley-Terry estimates of teachers' comparisons",
        licence="CC BY-NC-SA 4.0",
        citation="Crossley et al. 2023, A large-scaled corpus for assessing text readability",
        also=("CommonLit Ease of Readability", "CLEAR Corpus"),
        notes=(
            "Single texts, not simplifications: source and output are the excerpt.",
            "Higher is easier; the rater is 'Bradley-Terry', and standard_errors() gives the error of each estimate.",
            "categories() says which excerpts are literature (Lit) and which are informational (Info).",
            "Released as a spreadsheet; the file here is a part of it as JSON lines (id, category, text, easiness, se).",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        texts = {}
        for sample, location, row in self._rows():
            with reporting_errors(location):
                texts[sample] = text(row["text"])
        return {TEXT: Corpus([*texts.values()], [*texts.values()], ids=[*texts], name=TEXT)}

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(TEXT, sample, "easiness", "Bradley-Terry", value)
            for sample, value in self._column("easiness").items()
        )

    def standard_errors(self) -> dict[str, float]:
        """Sample id -> standard error of its easiness."""
        return self._column("se")

    def categories(self) -> dict[str, str]:
        """Sample id -> Lit or Info."""
        categories = {}
        for sample, location, row in self._rows():
            with reporting_errors(location):
                categories[sample] = text(row["category"])
        return categories

    def _column(self, name: str) -> dict[str, float]:
        values = {}
        for sample, location, row in self._rows():
            with reporting_errors(location):
                values[sample] = finite(row[name])
        return values

    def _rows(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for location, row in json_objects(self.path(FILE)):
            with reporting_errors(location):
                sample = str(int(row["id"]))
            yield sample, location, row
