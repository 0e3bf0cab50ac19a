"""Copy a backup into a study that has no answers yet, on SQLite or PostgreSQL.

Refused if there are answers already, or while a server works on the file. A backup of an older version is upgraded.
"""

from __future__ import annotations

import argparse

from ...study import load, open_store
from ._store import add_study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument("file", metavar="FILE", help="a file that `plainmark study backup` wrote")


def run(options: argparse.Namespace) -> int:
    with open_store(load(options.study), options.database, serving=True) as store:
        from ...study.store.backup import restore

        counts = restore(options.file, store.database)
    print(f"restored: {counts['participants']} participants, {counts['answers']} answers")
    return 0
