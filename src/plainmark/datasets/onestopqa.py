"""ONESTOPQA as rated by readers: 60 paragraphs in 11 versions, and whether three questions could be answered from each.

Accuracy is the share of right answers and answerability the share of questions that were answered at all, in percent.
Each of the three questions is a "rater" of a version: 100 or 0. Sample ids are the paragraphs, 1 to 60.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..data import Corpus, Rating, Ratings
from . import Card, Dataset
from ._readers import CITATION, gather, read_rows, reporting_errors

FILE = "doc-meta/qa.jsonl"
# Name in the file -> dimension, and the values that an answer's 0 and 1 mean.
DIMENSIONS = {
    "Correct answer (out of 3)": ("accuracy", (0.0, 100.0)),
    "Non answer (out of 3)": ("answerability", (100.0, 0.0)),
}


@dataclass(frozen=True)
class OneStopQA(Dataset):
    """Newspaper paragraphs in eleven versions with readers' success at three questions on each."""

    card = Card(
        title="ONESTOPQA, readers' answers",
        about="newspaper paragraphs in eleven versions, with readers' answers to three questions each",
        level="document",
        samples=60,
        systems=11,
        ratings=3948,
        dimensions=("accuracy", "answerability"),
        raters="questions",
        licence="none stated",
        citation=f"Agrawal and Carpuat 2024, Do Text Simplification Systems Preserve Meaning?; as released by {CITATION}",
        also=("ONESTOPQA (human ratings)",),
        notes=(
            "The systems Original (the source itself) and Elementary (the reference itself) are among the eleven.",
            "A single system, KIS, causes most of the correlations; compute them without it, too.",
            "MUSS-Unsup has 58 paragraphs, all others 60.",
            "The raters 1 to 3 of a sample are its three questions; the file has one reader for each version.",
            "The answers themselves are in ats_eval; the texts at three levels with all questions in onestop_reading.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        rows = read_rows(self.path(FILE), [""])
        return gather([(row.systems[0], str(row.document), row, row.outputs[0]) for row in rows])

    def ratings(self) -> Ratings:
        ratings = []
        for row in read_rows(self.path(FILE), [""]):
            with reporting_errors(row.location):
                for name, values in row.judgements.items():
                    dimension, scale = DIMENSIONS[name]
                    ratings += [
                        Rating(row.systems[0], str(row.document), dimension, str(question), scale[int(value)])
                        for question, value in enumerate(values, 1)
                    ]
        return Ratings(ratings)
