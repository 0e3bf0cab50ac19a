"""CEFR-SP: English sentences with their CEFR level by two people, 1 (A1) to 6 (C2).

Source and output of a sample are the sentence itself, tokenised as released. Sample ids are part/line (wikiauto/1),
counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import read_lines
from . import TEXT, Card, Dataset
from ._readers import cefr_level

NAMES = {"wikiauto": "Wikiauto", "score": "SCoRE"}
RATERS = ("A", "B")


@dataclass(frozen=True)
class CEFRSP(Dataset):
    """English sentences with CEFR levels by two people."""

    split: Annotated[Literal["train", "dev"], "which sentences"] = "train"
    part: Annotated[
        Literal["all", "wikiauto", "score"], "sentences of Wikipedia, of the teaching corpus SCoRE, or both"
    ] = "all"

    card = Card(
        title="CEFR-SP",
        about="English sentences with their CEFR level by two people, from 1 (A1) to 6 (C2)",
        level="sentence",
        samples=7178,
        systems=1,
        ratings=14356,
        dimensions=("level",),
        lower_is_better=("level",),
        licence="Wiki-Auto: CC BY-SA 3.0; SCoRE: CC BY-NC-SA 4.0",
        citation="Arase et al. 2022, CEFR-Based Sentence Difficulty Annotation and Assessment",
        also=("CEFR-SP",),
        notes=(
            "Single sentences, not simplifications: source and output are the sentence. Higher is more difficult.",
            "split='dev' has 1,366 sentences. The test part is not in this set.",
            "part='wikiauto' (5,990 and 701 sentences) is under CC BY-SA; SCoRE (1,188 and 665) allows non-commercial use"
            " only.",
            "The two people differ by one level at most; they agree on 43 % of the sentences for training.",
            "One sentence of Wiki-Auto occurs twice. The part on Newsela is not released.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        parts = NAMES if self.part == "all" else (self.part,)
        return tuple(f"cefr/cefr-sp/CEFR-SP_{NAMES[part]}_{self.split}.txt" for part in parts)

    def corpora(self) -> dict[str, Corpus]:
        ids, sentences = zip(*((sample, sentence) for sample, sentence, _ in self._rows()), strict=True)
        return {TEXT: Corpus(sentences, sentences, ids=ids, name=TEXT)}

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(TEXT, sample, "level", rater, level)
            for sample, _, levels in self._rows()
            for rater, level in zip(RATERS, levels, strict=True)
        )

    def _rows(self) -> Iterator[tuple[str, str, tuple[float, ...]]]:
        """Sample id, sentence and the levels of both people."""
        for name, part in zip(self.files(), NAMES if self.part == "all" else (self.part,), strict=True):
            path = self.path(name)
            lines = read_lines(path)
            if not lines:
                raise InputError(f"{path}: empty, expected a sentence and two levels on each line.")
            for k, line in enumerate(lines, 1):
                cells = line.split("\t")
                if len(cells) != 3:
                    raise InputError(
                        f"{path}, line {k}: {len(cells)} cells, expected a sentence and two levels."
                    )
                levels = tuple(cefr_level(cell, f"{path}, line {k}") for cell in cells[1:])
                yield f"{part}/{k}", cells[0], levels
