"""Explain a metric's score sample by sample: for SAMSA each Scene, the sentence it went to, and what is missing.

examples:
  plainmark explain samsa output.txt -s source.txt
  plainmark explain samsa output.txt -s source.txt -o page.html
  plainmark explain samsa ACCESS -d asset
  plainmark explain "samsa(parses='gold/')" output.txt -s source.txt --format json
"""

from __future__ import annotations

import argparse

from ..api.explanations import explain
from ._arguments import (
    add_dataset,
    add_output,
    add_quiet,
    add_test_set,
    output_format,
    systems_given,
    write_result,
)
from ._progress import Progress, with_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "metric", metavar="METRIC", help="samsa, with options if need be: \"samsa(parses='gold/')\""
    )
    parser.add_argument(
        "outputs", nargs="*", metavar="OUTPUT", help="a system's outputs (default: standard input)"
    )
    add_test_set(parser)
    add_dataset(parser)
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    systems = systems_given(options)
    with Progress("explaining", quiet=options.quiet) as progress, with_models(progress):
        result = explain(options.metric, systems)
    write_result(options, result, form, f"{len(result.corpus):,} samples")
    return 0
