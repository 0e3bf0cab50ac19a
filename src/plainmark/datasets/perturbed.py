"""Perturbed documents: 60 simplifications by ChatGPT, each beside the same text with one kind of error put in.

The unperturbed text is the system ChatGPT, the perturbed one ChatGPT-perturbed; by construction the first is the better one,
which is a rating of 1 against 0. Paragraphs are those of onestopqa, with the same ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus, Rating, Ratings
from . import Card, Dataset
from ._readers import CITATION, gather, read_rows, reporting_errors

FILES = {
    "deletion": "doc-meta/peturb_deletion.jsonl",
    "indomain": "doc-meta/peturb_indomain.jsonl",
    "outdomain": "doc-meta/peturb_outdomain.jsonl",
    "fluency": "doc-meta/peturb_fluency.jsonl",
    "coherence": "doc-meta/peturb_coherence_v2.jsonl",
    "copy": "doc-meta/peturb_copy_v2.jsonl",
}
SYSTEMS = ("ChatGPT", "ChatGPT-perturbed")


@dataclass(frozen=True)
class PerturbedDocuments(Dataset):
    """Simplified paragraphs beside the same with errors of one kind."""

    error: Annotated[
        Literal["deletion", "indomain", "outdomain", "fluency", "coherence", "copy"],
        "longest sentences left out; sentences made up, about the topic or about another; words out of order; "
        "sentences out of order; the source copied with few changes",
    ] = "deletion"

    card = Card(
        title="Perturbed documents",
        about="simplified paragraphs beside the same with errors put in: error=deletion, indomain, outdomain, fluency,"
        " coherence or copy",
        level="document",
        samples=60,
        systems=2,
        ratings=120,
        dimensions=("deletion",),
        raters="construction",
        licence="none stated",
        citation=CITATION,
        also=(
            "peturb_deletion",
            "peturb_indomain",
            "peturb_outdomain",
            "peturb_fluency",
            "peturb_coherence_v2",
            "peturb_copy_v2",
        ),
        notes=(
            "No people: the rater 'construction' gives the unperturbed text 1 and the perturbed one 0; the dimension is the error.",
            "Some perturbed texts consist of the same n-grams as the unperturbed ones: count ties separately.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILES[self.error],)

    def corpora(self) -> dict[str, Corpus]:
        return gather(
            [
                (system, str(row.document), row, output)
                for row in read_rows(self.path(FILES[self.error]), ["1", "2"])
                for system, output in zip(SYSTEMS, row.outputs, strict=True)
            ]
        )

    def ratings(self) -> Ratings:
        ratings = []
        for row in read_rows(self.path(FILES[self.error]), ["1", "2"]):
            with reporting_errors(row.location):
                ((dimension, (choice,)),) = row.judgements.items()
            ratings += [
                Rating(system, str(row.document), dimension, "construction", float(side == choice))
                for side, system in enumerate(SYSTEMS)
            ]
        return Ratings(ratings)
