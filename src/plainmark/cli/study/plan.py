"""Plan a study: blocks, people, minutes and cost, with the expected drop-outs."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from ...result import Listing
from ...study import load
from ...table import Cell, Table
from .._arguments import add_output, output_format, write_result
from ._store import add_folder

if TYPE_CHECKING:
    from ...study.definition.loading import Study
    from ...study.planning import Plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument(
        "--drop-out", type=float, metavar="SHARE", help="people who do not finish (default: the definition's)"
    )
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    study = load(options.study)  # says what is not installed
    from ...study.planning import plan_of

    plan = plan_of(study, drop_out=options.drop_out)
    lines = describe(study, plan)
    text = "".join(f"{name:12}{number:>8}  {note}\n" for name, number, _, note in lines)
    text += "".join(f"note: {warning}\n" for warning in plan.warnings)
    cells = [[Cell(name), Cell(number, value), Cell(note)] for name, number, value, note in lines]
    table = Table(["quantity", "value", "explanation"], cells, plan.warnings)
    write_result(options, Listing.of(table, data=asdict(plan), text=text), form)
    return 0


def describe(study: Study, plan: Plan) -> list[tuple[str, str, float, str]]:
    """The quantities of a plan: name, printed number, number, explanation."""
    payment = study.definition.payment
    overlap = f", {plan.overlap} more for agreement" if plan.overlap else ""
    cells = (
        f"({len(study.items)} items x {len(study.arms)} arms x {study.definition.design.replicates}{overlap})"
    )
    size = f"{plan.smallest_block}-{plan.largest_block}".removesuffix(f"-{plan.smallest_block}")
    people = f"on average with {plan.drop_out:.0%} drop-outs (at most {plan.most_people} in {plan.runs} simulated studies)"
    minutes = "for one person" + ("" if payment.minutes else ", estimated from the length of the texts")
    lines = [
        ("cells", f"{plan.cells:,}", plan.cells, cells),
        ("blocks", f"{plan.blocks:,}", plan.blocks, f"of {size} items; no person sees an item twice"),
        ("people", f"{plan.people:,}", plan.people, people),
        ("surplus", f"{plan.surplus:.1f}", plan.surplus, "answers on average beyond the design"),
        ("minutes", f"{plan.minutes:.1f}", plan.minutes, minutes),
    ]
    if payment.per_hour:
        rate = f"{payment.currency} at {payment.per_hour:g} an hour, {payment.fee:.0%} fee, drop-outs unpaid"
        lines.append(("cost", f"{plan.cost:,.2f}", plan.cost, rate))
    return lines
