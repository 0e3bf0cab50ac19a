"""Copy a backup into a study that has no answers yet, on SQLite or PostgreSQL.

The command refuses a study that has answers, and a database that a server is using. A backup of an older version is upgraded.
People who have withdrawn since the backup are left out, if the database or withdrawn.txt in the study's folder names them.
"""

from __future__ import annotations

import argparse

from ...study import load, open_store
from ._store import actor, add_study, now


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument("file", metavar="FILE", help="a file that `plainmark study backup` wrote")


def run(options: argparse.Namespace) -> int:
    with open_store(load(options.study), options.database, serving=True) as store:
        from ...study.store.backup import restore

        counts = restore(options.file, store, now(), actor=actor())
    left_out = f"; {counts['left out']} who withdrew left out" if counts["left out"] else ""
    print(f"restored: {counts['participants']} participants, {counts['answers']} answers{left_out}")
    return 0
