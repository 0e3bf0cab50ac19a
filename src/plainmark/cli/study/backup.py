"""Copy all answers to one file, while the study is being served; without a file, list the backups that were made.

The file is the same for SQLite and PostgreSQL; `plainmark study restore` reads it into either. It contains hashes of ids, but no ids,
so keep .study-key as well, in another place. With --clean, people who have withdrawn since are removed from the listed files.
"""

from __future__ import annotations

import argparse

from ...errors import OptionError
from ...result import Listing
from ...table import Cell, Table
from .._arguments import add_output, output_format, write_result
from ._store import actor, add_study, now, opened


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument("file", metavar="FILE", nargs="?", help="a new file for the copy")
    parser.add_argument(
        "--clean", action="store_true", help="remove people who have withdrawn from the listed backups"
    )
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    if options.clean and options.file:
        raise OptionError("--clean works on the backups of the list; expected no file.")
    _, store = opened(options)
    with store:
        from ...study.store.backup import backup, clean, entries

        if options.file:
            counts = backup(store, options.file, now(), actor=actor())
            print(f"{options.file}: {counts['participants']} participants, {counts['answers']} answers")
            return 0
        if options.clean:
            results = clean(store, now(), actor=actor())
            for file, result in results:
                print(f"{file}: {result}")
            if not results:
                print("No backup holds anyone who has withdrawn.")
            return 0
        listed = entries(store)
    names = ["file", "created", "people", "answers", "removed since", "sha256"]
    cells = [
        [Cell(e.file), Cell(e.created[:19]), *(Cell(str(n), n) for n in (e.people, e.answers, e.removed))]
        for e in listed
    ]
    rows = [[*row, Cell(e.sha256[:12])] for row, e in zip(cells, listed, strict=True)]
    data = [vars(e) for e in listed]
    write_result(options, Listing.of(Table(names, rows), data=data), form)
    return 0
