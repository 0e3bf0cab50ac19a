"""PLABA: 749 biomedical abstracts rewritten sentence by sentence for lay readers.

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
from ._readers import reporting_errors, text

FILE = "plaba/data.json"


@dataclass(frozen=True)
class Abstract:
    """An abstract and its adaptations, all with the same number of sentences; a sentence that an adaptation omits is empty."""

    id: str  # the id in PubMed
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
            "aligned() gives the sentence pairs of each abstract, simpler() those of its second adaptation.",
            "Four adaptations are shorter than their abstract; the sentences after their end count as left out.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        abstracts = self.abstracts()
        if self.level == "document":
            references = [tuple(_joined(a) for a in abstract.adaptations) for abstract in abstracts]
            sources, ids = (
                [_joined(abstract.sentences) for abstract in abstracts],
                [abstract.id for abstract in abstracts],
            )
        else:
            sources = [s for abstract in abstracts for s in abstract.sentences]
            references = [
                versions for abstract in abstracts for versions in zip(*abstract.adaptations, strict=True)
            ]
            ids = [f"{abstract.id}/{number}" for abstract in abstracts for number in abstract.numbers]
        outputs = [versions[0] for versions in references]
        return {REFERENCE: Corpus(sources, outputs, references, ids=ids, name=REFERENCE)}

    def aligned(self) -> dict[str, list[tuple[str, str]]]:
        """Sentences of each abstract with their versions in the first adaptation (empty: left out), by sample id."""
        return {
            abstract.id: list(zip(abstract.sentences, abstract.adaptations[0], strict=True))
            for abstract in self.abstracts()
        }

    def simpler(self) -> dict[str, list[tuple[str, str]]]:
        """Sentences of each abstract with their versions in the second adaptation; empty if there is only one adaptation."""
        return {
            abstract.id: list(
                zip(
                    abstract.sentences,
                    abstract.adaptations[1]
                    if len(abstract.adaptations) > 1
                    else ("",) * len(abstract.sentences),
                    strict=True,
                )
            )
            for abstract in self.abstracts()
        }

    def abstracts(self) -> list[Abstract]:
        """The contents of the file."""
        path, abstracts = self.path(FILE), []
        with reporting_errors(path):
            for group, question in read_json(path).items():
                for key, entry in question.items():
                    if isinstance(entry, dict):
                        with reporting_errors(f"{path}, question {group}, abstract {key}"):
                            abstracts.append(_abstract(key, entry))
        if not abstracts:
            raise InputError(f"{path}: no abstracts, expected questions with abstracts in them.")
        return abstracts


def _abstract(key: str, entry: dict[str, dict[str, object]]) -> Abstract:
    numbers = tuple(entry["abstract"])
    adaptations = tuple(
        tuple(text(version.get(number, "")) for number in numbers)  # type: ignore[attr-defined]
        for version in entry["adaptations"].values()
    )
    return Abstract(key, numbers, tuple(text(s) for s in entry["abstract"].values()), adaptations)


def _joined(sentences: tuple[str, ...]) -> str:
    return " ".join(s for s in sentences if s)
