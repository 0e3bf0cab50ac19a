"""The 359 test sentences that TurkCorpus, ASSET, HSplit and several sets of ratings share; ids are line numbers from 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..data import Corpus
from ..errors import InputError
from ..files import read_lines, table_rows
from . import REFERENCE, Dataset
from ._readers import read_references

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
        """Read the references of one of the data sets that share the sentences."""
        paths = [dataset.path(name) for name in REFERENCES[which]]
        return cls(read_references(paths, SENTENCES) if paths else [])

    def for_ids(self, ids: Sequence[str]) -> list[tuple[str, ...]] | None:
        """The references of the sentences with these ids."""
        return [self.table[line(sample) - 1] for sample in ids] if self.table else None


def line(sample: str) -> int:
    """The line number of a test sentence, which is its id."""
    number = int(sample) if sample.isascii() and sample.isdigit() else 0
    if not 1 <= number <= SENTENCES:
        raise InputError(f"sentence {sample[:20]!r}: expected a number from 1 to {SENTENCES}.")
    return number


def line_corpora(
    sources: Sequence[str], references: Sequence[Sequence[str]], outputs: Mapping[str, str]
) -> dict[str, Corpus]:
    """One corpus per system, from the path of its outputs; without systems, the first reference is the output."""
    base = Corpus(sources, [first for first, *_ in references], references, name=REFERENCE)
    if not outputs:
        return {REFERENCE: base}
    return {
        system: base.with_outputs(read_lines(path, len(sources)), name=system)
        for system, path in outputs.items()
    }


def rated_corpora(dataset: Dataset, file: str, references: References) -> dict[str, Corpus]:
    """The corpora of a table with the columns of Alva-Manchego et al. 2021."""
    columns = ("sys_name", "sent_id", "orig_sent", "simp_sent")
    rows = table_rows(dataset.path(file), columns)
    return by_system(dataset, references, ([row[c] for c in columns] for _, row in rows))


def by_system(dataset: Dataset, references: References, rows: Iterable[list[str]]) -> dict[str, Corpus]:
    """One corpus per system, from (system, sentence, source, output)."""
    table = SharedReferences.read(dataset, references)
    systems: dict[str, list[list[str]]] = {}
    for system, *sample in rows:
        systems.setdefault(system, []).append(sample)
    return {
        system: Corpus(sources, outputs, table.for_ids(ids), ids=ids, name=system)
        for system, samples in systems.items()
        for ids, sources, outputs in [list(zip(*samples, strict=True))]
    }
