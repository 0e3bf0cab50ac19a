"""PLABA: 749 biomedical abstracts rewritten sentence by sentence for everyone.

As documents, the output of the one system, 'reference', is the first adaptation of an abstract, its sentences joined by
spaces; all its adaptations are references. As sentences (level='sentence'), a sample is a sentence with its adaptation,
with the id abstract/sentence; a sentence that the adaptation leaves out has an empty output.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus
from ..errors import InputError
from ..files import read_json
from . import REFERENCE, Card, Dataset
from ._files import complaining, text

FILE = "plaba/data.json"


@dataclass(frozen=True)
class Abstract:
    """An abstract and its adaptations, each with as many sentences; what an adaptation leaves out is empty."""

    id: str  # PubMed's
    numbers: tuple[str, ...]  # of the sentences
    sentences: tuple[str, ...]
    adaptations: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PLABA(Dataset):
    """Biomedical abstracts with adaptations aligned sentence by sentence."""

    level: Annotated[Literal["document", "sentence"], "whole abstracts, or aligned sentences"] = "document"

    card = Card(
        title="PLABA",
        about="biomedical abstracts adapted sentence by sentence for everyone",
        level="document",
        samples=749,
        systems=1,
        licence="none stated",
        citation="Attal et al. 2023, A dataset for plain language adaptation of biomedical abstracts",
        notes=(
            "171 abstracts have two adaptations, all others one; the first is the output, all are references.",
            "level='sentence' has 7,612 aligned sentences, of which the adaptation leaves out those with an empty output.",
            "aligned() gives the sentence pairs of each abstract.",
            "Four adaptations are shorter than their abstract; what follows their end counts as left out.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        found = self.abstracts()
        if self.level == "document":
            references = [tuple(_joined(a) for a in one.adaptations) for one in found]
            sources, ids = [_joined(one.sentences) for one in found], [one.id for one in found]
        else:
            sources = [s for one in found for s in one.sentences]
            references = [versions for one in found for versions in zip(*one.adaptations, strict=True)]
            ids = [f"{one.id}/{number}" for one in found for number in one.numbers]
        outputs = [versions[0] for versions in references]
        return {REFERENCE: Corpus(sources, outputs, references, ids=ids, name=REFERENCE)}

    def aligned(self) -> dict[str, list[tuple[str, str]]]:
        """Sentences of each abstract with what the first adaptation makes of them (empty: left out), by sample id."""
        return {one.id: list(zip(one.sentences, one.adaptations[0], strict=True)) for one in self.abstracts()}

    def abstracts(self) -> list[Abstract]:
        """Everything as it is in the file."""
        path, found = self.path(FILE), []
        with complaining(path):
            for group, question in read_json(path).items():
                for key, entry in question.items():
                    if isinstance(entry, dict):
                        with complaining(f"{path}, question {group}, abstract {key}"):
                            found.append(_abstract(key, entry))
        if not found:
            raise InputError(f"{path}: no abstracts, expected questions with abstracts in them.")
        return found


def _abstract(key: str, entry: dict[str, dict[str, object]]) -> Abstract:
    numbers = tuple(entry["abstract"])
    adaptations = tuple(
        tuple(text(version.get(number, "")) for number in numbers)  # type: ignore[attr-defined]
        for version in entry["adaptations"].values()
    )
    return Abstract(key, numbers, tuple(text(s) for s in entry["abstract"].values()), adaptations)


def _joined(sentences: tuple[str, ...]) -> str:
    return " ".join(s for s in sentences if s)
