"""Recompute tables of published papers from released data and show them beside the printed figures.

example:
  plainmark papers sari
Papers are named by number or name: 1-agg, 2-sari, 3-samsa, 4-appls, 5-reading (default: all of them). Data sets are
downloaded with `plainmark datasets get NAME`; tables whose data are missing are left out, with one line per data set.
Figures of models that are not available are listed as not computed; --stand-ins runs models that come with plainmark in
their place, and says which. That takes minutes; PLAINMARK_CACHE=FOLDER stores what models compute for the next run.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from ..papers import Recomputed, papers, recompute
from ..report import papers as report
from ..result import Result, Row, Titled
from ._arguments import add_output, add_quiet, output_format, write_result
from ._progress import Progress


@dataclass(frozen=True, eq=False)
class RecomputedPapers(Result):
    """Printed figures beside recomputed ones; one row per cell: paper, table, cell, published, ours, agrees, note."""

    recomputed: Recomputed

    def tables(self) -> list[Titled]:
        return [
            (f"{paper}, {name}", report.table_of(figures))
            for (paper, name), figures in self.recomputed.tables().items()
        ]

    def records(self) -> list[Row]:
        return [cell.as_record() for cell in self.recomputed.cells]

    def to_text(self, *, bold: bool = False) -> str:
        return report.text(self.recomputed)

    def to_markdown(self) -> str:
        return report.markdown(self.recomputed)

    def to_html(self) -> str:
        return report.page(self.recomputed)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("papers", nargs="*", metavar="PAPER", help="such as 2-sari, sari or 2 (default: all)")
    parser.add_argument(
        "--stand-ins",
        action="store_true",
        help="also run the substitutes for models that are not available (takes minutes)",
    )
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    papers(options.papers)  # so that a wrong name is reported before anything is computed
    with Progress("papers", quiet=options.quiet) as progress:
        recomputed = recompute(options.papers, progress, stand_ins=options.stand_ins)
    for absent in recomputed.absent:
        print(f"plainmark: {absent}", file=sys.stderr)
    code = 2 if recomputed.absent and not recomputed.cells else 0
    if not code or not options.output:
        write_result(options, RecomputedPapers(recomputed), form, report.count(recomputed))
    return code
