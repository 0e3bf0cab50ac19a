"""COCHRANE-HUMAN: 120 pairs of simplified medical abstracts, and the one of each pair that each of three people finds more
readable.

Every pair is bart-xsum against one of four other systems on one of 30 abstracts. A pair is a sample of both its systems,
with the id abstract/other system (1/UL); the one that a person prefers is rated 1, the other 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..data import Corpus, Rating, Ratings
from . import Card, Dataset
from ._readers import CITATION, JudgedRow, gather, read_rows

FILE = "doc-meta/cochrance_lj.jsonl"


@dataclass(frozen=True)
class CochraneHuman(Dataset):
    """Pairs of simplified medical abstracts with people's preferences."""

    card = Card(
        title="COCHRANE-HUMAN",
        about="simplified medical abstracts, judged in pairs",
        level="document",
        samples=120,
        systems=5,
        ratings=720,
        dimensions=("readability",),
        licence="none stated",
        citation=CITATION,
        also=("COCHRANE", "cochrane_human"),
        notes=(
            "Preferences, not grades: a sample is a pair (abstract/other system), in which the preferred output has 1"
            " and the other 0 from each of three people.",
            "bart-xsum is one side of every pair, so each of its 30 outputs occurs four times.",
            "The plain abstracts and summaries of Cochrane are the data set cochrane_pairs.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        return gather(
            [
                (system, sample, row, output)
                for sample, row in self._rows()
                for system, output in zip(row.systems, row.outputs, strict=True)
            ]
        )

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(system, sample, dimension, str(judge), float(preferred == side))
            for sample, row in self._rows()
            for dimension, choices in row.judgements.items()
            for side, system in enumerate(row.systems)
            for judge, preferred in enumerate(choices, 1)
        )

    def _rows(self) -> Iterator[tuple[str, JudgedRow]]:
        for row in read_rows(self.path(FILE), ["1", "2"]):
            yield f"{row.document}/{row.systems[-1]}", row
