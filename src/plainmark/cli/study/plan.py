"""What a study takes: blocks, people, minutes and cost, with the drop-outs to be expected."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from ...study import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", metavar="FOLDER", help="a study's folder, or its study.yaml")
    parser.add_argument(
        "--drop-out", type=float, metavar="SHARE", help="people who do not finish (default: the definition's)"
    )
    parser.add_argument("--json", action="store_true", help="the plan as plain data")


def run(options: argparse.Namespace) -> int:
    study = load(options.study)
    from ...study.planning import plan_of

    made = plan_of(study, drop_out=options.drop_out)
    if options.json:
        print(json.dumps(asdict(made), indent=2))
        return 0
    pay = study.definition.payment
    print(
        f"cells       {made.cells:>8,}  ({len(study.items)} items x {len(study.arms)} arms x {study.definition.design.replicates}"
        f"{f', {made.overlap} more for agreement' if made.overlap else ''})"
    )
    print(
        f"blocks      {made.blocks:>8,}  of {made.smallest_block}{f'-{made.largest_block}' if made.largest_block != made.smallest_block else ''} items; no person sees an item twice"
    )
    print(
        f"people      {made.people:>8,}  on average with {made.drop_out:.0%} drop-outs (at most {made.most_people} in {made.runs} simulated studies)"
    )
    print(f"surplus     {made.surplus:>8.1f}  answers on average beyond the design")
    print(
        f"minutes     {made.minutes:>8.1f}  for one person{'' if pay.minutes else ', estimated from the length of the texts'}"
    )
    if pay.per_hour:
        print(
            f"cost        {made.cost:>8,.2f}  {pay.currency} at {pay.per_hour:g} an hour, {pay.fee:.0%} fee, drop-outs unpaid"
        )
    for warning in made.warnings:
        print(f"note: {warning}")
    return 0
