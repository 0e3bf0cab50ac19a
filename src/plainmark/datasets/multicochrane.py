"""MultiCochrane's human evaluation: medical sentences simplified in English, Spanish or French, labelled one by one.

The release has answers (hallucinations, excessive deletions: yes or no) and grades: factual and fluency from 0 (no problem)
to 2, simplicity from -2 (oversimplified) through 0 (right) to 2 (too difficult). labels() returns these. In the ratings,
for which higher is better, fluency and factuality are 2 minus the grade, and simplicity is 2 minus its distance from 0; the
ratings hallucination and deletion are 1 for yes and 0 for no. The source is always English; blank lines around an output
are left out. Sample ids are the rows, 0 to 99.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import open_text
from . import REFERENCE, Card, Dataset
from ._readers import reporting_errors

SOURCE, OUTPUT, GOLD = "original english sentence", "simple generated sentence", "simple gold sentence"
ANSWERS = {"Are there hallucinations?": "hallucination", "Are deletions excessive?": "deletion"}
GRADES = {"Factual": (0, 1, 2), "Fluency": (0, 1, 2), "Simplicity": (-2, -1, 0, 1, 2)}
COLUMNS = (SOURCE, GOLD, *ANSWERS, *GRADES)
SENTENCES = 100

_MORE = ("gold", "system1_0", "system2_0.5", "system3_plain", "flan_t5", "flan_t5_zs", "gpt_trans_en")
# Language -> system, rater and file. The release has more English sheets, by other raters and from another system.
SHEETS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "en": (
        *(
            (s, "3", f"en/anno3/en_{s}.csv")
            for s in ("gold", "system1_0", "system2_0.5", "flan_t5", "flan_t5_zs")
        ),
        *((s, "2", f"en/anno2/en_{s}_anno2.csv") for s in ("gold", "system1_0", "system2_0.5")),
    ),
    "es": tuple((s, "1", f"es/es_{s}.csv") for s in _MORE),
    "fr": tuple((s, "1", f"fr/fr_{s}.csv") for s in _MORE),
}


@dataclass(frozen=True)
class SentenceLabel:
    """What a person said about an output; the grades are as released (0 is best)."""

    system: str
    sample: str
    rater: str
    hallucination: bool
    deletion: bool
    factual: int
    fluency: int
    simplicity: int


@dataclass(frozen=True)
class MultiCochrane(Dataset):
    """Simplified medical sentences with labels of hallucination, deletion, factuality, fluency and simplicity."""

    language: Annotated[Literal["en", "es", "fr"], "the language of the outputs"] = "en"

    card = Card(
        title="MultiCochrane human evaluation",
        about="simplified medical sentences, labelled for hallucination, deletion, factuality, fluency and simplicity",
        level="sentence",
        samples=100,
        systems=5,
        ratings=3995,
        dimensions=("hallucination", "deletion", "factuality", "fluency", "simplicity"),
        lower_is_better=("hallucination", "deletion"),
        licence="none stated",
        citation="Joseph et al. 2023, Multilingual Simplification of Medical Texts",
        notes=(
            "Ratings from 0 to 2, higher is better; hallucination and deletion are errors: 1 for yes, 0 for no.",
            "A text may be oversimplified or too difficult; both lower simplicity. labels() has the grades as released,"
            " which say which of the two.",
            "language='es' and 'fr' have seven systems and one rater; outputs are in that language, sources in English.",
            "English outputs of three systems have two raters (2 and 3), those of two others one (3); the sheets of two more"
            " raters and of one more system, in the same release, are not in this set.",
            "The same id is the same sentence in English and Spanish; 70 of the sentences in French are other ones.",
            "The 100 rows have 83 different sources (75 in French); repeated ones have the same or another reference.",
            "Outputs that a rater skipped (one in English, two each in Spanish and French) have no rating from that rater.",
            "Released as spreadsheets; the CSV files have all their cells, including sums and remarks below the rows.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return tuple(f"ratings/multicochrane/{name}" for _, _, name in SHEETS[self.language])

    def corpora(self) -> dict[str, Corpus]:
        corpora: dict[str, Corpus] = {}
        for system, _, name in SHEETS[self.language]:
            rows = [row for _, row in self._rows(name)]
            gold = [row[GOLD] for row in rows]
            outputs = gold if system == "gold" else [row[OUTPUT].strip() for row in rows]
            corpus = Corpus(
                [row[SOURCE] for row in rows],
                outputs,
                gold,
                ids=[row["id"] for row in rows],
                name=_name(system),
                language=self.language,
            )
            if list(corpora.setdefault(_name(system), corpus)) != list(corpus):
                raise InputError(
                    f"{self.path(f'ratings/multicochrane/{name}')}: other texts than another rater's."
                )
        return corpora

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(label.system, label.sample, dimension, label.rater, float(value))
            for label in self.labels()
            for dimension, value in (
                ("hallucination", label.hallucination),
                ("deletion", label.deletion),
                ("factuality", 2 - label.factual),
                ("fluency", 2 - label.fluency),
                ("simplicity", 2 - abs(label.simplicity)),
            )
        )

    def labels(self) -> list[SentenceLabel]:
        """Every label as released, without the outputs that a rater skipped."""
        labels = []
        for system, rater, name in SHEETS[self.language]:
            for location, row in self._rows(name):
                cells = [row[column].strip() for column in (*ANSWERS, *GRADES)]
                if not any(cells):
                    continue
                with reporting_errors(location):
                    answers = [{"y": True, "n": False}[row[column].strip().lower()] for column in ANSWERS]
                    grades = [float(row[column]) for column in GRADES]
                    if any(g not in allowed for g, allowed in zip(grades, GRADES.values(), strict=True)):
                        raise ValueError(f"grades {', '.join(cells[2:])}")
                labels.append(SentenceLabel(_name(system), row["id"], rater, *answers, *map(int, grades)))
        return labels

    def _rows(self, name: str) -> list[tuple[str, dict[str, str]]]:
        """Location and content of the labelled rows of a sheet."""
        path = self.path(f"ratings/multicochrane/{name}")
        rows = list(_labelled(path, COLUMNS if "gold" in name else (*COLUMNS, OUTPUT)))
        if len(rows) != SENTENCES:
            raise InputError(f"{path}: {len(rows)} sentences, expected {SENTENCES}.")
        return rows


def _labelled(path: str, required: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows above the sums, which have no number in the first column; each has an "id"."""
    with open_text(path) as lines:
        rows = csv.reader(lines, strict=True)
        try:
            columns = next(rows, [])
            if missing := [c for c in required if c not in columns]:
                raise InputError(f"{path}: no column {', '.join(missing)}; expected {', '.join(required)}.")
            for cells in rows:
                location = f"{path}, line {rows.line_num}"
                if not cells or not cells[0].strip():
                    break
                if not re.fullmatch(r"\d{1,9}(\.0)?", cells[0]):
                    raise InputError(f"{location}: {cells[0][:20]!r}, expected the number of a sentence.")
                # Empty cells at the end of a row are missing, and remarks follow the last column.
                row = dict(zip(columns, [*cells, *[""] * len(columns)], strict=False))
                yield location, {**row, "id": cells[0].removesuffix(".0")}
        except csv.Error as problem:
            raise InputError(f"{path}, line {rows.line_num + 1}: not a table ({problem}).") from None


def _name(system: str) -> str:
    return REFERENCE if system == "gold" else system
