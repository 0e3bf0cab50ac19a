"""The 359 test sentences that TurkCorpus, ASSET, HSplit and several sets of ratings share; ids are their lines, from 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..errors import InputError
from . import Dataset
from ._files import read_references

SENTENCES = 359
# Outputs on the test sentences, detokenised and true-cased.
OUTPUTS = {
    f"outputs/{name}": name
    for name in ("ACCESS", "DMASS-DCSS", "Dress-Ls", "EditNTS", "Hybrid", "PBMT-R", "SBMT-SARI", "UNTS")
}
References = Literal["asset", "turkcorpus", "none"]
REFERENCES: dict[str, tuple[str, ...]] = {
    "asset": tuple(f"asset/asset.test.simp.{i}" for i in range(10)),
    "turkcorpus": tuple(f"turkcorpus-detok/test.truecase.detok.simp.{i}" for i in range(8)),
    "none": (),
}


@dataclass(frozen=True)
class SharedReferences:
    """The references of the test sentences in another data set, or none."""

    table: list[tuple[str, ...]]

    @classmethod
    def read(cls, dataset: Dataset, which: References) -> SharedReferences:
        paths = [dataset.path(name) for name in REFERENCES[which]]
        return cls(read_references(paths, SENTENCES) if paths else [])

    def of(self, ids: Sequence[str]) -> list[tuple[str, ...]] | None:
        """The references of the sentences with these ids."""
        return [self.table[line(sample) - 1] for sample in ids] if self.table else None


def line(sample: str) -> int:
    """The line of a test sentence."""
    number = int(sample) if sample.isascii() and sample.isdigit() else 0
    if not 1 <= number <= SENTENCES:
        raise InputError(f"sentence {sample[:20]!r}: expected a number from 1 to {SENTENCES}.")
    return number
