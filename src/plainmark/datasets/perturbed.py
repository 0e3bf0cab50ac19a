"""Perturbed documents: 60 simplifications by ChatGPT, each beside the same text with one kind of error inserted.

The unperturbed text is the system ChatGPT, the perturbed one ChatGPT-perturbed; by construction the first is the better
one, which is a rating of 1 against 0. Paragraphs are those of onestopqa, with the same ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from ..data import Corpus, Rating, Ratings
from . import Card, Dataset, data_folder
from ._readers import CITATION, gather, read_rows, reporting_errors

FILES = {
    "deletion": "doc-meta/peturb_deletion.jsonl",
    "indomain": "doc-meta/peturb_indomain.jsonl",
    "outdomain": "doc-meta/peturb_outdomain.jsonl",
    "fluency": "doc-meta/peturb_fluency.jsonl",
    "coherence": "doc-meta/peturb_coherence_v2.jsonl",
    "copy": "doc-meta/peturb_copy_v2.jsonl",
}
# Released with the others but not used in the paper; no verified copy is available for download.
FURTHER_FILES = {
    "paraphrasing": "doc-meta/peturb_paraphrasing.jsonl",
    "punctuation": "doc-meta/peturb_punctuation.jsonl",
    "repetition": "doc-meta/peturb_repetition.jsonl",
}
SYSTEMS = ("ChatGPT", "ChatGPT-perturbed")


@dataclass(frozen=True)
class PerturbedDocuments(Dataset):
    """Simplified paragraphs beside the same paragraphs with errors of one kind."""

    error: Annotated[
        Literal[
            "deletion",
            "indomain",
            "outdomain",
            "fluency",
            "coherence",
            "copy",
            "paraphrasing",
            "punctuation",
            "repetition",
        ],
        "longest sentences left out; sentences made up, about the topic or about another; words out of order; "
        "sentences out of order; the source copied with few changes; sentences reworded; commas dropped and full stops "
        "put in; sentences and phrases said twice",
    ] = "deletion"

    card = Card(
        title="Perturbed documents",
        about="simplified paragraphs beside the same with inserted errors: error=deletion, indomain, outdomain, fluency,"
        " coherence, copy, paraphrasing, punctuation or repetition",
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
            "Paraphrasing, punctuation and repetition are not in the paper; a paraphrase need not be worse, though the file says so.",
            "Some perturbed texts consist of the same n-grams as the unperturbed ones: count ties separately.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (_file(self.error),)

    def variants(self) -> Iterator[Self]:
        """The six sets of the paper; the other ones cannot be downloaded."""
        return (v for v in super().variants() if v.error in FILES)

    def _needs(self, absent: Sequence[str]) -> str:
        if self.error in FURTHER_FILES:
            return (
                f"needs {absent[0]} in {self.folder or data_folder()}, put there by hand: its address is "
                "https://github.com/cardiffnlp/document-simplification, meta_evaluation/eval_datasets/"
            )
        return super()._needs(absent)

    def corpora(self) -> dict[str, Corpus]:
        return gather(
            [
                (system, str(row.document), row, output)
                for row in read_rows(self.path(_file(self.error)), ["1", "2"])
                for system, output in zip(SYSTEMS, row.outputs, strict=True)
            ]
        )

    def ratings(self) -> Ratings:
        ratings = []
        for row in read_rows(self.path(_file(self.error)), ["1", "2"]):
            with reporting_errors(row.location):
                ((dimension, (choice,)),) = row.judgements.items()
            ratings += [
                Rating(system, str(row.document), dimension, "construction", float(side == choice))
                for side, system in enumerate(SYSTEMS)
            ]
        return Ratings(ratings)


def _file(error: str) -> str:
    return (FILES | FURTHER_FILES)[error]
