"""Show how a model ranks the rules for words or phrases, compared with leaving them unchanged.

examples:
  plainmark rules rank principal able-bodied
  plainmark rules rank principal able-bodied --model models/simplifier
A score is what the rule would add to an output's score, the mean over plain sentences. The column "rule" is
the score without the language model's part, as in Table 3 of Xu et al. 2016. Leaving the words unchanged is
scored, too.
"""

from __future__ import annotations

import argparse

from ...result import Listing, Titled
from ...table import Cell, Table
from .._arguments import add_output, output_format, write_result


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "phrases", nargs="+", metavar="PHRASE", help="words, or phrases in quotation marks"
    )
    arguments.add_argument("--model", default="default", metavar="NAME", help="default, or a model's folder")
    arguments.add_argument(
        "-n", "--number", type=int, default=12, help="rules to show for each (default: 12)"
    )
    add_output(arguments)


def run(options: argparse.Namespace) -> int:
    from ...simplifier.model import load_simplifier

    form = output_format(options)
    simplifier = load_simplifier(options.model)
    tables: list[Titled] = []
    records = []
    for phrase in options.phrases:
        ranked = simplifier.rank(phrase)[: max(options.number, 1)]
        rows = [
            [
                Cell(r.target or "(nothing)"),
                Cell(f"{r.score:.3f}", r.score),
                Cell(f"{r.score - r.lm:.3f}", r.score - r.lm),
                Cell(" ".join(r.origins)),
            ]
            for r in ranked
        ]
        tables.append(("", Table([phrase, "score", "rule", "from"], rows)))
        records += [
            {
                "phrase": phrase,
                "target": r.target,
                "score": r.score,
                "rule": r.score - r.lm,
                "from": " ".join(r.origins),
            }
            for r in ranked
        ]
    write_result(options, Listing(tables, records), form)
    return 0
