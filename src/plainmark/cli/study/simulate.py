"""Rehearse a study with simulated participants on its real pages, while the server crashes, and see what was lost.

The command works on a copy and never touches the study's own answers. The exit code is 1 if anything was lost, duplicated or damaged,
or if fewer crashes happened than you asked for.
"""

from __future__ import annotations

import argparse
from typing import Any

from ...errors import MissingResourceError
from ...result import Listing
from ...table import Cell, Table
from .._arguments import add_output, add_seed, output_format, write_result
from ._store import add_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument(
        "-n",
        "--participants",
        type=int,
        default=200,
        metavar="N",
        help="simulated participants (default: 200)",
    )
    parser.add_argument(
        "--drop-out",
        type=float,
        default=0.12,
        metavar="SHARE",
        help="share of participants who leave in the middle (default: .12)",
    )
    parser.add_argument(
        "--two-tabs",
        type=float,
        default=0.3,
        metavar="SHARE",
        help="share of participants who answer in two tabs at once (default: .3)",
    )
    parser.add_argument(
        "--double-submit",
        type=float,
        default=0.2,
        metavar="SHARE",
        help="share of participants who send everything twice (default: .2)",
    )
    parser.add_argument(
        "--careless",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of attention trials that are answered at random (default: 0)",
    )
    parser.add_argument(
        "--crashes",
        type=int,
        default=0,
        metavar="N",
        help="number of times that the server crashes (default: 0)",
    )
    parser.add_argument(
        "--think",
        type=float,
        nargs=2,
        default=(0.0, 0.5),
        metavar=("LOW", "HIGH"),
        help="the shortest and longest time, in seconds, that a participant spends on a page (default: 0 0.5)",
    )
    parser.add_argument(
        "--ramp",
        type=float,
        default=5.0,
        metavar="SECONDS",
        help="time within which all participants arrive (default: 5)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default="",
        help="a PostgreSQL server, in which a schema is created and removed again (default: an SQLite file)",
    )
    parser.add_argument(
        "--servers",
        type=int,
        default=1,
        metavar="N",
        help="number of servers on one PostgreSQL database (default: 1)",
    )
    parser.add_argument(
        "--intruder",
        type=float,
        default=0.0,
        metavar="RATE",
        help="requests per second by a stranger who tries to take places; links are then signed (default: 0)",
    )
    parser.add_argument(
        "--keep",
        metavar="FOLDER",
        default="",
        help="a new folder for the copy with the simulated answers, with which you can try the report and the export",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=60.0,
        metavar="N",
        help="give up after this many minutes (default: 60)",
    )
    add_seed(parser, "everything random")
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    try:
        from ...web.simulation.comparison import as_data
        from ...web.simulation.participants import Behaviour
        from ...web.simulation.simulate import SimulationOptions, simulate
    except ImportError as problem:
        raise MissingResourceError(
            f"simulating a study needs {problem.name}; to install: pip install 'plainmark[study]'."
        ) from None
    behaviour = Behaviour(
        options.drop_out, options.two_tabs, options.double_submit, options.careless, tuple(options.think)
    )
    result = simulate(
        SimulationOptions(
            folder=options.study,
            participants=options.participants,
            behaviour=behaviour,
            crashes=options.crashes,
            ramp=options.ramp,
            database=options.database,
            servers=options.servers,
            intruder=options.intruder,
            keep=options.keep,
            seed=options.seed,
            minutes=options.minutes,
        )
    )
    data = as_data(result)
    rows = [[Cell(name), Cell(str(value), value)] for name, value in data.items()]
    text = _describe(result, options.keep)
    write_result(options, Listing.of(Table(["quantity", "value"], rows), data=data, text=text), form)
    return 0 if result.safe and result.complete else 1


def _describe(result: Any, folder: str) -> str:
    ends = ", ".join(f"{count} {outcome!r}" for outcome, count in result.ends.items())
    lines = [
        f"{result.participants} participants on {result.database} in {result.seconds:.0f} s, {result.crashes} of {result.crashes_planned}"
        f" crashes: {ends}",
        f"acknowledged  {result.acknowledged:>8,}  pages, of {result.submits:,} submits",
        f"stored        {result.stored:>8,}  as they were sent, each answer once ({result.answers:,} answers)",
        f"lost          {result.lost:>8,}",
        f"different     {result.different:>8,}",
        f"duplicated    {result.duplicated:>8,}  answers; {result.duplicated_cells} cells or items given twice",
        f"conflicting   {result.conflicting:>8,}  other answers to a submitted page, set aside;"
        f" {result.conflicting_lost} lost",
        f"cells         {result.cells_done:>8,}  of {result.cells:,} answered",
        f"integrity     {'ok' if result.intact else 'DAMAGED':>8}",
        f"submit        {result.submit_p50:>8,.0f}  ms p50, {result.submit_p95:,.0f} p95, {result.submit_p99:,.0f} p99;"
        f" a page {result.page_p50:,.0f} p50, {result.page_p95:,.0f} p95",
    ]
    if result.interrupted:
        lines.append(
            f"interrupted   {result.interrupted:>8,}  submits sent again after a crash, at most"
            f" {result.interrupted_max / 1000:.1f} s until stored"
        )
    if result.intruder:
        responses = ", ".join(f"{count} x {kind}" for kind, count in result.intruder.items())
        lines.append(
            f"intruder      {result.strangers:>8,}  places or sessions taken; responses: {responses}"
        )
    if folder:
        lines.append(f"kept in {folder}; next: plainmark study report {folder}")
    lines.append("Nothing was lost." if result.safe else "SOMETHING WAS LOST OR DAMAGED; see above.")
    if not result.complete:
        lines.append(
            f"ONLY {result.crashes} OF {result.crashes_planned} CRASHES HAPPENED, as the participants were done before;"
            " use more participants (-n) or fewer --crashes."
        )
    return "\n".join(lines) + "\n"
