"""Score systems' outputs: one row a system, one column a metric, signatures below.

examples:
  plainmark score access.txt pbmt-r.txt -s source.txt -r ref.0 ref.1 -m sari -m bleu -m fkgl
  plainmark score out.jsonl -m "sari(variant='hf')" --json
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import numpy as np

from ..data import Corpus
from ..metric import Floats, Metric, Score, add_up, join_counts
from ..reading import stream_systems, system_names
from ..report.table import Cell, Table
from ..writing import writing
from ._arguments import add_inputs, chosen_metrics, fields_of, labels, present_metrics
from ._progress import Progress, with_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="a list of {system, metric, score, parts, signature}"
    )
    form.add_argument("--csv", action="store_true", help="comma-separated values in full precision")
    form.add_argument("--markdown", action="store_true", help="a Markdown table")
    form.add_argument("--latex", action="store_true", help="a LaTeX table")
    parser.add_argument(
        "--per-sample", metavar="FILE", help="also write every sample's scores (.csv or .jsonl)"
    )


def run(options: argparse.Namespace) -> int:
    metrics, code = present_metrics(chosen_metrics(options.metrics))
    if not metrics:
        return code
    systems = system_names(options.outputs)
    scores = score_files(options, metrics)
    if options.json:
        print(json.dumps(as_records(systems, metrics, scores), indent=2, ensure_ascii=False))
        return code
    table = score_table(systems, metrics, scores)
    if options.csv:
        sys.stdout.write(table.csv())
    elif options.markdown:
        sys.stdout.write(table.markdown())
    elif options.latex:
        sys.stdout.write(table.latex())
    else:
        sys.stdout.write(table.text(bold=sys.stdout.isatty()))
    return code


def score_files(options: argparse.Namespace, metrics: list[Metric]) -> list[list[Score]]:
    """Scores [system][metric], block by block: memory does not grow with the files."""
    blocks = stream_systems(
        options.outputs,
        source=options.source,
        references=options.references,
        fields=fields_of(options.fields),
    )
    totals: list[list[Floats]] = []
    counts: list[list[str]] = [[] for _ in options.outputs]
    done = 0
    with Progress("scoring", quiet=options.quiet) as progress, with_models(progress), ExitStack() as stack:
        rows = PerSample(options.per_sample, metrics, stack) if options.per_sample else None
        for corpora in blocks:
            for metric in metrics:
                for corpus in corpora:
                    metric.check(corpus)
            sums = [[add_up(m.stats(c)) for m in metrics] for c in corpora]
            totals = [
                [a + b for a, b in zip(x, y, strict=True)]
                for x, y in zip(totals or _zeros(sums), sums, strict=True)
            ]
            for seen, corpus in zip(counts, corpora, strict=True):
                if corpus.reference_count not in seen:
                    seen.append(corpus.reference_count)
            if rows:
                rows.write(corpora)
            done += len(corpora[0])
            progress(done)
    return [
        [m.score_of(t, join_counts(seen)) for m, t in zip(metrics, of_system, strict=True)]
        for of_system, seen in zip(totals, counts, strict=True)
    ]


def _zeros(sums: list[list[Floats]]) -> list[list[Floats]]:
    return [[np.zeros_like(s) for s in of_system] for of_system in sums]


class PerSample:
    """Writes sample, system and one column a metric."""

    def __init__(self, path: str, metrics: list[Metric], stack: ExitStack) -> None:
        self.metrics = metrics
        self.file: TextIO = stack.enter_context(writing(path))
        self.jsonl = Path(path).suffix in (".jsonl", ".ndjson")
        self.csv = csv.writer(self.file, lineterminator="\n")
        if not self.jsonl:
            self.csv.writerow(["sample", "system", *(m.spec for m in metrics)])

    def write(self, corpora: list[Corpus]) -> None:
        for corpus in corpora:
            columns = [m.sample_scores(corpus) for m in self.metrics]
            for sample, *values in zip(corpus.ids, *columns, strict=True):
                numbers = [_or_none(float(v)) for v in values]
                if self.jsonl:
                    named = dict(zip((m.spec for m in self.metrics), numbers, strict=True))
                    row = {"sample": sample, "system": corpus.name, "scores": named}
                    self.file.write(json.dumps(row, ensure_ascii=False) + "\n")
                else:
                    self.csv.writerow([sample, corpus.name, *("" if v is None else v for v in numbers)])


def as_records(
    systems: list[str], metrics: list[Metric], scores: list[list[Score]]
) -> list[dict[str, object]]:
    """The scores as a list of plain dictionaries; undefined is null."""
    return [
        {
            "system": system,
            "metric": metric.spec,
            "score": _or_none(score.value),
            "parts": {k: _or_none(v) for k, v in score.parts.items()},
            "signature": score.signature,
        }
        for system, row in zip(systems, scores, strict=True)
        for metric, score in zip(metrics, row, strict=True)
    ]


def score_table(systems: list[str], metrics: list[Metric], scores: list[list[Score]]) -> Table:
    """One row a system, one column a metric, the best of each column marked."""
    best = [best_value(m, [row[i].value for row in scores]) for i, m in enumerate(metrics)]
    rows = [
        [Cell(system), *(number_cell(s.value, b) for s, b in zip(row, best, strict=True))]
        for system, row in zip(systems, scores, strict=True)
    ]
    signatures = list(dict.fromkeys(s.signature for row in scores for s in row))
    return Table(["system", *labels(metrics)], rows, signatures)


def best_value(metric: Metric, values: list[float]) -> float | None:
    """The best score of several systems, if there is such a thing."""
    defined = [v for v in values if not math.isnan(v)]
    if metric.higher_is_better is None or len(values) < 2 or not defined:
        return None
    return max(defined) if metric.higher_is_better else min(defined)


def number_cell(value: float, best: float | None = None, more: str = "") -> Cell:
    """A score with two decimals."""
    text = "–" if math.isnan(value) else f"{value:.2f}"
    return Cell(text + more, _or_none(value), best is not None and text == f"{best:.2f}")


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None
