"""ASSET's pairwise comparisons: a reference of ASSET beside one of TurkCorpus or HSplit, and the one that a person prefers.

A pair is a sample of both sets, with the id sentence/other set (1/hsplit); the preferred one is rated 1, the other 0, and
both .5 if they are similar. Sentences are counted from 1 (the released file counts from 0).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import table_rows
from . import Card, Dataset
from ._readers import reporting_errors

FILE = "asset/human_ratings/asset_pairwise_comparisons_with_turkcorpus_and_hsplit.csv"
COLUMNS = (
    "worker_id",
    "sentence_id",
    "aspect",
    "source",
    "other_dataset",
    "asset_simplification",
    "other_simplification",
    "winner",
)


@dataclass(frozen=True)
class ASSETPreferences(Dataset):
    """References of ASSET against those of TurkCorpus and HSplit, with a person's preference."""

    card = Card(
        title="ASSET pairwise comparisons",
        about="references of ASSET beside those of TurkCorpus and HSplit, and the one that a person prefers",
        level="sentence",
        samples=718,
        systems=3,
        ratings=4308,
        dimensions=("fluency", "meaning", "simplicity"),
        licence="CC BY-NC 4.0",
        citation="Alva-Manchego et al. 2020, ASSET: A Dataset for Tuning and Evaluation of Sentence Simplification Models",
        notes=(
            "Preferences, not grades: a sample is a pair (sentence/other set), in which the preferred one has 1 and the"
            " other 0, or both .5 if they are similar.",
            "The 'systems' are the three sets of references; references have no references.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        systems: dict[str, dict[str, tuple[str, str]]] = {}
        for sample, _, row in self._rows():
            for system, output in (
                ("asset", row["asset_simplification"]),
                (row["other_dataset"], row["other_simplification"]),
            ):
                systems.setdefault(system, {})[sample] = (row["source"], output)
        return {
            system: Corpus(
                [source for source, _ in samples.values()],
                [output for _, output in samples.values()],
                ids=list(samples),
                name=system,
            )
            for system, samples in systems.items()
        }

    def ratings(self) -> Ratings:
        ratings = []
        for sample, location, row in self._rows():
            sides = ("asset", row["other_dataset"])
            if row["winner"] not in (*sides, "similar"):
                raise InputError(
                    f"{location}: winner {row['winner']!r}, expected {sides[0]}, {sides[1]} or similar."
                )
            for system in sides:
                value = 0.5 if row["winner"] == "similar" else float(row["winner"] == system)
                ratings.append(Rating(system, sample, row["aspect"], row["worker_id"], value))
        return Ratings(ratings)

    def _rows(self) -> Iterator[tuple[str, str, dict[str, str]]]:
        for location, row in table_rows(self.path(FILE), COLUMNS):
            with reporting_errors(location):
                sentence = int(row["sentence_id"]) + 1
            yield f"{sentence}/{row['other_dataset']}", location, row
