"""Show how a model ranks the rules for words or phrases, and the word itself among them.

examples:
  plainmark rules rank principal able-bodied
  plainmark rules rank principal able-bodied --model models/simplifier
A score is what the rule would add to an output's score, the mean over plain sentences; the words as they are have 0.
"""

from __future__ import annotations

import argparse
import sys

from ...report.table import Cell, Table


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "phrases", nargs="+", metavar="PHRASE", help="words, or phrases in quotation marks"
    )
    arguments.add_argument("--model", default="default", metavar="NAME", help="default, or a model's folder")
    arguments.add_argument("-n", "--number", type=int, default=12, help="rules to show of each (default: 12)")


def run(options: argparse.Namespace) -> int:
    from ...simplifier.model import load_simplifier

    simplifier = load_simplifier(options.model)
    for k, phrase in enumerate(options.phrases):
        rows = [
            [Cell(r.target or "(nothing)"), Cell(f"{r.score:.3f}", r.score), Cell(" ".join(r.origins))]
            for r in simplifier.rank(phrase)[: max(options.number, 1)]
        ]
        sys.stdout.write(("\n" if k else "") + Table([phrase, "score", "from"], rows, []).text())
    return 0
