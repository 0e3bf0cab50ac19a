"""HSplit: the 359 test sentences of TurkCorpus, split by people in four versions without other changes.

The output of the one system, 'reference', is the first version; all four are references.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..data import Corpus
from ..files import read_lines
from . import Card, Dataset
from ._readers import read_references
from ._wikipedia import SENTENCES, line_corpora


@dataclass(frozen=True)
class HSplit(Dataset):
    """Sentences of Wikipedia, split by people in four versions."""

    card = Card(
        title="HSplit",
        about="sentences of Wikipedia split by people, in four versions",
        level="sentence",
        samples=SENTENCES,
        systems=1,
        licence="GPL-3.0 (the repository's); the sentences are Wikipedia's, CC BY-SA",
        citation="Sulem et al. 2018, BLEU is Not Suitable for the Evaluation of Text Simplification",
        notes=(
            "Sources and references are tokenised, and the sources lower-cased; compare them case-insensitively.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return ("hsplit/hsplit.tok.src", *(f"hsplit/hsplit.tok.{i}" for i in range(1, 5)))

    def corpora(self) -> dict[str, Corpus]:
        source, *others = [self.path(name) for name in self.files()]
        return line_corpora(read_lines(source, SENTENCES), read_references(others, SENTENCES), {})
