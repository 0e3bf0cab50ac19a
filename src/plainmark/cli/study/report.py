"""Report what a study found: tables in the terminal, or one HTML page with intervals and plots (-o report.html)."""

from __future__ import annotations

import argparse

from ...api.study_report import study
from .._arguments import add_metrics, add_output, add_resamples, output_format, write_result
from ._store import add_mode, add_study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    add_mode(parser)
    add_output(parser)
    add_metrics(parser, "a metric to compare with what people said, such as sari; may be given several times")
    parser.add_argument(
        "--reader",
        metavar="MODEL",
        help="a question-answering model to answer as people did: plain (plainmark's own), an OpenAI-compatible endpoint such as "
        "https://host/v1 (its key in PLAINMARK_API_KEY), a folder, or a name on the hub that is on this machine",
    )
    parser.add_argument(
        "--reader-model", metavar="NAME", default="", help="name of the model at the endpoint"
    )
    add_resamples(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    result = study(
        options.study,
        metrics=options.metrics,
        reader=options.reader,
        reader_model=options.reader_model,
        database=options.database,
        mode=options.mode or "",
        resamples=options.resamples,
        seed=options.seed,
    )
    write_result(options, result, form, f"{len(result.analysis.responses)} answers")
    return 0
