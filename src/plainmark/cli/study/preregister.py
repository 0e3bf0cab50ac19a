"""Write a preregistration: Markdown with design, hypotheses, exclusions, analysis, seed and the hash of the definition.

Write it before the first answer is collected. You can convert it with pandoc, or paste it into a registry.
"""

from __future__ import annotations

import argparse
import datetime

from ...study import load
from ...writing import write_atomically
from ._store import add_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
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
    text = preregistration(study, date=datetime.datetime.now(datetime.UTC).date(), power=simulated)
    if options.output is None:
        print(text, end="")
        return 0
    write_atomically(options.output, text)
    print(f"{options.output}: revision {study.digest[:12]}")
    return 0
