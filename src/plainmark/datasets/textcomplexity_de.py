"""TextComplexityDE: German sentences of Wikipedia with their complexity, and simplifications of the hardest 250.

Learners of German (levels A and B) graded each sentence from 1 (very easy) to 7 (very complex); what is released are means.
part='sentences' has the grades, source and output being the sentence; part='pairs' has the simplifications by native
speakers, without grades. Sample ids are those of the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus, Rating, Ratings
from ..files import table_rows
from . import REFERENCE, TEXT, Card, Dataset
from ._readers import number

FILES = {
    "sentences": "ratings/textcomplexityde/ratings.csv",
    "pairs": "ratings/textcomplexityde/parallel_corpus.csv",
}
DIMENSIONS = {
    "complexity": "MOS_Complexity",
    "understandability": "MOS_Understandability",
    "lexical difficulty": "MOS_Lexical_difficulty",
}
ENCODING = "cp1252"  # as released


@dataclass(frozen=True)
class TextComplexityDE(Dataset):
    """German sentences of Wikipedia with their complexity by learners, and simplifications."""

    part: Annotated[
        Literal["sentences", "pairs"], "1,000 graded sentences, or 250 of them with their simplifications"
    ] = "sentences"

    card = Card(
        title="TextComplexityDE",
        about="German sentences of Wikipedia, graded from 1 (easy) to 7 (difficult) by learners; 250 simplified",
        level="sentence",
        samples=1000,
        systems=1,
        ratings=3000,
        dimensions=(*DIMENSIONS,),
        lower_is_better=(*DIMENSIONS,),
        raters="means of about ten learners each",
        licence="MIT",
        citation="Naderi et al. 2019, Subjective Assessment of Text Complexity: A Dataset for German Language",
        also=("TextComplexityDE19",),
        notes=(
            "Single sentences, not simplifications: source and output are the sentence; part='pairs' has simplifications.",
            "Higher is more difficult in all three dimensions, understandability too: 7 is very hard to understand.",
            "judgements() gives, for each simplification, how much simpler its writer found it.",
            "The files are in the encoding Windows-1252.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILES[self.part],)

    def corpora(self) -> dict[str, Corpus]:
        if self.part == "pairs":
            columns = ("Sentence_Id", "Original_Sentence", "Simplification")
            rows = [[row[c] for c in columns] for _, row in self._rows(columns)]
            ids, sources, outputs = zip(*rows, strict=True)
            return {REFERENCE: Corpus(sources, outputs, outputs, ids=ids, name=REFERENCE, language="de")}
        ids, sentences = zip(
            *((row["ID"], row["Sentence"]) for _, row in self._rows(("ID", "Sentence"))), strict=True
        )
        return {TEXT: Corpus(sentences, sentences, ids=ids, name=TEXT, language="de")}

    def ratings(self) -> Ratings:
        if self.part == "pairs":
            return Ratings(())
        return Ratings(
            Rating(TEXT, row["ID"], dimension, "mean", number(row[column], location))
            for location, row in self._rows(("ID", *DIMENSIONS.values()))
            for dimension, column in DIMENSIONS.items()
        )

    def judgements(self) -> dict[str, str]:
        """Sample id -> how much simpler the writer found the simplification, in German; only for part='pairs'."""
        rows = table_rows(self.path(FILES["pairs"]), ("Sentence_Id", "Rating"), encoding=ENCODING)
        return {row["Sentence_Id"]: row["Rating"] for _, row in rows}

    def _rows(self, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
        return table_rows(self.path(FILES[self.part]), columns, encoding=ENCODING)
