"""ATS-EVAL: readers' answers to three questions on each of 60 paragraphs, read in one of eleven versions.

The source of every sample is the version Original and its reference the version Elementary. Accuracy and answerability
are 100 or 0 for each question, as in onestopqa. An answer is right if it equals the right one apart from spaces around it.
Sample ids are article/paragraph as in the file (0/1 to 29/2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import table_rows
from . import Card, Dataset

FILE = "ats-eval/all-ann-final-model-paper.csv"
NOT_SUPPORTED = "The question or the answer options are not supported by the passage."
QUESTIONS = (1, 2, 3)
COLUMNS = (
    "article_id",
    "para_id",
    "Model",
    "paragraph",
    *(f"{part}_{k}" for k in QUESTIONS for part in ("question", "answer", "correct_answer")),
)


@dataclass(frozen=True)
class ReaderAnswer:
    """A reader's answer to one question about one version."""

    system: str
    sample: str
    number: int
    question: str
    correct: str
    response: str

    @property
    def is_correct(self) -> bool:
        return self.response.strip() == self.correct.strip()

    @property
    def is_answered(self) -> bool:
        """Whether the reader did not choose "not supported by the passage"."""
        return self.response.strip() != NOT_SUPPORTED


@dataclass(frozen=True)
class ATSEval(Dataset):
    """Newspaper paragraphs in eleven versions with the answers of their readers."""

    card = Card(
        title="ATS-EVAL",
        about="newspaper paragraphs in eleven versions, with every reader's answers to three questions",
        level="document",
        samples=62,
        systems=11,
        ratings=3960,
        dimensions=("accuracy", "answerability"),
        raters="questions",
        licence="CC BY-SA 4.0",
        citation="Agrawal and Carpuat 2024, Do Text Simplification Systems Preserve Meaning? A Human Evaluation via Reading"
        " Comprehension",
        notes=(
            "MUSS-Unsup was read twice on two paragraphs and not at all on two others: the second readings have the ids"
            " 17/1#2 and 26/1#2, and 20/1 and 24/1 are missing.",
            "The raters 1 to 3 of a sample are its three questions.",
            "answers() gives the questions and answers themselves.",
            "One of EditCL-Grade7's answers has a line break at its end; it counts as right (70.00 %, printed as 69.44).",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        rows = list(self._rows())
        versions = {(row["Model"], place): row["paragraph"] for _, place, _, row in rows}
        systems: dict[str, list[tuple[str, str, str, str]]] = {}
        for location, place, sample, row in rows:
            source, reference = versions.get(("Original", place)), versions.get(("Elementary", place))
            if source is None or reference is None:
                raise InputError(
                    f"{location}: paragraph {place} has no version Original or no version Elementary."
                )
            systems.setdefault(row["Model"], []).append((sample, source, row["paragraph"], reference))
        return {
            system: Corpus(sources, outputs, references, ids=ids, name=system)
            for system, samples in systems.items()
            for ids, sources, outputs, references in [list(zip(*samples, strict=True))]
        }

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(a.system, a.sample, dimension, str(a.number), 100.0 * good)
            for a in self.answers()
            for dimension, good in (("accuracy", a.is_correct), ("answerability", a.is_answered))
        )

    def answers(self) -> list[ReaderAnswer]:
        """Every answer, in the order of the file."""
        return [
            ReaderAnswer(
                row["Model"], sample, k, row[f"question_{k}"], row[f"correct_answer_{k}"], row[f"answer_{k}"]
            )
            for _, _, sample, row in self._rows()
            for k in QUESTIONS
        ]

    def _rows(self) -> Iterator[tuple[str, str, str, dict[str, str]]]:
        """Location, paragraph, sample id and content of every row."""
        seen: dict[tuple[str, str], int] = {}
        for location, row in table_rows(self.path(FILE), COLUMNS):
            place = f"{row['article_id']}/{row['para_id']}"
            times = seen[row["Model"], place] = seen.get((row["Model"], place), 0) + 1
            yield location, place, place if times == 1 else f"{place}#{times}", row
