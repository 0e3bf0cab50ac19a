"""JADES: Japanese news sentences, simplified by a person and two systems, graded from 1 to 4 by three people each.

Sample ids are the numbers of the sentences. In the release, the test part has exactly the grades of the validation part,
row by row, although the texts differ. Only as grades of the validation part do they distinguish the systems, so only these
are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import read_json
from . import Card, Dataset
from ._readers import finite, reporting_errors, text

FILE = "ratings/jades/jades_manual_scores.json"
DIMENSIONS = ("fluency", "meaning", "simplicity")


@dataclass(frozen=True)
class JADES(Dataset):
    """Japanese news sentences simplified by a person and two systems, with grades by three people."""

    split: Annotated[
        Literal["valid", "test"], "which sentences; the test part's grades are not its own and are not read"
    ] = "valid"

    card = Card(
        title="JADES",
        about="Japanese news sentences, a person's and two systems' simplifications, graded from 1 to 4 by three people",
        level="sentence",
        samples=372,
        systems=3,
        ratings=5400,
        dimensions=DIMENSIONS,
        licence="none stated",
        citation="Hayakawa et al. 2022, JADES: New Text Simplification Dataset in Japanese Targeted at Non-Native Speakers",
        notes=(
            "Each of BART, EditNTS and Reference has 200 of the sentences.",
            "Reference's output is the reference itself, so that metrics of overlap give it full marks: leave it out when"
            " you correlate them.",
            "split='test' (388 sentences) has texts only: the grades released with it repeat those of split='valid'.",
            "Raters 0 to 5 are six people; three of them saw each output.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        systems: dict[str, list[tuple[str, str, str, str]]] = {}
        for location, row in self._rows():
            with reporting_errors(location):
                sample = (str(int(row["idx_sentence"])), text(row["sentence_origin"]))
                pair = (text(row["sentence_hypothesis"]), text(row["sentence_reference"]))
                systems.setdefault(text(row["system"]), []).append((*sample, *pair))
        return {
            system: Corpus(sources, outputs, references, ids=ids, name=system, language="ja")
            for system, rows in sorted(systems.items())
            for ids, sources, outputs, references in [[*zip(*rows, strict=True)]]
        }

    def ratings(self) -> Ratings:
        return Ratings(self._ratings() if self.split == "valid" else ())

    def _ratings(self) -> Iterator[Rating]:
        for location, row in self._rows():
            with reporting_errors(location):
                system, sample = text(row["system"]), str(int(row["idx_sentence"]))
                for k in (1, 2, 3):
                    rater = str(int(row[f"idx_annotator_{k}"]))
                    for dimension in DIMENSIONS:
                        value = finite(row[f"score_{dimension}_{k}"])
                        yield Rating(system, sample, dimension, rater, value)

    def _rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        path = self.path(FILE)
        parts = read_json(path)
        rows = parts.get(self.split) if isinstance(parts, dict) else None
        if not isinstance(rows, list) or not rows:
            raise InputError(f"{path}: no list {self.split!r}, expected outputs with their grades.")
        for k, row in enumerate(rows, 1):
            yield f"{path}, {self.split}, item {k}", row
