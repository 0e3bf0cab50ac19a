"""Compare systems: intervals, paired tests corrected for many systems, letters of significance.

Systems that share a letter do not differ significantly. example:
  plainmark compare access.txt pbmt-r.txt unts.txt -s source.txt -r ref.0 ref.1 -m sari -m bleu
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import Any

from ..data import Corpus
from ..metric import Metric
from ..reading import read_systems
from ..report.table import Cell, Table
from ..significance import Comparison, compare
from ._arguments import add_inputs, add_test, chosen_metrics, fields_of, labels, present_metrics
from ._progress import Progress, with_models
from .score import best_value, number_cell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    add_test(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="everything, including all p-values")
    form.add_argument("--csv", action="store_true", help="comma-separated values in full precision")
    form.add_argument("--markdown", action="store_true", help="Markdown tables")
    form.add_argument("--latex", action="store_true", help="LaTeX tables")


def run(options: argparse.Namespace) -> int:
    metrics, code = present_metrics(chosen_metrics(options.metrics))
    if not metrics:
        return code
    comparisons = compare_systems(options, metrics, read_files(options, metrics))
    if options.json:
        print(json.dumps([as_record(c) for c in comparisons], indent=2, ensure_ascii=False))
        return code
    tables = [summary_table(comparisons), *(p_table(c) for c in comparisons if len(c.systems) > 1)]
    forms = {"csv": Table.csv, "markdown": Table.markdown, "latex": Table.latex}
    for form, write in forms.items():
        if getattr(options, form):
            print("\n".join(write(t) for t in tables), end="")
            return code
    print("\n".join(t.text(bold=sys.stdout.isatty()) for t in tables), end="")
    return code


def read_files(options: argparse.Namespace, metrics: list[Metric]) -> list[Corpus]:
    """The systems that the command names, with all that the metrics need."""
    corpora = read_systems(
        options.outputs,
        source=options.source,
        references=options.references,
        fields=fields_of(options.fields),
    )
    for metric in metrics:
        metric.check(corpora[0])
    return corpora


def compare_systems(
    options: argparse.Namespace, metrics: list[Metric], corpora: list[Corpus]
) -> list[Comparison]:
    """One comparison a metric."""
    out = []
    for metric in metrics:
        with (
            Progress(metric.spec, options.resamples, quiet=options.quiet) as progress,
            with_models(progress),
        ):
            out.append(
                compare(
                    metric,
                    corpora,
                    resamples=options.resamples,
                    level=options.level,
                    test=options.test,
                    rng=options.seed,
                    progress=progress,
                )
            )
    return out


def summary_table(comparisons: list[Comparison]) -> Table:
    """Scores with half-widths of their intervals and letters."""
    rows = []
    width = [max(map(len, c.letters)) for c in comparisons]  # padded, so that numbers stay in line
    for i, system in enumerate(comparisons[0].systems):
        row = [Cell(system)]
        for c, w in zip(comparisons, width, strict=True):
            low, high = c.intervals[i]
            best = best_value(c.metric, list(c.values))
            more = "" if math.isnan(low) else f" ± {(high - low) / 2:.2f}"
            row.append(
                number_cell(
                    c.scores[i].value, best, f"{more} {c.letters[i]:{w}}" if len(c.systems) > 1 else more
                )
            )
        rows.append(row)
    first = comparisons[0]
    notes = list(dict.fromkeys(s.signature for c in comparisons for s in c.scores))
    notes.append(
        f"± half the width of the {first.level:.0%} bootstrap interval, {first.resamples} resamples; systems that share"
        f" a letter do not differ ({_test_name(first)}, Holm-corrected, p < {1 - first.level:.2g})"
    )
    return Table(["system", *labels([c.metric for c in comparisons])], rows, notes)


def p_table(comparison: Comparison) -> Table:
    """Corrected p-values of all pairs, best system first."""
    order = comparison.order()
    rows = []
    for i in order:
        cells = [Cell("·") if i == j else _p_cell(comparison, i, j) for j in order]
        rows.append([Cell(comparison.systems[i]), *cells])
    return Table([f"p ({comparison.metric.spec})", *(comparison.systems[j] for j in order)], rows)


def as_record(comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain data; undefined is null."""
    pairs = [
        {"a": comparison.systems[i], "b": comparison.systems[j], "p": _plain(comparison.p_values[i, j])}
        for i in range(len(comparison.systems))
        for j in range(i + 1, len(comparison.systems))
    ]
    systems = [
        {
            "system": name,
            "score": _plain(score.value),
            "parts": {k: _plain(v) for k, v in score.parts.items()},
            "interval": [_plain(v) for v in comparison.intervals[i]],
            "letters": comparison.letters[i],
            "signature": score.signature,
        }
        for i, (name, score) in enumerate(zip(comparison.systems, comparison.scores, strict=True))
    ]
    return {
        "metric": comparison.metric.spec,
        "level": comparison.level,
        "resamples": comparison.resamples,
        "test": comparison.test,
        "correction": "holm",
        "systems": systems,
        "pairs": pairs,
    }


def _p_cell(comparison: Comparison, i: int, j: int) -> Cell:
    p = float(comparison.p_values[i, j])
    if math.isnan(p):
        return Cell("–")
    smallest = 1 / (comparison.resamples + 1)
    text = f"<{max(smallest, 0.001):.3f}" if p <= max(smallest, 0.001) else f"{p:.3f}"
    return Cell(text, p, comparison.significant(i, j))


def _test_name(comparison: Comparison) -> str:
    return {"bootstrap": "paired bootstrap", "randomisation": "approximate randomisation"}[comparison.test]


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
