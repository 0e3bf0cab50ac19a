"""Tables with a system, a test sentence, its source and an output a row."""

from __future__ import annotations

from collections.abc import Iterable

from ..data import Corpus
from ..files import table_rows
from . import Dataset
from ._wikipedia import References, SharedReferences


def corpora_of(dataset: Dataset, file: str, references: References) -> dict[str, Corpus]:
    """The corpora of a table with the columns of Alva-Manchego et al. 2021."""
    columns = ("sys_name", "sent_id", "orig_sent", "simp_sent")
    rows = table_rows(dataset.path(file), columns)
    return gather(dataset, references, ([row[c] for c in columns] for _, row in rows))


def gather(dataset: Dataset, references: References, rows: Iterable[list[str]]) -> dict[str, Corpus]:
    """A corpus for each system, from (system, sentence, source, output)."""
    table = SharedReferences.read(dataset, references)
    systems: dict[str, list[list[str]]] = {}
    for system, *sample in rows:
        systems.setdefault(system, []).append(sample)
    return {
        system: Corpus(sources, outputs, table.of(ids), ids=ids, name=system)
        for system, samples in systems.items()
        for ids, sources, outputs in [list(zip(*samples, strict=True))]
    }
