"""Copy all answers to one file, while the study is being served.

The file is the same for SQLite and PostgreSQL; `plainmark study restore` reads it into either. It holds no ids, only hashes:
keep .study-key as well, apart from it.
"""

from __future__ import annotations

import argparse

from ._store import add_study, opened


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument("file", metavar="FILE", help="a new file for the copy")


def run(options: argparse.Namespace) -> int:
    _, store = opened(options)
    with store:
        from ...study.store.backup import backup

        counts = backup(store.database, options.file)
    print(f"{options.file}: {counts['participants']} participants, {counts['answers']} answers")
    return 0
