"""Write a study's archive: one zip file that a reviewer opens and re-runs, or (-o FOLDER/) the same files in a new folder.

It has the definition, the items, anonymised answers, a codebook, the preregistration, scripts in Python and R, the report, every
figure and checksums. The same answers give the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ...api.study_archive import archive
from ...errors import InputError, OptionError
from ...writing import writing_bytes
from .._arguments import add_resamples
from ._store import add_mode, add_study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    add_mode(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="a .zip file, or a new folder with / at the end"
    )
    parser.add_argument(
        "--preregistration",
        metavar="FILE",
        help="the file that was registered (default: an analysis plan, undated)",
    )
    parser.add_argument(
        "--leave-out",
        metavar="QUESTION",
        action="append",
        default=[],
        help="a survey question whose answers are left out; may be given several times. Written survey answers are always left out",
    )
    add_resamples(parser)


def run(options: argparse.Namespace) -> int:
    as_folder = options.output.endswith("/")
    target = Path(options.output)
    if not as_folder and target.suffix.lower() != ".zip":
        raise OptionError(
            f"{options.output}: expected a name that ends in .zip, or a new folder with / at the end."
        )
    if as_folder and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{options.output}: exists and is not empty; expected a new folder.")
    made = archive(
        options.study,
        database=options.database,
        mode=options.mode or "",
        preregistration=options.preregistration,
        leave_out=options.leave_out,
        resamples=options.resamples,
        seed=options.seed,
    )
    if as_folder:
        for name, data in made.files.items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            with writing_bytes(target / name) as file:
                file.write(data)
    else:
        with writing_bytes(target) as file:
            file.write(made.packed())
    for note in made.notes:
        print(f"note: {note}", file=sys.stderr)
    print(
        f"{options.output}: {len(made.files)} files. To repeat the analysis: plainmark study rerun {options.output}"
    )
    return 0
