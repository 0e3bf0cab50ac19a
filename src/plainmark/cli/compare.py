"""Compare systems: intervals, paired tests corrected for the number of systems, letters of significance.

Systems that share a letter do not differ significantly.

example:
  plainmark compare access.txt pbmt-r.txt unts.txt -s source.txt -r ref.0 ref.1 -m sari,bleu
"""

from __future__ import annotations

import argparse

from ..api.comparison import compare
from ._arguments import (
    add_inputs,
    add_layout,
    add_output,
    add_test,
    layout_given,
    output_format,
    print_cautions,
    print_language,
    selected_metrics,
    systems_given,
    test_settings,
    write_result,
)
from ._progress import Progress, with_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    add_test(parser)
    add_layout(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    layout = layout_given(options)
    metrics, code = selected_metrics(options)
    if not metrics:
        return code
    systems = systems_given(options)
    with Progress("comparing", quiet=options.quiet) as progress, with_models(progress):
        result = compare(
            systems,
            metrics=metrics,
            language=options.language,
            **test_settings(options),
            progress=progress,
        )
    print_language(options, result.language)
    print_cautions(options, result.cautions)
    write_result(
        options, result.with_layout(**layout), form, f"{len(systems.names)} systems, {len(metrics)} metrics"
    )
    return code
