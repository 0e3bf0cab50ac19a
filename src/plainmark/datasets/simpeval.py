"""SimpEval past: 24 systems' outputs on 100 sentences, graded from 0 to 100 by five people.

`overall` is the original grade, `overall-z` the grade standardised by person. Outputs are the processed ones that people
saw. Sample ids are original_id as in the file, 0 to 99; references are those of ASSET for the same sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import read_lines, table_rows
from . import Card, Dataset
from ._readers import number
from ._wikipedia import REFERENCES, SENTENCES, References, SharedReferences

FILE, SENTENCE_FILE = "ratings/simpeval_past.csv", "asset/asset.test.orig"
GRADES = {f"rating_{k}": ("overall", str(k)) for k in range(1, 6)} | {
    f"rating_{k}_z_score": ("overall-z", str(k)) for k in range(1, 6)
}
COLUMNS = ("original", "processed_generation", "original_id", "system", *GRADES)


@dataclass(frozen=True)
class SimpEval(Dataset):
    """Many systems' outputs with grades of overall quality by five people."""

    references: Annotated[References, "whose references the samples have"] = "asset"

    card = Card(
        title="SimpEval past",
        about="24 systems' outputs on 100 sentences, graded from 0 to 100 by five people",
        level="sentence",
        samples=100,
        systems=24,
        ratings=24000,
        dimensions=("overall", "overall-z"),
        licence="none stated",
        citation="Maddela et al. 2023, LENS: A Learnable Evaluation Metric for Text Simplification",
        also=("SimpEval_past",),
        notes=(
            "Among the systems are copy, scramble_words and two references of ASSET (asset.test.simp,"
            " new_asset.test.simp.second), which equal one of their references; so does new_turk_corpus_random for"
            " TurkCorpus's.",
            "One output (processed) is empty.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE, *((SENTENCE_FILE, *REFERENCES[self.references]) if self.references != "none" else ()))

    def corpora(self) -> dict[str, Corpus]:
        systems: dict[str, list[tuple[str, str, str]]] = {}
        for _, row in self._rows():
            sample = (row["original_id"], row["original"], row["processed_generation"])
            systems.setdefault(row["system"], []).append(sample)
        lines, table = self._lines(), SharedReferences.read(self, self.references)
        corpora = {}
        for system, samples in systems.items():
            ids, sources, outputs = zip(*samples, strict=True)
            references = None
            if self.references != "none":
                references = table.for_ids([self._line(lines, s) for s in sources])
            corpora[system] = Corpus(sources, outputs, references, ids=ids, name=system)
        return corpora

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(row["system"], row["original_id"], dimension, rater, number(row[column], location))
            for location, row in self._rows()
            for column, (dimension, rater) in GRADES.items()
        )

    def _rows(self) -> Iterator[tuple[str, dict[str, str]]]:
        return table_rows(self.path(FILE), COLUMNS)

    def _lines(self) -> dict[str, str]:
        """Sentence -> its line; spaces and symbols differ between the files."""
        if self.references == "none":
            return {}
        sentences = read_lines(self.path(SENTENCE_FILE), SENTENCES)
        return {_letters(sentence): str(k) for k, sentence in enumerate(sentences, 1)}

    def _line(self, lines: dict[str, str], sentence: str) -> str:
        line = lines.get(_letters(sentence))
        if line is None:
            raise InputError(
                f"{self.path(FILE)}: {sentence[:40]!r} is not among ASSET's test sentences; use references='none'."
            )
        return line


def _letters(sentence: str) -> str:
    return re.sub(r"\W", "", sentence).lower()
