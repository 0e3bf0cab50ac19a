"""Write a report: one HTML file with scores, tests, plots and every sample, for reading in a browser.

The file is complete: it loads nothing and sends nothing.

example:
  plainmark report access.txt pbmt-r.txt -s source.txt -r ref.0 ref.1 -m sari,bleu -o report.html
"""

from __future__ import annotations

import argparse

from ..api.comparison import report
from ..report import page
from ..writing import write_atomically
from ._arguments import (
    add_inputs,
    add_test,
    print_cautions,
    print_language,
    selected_metrics,
    systems_given,
    test_settings,
)
from ._progress import Progress, with_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    add_test(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="report.html",
        help="the file to write (default: report.html)",
    )
    parser.add_argument("--title", metavar="TEXT", default="", help="the heading of the page")
    parser.add_argument(
        "--samples",
        type=int,
        default=page.LIMIT,
        metavar="N",
        help=f"include at most N samples, the most informative ones (default: {page.LIMIT})",
    )


def run(options: argparse.Namespace) -> int:
    metrics, code = selected_metrics(options)
    if not metrics:
        return code
    systems = systems_given(options)
    with Progress("comparing", quiet=options.quiet) as progress, with_models(progress):
        result = report(
            systems,
            metrics=metrics,
            language=options.language,
            **test_settings(options),
            title=options.title,
            samples=options.samples,
            progress=progress,
        )
    print_language(options, result.language)
    print_cautions(options, result.cautions)
    write_atomically(options.output, result.page)
    size = len(result.page.encode()) / 1e6
    print(
        f"{options.output}: {len(result.corpora[0]):,} samples, {len(systems.names)} systems, {size:.1f} MB"
    )
    return code
