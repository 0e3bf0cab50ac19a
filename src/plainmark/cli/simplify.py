"""Simplify texts: one line in, one line out, every rewrite explained by its rule.

examples:
  plainmark simplify text.txt
  plainmark simplify text.txt --explain
  plainmark simplify tokens.txt --tokenized --model models/simplifier -o simpler.txt
Numbers, names and quotations are left alone (--protect says which); spaces and capitals stay as they were.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from typing import TextIO

from ..files import open_text
from ..writing import writing
from ._arguments import add_quiet, add_threads, check_threads, texts_given
from ._progress import Progress

_BLOCK = 512


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "files", nargs="*", metavar="FILE", help="texts, one per line (default: standard input)"
    )
    arguments.add_argument("--model", default="default", metavar="NAME", help="default, or a model's folder")
    arguments.add_argument(
        "--explain", action="store_true", help="below each line, the rules that changed it"
    )
    arguments.add_argument(
        "--protect",
        metavar="KINDS",
        help="what no rule may change: names, numbers, quotes, separated by commas, or none (default: the model's)",
    )
    arguments.add_argument(
        "--tokenized", action="store_true", help="texts are split at spaces already, and stay so"
    )
    add_threads(arguments)
    arguments.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write (default: standard output)"
    )
    add_quiet(arguments)


def run(options: argparse.Namespace) -> int:
    from ..simplifier.model import load_simplifier
    from ..simplifier.rules.constraints import parse_kinds

    check_threads(options)
    protect = None if options.protect is None else parse_kinds(options.protect)
    model = load_simplifier(options.model)
    target = nullcontext(sys.stdout) if options.output is None else writing(options.output)
    with target as file, Progress("simplifying", quiet=options.quiet or options.output is None) as progress:
        done = 0
        for block in _blocks(texts_given(options.files)):
            simplified = model.simplify(
                block, tokenized=options.tokenized, protect=protect, threads=options.threads
            )
            for sentence in simplified:
                file.write(sentence.output + "\n")
                if options.explain:
                    _explain(file, sentence.rewrites)
            done += len(block)
            progress(done, 0)
    return 0


def _blocks(paths: list[str]) -> Iterator[list[str]]:
    for path in paths:
        with open_text(path) as lines:
            stream = (line.rstrip("\r\n") for line in lines)
            while block := list(islice(stream, _BLOCK)):
                yield block


def _explain(file: TextIO, rewrites: tuple) -> None:  # type: ignore[type-arg]
    for r in rewrites:
        rule = f"  by {r.rule}" if r.rule else ""
        why = ", ".join(f"{name} {value:+.2f}" for name, value in r.reasons)
        file.write(
            f"    {r.source} -> {r.target or '(nothing)'}   {r.score:+.2f}  from {' '.join(r.origins)}{rule}  ({why})\n"
        )
