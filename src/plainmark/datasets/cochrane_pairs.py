"""Cochrane pairs: abstracts of medical reviews and the plain-language summaries of the same reviews.

The output of the one system, 'reference', is the summary, which is its reference too. Sample ids are the reviews' DOIs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus
from ..errors import InputError
from ..files import read_lines
from . import REFERENCE, Card, Dataset

SIZES = {"test": 480, "val": 411}


@dataclass(frozen=True)
class CochranePairs(Dataset):
    """Medical abstracts with plain-language summaries."""

    split: Annotated[Literal["test", "val"], "which reviews"] = "test"

    card = Card(
        title="Cochrane pairs",
        about="abstracts of medical reviews with their plain-language summaries",
        level="document",
        samples=480,
        systems=1,
        licence="CC BY 4.0",
        citation="Devaraj et al. 2021, Paragraph-level Simplification of Medical Texts",
        also=("Cochrane", "Paragraph-level Simplification of Medical Texts"),
        notes=(
            "split='val' has 411 pairs.",
            "People's judgements of simplified abstracts are the data set cochrane.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return tuple(f"cochrane/{self.split}.{side}" for side in ("source", "target", "doi"))

    def corpora(self) -> dict[str, Corpus]:
        sources, targets, ids = (read_lines(self.path(name), SIZES[self.split]) for name in self.files())
        if len(set(ids)) < len(ids):
            raise InputError(f"{self.path(self.files()[2])}: the same DOI twice, expected one for each pair.")
        return {REFERENCE: Corpus(sources, targets, targets, ids=ids, name=REFERENCE)}
