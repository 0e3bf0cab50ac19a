"""ReadMe++: sentences in five languages and many domains with their CEFR level, 1 (A1) to 6 (C2).

Source and output of a sample are the sentence itself. Sample ids are the rows of the file, from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus, Rating, Ratings
from ..files import table_rows
from . import AGREED, TEXT, Card, Dataset
from ._readers import cefr_level

COLUMNS = ("Domain", "Sub-domain", "Sentence", "Rating")


@dataclass(frozen=True)
class ReadMePP(Dataset):
    """Sentences in five languages with CEFR levels."""

    language: Annotated[
        Literal["en", "fr", "ru", "ar", "hi"], "English, French, Russian, Arabic or Hindi sentences"
    ] = "en"
    split: Annotated[Literal["train", "val"], "which sentences"] = "train"

    card = Card(
        title="ReadMe++",
        about="sentences of many domains with their CEFR level from 1 to 6, in English, French, Russian, Arabic or Hindi",
        level="sentence",
        samples=2243,
        systems=1,
        ratings=2243,
        dimensions=("level",),
        lower_is_better=("level",),
        licence="MIT (the repository's file); its README: personal, research and non-commercial use",
        citation="Naous et al. 2024, ReadMe++: Benchmarking Multilingual Language Models for Multi-Domain Readability"
        " Assessment",
        also=("ReadMe++", "readme-plus-plus"),
        notes=(
            "Single sentences, not simplifications: source and output are the sentence. Higher is more difficult.",
            "One level was released for each sentence, not one for each rater: the rater is 'agreed'.",
            "domains() gives the domain and its part. split='val' has 283 English sentences; the part for testing is not"
            " in this set.",
            "Some sentences have line breaks or spaces at their ends, and a few occur twice, with different levels.",
            "Released as spreadsheets; the CSV files have their columns Domain, Sub-domain, Sentence and Rating.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (f"cefr/readme-plus-plus/readme_{self.language}_{self.split}.csv",)

    def corpora(self) -> dict[str, Corpus]:
        sentences = {sample: row["Sentence"] for sample, _, row in self._rows()}
        return {
            TEXT: Corpus(
                [*sentences.values()],
                [*sentences.values()],
                ids=[*sentences],
                name=TEXT,
                language=self.language,
            )
        }

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(TEXT, sample, "level", AGREED, cefr_level(row["Rating"], location))
            for sample, location, row in self._rows()
        )

    def domains(self) -> dict[str, tuple[str, str]]:
        """Sample id -> domain and sub-domain."""
        return {sample: (row["Domain"], row["Sub-domain"]) for sample, _, row in self._rows()}

    def _rows(self) -> Iterator[tuple[str, str, dict[str, str]]]:
        for k, (location, row) in enumerate(table_rows(self.path(self.files()[0]), COLUMNS), 1):
            yield str(k), location, row
