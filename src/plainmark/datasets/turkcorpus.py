"""TurkCorpus: 359 test and 2,000 tuning sentences of Wikipedia with eight simplifications each.

`tokens='detok'` is the detokenised, true-cased text that EASSE uses, with eight systems' outputs on the test sentences;
`tokens='tok'` the released tokenised one, with the outputs of Xu et al. 2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus
from ..files import read_lines
from . import Card, Dataset
from ._readers import read_references
from ._wikipedia import OUTPUTS, SENTENCES, line_corpora

SIZES = {"test": SENTENCES, "tune": 2000}
# Xu et al. 2016; the tuned systems are named after their objectives.
TOKENISED_SYSTEMS = {
    "turkcorpus/systemoutputs/sari30it.test.output.1best": "SBMT-SARI",
    "turkcorpus/systemoutputs/glbleu30it.test.output.1best": "SBMT-FKBLEU",
    "turkcorpus/systemoutputs/bleu30it.test.output.1best": "SBMT-BLEU",
    "turkcorpus/systemoutputs/moses.test.output.1rerank": "PBMT-R",
    "turkcorpus/test.8turkers.tok.simp": "Simple",  # Simple Wikipedia's own sentences
}


@dataclass(frozen=True)
class TurkCorpus(Dataset):
    """Sentences of Wikipedia with eight references each, and systems' outputs on the test part."""

    split: Annotated[Literal["test", "tune"], "which sentences; the tuning ones have no systems' outputs"] = (
        "test"
    )
    tokens: Annotated[Literal["detok", "tok"], "detokenised and true-cased, or as released"] = "detok"

    card = Card(
        title="TurkCorpus",
        about="sentences of Wikipedia with eight references each and eight systems' outputs",
        level="sentence",
        samples=359,
        systems=8,
        licence="GPL-3.0 (the repositories'); the sentences are Wikipedia's, CC BY-SA",
        citation="Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification",
        also=("turk", "turkcorpus_test"),
        notes=(
            "The tuning part (split='tune') has texts only: the output of its one system, 'reference', is the first reference.",
            "tokens='tok' has four systems, SBMT-SARI, SBMT-FKBLEU, SBMT-BLEU and PBMT-R, and Simple Wikipedia's sentences as Simple.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (self._source(), *self._references(), *self._systems())

    def corpora(self) -> dict[str, Corpus]:
        n = SIZES[self.split]
        sources = read_lines(self.path(self._source()), n)
        references = read_references([self.path(name) for name in self._references()], n)
        outputs = {system: self.path(name) for name, system in self._systems().items()}
        return line_corpora(sources, references, outputs)

    def _source(self) -> str:
        if self.tokens == "tok":
            return f"turkcorpus/{self.split}.8turkers.tok.norm"
        return f"turkcorpus-detok/{self.split}.truecase.detok.orig"

    def _references(self) -> list[str]:
        if self.tokens == "tok":
            return [f"turkcorpus/{self.split}.8turkers.tok.turk.{i}" for i in range(8)]
        return [f"turkcorpus-detok/{self.split}.truecase.detok.simp.{i}" for i in range(8)]

    def _systems(self) -> dict[str, str]:
        if self.split == "tune":
            return {}
        return TOKENISED_SYSTEMS if self.tokens == "tok" else OUTPUTS
