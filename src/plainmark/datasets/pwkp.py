"""PWKP: 100 test and 205 validation sentences of Wikipedia with one simplification each, and 12 systems' outputs.

Among the systems are Complex (the source itself) and Reference (the reference itself). Texts are tokenised; outputs of
systems whose file ends in .low are lower-cased.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus
from ..files import read_lines
from . import Card, Dataset
from ._readers import read_references
from ._wikipedia import line_corpora

SIZES = {"test": 100, "valid": 205}
OUTPUTS = {
    f"pwkp/outputs/{file}": file.partition(".")[0]
    for file in (
        "Complex.tok",
        "Dress-Ls.tok",
        "Dress.tok",
        "EditNTS.tok.low",
        "EncDecA.tok",
        "Hybrid.tok.low",
        "Moses.tok.low",
        "PBMT-R.tok",
        "QG+ILP.tok",
        "Reference.tok",
        "TSM.tok",
        "UNSUP.tok",
    )
}


@dataclass(frozen=True)
class PWKP(Dataset):
    """Sentences of Wikipedia with one reference, and 12 systems' outputs on the test part."""

    split: Annotated[Literal["test", "valid"], "which sentences; the others have no systems' outputs"] = (
        "test"
    )

    card = Card(
        title="PWKP",
        about="sentences of Wikipedia with one reference each and 12 systems' outputs",
        level="sentence",
        samples=100,
        systems=12,
        licence="GPL-3.0 (the repository's); the sentences are Wikipedia's, CC BY-SA",
        citation="Zhu et al. 2010, A Monolingual Tree-based Translation Model for Sentence Simplification",
        also=("WikiSmall",),
        notes=(
            "EditNTS, Hybrid and Moses are lower-cased, all others are not; compare them case-insensitively.",
            "split='valid' has 205 sentences and no systems: the output of 'reference' is the reference.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        texts = (f"pwkp/pwkp.{self.split}.orig", f"pwkp/pwkp.{self.split}.simp")
        return (*texts, *(OUTPUTS if self.split == "test" else ()))

    def corpora(self) -> dict[str, Corpus]:
        n = SIZES[self.split]
        source, reference, *others = [self.path(name) for name in self.files()]
        outputs = dict(zip(OUTPUTS.values(), others, strict=False))  # none for split='valid'
        return line_corpora(read_lines(source, n), read_references([reference], n), outputs)
