"""Compare the facts of a text with those of its simplification: same, changed, gone, new, or to be checked.

examples:
  plainmark facts original.txt simplified.txt
  plainmark facts original.docx leaflet.md -o facts.html
  plainmark facts original.txt - --format json < simplified.txt
  plainmark facts original.txt simplified.txt --kinds number,negation --fail-on changed

Each file is one text: .txt, .md, .html, .docx or .pdf (extra documents); - is standard input. Alarms come
first, then entries to be checked; positions are line and column. With --fail-on the exit code is 1 if an
entry has such a verdict.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..api.facts import facts_of_files, parse_kinds
from ..errors import OptionError, did_you_mean
from ..faithfulness.ledger import KINDS, VERDICTS
from ..files import STANDARD_INPUT
from ..report.facts import headline
from ._arguments import add_language, add_output, output_format, write_result

FAILED = 1  # exit code
_FAILING = [verdict for verdict in VERDICTS if verdict != "same"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("original", metavar="ORIGINAL", help="the original text, or - for standard input")
    parser.add_argument(
        "simplified", metavar="SIMPLIFIED", help="its simplification, or - for standard input"
    )
    parser.add_argument(
        "--kinds",
        action="append",
        metavar="KIND",
        help=f"look only for these kinds of facts: {', '.join(KINDS)}; separated by commas or given several times",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        dest="everything",
        help="list every fact, including those that are the same, gone or new",
    )
    parser.add_argument(
        "--fail-on",
        action="append",
        default=[],
        metavar="VERDICT",
        help=f"exit with code 1 if an entry has this verdict: {', '.join(_FAILING)}; separated by commas or given several times",
    )
    add_language(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    kinds, failing = parse_kinds(options.kinds), _verdicts(options.fail_on)
    if options.original == options.simplified == STANDARD_INPUT:
        raise OptionError(
            "- given twice: standard input can be one of the texts, expected a file for the other."
        )
    ledger = facts_of_files(options.original, options.simplified, kinds, options.language)
    summary = headline(ledger)
    write_result(options, replace(ledger, everything=options.everything), form, summary)
    counts: Counter[str] = Counter(entry.verdict for entry in ledger.entries)
    failures = [f"{counts[verdict]:,} {verdict}" for verdict in failing if counts[verdict]]
    if failures:
        print(f"plainmark: failed: {', '.join(failures)}.", file=sys.stderr)
    return FAILED if failures else 0


def _verdicts(texts: Sequence[str]) -> list[str]:
    """The verdicts of --fail-on."""
    verdicts = list(dict.fromkeys(name.strip() for text in texts for name in text.split(",")))
    for name in verdicts:
        if name not in _FAILING:
            raise OptionError(
                f"--fail-on {name}: no such verdict.{did_you_mean(name, _FAILING)} Expected one of {', '.join(_FAILING)}."
            )
    return verdicts
