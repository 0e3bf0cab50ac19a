"""Score systems' outputs: one row a system, one column a metric, signatures below.

examples:
  plainmark score access.txt pbmt-r.txt -s source.txt -r ref.0 ref.1 -m sari -m bleu -m fkgl
  plainmark score out.jsonl -m "sari(variant='hf')" --json
  plainmark score 'parts/*.jsonl' -m sari --workers 8

A pattern in quotes stands for one system in several files. Files that cannot be read are left out and named, and the exit
code is 3.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from .. import engine as engines
from ..engine import Shard, engine
from ..errors import InputError
from ..files import matching
from ..metric import Floats, Metric, Score
from ..reading import system_names
from ..report.table import Cell, Table
from ..writing import writing
from ._arguments import add_inputs, chosen_metrics, fields_of, labels, present_metrics
from ._progress import Progress, with_models

PARTIAL = 3  # exit code


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
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes that share the work (default: 1)"
    )
    parser.add_argument(
        "--engine", default="", metavar="ADDRESS", help="a Dask scheduler to work on, such as tcp://host:8786"
    )


def run(options: argparse.Namespace) -> int:
    metrics, code = present_metrics(chosen_metrics(options.metrics))
    if not metrics:
        return code
    systems = system_names(options.outputs)
    scores, partial = score_files(options, metrics, systems)
    code = code or (PARTIAL if partial else 0)
    if options.json:
        more = {"partial": partial} if partial else {}
        records = [record | more for record in as_records(systems, metrics, scores)]
        print(json.dumps(records, indent=2, ensure_ascii=False))
        return code
    table = score_table(systems, metrics, scores)
    if partial:
        table = replace(table, notes=[*table.notes, f"partial: {partial}"])
    if options.csv:
        sys.stdout.write(table.csv())
    elif options.markdown:
        sys.stdout.write(table.markdown())
    elif options.latex:
        sys.stdout.write(table.latex())
    else:
        sys.stdout.write(table.text(bold=sys.stdout.isatty()))
    return code


def score_files(
    options: argparse.Namespace, metrics: list[Metric], systems: list[str]
) -> tuple[list[list[Score]], str]:
    """Scores [system][metric], block by block, and what they are of if a shard is missing from them."""
    parts = shards(options)
    with (
        engine(options.workers, options.engine) as where,
        Progress("scoring", quiet=options.quiet) as progress,
        with_models(progress),
        ExitStack() as stack,
    ):
        rows = PerSample(options.per_sample, metrics, systems, stack) if options.per_sample else None
        found = engines.score(parts, metrics, where, progress=progress, each=rows.write if rows else None)
    for problem in found.failures.values():
        print(f"plainmark: left out: {problem}", file=sys.stderr)
    if not found.failures:
        return found.scores, ""
    partial = f"{len(parts) - len(found.failures)} of {len(parts)} shards, {found.samples:,} samples"
    print(f"plainmark: partial: {partial}.", file=sys.stderr)
    return found.scores, partial


def shards(options: argparse.Namespace) -> list[Shard]:
    """What a pattern such as 'parts/*.jsonl' stands for, on every side; or all files as one shard."""
    sides = [*options.outputs, *([options.source] if options.source else []), *options.references]
    found = [matching(side) for side in sides]
    size = max(map(len, found))
    for side, files in zip(sides, found, strict=True):
        if len(files) != size:
            raise InputError(f"{side}: {len(files)} files, but another side has {size} shards.")
    fields = fields_of(options.fields)
    n = len(options.outputs)
    names = tuple(system_names(options.outputs))
    return [
        Shard(row[:n], row[n] if options.source else None, row[n + bool(options.source) :], fields, names)
        for row in zip(*found, strict=True)
    ]


class PerSample:
    """Writes sample, system and one column a metric."""

    def __init__(self, path: str, metrics: list[Metric], systems: list[str], stack: ExitStack) -> None:
        self.metrics, self.systems = metrics, systems
        self.file: TextIO = stack.enter_context(writing(path))
        self.jsonl = Path(path).suffix in (".jsonl", ".ndjson")
        self.csv = csv.writer(self.file, lineterminator="\n")
        if not self.jsonl:
            self.csv.writerow(["sample", "system", *(m.spec for m in metrics)])

    def write(self, ids: list[str], scores: list[list[Floats]]) -> None:
        """Some samples' scores [system][metric]."""
        for system, columns in zip(self.systems, scores, strict=True):
            for sample, *values in zip(ids, *columns, strict=True):
                numbers = [_or_none(float(v)) for v in values]
                if self.jsonl:
                    named = dict(zip((m.spec for m in self.metrics), numbers, strict=True))
                    row = {"sample": sample, "system": system, "scores": named}
                    self.file.write(json.dumps(row, ensure_ascii=False) + "\n")
                else:
                    self.csv.writerow([sample, system, *("" if v is None else v for v in numbers)])


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
