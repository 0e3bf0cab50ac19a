"""Explain a metric's score sample by sample: SAMSA by its Scenes, quality by what each sentence and word does to it.

examples:
  plainmark explain samsa output.txt -s source.txt
  plainmark explain samsa output.txt -s source.txt -o page.html
  plainmark explain quality output.txt -s source.txt
  plainmark explain "samsa(parses='gold/')" output.txt -s source.txt --format json
"""

from __future__ import annotations

import argparse

from ..api.explanations import explain
from ..systems import Systems
from ._arguments import (
    add_fields,
    add_output,
    add_quiet,
    output_format,
    parse_fields,
    texts_given,
    write_result,
)
from ._progress import Progress, with_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "metric",
        metavar="METRIC",
        help="samsa or quality, with options if need be: \"samsa(parses='gold/')\"",
    )
    parser.add_argument(
        "outputs", nargs="*", metavar="OUTPUT", help="a system's outputs (default: standard input)"
    )
    parser.add_argument("-s", "--source", metavar="FILE", required=True, help="the source texts")
    parser.add_argument(
        "-r",
        "--references",
        metavar="FILE",
        action="append",
        default=[],
        help="references, for metrics that use them",
    )
    add_fields(parser)
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    fields = parse_fields(options.fields)
    systems = Systems.of(texts_given(options.outputs), options.source, options.references, fields, paths=True)
    with Progress("explaining", quiet=options.quiet) as progress, with_models(progress):
        result = explain(options.metric, systems)
    write_result(options, result, form, f"{len(result.corpus):,} samples")
    return 0
