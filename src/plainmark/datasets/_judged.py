"""The JSON lines of Maddela and Alva-Manchego 2025: an original, one or two simplifications of it, references, judgements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..data import Corpus
from ..files import json_objects
from ._files import complaining, text

CITATION = "Maddela and Alva-Manchego 2025, Adapting Sentence-level Automatic Metrics for Document-level Simplification Evaluation"


@dataclass(frozen=True)
class Row:
    """One row of a file; documents are numbered as they first appear in it."""

    where: str  # its place, for complaints
    document: int
    source: str
    references: tuple[str, ...]
    outputs: tuple[str, ...]
    systems: tuple[str, ...]  # empty where the file does not name them
    judgements: dict[str, tuple[float, ...]]  # dimension -> what each judge said


def read_rows(path: str, endings: Sequence[str], *, named: bool = True) -> Iterator[Row]:
    """The rows of a file whose outputs are in simplification and systems in system + each of the endings."""
    documents: dict[str, int] = {}
    for where, row in json_objects(path):
        with complaining(where):
            source = text(row["original"])
            judgements = {text(j["name"]): tuple(float(v) for v in j["value"]) for j in row["ratings"]}
            made = Row(
                where,
                documents.setdefault(source, len(documents) + 1),
                source,
                tuple(text(r) for r in row["references"]),
                tuple(text(row[f"simplification{e}"]) for e in endings),
                tuple(text(row[f"system{e}"]) for e in endings if named),
                judgements,
            )
        yield made


def gather(samples: Sequence[tuple[str, str, Row, str]]) -> dict[str, Corpus]:
    """A corpus for each system, from (system, sample id, row, output) in the order of the file."""
    systems: dict[str, list[tuple[str, str, Row, str]]] = {}
    for sample in samples:
        systems.setdefault(sample[0], []).append(sample)
    return {
        system: Corpus(
            [row.source for _, _, row, _ in own],
            [output for _, _, _, output in own],
            [row.references for _, _, row, _ in own],
            ids=[sample for _, sample, _, _ in own],
            name=system,
        )
        for system, own in systems.items()
    }
