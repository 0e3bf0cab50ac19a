"""Write a report: one HTML file with scores, tests, plots and every sample, for reading in a browser.

The file is complete: it loads nothing and sends nothing. example:
  plainmark report access.txt pbmt-r.txt -s source.txt -r ref.0 ref.1 -m sari -m bleu -o report.html
"""

from __future__ import annotations

import argparse

from ..report import page
from ._arguments import add_inputs, add_test, chosen_metrics, present_metrics
from ._progress import Progress
from .compare import compare_systems, read_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    add_test(parser)
    parser.add_argument(
        "-o", "--out", metavar="FILE", default="report.html", help="the file to write (default: report.html)"
    )
    parser.add_argument("--title", metavar="TEXT", default="", help="the heading of the page")
    parser.add_argument(
        "--samples",
        type=int,
        default=page.LIMIT,
        metavar="N",
        help=f"carry at most so many samples, the most telling ones (default: {page.LIMIT})",
    )


def run(options: argparse.Namespace) -> int:
    metrics, code = present_metrics(chosen_metrics(options.metrics))
    if not metrics:
        return code
    corpora = read_files(options, metrics)
    comparisons = compare_systems(options, metrics, corpora)
    with Progress("writing", quiet=options.quiet) as progress:
        html = page.render(
            comparisons,
            corpora,
            title=options.title,
            files=named_files(options, [c.name for c in corpora]),
            limit=options.samples,
            rng=options.seed,
            progress=progress,
        )
    page.write(options.out, html)
    print(
        f"{options.out}: {len(corpora[0]):,} samples, {len(corpora)} systems, {len(html.encode()) / 1e6:.1f} MB"
    )
    return code


def named_files(options: argparse.Namespace, systems: list[str]) -> dict[str, str]:
    """What the command read, for the page."""
    files = dict(zip(systems, map(str, options.outputs), strict=True))
    if options.source:
        files["source"] = options.source
    for i, path in enumerate(options.references):
        files[f"reference {i + 1}"] = path
    return files
