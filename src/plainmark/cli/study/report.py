"""What a study found: tables in the terminal, or one HTML page with intervals and plots (-o report.html)."""

from __future__ import annotations

import argparse
import sys

from ...writing import write_atomically
from .._arguments import add_metrics
from ._store import add_study, now, opened


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="write an HTML page instead of printing tables")
    add_metrics(parser, "a metric to compare with what people said, such as sari; may be given several times")
    parser.add_argument(
        "--reader",
        metavar="MODEL",
        help="a question-answering model (a folder, or a name on the hub that is on this machine) to answer as people did",
    )
    parser.add_argument(
        "--resamples", type=int, default=10_000, metavar="N", help="of items (default: 10,000)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the resampling (default: 0)")


def run(options: argparse.Namespace) -> int:
    study, store = opened(options)
    with store:
        from ...report import study as page
        from ...report.study_tables import tables
        from ...study.analysis.analyse import analyse
        from ...study.analysis.model_reader import reader
        from ...study.analysis.responses import responses
        from ...study.store import monitoring

        found = analyse(
            study,
            responses(study, monitoring.answer_rows(store)),
            metrics=options.metrics,
            reader=reader(options.reader) if options.reader else None,
            resamples=options.resamples,
            seed=options.seed,
        )
        state, flags = monitoring.progress(store, now()), monitoring.flags(store)
    if not options.out:
        for heading, table in tables(found):
            print(f"{heading}\n{table.text(bold=sys.stdout.isatty())}")
        for note in found.notes:
            print(f"note: {note}")
        return 0
    figures = {
        "cells of the design": float(state.cells),
        "answered": float(state.done),
        "answered beyond the design": float(state.surplus),
        "answered late": float(state.late),
        "median minutes of those who finished": state.median_minutes,
    }
    text = page.render(
        found,
        people=state.people,
        figures=figures,
        flags=[(f.participant, f.kind, f.detail) for f in flags],
    )
    write_atomically(options.out, text)
    print(f"{options.out}: {len(found.responses)} answers")
    return 0
