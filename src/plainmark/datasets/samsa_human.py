"""SAMSA's human evaluation: six systems and the reference on 100 sentences of PWKP, four questions, five people.

The questions are answered 1 (no), 2 (maybe) or 3 (yes): Qa, is the output grammatical? Qb, does it add information? Qc,
does it remove any? Qd, is its structure simpler? Answers to Qb and Qc are reversed (3 becomes 1), so that higher is better
for all questions. scores='paper' gives Sulem et al.'s scores instead: G = Qa, P = mean of Qb and Qc, S = Qd and AvgHuman =
mean of these three.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from . import Card, Dataset
from ._readers import number, read_sheet

FILE = "samsa-human/Human_evaluation_benchmark.ods"
QUESTIONS = ("grammar", "no additions", "no removals", "structural simplicity")
ANNOTATORS = ("A", "B", "C", "D", "E")
SENTENCES = 100


@dataclass(frozen=True)
class SAMSAHuman(Dataset):
    """Answers of five people to four questions on seven systems' outputs; no texts."""

    scores: Annotated[
        Literal["questions", "paper"], "the answers to the four questions, or the scores G, P, S and AvgHuman"
    ] = "questions"

    card = Card(
        title="SAMSA human evaluation",
        about="grammar, meaning and structural simplicity of seven systems' outputs, by five people; no texts",
        level="sentence",
        samples=SENTENCES,
        systems=7,
        ratings=14000,
        dimensions=QUESTIONS,
        licence="GPL-3.0 (the repository's)",
        citation="Sulem et al. 2018, Semantic Structural Evaluation for Text Simplification",
        notes=(
            "Ratings only: the rated texts are not in the file, and its sentences are not in the order of pwkp's, so"
            " there are no corpora; Split-Deletion's outputs were never released.",
            "RevILP is called QG+ILP in pwkp; TSM, PBMT-R, Hybrid, UNSUP and Reference have the same names there.",
            "'no additions' and 'no removals' are the reversed answers to Qb and Qc: 4 minus the answer.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        return {}

    def ratings(self) -> Ratings:
        ratings = []
        for system, sentence, annotator, answers in self._answers():
            grammar, addition, removal, structure = answers
            if self.scores == "questions":
                scores = dict(zip(QUESTIONS, (grammar, 4 - addition, 4 - removal, structure), strict=True))
            else:
                meaning = (4 - addition + 4 - removal) / 2
                scores = {"G": grammar, "P": meaning, "S": structure}
                scores["AvgHuman"] = sum(scores.values()) / 3
            ratings += [Rating(system, sentence, name, annotator, value) for name, value in scores.items()]
        return Ratings(ratings)

    def _answers(self) -> list[tuple[str, str, str, tuple[float, ...]]]:
        path, answers, system = self.path(FILE), [], ""
        width = 2 + 4 * len(ANNOTATORS)
        for row, cells in enumerate(read_sheet(path, rows=10_000, columns=width), 1):
            location = f"{path}, row {row}"
            if row <= 2 or not any(cells):  # two rows of headings
                continue
            system = cells[0].partition(" (")[0] or system
            if not system or len(cells) < width:
                raise InputError(
                    f"{location}: {len(cells)} cells, expected a system, a sentence and {width - 2} answers."
                )
            values = [number(cell, location) for cell in cells[2:]]
            if not set(values) <= {1.0, 2.0, 3.0}:
                raise InputError(f"{location}: an answer is not 1, 2 or 3.")
            for k, annotator in enumerate(ANNOTATORS):
                answers.append((system, cells[1], annotator, tuple(values[4 * k : 4 * k + 4])))
        return answers
