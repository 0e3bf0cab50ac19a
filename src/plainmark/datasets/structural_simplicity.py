"""Structural simplicity: 25 systems' outputs on 70 sentences, judged by three people.

Structural simplicity, from -2 (more complex) to 2 (simpler), was released for each rater; of grammar, meaning and simplicity
only the means were released (rater 'mean'). Sample ids are the lines of ASSET's test sentences, from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..data import Corpus, Rating, Ratings
from ..files import table_rows
from . import Card, Dataset
from ._readers import number
from ._wikipedia import REFERENCES, References, rated_corpora
from .simplicity_da import CITATION

MEANS = "ratings/simplicity-da/structural_simplicity.csv"
GRADES = "ratings/simplicity-da/structural_simplicity_ratings.csv"
STRUCTURE = "structural simplicity"


@dataclass(frozen=True)
class StructuralSimplicity(Dataset):
    """Many systems' outputs on few sentences, with three people's judgements of structural simplicity."""

    references: Annotated[References, "whose references the samples have"] = "asset"

    card = Card(
        title="Structural simplicity",
        about="25 systems' outputs on 70 sentences, judged by three people",
        level="sentence",
        samples=70,
        systems=25,
        ratings=10500,
        dimensions=(STRUCTURE, "grammar", "meaning", "simplicity"),
        licence="CC BY-NC-SA 4.0",
        citation=f"Sulem et al. 2018, Simple and Effective Text Simplification Using Semantic and Neural Methods; as released"
        f" by {CITATION}",
        notes=("Grammar, meaning and simplicity were released as means only: their rater is 'mean'.",),
    )

    def files(self) -> tuple[str, ...]:
        return (MEANS, GRADES, *REFERENCES[self.references])

    def corpora(self) -> dict[str, Corpus]:
        return rated_corpora(self, MEANS, self.references)

    def ratings(self) -> Ratings:
        columns = ("sent_id", "sys_name", "rater_id", "structural_simplicity")
        ratings = [
            Rating(
                row["sys_name"], row["sent_id"], STRUCTURE, row["rater_id"], number(row[columns[3]], location)
            )
            for location, row in table_rows(self.path(GRADES), columns)
        ]
        means = {"grammaticality": "grammar", "meaning": "meaning", "simplicity": "simplicity"}
        ratings += [
            Rating(row["sys_name"], row["sent_id"], dimension, "mean", number(row[column], location))
            for location, row in table_rows(self.path(MEANS), ("sent_id", "sys_name", *means))
            for column, dimension in means.items()
        ]
        return Ratings(ratings)
