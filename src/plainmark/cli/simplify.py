"""Simplify texts: one line in, one line out, every rewrite explained by its rule.

examples:
  plainmark simplify text.txt
  plainmark simplify text.txt --explain
  plainmark simplify text.txt --split --operations default,parentheses
  plainmark simplify tokens.txt --tokenized --model models/simplifier -o simpler.txt
Numbers, names and quotations are left alone (--protect says which); spaces and capitals stay as they were.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TextIO

from ..errors import OptionError
from ..files import open_text
from ..writing import writing
from ._arguments import add_quiet, add_threads, check_threads, texts_given
from ._progress import Progress

if TYPE_CHECKING:
    from ..simplifier.structure import Structured

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
    arguments.add_argument(
        "--split",
        action="store_true",
        help="put short sentences in the place of long ones before words are replaced",
    )
    arguments.add_argument(
        "--operations",
        metavar="NAMES",
        help="which operations --split may use, separated by commas: default, or names such as relative, passive, parentheses",
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
    if options.operations is not None and not options.split:
        raise OptionError("--operations without --split; add --split, or leave --operations out.")
    protect = None if options.protect is None else parse_kinds(options.protect)
    split = _splitter(options.operations) if options.split else None
    model = load_simplifier(options.model)
    target = nullcontext(sys.stdout) if options.output is None else writing(options.output)
    with target as file, Progress("simplifying", quiet=options.quiet or options.output is None) as progress:
        done = 0
        for block in _blocks(texts_given(options.files)):
            structured = split(block) if split else []
            simplified = model.simplify(
                [result.output for result in structured] or block,
                tokenized=options.tokenized,
                protect=protect,
                threads=options.threads,
            )
            for number, sentence in enumerate(simplified):
                file.write(sentence.output + "\n")
                if options.explain:
                    for operation in structured[number].operations if structured else ():
                        file.write(
                            f"    {operation.before} -> {operation.after}   {operation.name}: {operation.why}\n"
                        )
                    _explain(file, sentence.rewrites)
            done += len(block)
            progress(done, 0)
    return 0


def _splitter(names: str | None) -> Callable[[list[str]], list[Structured]]:
    """What splits texts by the operations of these names, or by the default ones."""
    from ..simplifier import structure

    chosen = [name.strip() for name in (names or "default").split(",")]
    operations = [one for name in chosen for one in (structure.DEFAULT if name == "default" else (name,))]
    return partial(structure.split, options=structure.Options(tuple(dict.fromkeys(operations))))


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
