"""Extract rewrite rules from sentences and their simplifications.

examples:
  plainmark rules extract pairs.jsonl -o extracted.tsv
  plainmark rules extract tune.jsonl --tokenized --name tune -o tune.tsv
Lines of the input are JSON objects with source and references (a list or one text). A line of the output has
the source, the target (empty for a deletion), how often the rule and its source occurred, and the sentences
they occurred in, because a sentence that is used for tuning is no evidence for its own rules.
"""

from __future__ import annotations

import argparse
import sys

from ...writing import writing
from .._arguments import texts_given


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "pairs",
        nargs="?",
        metavar="FILE",
        help="JSON lines with source and references (default: standard input)",
    )
    arguments.add_argument("--tokenized", action="store_true", help="texts are already split at spaces")
    arguments.add_argument(
        "--name", default="extracted", help="name of this set of sentences (default: extracted)"
    )
    arguments.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write (default: standard output)"
    )


def run(options: argparse.Namespace) -> int:
    from ...simplifier.rules.extraction import extract, read_pairs
    from ...simplifier.rules.sources import write_extracted

    (pairs,) = texts_given([options.pairs] if options.pairs else [])
    sources, references = read_pairs(pairs, tokenized=options.tokenized)
    extracted = extract(sources, references)
    name = "".join(c for c in options.name if c.isalnum() or c in "-_") or "extracted"
    if options.output is None:
        write_extracted(sys.stdout, extracted, name)
        return 0
    with writing(options.output) as file:
        write_extracted(file, extracted, name)
    print(f"{options.output}: {len(extracted):,} rules from {len(sources):,} sentences")
    return 0
