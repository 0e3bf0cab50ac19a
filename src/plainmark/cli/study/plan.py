"""Plan a study: booklets, people, minutes and cost, with the expected drop-outs; with --power, how many people it needs.

With --power, the command simulates the analysis of the definition (mixed model and bootstrap) for a difference between conditions,
which takes at most two minutes. Accuracy and spread are assumed, or with --pilot estimated from the answers of a pilot.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from ...result import Listing
from ...study import load, open_store
from ...table import Cell, Table
from ...writing import write_atomically
from .._arguments import add_output, output_format, write_result
from ._store import add_database, add_folder

if TYPE_CHECKING:
    from ...study.definition.loading import Study
    from ...study.planning import Plan
    from ...study.power import Power


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument(
        "--drop-out",
        type=float,
        metavar="SHARE",
        help="share of people who do not finish (default: the definition's)",
    )
    parser.add_argument("--power", action="store_true", help="simulate the power of the analysis")
    parser.add_argument(
        "--difference",
        type=float,
        metavar="POINTS",
        help="the difference to detect, in percentage points (default: analysis.smallest_difference)",
    )
    parser.add_argument(
        "--accuracy",
        type=float,
        metavar="PERCENT",
        help="the expected percentage of right answers (default: 70, or the pilot's)",
    )
    for name in ("person", "item", "question"):
        parser.add_argument(
            f"--{name}-sd", type=float, metavar="SD", help=f"standard deviation of {name}s on the logit scale"
        )
    parser.add_argument(
        "--pilot", action="store_true", help="estimate accuracy and spread from the study's answers"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the simulation (default: 0)"
    )
    add_database(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    study = load(options.study)  # says what is not installed
    from ...study.planning import plan_of

    plan = plan_of(study, drop_out=options.drop_out)
    lines = describe(study, plan)
    if options.power:
        from ...report.study_power import lines as power_lines
        from ...report.study_power import render

        simulated = _power(study, options)
        if form == "html":
            write_atomically(options.output, render(study, simulated))
            print(f"{options.output}: {sum(p.studies for p in simulated.points):,} simulated studies")
            return 0
        lines += power_lines(simulated)
    text = "".join(f"{name:12}{number:>8}  {note}\n" for name, number, _, note in lines)
    text += "".join(f"note: {warning}\n" for warning in plan.warnings)
    cells = [[Cell(name), Cell(number, value), Cell(note)] for name, number, value, note in lines]
    table = Table(["quantity", "value", "explanation"], cells, plan.warnings)
    write_result(options, Listing.of(table, data=asdict(plan), text=text), form)
    return 0


def _power(study: Study, options: argparse.Namespace) -> Power:
    """Simulate with the assumptions of the options, or of the pilot."""
    from ...study import power as simulation

    difference = (
        study.definition.analysis.smallest_difference if options.difference is None else options.difference
    )
    assumptions = simulation.Assumptions(difference=difference)
    if options.pilot:
        from ...study.analysis.responses import collect

        with open_store(study, options.database, create=False) as store:
            assumptions = simulation.from_pilot(study, collect(store), difference)
    assumptions = simulation.with_changes(
        assumptions,
        accuracy=None if options.accuracy is None else options.accuracy / 100,
        person=options.person_sd,
        item=options.item_sd,
        question=options.question_sd,
    )
    return simulation.power(study, assumptions, seed=options.seed)


def _shown(arms: Sequence[str]) -> str:
    """How many conditions, or pairs of them, are shown of each item."""
    from ...study.definition.loading import ALL_CONDITIONS

    if tuple(arms) == (ALL_CONDITIONS,):
        return "all conditions together"
    return f"{len(arms)} {'pairs of conditions' if '|' in arms[0] else 'conditions'}"


def describe(study: Study, plan: Plan) -> list[tuple[str, str, float, str]]:
    """The quantities of a plan: name, printed number, number, explanation."""
    payment = study.definition.payment
    overlap = f", {plan.overlap} more for agreement" if plan.overlap else ""
    shapes = " + ".join(f"{len(s.items)} items x {_shown(s.arms)}" for s in study.shapes)
    shapes = f"({shapes})" if len(study.shapes) > 1 else shapes
    cells = f"({shapes} x {study.definition.design.replicates}{overlap})"
    size = f"{plan.smallest_block}-{plan.largest_block}".removesuffix(f"-{plan.smallest_block}")
    people = f"on average with {plan.drop_out:.0%} drop-outs (at most {plan.most_people} in {plan.runs} simulated studies)"
    minutes = "for one person" + (" in all sessions" if study.definition.sessions else "")
    minutes += "" if payment.minutes else ", estimated from the length of the texts"
    lines = [
        ("cells", f"{plan.cells:,}", plan.cells, cells),
        ("booklets", f"{plan.blocks:,}", plan.blocks, f"of {size} items; no person sees an item twice"),
        ("people", f"{plan.people:,}", plan.people, people),
        ("surplus", f"{plan.surplus:.1f}", plan.surplus, "answers on average beyond the design"),
        ("minutes", f"{plan.minutes:.1f}", plan.minutes, minutes),
    ]
    if payment.per_hour:
        rate = f"{payment.currency} at {payment.per_hour:g} an hour, {payment.fee:.0%} fee, drop-outs unpaid"
        lines.append(("cost", f"{plan.cost:,.2f}", plan.cost, rate))
    return lines
