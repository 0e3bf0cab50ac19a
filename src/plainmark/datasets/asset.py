"""ASSET: 359 test and 2,000 validation sentences of Wikipedia with ten simplifications each.

The sentences are those of TurkCorpus; the systems are those whose outputs EASSE contains. Human judgements are in
asset_ratings (of systems' outputs) and asset_preferences (of ASSET against TurkCorpus and HSplit).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus
from ..files import read_lines
from . import Card, Dataset
from ._readers import read_references
from ._wikipedia import OUTPUTS, SENTENCES, line_corpora

SIZES = {"test": SENTENCES, "valid": 2000}


@dataclass(frozen=True)
class ASSET(Dataset):
    """Sentences of Wikipedia with ten references each, and systems' outputs on the test part."""

    split: Annotated[Literal["test", "valid"], "which sentences; the others have no systems' outputs"] = (
        "test"
    )

    card = Card(
        title="ASSET",
        about="sentences of Wikipedia with ten references each and eight systems' outputs",
        level="sentence",
        samples=SENTENCES,
        systems=8,
        licence="CC BY-NC 4.0; the outputs: GPL-3.0 repository",
        citation="Alva-Manchego et al. 2020, ASSET: A Dataset for Tuning and Evaluation of Sentence Simplification Models",
        notes=(
            "split='valid' has texts only: the output of its one system, 'reference', is the first reference.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        texts = ("orig", *(f"simp.{i}" for i in range(10)))
        systems = OUTPUTS if self.split == "test" else {}
        return (*(f"asset/asset.{self.split}.{end}" for end in texts), *systems)

    def corpora(self) -> dict[str, Corpus]:
        n = SIZES[self.split]
        source, *others = [self.path(name) for name in self.files()]
        outputs = dict(zip(OUTPUTS.values(), others[10:], strict=False))  # none for split='valid'
        return line_corpora(read_lines(source, n), read_references(others[:10], n), outputs)
