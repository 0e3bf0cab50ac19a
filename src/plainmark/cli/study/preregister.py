"""Write a preregistration: Markdown with design, hypotheses, exclusions, analysis, seed and the hash of the definition.

Write it before the first answer is collected. You can convert it with pandoc, or paste it into a registry.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

from ...study import load, open_store
from ...writing import write_atomically
from ._store import add_study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="a file (default: on the screen)")
    parser.add_argument(
        "--power", action="store_true", help="simulate how many people are needed, up to two minutes"
    )


def run(options: argparse.Namespace) -> int:
    study = load(options.study)
    from ...study import power as simulation
    from ...study.preregistration import preregistration

    simulated = None
    if options.power:
        difference = study.definition.analysis.smallest_difference
        simulated = simulation.power(study, simulation.Assumptions(difference=difference))
    answers = 0
    if options.database or (Path(study.folder) / "answers.db").exists():
        from ...study.store.answer_rows import answer_rows

        with open_store(study.in_mode("live"), options.database, create=False) as store:
            answers = len(answer_rows(store))
    today = datetime.datetime.now(datetime.UTC).date()
    text = preregistration(study, date=today, power=simulated, answers=answers)
    if answers:
        print(
            f"note: {answers:,} live answers are stored already, and the document says so.", file=sys.stderr
        )
    if options.output is None:
        print(text, end="")
        return 0
    write_atomically(options.output, text)
    print(f"{options.output}: revision {study.digest[:12]}")
    return 0
