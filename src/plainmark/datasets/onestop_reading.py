"""OneStopQA: 162 paragraphs of the Guardian at three levels, 486 questions on them, and answers given in a laboratory.

The source is the Advanced version, the reference the Elementary one; all three levels are systems. Sample ids are
article/paragraph, both counted from 1 in the order of the file. Accuracy is 100 for a right answer and 0 for a wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import read_json, table_rows
from . import Card, Dataset
from ._readers import reporting_errors, text

TEXTS, ANSWERS = "onestop-qa/onestop_qa.json", "onestop-qa/qa_mit_lab.tsv"
LEVELS = {"Adv": "Advanced", "Int": "Intermediate", "Ele": "Elementary"}
# The laboratory study numbered the articles in another order, which was recovered from their texts; tests check the
# mapping.
ARTICLES = dict(enumerate((9, 15, 22, 30, 20, 23, 11, 3, 29, 24, 25, 19, 28, 8, 2, 26, 27, 21, 5, 12), 1))


@dataclass(frozen=True)
class ReadingQuestion:
    """A question on a paragraph; the first of the four answers is right, the second misreads the critical text."""

    sample: str
    number: int
    question: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class OneStopReading(Dataset):
    """Newspaper paragraphs at three levels with questions, and answers given in a laboratory."""

    card = Card(
        title="OneStopQA",
        about="newspaper paragraphs at three levels with 486 questions and answers given in a laboratory",
        level="document",
        samples=162,
        systems=3,
        ratings=215,
        dimensions=("accuracy",),
        licence="CC BY-SA 4.0",
        citation="Berzak et al. 2020, STARC: Structured Annotations for Reading Comprehension",
        also=("OneStopQA", "OneStopEnglish with questions"),
        notes=(
            "questions() gives the questions with their four answers; the first is right.",
            "The reference of every sample is its Elementary version, so the system Elementary equals it.",
            "Answers are those of 12 people to questions on Advanced and Elementary paragraphs of 20 articles; their answers"
            " on RACE, in the same file, are left out.",
            "The ratings of simplification systems on these paragraphs are onestopqa and ats_eval.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (TEXTS, ANSWERS)

    def corpora(self) -> dict[str, Corpus]:
        ids: list[str] = []
        versions: dict[str, list[str]] = {level: [] for level in LEVELS}
        for sample, location, paragraph in self._paragraphs():
            ids.append(sample)
            with reporting_errors(location):
                for level, texts in versions.items():
                    texts.append(text(paragraph[level]["context"]))
        base = Corpus(versions["Adv"], versions["Adv"], versions["Ele"], ids=ids)
        return {name: base.with_outputs(versions[level], name=name) for level, name in LEVELS.items()}

    def simpler(self) -> dict[str, str]:
        """The Intermediate version of each paragraph: simpler than the source, and not the reference."""
        middle = self.corpora()["Intermediate"]
        return dict(zip(middle.ids, middle.outputs, strict=True))

    def ratings(self) -> Ratings:
        ratings = []
        columns = ("item_id", "source", "answer_response", "submission_ind")
        for location, row in table_rows(self.path(ANSWERS), columns):
            if row["source"] != "Onestop":
                continue
            item = re.fullmatch(r"os(\d{1,2})_(\d{1,2})_[123]_(Adv|Int|Ele)", row["item_id"])
            if item is None or int(item[1]) not in ARTICLES:
                raise InputError(
                    f"{location}: item {row['item_id']!r}, expected os, article, paragraph, question and level."
                )
            sample = f"{ARTICLES[int(item[1])]}/{item[2]}"
            right = 100.0 * (row["answer_response"] == "0")
            ratings.append(Rating(LEVELS[item[3]], sample, "accuracy", row["submission_ind"], right))
        return Ratings(ratings)

    def questions(self) -> list[ReadingQuestion]:
        """Every question, in the order of the file."""
        questions = []
        for sample, location, paragraph in self._paragraphs():
            with reporting_errors(location):
                questions += [
                    ReadingQuestion(sample, number, text(q["question"]), tuple(text(a) for a in q["answers"]))
                    for number, q in enumerate(paragraph["qas"], 1)
                ]
        return questions

    def _paragraphs(self) -> list[tuple[str, str, dict[str, Any]]]:
        path = self.path(TEXTS)
        with reporting_errors(path):
            return [
                (f"{i}/{k}", f"{path}, article {i}, paragraph {k}", paragraph)
                for i, article in enumerate(read_json(path)["data"], 1)
                for k, paragraph in enumerate(article["paragraphs"], 1)
            ]
