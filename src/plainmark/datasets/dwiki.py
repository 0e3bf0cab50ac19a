"""D-WIKI: 522 simplifications of 100 Wikipedia paragraphs, each judged by three people or more.

The released file does not name the systems: six per paragraph. Equal and nearly equal outputs were merged with all their
judgements, so a paragraph has two to six rows. Sample ids are paragraph.row (1.1 to 100.6), rows as in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..data import Corpus, Rating, Ratings
from . import UNNAMED, Card, Dataset
from ._readers import CITATION, JudgedRow, gather, read_rows

FILE = "doc-meta/dwiki_final.jsonl"


@dataclass(frozen=True)
class DWiki(Dataset):
    """Paragraphs of Wikipedia with judgements of simplicity, meaning and grammar from 1 to 5."""

    card = Card(
        title="D-WIKI",
        about="simplified paragraphs of Wikipedia, judged from 1 to 5",
        level="document",
        samples=522,
        systems=1,
        ratings=9000,
        dimensions=("simplicity-word", "simplicity-sent", "meaning", "grammar", "simplicity-overall"),
        licence="none stated",
        citation=f"Sun et al. 2021, Document-Level Text Simplification; as released by {CITATION}",
        also=("D-Wikipedia", "D-WIKIPEDIA human ratings"),
        notes=(
            "The file names no systems, so all rows are one system, 'unnamed'; sample ids are paragraph.row.",
            "Equal and nearly equal outputs of several systems are one row with 6, 9, 12 or 15 judgements instead of 3.",
            "Raters are numbered within a row: the file does not identify them.",
            "The human simplifications are among the rows: 59 outputs are equal to a reference.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        return gather([(UNNAMED, sample, row, row.outputs[0]) for sample, row in self._rows()])

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(UNNAMED, sample, dimension, str(judge), value)
            for sample, row in self._rows()
            for dimension, values in row.judgements.items()
            for judge, value in enumerate(values, 1)
        )

    def _rows(self) -> Iterator[tuple[str, JudgedRow]]:
        place: dict[int, int] = {}
        for row in read_rows(self.path(FILE), [""], named=False):
            place[row.document] = place.get(row.document, 0) + 1
            yield f"{row.document}.{place[row.document]}", row
