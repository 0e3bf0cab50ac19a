"""Sulem, Abend and Rappoport 2018, Semantic Structural Evaluation for Text Simplification, NAACL.

Five people answered four questions on the outputs of six systems and on the references, 100 sentences each. Agreement is
the mean over the ten pairs of people; of systems, people's means over sentences are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ..data import Ratings
from ..datasets import dataset
from ..meta import Agreement, Task, aggregate_ratings, agreement
from ..meta.coefficients import coefficient, p_value
from ..metric import Floats
from . import Gap, Paper, PaperPart, PublishedCell, grid, rows_of

QUESTIONS = {"Qa": "grammar", "Qb": "no additions", "Qc": "no removals", "Qd": "structural simplicity"}
MEASURES = {"agreement": "absolute", "kappa": "kappa"}
DATA, SCORES = "samsa_human", "samsa_human(scores='paper')"

TABLE_2 = grid(
    tuple(f"{question}/{measure}" for question in QUESTIONS for measure in MEASURES),
    {
        "Total": "0.58 0.56 0.74 0.30 0.53 0.45 0.57 0.10",
        "TSM": "0.59 0.47 0.75 0.27 0.50 0.40 0.43 0.08",
        "RevILP": "0.61 0.59 0.78 0.27 0.60 0.43 0.62 0.11",
        "PBMT-R": "0.47 0.42 0.70 0.20 0.58 0.31 0.76 0.10",
        "Hybrid": "0.59 0.46 0.77 0.26 0.52 0.48 0.72 0.15",
        "UNSUP": "0.51 0.42 0.59 0.10 0.45 0.17 0.52 0.04",
        "Split-Deletion": "0.59 0.48 0.93 0.02 0.45 0.29 0.55 0.04",
        "Reference": "0.70 0.40 0.66 0.46 0.52 0.58 0.41 0.12",
    },
)
# Of the caption's two labels, the first belongs to the second row: "Sen." is of outputs, "Sys." of systems.
TABLE_3 = {
    "Table 3 Sen.": {"Qa": "0.63", "Qb": "0.30", "Qc": "0.48", "Qd": "0.11", "Avg": "0.49"},
    "Table 3 Sys.": {"Qa": "0.92", "Qb": "0.54", "Qc": "0.64", "Qd": "0.14", "Avg": "0.64"},
}
TABLE_3_P = {"Qa": "0.002", "Qb": "0.1", "Qc": "0.06", "Qd": "0.4", "Avg": "0.06"}
# System scores that the text compares with structural simplicity, rho and p.
SECTION_8 = {"S_vs_P": ("-0.77", "0.04"), "S_vs_NA": ("-0.43", "0.2"), "S_vs_NR": ("-0.77", "0.04")}
OTHERS = {"S_vs_P": "P", "S_vs_NA": "no additions", "S_vs_NR": "no removals"}

DIFFERS = (
    "what the released answers give; 56 of 64 cells are as printed, so this one is a slip or of other answers"
)
NOTES = {
    f"Table 2: {cell}": DIFFERS
    for cell in (
        "PBMT-R/Qc/agreement",
        "Hybrid/Qa/kappa",
        "Hybrid/Qc/agreement",
        "UNSUP/Qc/agreement",
        "Split-Deletion/Qa/kappa",
        "Split-Deletion/Qc/agreement",
    )
} | {
    "Table 2: Split-Deletion/Qb/kappa": "kappa is just below 0; the sign is probably lost in print",
    "Table 2: Reference/Qc/agreement": "what the released answers give; the same 0.58 is printed beside it as kappa",
}


@dataclass(frozen=True)
class SAMSAPaper(Paper):
    """Agreement of the people who judged six systems' outputs, and correlations of their scores of systems."""

    id = "3-samsa"
    citation = (
        "Sulem, Abend and Rappoport 2018, Semantic Structural Evaluation for Text Simplification, NAACL"
    )
    notes = NOTES
    gaps = (
        Gap(
            "Table 4",
            "the outputs of Split-Deletion, one of the six systems, and the manual UCCA annotation are not released; the"
            " automatic columns need TUPA and its model",
        ),
        Gap("Section 8, Pearson 0.27", "SAMSA of Split-Deletion's outputs, which are not released"),
        Gap("Section 9", "the annotation of the QATS sentences is not released"),
    )

    @cached_property
    def ratings(self) -> Ratings:
        """The answers to the four questions and the scores made of them, read once."""
        return Ratings([*dataset(DATA).ratings(), *dataset(SCORES).ratings()])

    def parts(self) -> list[PaperPart]:
        return [
            PaperPart(("Table 2", *TABLE_3), self.tables, (DATA,)),
            PaperPart(("Sec 8",), self.section_8, (DATA,)),
        ]

    def tables(self) -> Iterator[PublishedCell]:
        """Agreement on the outputs of each system, of all, and on systems."""
        agreements: dict[tuple[str, str], Agreement] = {}
        for cell, system, column, printed in rows_of(TABLE_2):
            question, _, measure = column.partition("/")
            systems = () if system == "Total" else (system,)
            if (system, question) not in agreements:
                agreements[system, question] = agreement(
                    Task(dimension=QUESTIONS[question], systems=systems), self.ratings
                )
            yield self.cell("Table 2", cell, printed, agreements[system, question].mean(MEASURES[measure]))
        for table, columns in TABLE_3.items():
            level: Literal["system", "segment"] = "system" if table.endswith("Sys.") else "segment"
            for cell, printed in columns.items():
                task = Task(dimension=QUESTIONS.get(cell, "AvgHuman"), level=level)
                rho = agreement(task, self.ratings).mean("spearman")
                note = (
                    "with Reference as a seventh system; the caption swaps the names of the two rows"
                    if level == "system"
                    else ""
                )
                yield self.cell(table, cell, printed, rho, note)
                if level == "system":
                    p = p_value("spearman", rho, np.arange(7.0), np.arange(7.0))
                    yield self.cell(table, f"{cell}/p", TABLE_3_P[cell], p / 2, one_tailed(p))

    def section_8(self) -> Iterator[PublishedCell]:
        """Spearman's rho of systems' scores, Reference left out."""
        simple = system_means(self.ratings, "S")
        for cell, (printed, printed_p) in SECTION_8.items():
            other = system_means(self.ratings, OTHERS[cell])
            rho = coefficient("spearman", simple, other)
            p = p_value("spearman", rho, simple, other)
            yield self.cell("Sec 8", cell, printed, rho, f"six systems; two-tailed p = {p:.3f}")
            yield self.cell("Sec 8", f"{cell}/p", printed_p, p / 2, one_tailed(p))


def one_tailed(p: float) -> str:
    """A note on a printed p-value."""
    return f"printed p-values are one-tailed, though no direction was predicted; two-tailed {p:.3f}"


def system_means(ratings: Ratings, dimension: str) -> Floats:
    """People's mean score of each of the six systems."""
    table = aggregate_ratings(Task(dimension=dimension, without=("Reference",)), ratings)
    means: Floats = table.values.mean(axis=1)
    return means
