"""Perturbed documents: 60 simplifications by ChatGPT, each beside the same text with one kind of error put in.

The unharmed text is the system ChatGPT, the harmed one ChatGPT-perturbed; by construction the first is the better one,
which is a rating of 1 against 0. Paragraphs are those of onestopqa, with the same ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus, Rating, Ratings
from . import Card, Dataset
from ._files import complaining
from ._judged import CITATION, gather, read_rows

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
class Perturbed(Dataset):
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
            "No people: the rater 'construction' gives the unharmed text 1 and the harmed one 0; the dimension is the error.",
            "Some harmed texts are made of the same n-grams as the unharmed ones: count ties apart.",
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
        found = []
        for row in read_rows(self.path(FILES[self.error]), ["1", "2"]):
            with complaining(row.where):
                ((dimension, (choice,)),) = row.judgements.items()
            found += [
                Rating(system, str(row.document), dimension, "construction", float(side == choice))
                for side, system in enumerate(SYSTEMS)
            ]
        return Ratings(found)
