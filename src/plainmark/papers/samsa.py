"""Sulem, Abend and Rappoport 2018, Semantic Structural Evaluation for Text Simplification, NAACL.

Five people answered four questions on the outputs of six systems and on the references, 100 sentences each. Agreement is
the mean over the ten pairs of people; for systems, people's means over sentences are compared. Five of Table 4's six
systems can be scored: the outputs of Split-Deletion and the manual annotation were never released.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ..data import Ratings
from ..datasets import dataset
from ..meta import Agreement, Task, aggregate_ratings, agreement
from ..meta.coefficients import coefficient, coefficients, p_value
from ..metric import Floats, metric
from ..resampling import bootstrap_weights
from . import Claim, Figure, Gap, Paper, PaperPart, PublishedCell, grid, rows_of

QUESTIONS = {"Qa": "grammar", "Qb": "no additions", "Qc": "no removals", "Qd": "structural simplicity"}
MEASURES = {"agreement": "absolute", "kappa": "kappa"}
DATA, SCORES, PWKP = "samsa_human", "samsa_human(scores='paper')", "pwkp"
RESAMPLES, SENTENCES = 2000, 100

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
# The first of the caption's two labels belongs to the second row: "Sen." means outputs, "Sys." systems.
TABLE_3 = {
    "Table 3 Sen.": {"Qa": "0.63", "Qb": "0.30", "Qc": "0.48", "Qd": "0.11", "Avg": "0.49"},
    "Table 3 Sys.": {"Qa": "0.92", "Qb": "0.54", "Qc": "0.64", "Qd": "0.14", "Avg": "0.64"},
}
TABLE_3_P = {"Qa": "0.002", "Qb": "0.1", "Qc": "0.06", "Qd": "0.4", "Avg": "0.06"}
SENTENCE_P = {"Qd": "0.002"}  # from Table 3's first row; the others are bounds (p < 1e-5)
HUMAN = ("G", "P", "S", "AvgHuman")
SYSTEMS = {"TSM": "TSM", "RevILP": "QG+ILP", "PBMT-R": "PBMT-R", "Hybrid": "Hybrid", "UNSUP": "UNSUP"}
SCORED = {  # column of Table 4 -> metric and sign; none if the manual annotation is needed
    "SAMSA semi": ("", 1),
    "SAMSA": ("samsa", 1),
    "SAMSA_abl semi": ("", 1),
    "SAMSA_abl": ("samsa(ablated=True)", 1),
    "BLEU": ("bleu(lowercase=True)", 1),
    "SARI": ("sari", 1),
    "-LD_SR": ("levenshtein(normalise='distance', against='references', lowercase=True)", -1),
    "-LD_SC": ("levenshtein(normalise='distance', lowercase=True)", -1),
    "splits": ("sentence_splits", 1),
}
TABLE_4 = grid(
    tuple(SCORED),
    {
        "G": "0.54 0.37 0.14 0.14 0.09 -0.77 -0.43 -0.09 0.09",
        "P": "-0.09 -0.37 0.54 0.54 0.37 -0.14 0.03 0.37 -0.49",
        "S": "0.54 0.71 -0.71 -0.71 -0.60 -0.43 -0.43 -0.54 0.83",
        "AvgHuman": "0.58 0.35 0.09 0.09 0.06 -0.81 -0.46 -0.12 0.14",
    },
)
TABLE_4_P = grid(
    tuple(SCORED),
    {
        "G": "0.1 0.2 0.4 0.4 0.4 0.04 0.2 0.4 0.4",
        "P": "0.4 0.2 0.1 0.1 0.2 0.4 0.5 0.2 0.2",
        "S": "0.1 0.06 0.06 0.06 0.1 0.2 0.2 0.1 0.02",
        "AvgHuman": "0.1 0.1 0.2 0.2 0.5 0.02 0.2 0.4 0.4",
    },
)
# What the text adds: SAMSA and splits of sentences with several Scenes, sentences' means, and QATS; rho or r, and p.
IN_THE_TEXT = {
    "Sec 7": {
        "S, SAMSA semi, several Scenes": ("0.89", "0.009"),
        "S, splits, several Scenes": ("0.77", "0.04"),
    },
    "Sec 8 Pearson": {"AvgHuman, SAMSA, means of sentences": ("0.27", "0.03")},
    "Sec 9": {"QATS, SAMSA semi": ("0.32", ""), "QATS, SAMSA": ("0.28", "")},
}
WHY_NOT = {
    "Sec 7": "which sentences have several Scenes is known from the manual annotation only, which is not released",
    "Sec 8 Pearson": "the rows of the answers are not in the order of the outputs, and no order can be recovered",
    "Sec 9": "the texts of QATS's test part are not available, nor is their manual annotation",
}
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
    """Agreement of the people who judged six systems' outputs, and correlations of metrics with their scores of systems."""

    id = "3-samsa"
    citation = (
        "Sulem, Abend and Rappoport 2018, Semantic Structural Evaluation for Text Simplification, NAACL"
    )
    notes = NOTES
    gaps = (
        Gap(
            "Table 4",
            "the outputs of Split-Deletion, one of the six systems, and the manual UCCA annotation are not released; the"
            " stand-ins are rho over the other five systems, SAMSA's with plainmark's parser (`--stand-ins` runs it)",
        ),
    )

    @cached_property
    def ratings(self) -> Ratings:
        """The answers to the four questions and the scores computed from them, read once."""
        return Ratings([*dataset(DATA).ratings(), *dataset(SCORES).ratings()])

    def parts(self) -> list[PaperPart]:
        return [
            PaperPart(("Table 2", *TABLE_3), self.tables, (DATA,)),
            PaperPart(("Sec 8",), self.section_8, (DATA,)),
            PaperPart(("Table 4",), self.table_4, (DATA, PWKP)),
            PaperPart(tuple(IN_THE_TEXT), self.in_the_text, (DATA,)),
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
                printed_p = (TABLE_3_P if level == "system" else SENTENCE_P).get(cell)
                if printed_p:
                    rows = np.arange(7.0 if level == "system" else 7.0 * SENTENCES)
                    p = p_value("spearman", rho, rows, rows)
                    yield self.cell(table, f"{cell}/p", printed_p, p / 2, one_tailed(p))

    def section_8(self) -> Iterator[PublishedCell]:
        """Spearman's rho of systems' scores, without Reference."""
        simple = system_means(self.ratings, "S")
        for cell, (printed, printed_p) in SECTION_8.items():
            other = system_means(self.ratings, OTHERS[cell])
            rho = coefficient("spearman", simple, other)
            p = p_value("spearman", rho, simple, other)
            yield self.cell("Sec 8", cell, printed, rho, f"six systems; two-tailed p = {p:.3f}")
            yield self.cell("Sec 8", f"{cell}/p", printed_p, p / 2, one_tailed(p))

    def table_4(self) -> Iterator[PublishedCell]:
        """Spearman's rho of five systems' scores with human scores; sentences and ratings are resampled separately for
        intervals.
        """
        rng = np.random.default_rng(0)
        weights = bootstrap_weights(rng, RESAMPLES, SENTENCES)
        drawn = {
            name: values @ bootstrap_weights(rng, RESAMPLES, SENTENCES).T for name, values in self._people()
        }
        means = {name: values.mean(axis=1) for name, values in self._people()}
        scores = {column: self._system_scores(column, weights) for column in SCORED}
        for cell, row, column, printed in rows_of(TABLE_4):
            p_cell, measured = self.cell("Table 4 p", cell, TABLE_4_P[cell], math.nan), scores[column]
            if measured is None:
                yield self.cell("Table 4", cell, printed, math.nan)
                yield p_cell
                continue
            point, resampled = measured
            rho = coefficient("spearman", point, means[row])
            spread = coefficients("spearman", resampled.T, drawn[row].T)
            p = p_value("spearman", rho, point, means[row]) / 2
            name = f"{SCORED[column][0]}, five of the six systems"
            low, high = np.nanpercentile(spread, [2.5, 97.5])
            yield self.cell(
                "Table 4", cell, printed, math.nan, stand_in=Figure(rho, float(low), float(high), name)
            )
            yield self.cell(
                "Table 4 p", cell, TABLE_4_P[cell], math.nan, stand_in=Figure(p, name=f"one-tailed, {name}")
            )

    def _people(self) -> Iterator[tuple[str, Floats]]:
        """People's mean scores of the five systems' sentences, (systems, sentences), by dimension."""
        for name in HUMAN:
            table = aggregate_ratings(Task(dimension=name, systems=tuple(SYSTEMS)), self.ratings)
            rows = [table.systems.index(system) for system in SYSTEMS]
            yield name, table.values[rows]

    def _system_scores(self, column: str, weights: Floats) -> tuple[Floats, Floats] | None:
        """The five systems' scores and those on resampled sentences; None for metrics that are not run."""
        spec, sign = SCORED[column]
        if not spec or (spec.startswith("samsa") and (not self.stand_ins or metric(spec).missing())):
            return None
        corpora = dataset(PWKP).corpora()
        first, scorer = next(iter(corpora.values())), metric(spec)
        stats = [scorer.stats(first.with_outputs(corpora[n].outputs, name=n)) for n in SYSTEMS.values()]
        point = np.array([scorer.reduce(s.sum(axis=0))[0] for s in stats])
        return sign * point, sign * np.array([scorer.reduce(weights @ s)[:, 0] for s in stats])

    def in_the_text(self) -> Iterator[PublishedCell]:
        """Figures in the text of sections 7 to 9; the released data give none of them."""
        for place, printed_cells in IN_THE_TEXT.items():
            for cell, printed in printed_cells.items():
                for name, value in zip((cell, f"{cell}/p"), printed, strict=True):
                    if value:
                        yield self.cell(place, name, value, math.nan, WHY_NOT[place] * (name == cell))

    def claims(self, cells: Sequence[PublishedCell]) -> list[Claim]:
        """The paper's conclusions from six systems, tested with the five that can be scored."""
        figures = {c.cell: c.stand_in for c in cells if c.table == "Table 4" and c.stand_in}
        out = []
        if simple := figures.get("S/SAMSA"):
            abl = figures["P/SAMSA_abl"]
            out.append(
                Claim(
                    "SAMSA ranks systems by structural simplicity, SAMSA_abl by meaning.",
                    True if simple.low > 0 and abl.low > 0 else None,
                    f"Five systems: rho = {simple.value:.2f} [{simple.low:.2f}, {simple.high:.2f}] with simplicity, SAMSA_abl"
                    f" {abl.value:.2f} [{abl.low:.2f}, {abl.high:.2f}] with meaning.",
                )
            )
        tails = [c for c in cells if c.table.startswith(("Table 3", "Sec 8")) and c.cell.endswith("/p")]
        if tails:
            lost = [c.cell.partition("/")[0] for c in tails if c.ours < 0.05 <= 2 * c.ours]
            out.append(
                Claim(
                    "Simplicity and meaning preservation of systems correlate negatively, p = .04.",
                    not lost,
                    f"Printed p-values are one-tailed; two-tailed those of {', '.join(lost)} are above .05.",
                )
            )
        return out


def one_tailed(p: float) -> str:
    """A note on a printed p-value."""
    return f"printed p-values are one-tailed, though no direction was predicted; two-tailed {p:.3f}"


def system_means(ratings: Ratings, dimension: str) -> Floats:
    """People's mean score of each of the six systems."""
    table = aggregate_ratings(Task(dimension=dimension, without=("Reference",)), ratings)
    means: Floats = table.values.mean(axis=1)
    return means
