"""Score systems' outputs: one row per system, one column per metric, signatures below.

examples:
  plainmark score access.txt pbmt-r.txt -s source.txt -r ref.0 ref.1 -m sari,bleu,fkgl
  plainmark score 'outputs/*.txt' -s source.txt -r 'ref.*' -m sari -o scores.csv
  plainmark score out.jsonl -m "sari(variant='hf')" --format json
  plainmark score access='parts/*.jsonl' -m sari --workers 8
  plainmark score 'submissions/*.jsonl' --track tsar2025 -o leaderboard.html

A pattern stands for one system per file, NAME='PATTERN' for one system in several files. Of these, files that cannot be
read are left out and named, and the exit code is 3. CSV and TSV have one row per system and metric.
"""

from __future__ import annotations

import argparse
import sys

from ..api.leaderboards import SubmissionError, leaderboard
from ..api.scores import score
from ..errors import InputError, OptionError
from ..tracks import load
from ._arguments import (
    add_inputs,
    add_layout,
    add_output,
    layout_given,
    output_format,
    print_cautions,
    print_language,
    selected_metrics,
    systems_given,
    write_result,
)
from ._progress import Progress, with_models

PARTIAL = 3  # exit code


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    add_layout(parser)
    add_output(parser)
    parser.add_argument(
        "--per-sample", metavar="FILE", help="also write the scores of every sample (.csv or .jsonl)"
    )
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes that share the work (default: 1)"
    )
    parser.add_argument(
        "--engine", default="", metavar="ADDRESS", help="a Dask scheduler to work on, such as tcp://host:8786"
    )

    parser.add_argument(
        "--track",
        metavar="TRACK",
        help="the outputs are submissions to a shared task: tsar2025, biolaysumm, example or a .toml file",
    )
    parser.add_argument(
        "--partial",
        action="store_true",
        help="with --track: score incomplete submissions on the items that they have, without a rank",
    )


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    if options.track:
        return _run_track(options, form)
    if options.partial:
        raise OptionError("--partial: only with --track.")
    layout = layout_given(options)
    metrics, code = selected_metrics(options)
    if not metrics:
        return code
    systems = systems_given(options)
    with Progress("scoring", quiet=options.quiet) as progress, with_models(progress):
        scores = score(
            systems,
            metrics=metrics,
            language=options.language,
            per_sample=options.per_sample,
            workers=options.workers,
            engine=options.engine,
            progress=progress,
        )
    for problem in scores.failures.values():
        print(f"plainmark: left out: {problem}", file=sys.stderr)
    if scores.partial:
        print(f"plainmark: partial: {scores.partial}.", file=sys.stderr)
    print_language(options, scores.language)
    print_cautions(options, scores.cautions)
    summary = f"{len(scores.systems)} systems, {len(metrics)} metrics, {scores.samples:,} samples"
    write_result(options, scores.with_layout(**layout), form, summary)
    return code or (PARTIAL if scores.partial else 0)


def _run_track(options: argparse.Namespace, form: str) -> int:
    track = load(options.track)
    conflicts = {"--source": options.source, "--references": options.references, "--metric": options.metrics}
    conflicts |= {
        "--dataset": options.dataset and options.dataset != track.dataset,
        "--fields": options.fields,
    }
    if wrong := [name for name, value in conflicts.items() if value]:
        raise OptionError(f"--track already sets {', '.join(wrong)}; leave it out.")
    conflicts = {
        "--baselines": options.baselines,
        "--per-sample": options.per_sample,
        "--engine": options.engine,
    }
    conflicts |= {"--workers": options.workers != 1, "--parts": options.parts, "--long": options.long}
    if wrong := [name for name, value in conflicts.items() if value]:
        raise OptionError(f"--track has no {', '.join(wrong)}; leave it out.")
    if not options.outputs:
        raise OptionError("no submissions given; expected one .jsonl file per submission.")
    try:
        with Progress("scoring", quiet=options.quiet) as progress, with_models(progress):
            result = leaderboard(options.outputs, track, partial=options.partial, progress=progress)
    except SubmissionError as error:
        for problem in error.problems:
            print(f"plainmark: {problem}", file=sys.stderr)
        raise InputError(error.message) from None
    entries = result.leaderboard.entries
    ranked = sum(entry.rank is not None for entry in entries)
    write_result(options, result, form, f"{ranked} submissions ranked, {len(entries) - ranked} not ranked")
    return PARTIAL if ranked < len(entries) else 0
