"""Simplify texts: one line in, one line out, every rewrite explained by its rule.

examples:
  plainmark simplify text.txt
  plainmark simplify text.txt --caution 0.8 --explain
  plainmark simplify text.txt --n-best 5 --format json
  plainmark simplify text.txt --split --operations default,parentheses
  plainmark simplify tokens.txt --tokenized --model models/simplifier -o simpler.txt
Numbers, names and quotations are left alone (--protect says which); spaces and capitals stay as they were. The default model
takes back rewrites that the fact ledger objects to, and leaves texts alone that are not English.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TextIO

from ..errors import OptionError
from ..files import open_text
from ..writing import writing
from ._arguments import add_quiet, add_threads, check_threads, texts_given
from ._progress import Progress

if TYPE_CHECKING:
    from ..simplifier.decoding import Rewrite
    from ..simplifier.model import Candidate, Simplified
    from ..simplifier.structure import Operation, Structured

_BLOCK = 512
_SHOWN = 4  # parts of a score


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "files", nargs="*", metavar="FILE", help="texts, one per line (default: standard input)"
    )
    arguments.add_argument("--model", default="default", metavar="NAME", help="default, or a model's folder")
    arguments.add_argument(
        "--explain", action="store_true", help="below each line, the rules that changed it"
    )
    arguments.add_argument(
        "--caution",
        type=float,
        metavar="P",
        help="make only rewrites that are right with this estimated probability, from 0 to 1 (default: the model's)",
    )
    arguments.add_argument(
        "--n-best",
        type=int,
        default=1,
        metavar="N",
        help="write the N best different outputs of each text: number of the text, score and output between tabs",
    )
    arguments.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="json: one object per text, with its candidates, rewrites, and what each score is made of",
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
    model = load_simplifier(options.model, options.caution)
    target = nullcontext(sys.stdout) if options.output is None else writing(options.output)
    write = _write_json if options.format == "json" else _write_text
    with target as file, Progress("simplifying", quiet=options.quiet or options.output is None) as progress:
        done = 0
        for block in _blocks(texts_given(options.files)):
            structured = split(block) if split else [None] * len(block)
            simplified = model.simplify(
                [
                    text if short is None else short.output
                    for text, short in zip(block, structured, strict=True)
                ],
                tokenized=options.tokenized,
                protect=protect,
                threads=options.threads,
                n_best=options.n_best,
            )
            for number, (before, sentence) in enumerate(zip(structured, simplified, strict=True), done + 1):
                write(file, sentence, before, number, options)
            done += len(block)
            progress(done, 0)
    return 0


def _splitter(names: str | None) -> Callable[[list[str]], Sequence[Structured | None]]:
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


def _write_text(
    file: TextIO, sentence: Simplified, split: Structured | None, number: int, options: argparse.Namespace
) -> None:
    for candidate in sentence.candidates:
        place = f"{number}\t{candidate.score:.2f}\t" if options.n_best > 1 else ""
        file.write(f"{place}{candidate.output}\n")
        if options.explain:
            _explain(file, candidate, split.operations if split else ())


def _write_json(
    file: TextIO, sentence: Simplified, split: Structured | None, number: int, options: argparse.Namespace
) -> None:
    del number, options  # the object says it all
    record = sentence.to_dict()
    if split is not None:
        record |= {"source": split.source, "operations": [asdict(o) for o in split.operations]}
    file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _explain(file: TextIO, candidate: Candidate, operations: Sequence[Operation]) -> None:
    for o in operations:
        file.write(f"    {o.before} -> {o.after}   {o.name}: {o.why}\n")
    for r in candidate.rewrites:
        rule = f"  by {r.rule}" if r.rule else ""
        sure = "" if r.probability is None else f"  right with {r.probability:.2f}"
        file.write(
            f"    {r.source} -> {r.target or '(nothing)'}   {r.score:+.2f}{sure}  from {' '.join(r.origins)}{rule}"
            f"  ({_parts(r)})\n"
        )
    if candidate.unchanged:
        file.write(f"    rules that change nothing   {candidate.unchanged:+.2f}\n")
    for undone in candidate.taken_back:
        r = undone.rewrite
        file.write(f"    taken back: {r.source} -> {r.target or '(nothing)'}   {undone.reason}\n")


def _parts(rewrite: Rewrite) -> str:
    """The largest parts of a score, and the sum of the others, so that all of them add up to it."""
    shown = [f"{name} {value:+.2f}" for name, value in rewrite.reasons[:_SHOWN]]
    others = [value for _, value in rewrite.reasons[_SHOWN:]]
    return ", ".join([*shown, f"others {sum(others):+.2f}"] if others else shown)
