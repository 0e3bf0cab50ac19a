"""Explain a metric's score sample by sample: which n-grams, words, sentences or Scenes it comes from.

SARI, BLEU and ROUGE are explained by n-grams, FKGL and quality by words, entailment by sentences, agg by groups of sentences,
and SAMSA by Scenes.

examples:
  plainmark explain sari output.txt -s source.txt -r reference.* --sample 12
  plainmark explain sari output.txt -s source.txt -r reference.* -o page.html
  plainmark explain samsa output.txt -s source.txt
  plainmark explain samsa output.txt -s source.txt -o page.html
  plainmark explain samsa ACCESS -d asset
  plainmark explain quality output.txt -s source.txt -o page.html
  plainmark explain entailment output.txt -s source.txt
  plainmark explain 'agg(sari)' documents.jsonl -o page.html
  plainmark explain "samsa(parses='gold/')" output.txt -s source.txt --format json
"""

from __future__ import annotations

import argparse

from ..api.explanations import explain
from ._arguments import (
    add_dataset,
    add_language,
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
        "metric",
        metavar="METRIC",
        help="sari, bleu, rouge, fkgl, samsa, quality, entailment or agg, with options if need be: \"sari(variant='hf')\"",
    )
    parser.add_argument(
        "outputs", nargs="*", metavar="OUTPUT", help="a system's outputs (default: standard input)"
    )
    add_test_set(parser)
    add_dataset(parser)
    parser.add_argument(
        "--sample",
        metavar="ID,…",
        action="append",
        default=[],
        help="only these samples, by id or number, separated by commas or given several times (default: all)",
    )
    add_language(parser)
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    systems = systems_given(options)
    samples = [sample.strip() for values in options.sample for sample in values.split(",")]
    with Progress("explaining", quiet=options.quiet) as progress, with_models(progress):
        result = explain(options.metric, systems, samples=samples, language=options.language)
    number = len(result.corpus)
    write_result(options, result, form, f"{number:,} sample{'s' * (number != 1)}")
    return 0
