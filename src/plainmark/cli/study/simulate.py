"""Try a study before people come: simulated participants on its real pages, and a server that crashes meanwhile.

Works on a copy; the study's own answers are never touched. Exit code 1 if anything was lost, duplicated or damaged.
"""

from __future__ import annotations

import argparse
import json

from ...errors import MissingResourceError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", metavar="FOLDER", help="a study's folder, or its study.yaml")
    parser.add_argument(
        "-n",
        "--participants",
        type=int,
        default=200,
        metavar="N",
        help="simulated participants (default: 200)",
    )
    parser.add_argument(
        "--drop-out", type=float, default=0.12, metavar="SHARE", help="who leave in the middle (default: .12)"
    )
    parser.add_argument(
        "--two-tabs",
        type=float,
        default=0.3,
        metavar="SHARE",
        help="who answer in two tabs at once (default: .3)",
    )
    parser.add_argument(
        "--double-submit",
        type=float,
        default=0.2,
        metavar="SHARE",
        help="who send everything twice (default: .2)",
    )
    parser.add_argument(
        "--careless",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="attention trials answered at random (default: 0)",
    )
    parser.add_argument(
        "--crashes", type=int, default=0, metavar="N", help="times that the server crashes (default: 0)"
    )
    parser.add_argument(
        "--think",
        type=float,
        nargs=2,
        default=(0.0, 0.5),
        metavar=("LOW", "HIGH"),
        help="seconds that a page takes (default: 0 0.5)",
    )
    parser.add_argument(
        "--ramp", type=float, default=5.0, metavar="SECONDS", help="time in which people arrive (default: 5)"
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default="",
        help="a PostgreSQL server to make a schema in (default: an SQLite file)",
    )
    parser.add_argument(
        "--keep",
        metavar="FOLDER",
        default="",
        help="a new folder for the copy with the simulated answers, to try report and export on",
    )
    parser.add_argument(
        "--minutes", type=float, default=60.0, metavar="N", help="give up after so long (default: 60)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of all that is drawn by lot (default: 0)"
    )
    parser.add_argument("--json", action="store_true", help="the outcome as plain data")


def run(options: argparse.Namespace) -> int:
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
            keep=options.keep,
            seed=options.seed,
            minutes=options.minutes,
        )
    )
    if options.json:
        print(json.dumps(as_data(result), indent=2, ensure_ascii=False))
        return 0 if result.safe else 1
    ends = ", ".join(f"{n} {outcome!r}" for outcome, n in result.ends.items())
    print(
        f"{result.participants} participants on {result.database} in {result.seconds:.0f} s, {result.crashes} crashes: {ends}"
    )
    print(f"acknowledged  {result.acknowledged:>8,}  pages, of {result.submits:,} submits")
    print(
        f"stored        {result.stored:>8,}  as they were sent, each answer once ({result.answers:,} answers)"
    )
    print(f"lost          {result.lost:>8,}")
    print(f"different     {result.different:>8,}")
    print(
        f"duplicated    {result.duplicated:>8,}  answers; {result.duplicated_cells} cells or items given twice"
    )
    print(
        f"conflicting   {result.conflicting:>8,}  other answers to a submitted page, set aside; {result.conflicting_lost} lost"
    )
    print(f"cells         {result.cells_done:>8,}  of {result.cells:,} answered")
    print(f"integrity     {'ok' if result.intact else 'DAMAGED':>8}")
    print(
        f"submit        {result.submit_p50:>8,.0f}  ms p50, {result.submit_p95:,.0f} p95, {result.submit_p99:,.0f} p99;"
        f" a page {result.page_p50:,.0f} p50, {result.page_p95:,.0f} p95"
    )
    if result.interrupted:
        print(
            f"interrupted   {result.interrupted:>8,}  submits sent again after a crash, at most {result.interrupted_max / 1000:.1f} s until stored"
        )
    if options.keep:
        print(f"kept in {options.keep}; next: plainmark study report {options.keep}")
    print("Nothing was lost." if result.safe else "SOMETHING WAS LOST OR DAMAGED; see above.")
    return 0 if result.safe else 1
