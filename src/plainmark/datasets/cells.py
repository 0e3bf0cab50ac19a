"""CELLS: scientific abstracts and the lay summaries of the same papers, in pairs that people checked.

The output of the one system, 'reference', is the lay summary, which is its reference too.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..data import Corpus
from ..files import table_rows
from . import REFERENCE, Card, Dataset

FILE = "cells/cells_validated_fullpairs.csv"


@dataclass(frozen=True)
class CELLS(Dataset):
    """Scientific abstracts with lay summaries."""

    card = Card(
        title="CELLS",
        about="scientific abstracts with lay summaries, in pairs that people checked",
        level="document",
        samples=283,
        systems=1,
        licence="MIT",
        citation="Guo et al. 2024, Retrieval augmentation of large language models for lay language generation",
        notes=(
            "Sample ids are the column id, 0 to 282.",
            "Released as spreadsheets; the CSV file (id, source, target, from) consists of their validated pairs.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        rows = [row for _, row in table_rows(self.path(FILE), ("id", "source", "target"))]
        targets = [row["target"] for row in rows]
        return {
            REFERENCE: Corpus(
                [row["source"] for row in rows],
                targets,
                targets,
                ids=[row["id"] for row in rows],
                name=REFERENCE,
            )
        }
