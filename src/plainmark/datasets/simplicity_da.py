"""Simplicity-DA: six systems' outputs, 100 each, graded from 0 to 100 by fifteen people.

Simplicity was released for each rater; of fluency and meaning only the means were released (rater 'mean'), and of all three
the means standardised by person (dimensions ending in -z). Sample ids are the lines of ASSET's test sentences, from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..data import Corpus, Rating, Ratings
from ..files import table_rows
from . import Card, Dataset
from ._readers import number
from ._wikipedia import REFERENCES, References, rated_corpora

MEANS = "ratings/simplicity-da/simplicity_DA.csv"
GRADES = "ratings/simplicity-da/simplicity_DA_ratings.csv"
CITATION = (
    "Alva-Manchego et al. 2021, The (Un)Suitability of Automatic Evaluation Metrics for Text Simplification"
)


@dataclass(frozen=True)
class SimplicityDA(Dataset):
    """Systems' outputs with grades of simplicity by fifteen people, and mean grades of fluency and meaning."""

    references: Annotated[References, "whose references the samples have"] = "asset"

    card = Card(
        title="Simplicity-DA",
        about="systems' outputs graded from 0 to 100 by fifteen people",
        level="sentence",
        samples=302,
        systems=6,
        ratings=12000,
        dimensions=("simplicity", "fluency", "meaning", "simplicity-z", "fluency-z", "meaning-z"),
        licence="CC BY-NC-SA 4.0",
        citation=CITATION,
        also=("Wiki-DA",),
        notes=(
            "Each system has 100 of the 359 test sentences, not the same ones.",
            "Fluency, meaning and the standardised grades were released as means only: their rater is 'mean'.",
            "The third set of that paper, simplicity gain, was released without human judgements, so it is not included.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (MEANS, GRADES, *REFERENCES[self.references])

    def corpora(self) -> dict[str, Corpus]:
        return rated_corpora(self, MEANS, self.references)

    def ratings(self) -> Ratings:
        ratings = [
            Rating(
                row["sys_name"],
                row["sent_id"],
                "simplicity",
                row["rater_id"],
                number(row["simplicity"], location),
            )
            for location, row in table_rows(
                self.path(GRADES), ("sent_id", "sys_name", "rater_id", "simplicity")
            )
        ]
        columns = {
            "fluency": "fluency",
            "meaning": "meaning",
            "fluency_zscore": "fluency-z",
            "meaning_zscore": "meaning-z",
            "simplicity_zscore": "simplicity-z",
        }
        ratings += [
            Rating(row["sys_name"], row["sent_id"], dimension, "mean", number(row[column], location))
            for location, row in table_rows(self.path(MEANS), ("sent_id", "sys_name", *columns))
            for column, dimension in columns.items()
        ]
        return Ratings(ratings)
