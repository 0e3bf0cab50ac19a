"""Maddela and Alva-Manchego 2025, Adapting Sentence-level Automatic Metrics for Document-level Simplification Evaluation.

Table 1: correlations of metrics with human ratings. For preferences between two texts, they are Kendall's tau over pairs,
and for ratings Pearson's r over texts. Table 2: how often a text scores at least as high as its perturbed version. Tables 3
and 4: means of Table 1's coefficients over the dimensions of a data set, for other ways to group sentences. Table 5:
lengths of the texts.

BLEU, SARI and D-SARI are computed with the settings of the authors' programs. The aligner and all other metrics need models
that are not released or not available; a substitute is named beside its figure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..data import Corpus, Ratings
from ..datasets import dataset
from ..distributions import share_interval
from ..meta import Scores, Task, consistency
from ..meta.correlation import correlation, resampled, spread_interval
from ..meta.estimates import estimate
from ..meta.joined import join
from ..meta.scores import units_of
from ..metric import Floats, metric
from ..text import tokens
from . import Claim, Figure, Gap, Paper, PaperPart, PublishedCell, missing_punkt, rows_of
from ._agg_claims import claims
from ._agg_printed import COLUMNS, ERRORS, TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5

# Settings of the authors' programs.
METRICS = {"BLEU": "bleu(lowercase=True)", "SARI": "sari(variant='agg')", "DSARI": "dsari(tokenizer='nltk')"}
DATA = {"cochrane": "cochrane", "dwiki": "dwiki", "qa": "onestopqa"}
DIMENSIONS = {"fluency(grammar)": "grammar"}
BASELINES = ("compression", "copied", "levenshtein")  # length, copying and edits, all relative to the source
PAIRS = 60  # of each perturbed set
LARGEST = "KIS"  # the system that dominates the correlations on ONESTOPQA

# Substitutes for metrics whose models are not available, and for the paper's aligner.
STAND_INS = {
    "BERTScore": "bertscore(model='plain')",
    "LENS": "quality(encoder='none')",
    "SLE": "quality(encoder='none')",
    "LENS-SALSA": "quality(encoder='none')",
    "REFeree": "quality(encoder='none')",
    "QuestEval": "coverage",
    "LLAMA3": "quality(encoder='none')",
    "SARI": METRICS["SARI"],
}
WITHOUT_MODELS = ("Agg-SARI",)  # rows whose stand-ins need no model
GROUPING = {
    "many to many": "",
    "best source": ", ablation='best-source'",
    "best output": ", ablation='best-output'",
    "Jiang et al.": "",
    "BERTScore": ", aligner=bertscore(model='plain', cut=0.5)",
    "SentenceBERT": ", aligner=embedding(model='plain', cut=0.5)",
}
# The part of `quality` that answers the same question as the Llama judge.
JUDGED = {
    "cochrane.readability": "simplicity",
    "dwiki.fluency(grammar)": "fluency",
    "dwiki.meaning": "meaning",
    "dwiki.simplicity-overall": "simplicity",
    "qa.accuracy": "meaning",
    "qa.answerability": "meaning",
}
EXCHANGED = {"qa": "dwiki", "dwiki": "qa"}  # rows of Table 5
NOTES = {  # "table: cell" -> the reason for a difference, or a comment on the printed figure
    "Table 1: BLEU/qa.accuracy": "differs by 0.001, not explained; BLEU of the same texts gives the printed answerability",
    "Table 4: Agg-SARI, Jiang et al./cochrane": "Tables 1 and 3 print 0.0 for the same setting; 0.033 is two pairs more of 120",
    "Table 5: cochrane/complex": "no usual way to count words gives the printed length; 375.9 by NLTK's tokenizer",
    "Table 5: cochrane/simple": "no usual way to count words gives the printed length; 215.2 by NLTK's tokenizer",
}


@dataclass(frozen=True)
class AggPaper(Paper):
    """Correlation of document-level metrics with human ratings on three sets, and consistency under six errors."""

    id = "1-agg"
    citation = (
        "Maddela and Alva-Manchego 2025, Adapting Sentence-level Automatic Metrics for Document-level Simplification"
        " Evaluation"
    )
    notes = NOTES
    gaps = (
        Gap(
            "BERTScore, LENS, LENS-SALSA, SLE, REFeree, QuestEval, LLAMA3 and their aggregated versions",
            "the models are not available; the column stand-in has what comes with plainmark (`--stand-ins` runs its models)",
        ),
        Gap(
            "all aggregated rows",
            "the weights of the sentence aligner (Jiang et al. 2020) are not available; the stand-ins use `context`",
        ),
        Gap("Figures 1 and 2", "no figures are printed; `plainmark correlate --by` draws such curves"),
    )

    def parts(self) -> list[PaperPart]:
        tables = ("Table 1", "Table 3", "Table 4", "Table 5")
        return [
            *(
                PaperPart(tables, partial(self.rated, key), (spec,), (missing_punkt,))
                for key, spec in DATA.items()
            ),
            *(
                PaperPart(("Table 2",), partial(self.table_2, e), (perturbed(e),), (missing_punkt,))
                for e in ERRORS
            ),
        ]

    def claims(self, cells: Sequence[PublishedCell]) -> list[Claim]:
        return claims(cells)

    def rated(self, key: str) -> Iterator[PublishedCell]:
        """The columns of one rated data set in Tables 1, 3, 4 and 5."""
        data = ScoredData(DATA[key])
        columns = {c: task_of(key, c) for c in COLUMNS if c.startswith(f"{key}.")}
        baselines = {c: best([data.figure([t], b, sign=s) for b, s in _signed()]) for c, t in columns.items()}
        for cell, row, column, printed in rows_of(TABLE_1):
            if column in columns:
                task = columns[column]
                baseline = baselines[column]
                if row in METRICS:
                    yield self._computed(data, cell, row, task, printed, baseline)
                else:
                    yield self._not_computed(data, cell, row, column, task, printed, baseline)
        for table, printed_cells in (("Table 3", TABLE_3), ("Table 4", TABLE_4)):
            for cell, row, column, printed in rows_of(printed_cells):
                if column == key:
                    name, _, grouping = row.partition(", ")
                    stand_in = self._stand_in(data, list(columns.values()), name, grouping)
                    yield self.cell(table, cell, printed, math.nan, stand_in=stand_in)
        for cell, row, column, printed in rows_of(TABLE_5):
            if row == key:
                ours, other = (_length(DATA[k], column) for k in (key, EXCHANGED.get(key, key)))
                note = f"the rows of ONESTOPQA and D-WIKI are exchanged: the other set has {other:.1f}, by NLTK's tokenizer"
                exchanged = key in EXCHANGED and abs(other - float(printed)) < 0.02 * float(printed)
                yield self.cell("Table 5", cell, printed, ours, note * exchanged, explained=exchanged)

    def _computed(
        self, data: ScoredData, cell: str, row: str, task: Task, printed: str, baseline: Figure
    ) -> PublishedCell:
        ours = data.figure([task], METRICS[row])
        joined, note = join(task, [data.scores(METRICS[row])], data.ratings), ""
        if LARGEST in joined.systems:
            left = estimate(task, joined.without(joined.systems.index(LARGEST))).value
            note = f"{left:.3f} without {LARGEST}"
        return self.cell(
            "Table 1", cell, printed, ours.value, note, interval=(ours.low, ours.high), baseline=baseline
        )

    def _not_computed(
        self,
        data: ScoredData,
        cell: str,
        row: str,
        column: str,
        task: Task,
        printed: str,
        baseline: Figure,
    ) -> PublishedCell:
        stand_in = self._stand_in(data, [task], row, part=_part(row, column))
        note, explained = "", False
        if row == "BERTScore" and column.startswith("dwiki") and stand_in:
            repeated = data.misindexed(task, STAND_INS[row])
            value = float(printed)
            explained = repeated.low <= value <= repeated.high and not stand_in.low <= value <= stand_in.high
            note = (
                "the authors' wrapper gives texts the scores of others after the first one with several references: with that"
                f" fault the stand-in has {repeated.value:.3f} [{repeated.low:.3f}, {repeated.high:.3f}]"
                f"{'' if explained else ', so the fault is a part of the reason'}"
            )
        return self.cell(
            "Table 1",
            cell,
            printed,
            math.nan,
            note,
            explained=explained,
            stand_in=stand_in,
            baseline=baseline,
        )

    def table_2(self, error: str) -> Iterator[PublishedCell]:
        """The column of one error; a tie counts as right."""
        data = ScoredData(perturbed(error))
        baseline = best([data.consistency(b, sign=s)[0] for b, s in _signed()])
        for cell, row, column, printed in rows_of(TABLE_2):
            if column != error:
                continue
            note = not_a_share(printed)
            ours = Figure(math.nan)
            strict: Figure | None = None
            stand_in: Figure | None = None
            if row in METRICS:
                ours, strict = data.consistency(METRICS[row])
            elif spec := self._spec(row):
                stand_in, strict = data.consistency(spec, _part(row))
            yield self.cell(
                "Table 2",
                cell,
                printed,
                ours.value,
                note,
                explained=bool(note),
                interval=(ours.low, ours.high) if row in METRICS else None,
                stand_in=stand_in,
                strict=strict,
                baseline=baseline,
            )

    def _spec(self, row: str, grouping: str = "") -> str:
        """The specification of a row's stand-in; empty if it is not run."""
        base = row.removeprefix("Agg-")
        spec = STAND_INS[base]
        if base != row:
            if spec.startswith("quality") and GROUPING.get(grouping):
                return ""  # each grouping would take minutes and say nothing about LENS
            spec = f"agg({spec}{GROUPING.get(grouping, '')}, protocol='released', splitter='punkt')"
        if row not in WITHOUT_MODELS or "model=" in spec:
            return "" if not self.stand_ins or metric(spec).missing() else spec
        return spec

    def _stand_in(
        self, data: ScoredData, tasks: Sequence[Task], row: str, grouping: str = "", part: str = ""
    ) -> Figure | None:
        spec = self._spec(row, grouping)
        return data.figure(tasks, spec, part) if spec else None


class ScoredData:
    """A data set with the scores of metrics, each computed once."""

    def __init__(self, spec: str) -> None:
        data = dataset(spec)
        self.ratings: Ratings = data.ratings()
        self.corpora: dict[str, Corpus] = data.corpora()
        self._parts: dict[str, dict[str, Floats]] = {}

    def scores(self, spec: str, part: str = "", sign: int = 1) -> Scores:
        """The scores of a metric, or of a part of it, perhaps negated."""
        scorer = metric(spec)
        if spec not in self._parts:
            self._parts[spec] = {system: scorer.sample_parts(c) for system, c in self.corpora.items()}
        column = scorer.part_names.index(part) if part else 0
        values = {
            (system, sample): sign * float(row[column])
            for system, rows in self._parts[spec].items()
            for sample, row in zip(self.corpora[system].ids, rows, strict=True)
        }
        name = f"{'−' if sign < 0 else ''}{spec}{f'.{part}' if part else ''}"
        return Scores(name, values, units=units_of(self.corpora))

    def figure(self, tasks: Sequence[Task], spec: str, part: str = "", sign: int = 1) -> Figure:
        """The coefficient of a metric, or its mean over several dimensions."""
        scores = self.scores(spec, part, sign)
        joined = [join(task, [scores], self.ratings) for task in tasks]
        if len(tasks) == 1:
            result = correlation(tasks[0], joined[0], leave_out=False)
            return Figure(result.value, result.low, result.high, scores.name)
        value = float(np.mean([estimate(t, j).value for t, j in zip(tasks, joined, strict=True)]))
        drawn = np.mean([resampled(t, j, [0])[0] for t, j in zip(tasks, joined, strict=True)], axis=0)
        return Figure(
            value, *spread_interval(value, drawn, joined[0].units, tasks[0].confidence), scores.name
        )

    def consistency(self, spec: str, part: str = "", sign: int = 1) -> tuple[Figure, Figure]:
        """How often the better text wins: ties count as right, as in the authors' program, or as wrong."""
        c = consistency(Task(), self.scores(spec, part, sign), self.ratings)
        low, high = share_interval(c.released * c.pairs / 100, c.pairs, 0.95)
        ties = f"{c.ties} tie{'s' * (c.ties != 1)}"
        released = Figure(c.released, 100 * low, 100 * high, c.metric)
        return released, Figure(c.strict, c.low, c.high, ties)

    def misindexed(self, task: Task, spec: str) -> Figure:
        """The coefficient if text i gets the i-th score of all pairs of a text and one of its references."""
        (system, corpus), *_ = self.corpora.items()
        pairs = [(s.source or "", s.output, [r]) for s in corpus for r in s.references][: len(corpus)]
        sources, outputs, references = map(list, zip(*pairs, strict=True))
        values = metric(spec).sample_scores(Corpus(sources, outputs, references))
        cells = {(system, sample): float(v) for sample, v in zip(corpus.ids, values, strict=True)}
        joined = join(task, [Scores(spec, cells, units=units_of(self.corpora))], self.ratings)
        result = correlation(task, joined, leave_out=False)
        return Figure(result.value, result.low, result.high, spec)


def task_of(key: str, column: str) -> Task:
    """The task of a column: preferences are pairs decided by the majority; ratings are means over raters."""
    dimension = column.partition(".")[2] or column
    dimension = DIMENSIONS.get(dimension, dimension)
    if key == "cochrane":
        return Task(dimension=dimension, raters="majority", coefficient="pairwise")
    return Task(dimension=dimension)


def perturbed(error: str) -> str:
    """The data set of an error."""
    return f"perturbed(error='{error.partition('/')[2]}')"


def not_a_share(printed: str) -> str:
    """Why a printed percentage cannot be a share of the pairs; empty if it can, rounded or truncated."""
    shares = [PublishedCell("", "", "", printed, 100 * k / PAIRS) for k in range(PAIRS + 1)]
    if any(share.agrees for share in shares):
        return ""
    below = max(k for k, share in enumerate(shares) if share.ours < share.published)
    near = " and ".join(f"{k} are {100 * k / PAIRS:.1f}" for k in (below, below + 1))
    return f"{printed} is not a share of {PAIRS} pairs ({near}), so it is a misprint"


def best(figures: Sequence[Figure]) -> Figure:
    """The figure with the highest value, the first if several are equal."""
    return max(figures, key=lambda figure: figure.value)


def _signed() -> list[tuple[str, int]]:
    """Every baseline in both directions."""
    return [(name, sign) for name in BASELINES for sign in (1, -1)]


def _part(row: str, column: str = "") -> str:
    """The part of `quality` that is used instead of a row's metric; empty for its score."""
    if row.endswith("SLE"):
        return "simplicity"
    return JUDGED.get(column, "") if row == "LLAMA3" else ""


def _length(spec: str, column: str) -> float:
    """Mean words of the different sources, or of all outputs, of a data set."""
    rows = [sample for corpus in dataset(spec).corpora().values() for sample in corpus]
    texts = [s.output for s in rows]
    if column == "complex":
        texts = list(dict.fromkeys(s.source or "" for s in rows))
    return float(tokens(Corpus(texts, texts), "output", "nltk").lengths.mean())
