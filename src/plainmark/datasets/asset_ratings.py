"""ASSET's human ratings: one system's output on each of 100 test sentences, graded from 0 to 100 by fifteen people.

Sample ids are the lines of the sentences in ASSET's test part, from 1 (the released file counts from 0).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ..data import Corpus, Rating, Ratings
from ..files import table_rows
from . import UNNAMED, Card, Dataset
from ._readers import number, reporting_errors
from ._wikipedia import REFERENCES, References, SharedReferences

FILE = "asset/human_ratings/human_ratings.csv"
COLUMNS = ("original", "simplification", "original_sentence_id", "aspect", "worker_id", "rating")


@dataclass(frozen=True)
class ASSETRatings(Dataset):
    """Systems' outputs with grades of fluency, meaning and simplicity by fifteen people each."""

    references: Annotated[References, "whose references the samples have"] = "asset"

    card = Card(
        title="ASSET human ratings",
        about="systems' outputs on 100 sentences, graded from 0 to 100 by fifteen people each",
        level="sentence",
        samples=100,
        systems=1,
        ratings=4500,
        dimensions=("meaning", "fluency", "simplicity"),
        licence="CC BY-NC 4.0",
        citation="Alva-Manchego et al. 2020, ASSET: A Dataset for Tuning and Evaluation of Sentence Simplification Models",
        notes=(
            "The file does not name the systems (one of six for each sentence), so all outputs are one system, 'unnamed'.",
            "Sample ids are the lines of ASSET's test sentences, from 1.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE, *REFERENCES[self.references])

    def corpora(self) -> dict[str, Corpus]:
        samples = {sample: (row["original"], row["simplification"]) for sample, _, row in self._rows()}
        sources, outputs = zip(*samples.values(), strict=True) if samples else ((), ())
        ids = list(samples)
        return {
            UNNAMED: Corpus(
                sources,
                outputs,
                SharedReferences.read(self, self.references).for_ids(ids),
                ids=ids,
                name=UNNAMED,
            )
        }

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(UNNAMED, sample, row["aspect"], row["worker_id"], number(row["rating"], location))
            for sample, location, row in self._rows()
        )

    def _rows(self) -> Iterator[tuple[str, str, dict[str, str]]]:
        for location, row in table_rows(self.path(FILE), COLUMNS):
            with reporting_errors(location):
                sample = str(int(row["original_sentence_id"]) + 1)
            yield sample, location, row
