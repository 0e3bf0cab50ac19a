"""Compute the tables of the papers again from released data, and show printed | ours: `plainmark papers sari`.

Papers are named by number or name: 1-agg, 2-sari, 3-samsa, 4-appls, 5-reading; all of them if none is named. Data sets
are got with `plainmark datasets get NAME`; tables whose data are not here are left out, one line for each data set.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from ..errors import OptionError
from ..papers import Recomputed, papers, recompute
from ..report import papers as report
from ..writing import write_atomically
from ._progress import Progress

FORMS: dict[str, Callable[[Recomputed], str]] = {
    ".html": report.page,
    ".csv": report.as_csv,
    ".md": report.markdown,
    ".tex": report.latex,
    ".txt": report.text,
    ".json": lambda found: as_json(found) + "\n",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("papers", nargs="*", metavar="PAPER", help="such as 2-sari, sari or 2 (default: all)")
    parser.add_argument(
        "--json",
        action="store_true",
        help="a list of cells: paper, table, cell, published, ours, agrees, note",
    )
    parser.add_argument("-o", "--out", metavar="FILE", help=f"write to a file instead: {', '.join(FORMS)}")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    papers(options.papers)  # a wrong name or ending is said before anything is computed
    if options.out and Path(options.out).suffix not in FORMS:
        raise OptionError(f"{options.out}: expected a name that ends in {', '.join(FORMS)}.")
    with Progress("papers", quiet=options.quiet) as progress:
        found = recompute(options.papers, progress)
    for absent in found.absent:
        print(f"plainmark: {absent}", file=sys.stderr)
    code = 2 if found.absent and not found.cells else 0
    if options.out:
        if not code:
            write_atomically(options.out, FORMS[Path(options.out).suffix](found))
            print(f"{options.out}: {report.count(found)}")
    elif options.json:
        print(as_json(found))
    else:
        print(report.text(found), end="")
    return code


def as_json(found: Recomputed) -> str:
    """The cells as a list."""
    return json.dumps([cell.as_record() for cell in found.cells], indent=2, ensure_ascii=False)
