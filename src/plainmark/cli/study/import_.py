"""Create a study from answers that others collected.

example:
  plainmark study import ats-eval answers.csv my-study
Nothing is lost: `plainmark study export my-study --format ats-eval -o same.csv` writes the same file.
"""

from __future__ import annotations

import argparse

from ...study import importing, load, open_store
from ._store import add_database, now


def add_arguments(parser: argparse.ArgumentParser) -> None:
    about = "; ".join(f"{f.name}: {f.about}" for f in importing.FORMATS.values())
    about += "; thresh, label-studio, potato: marked words (JSON)"
    parser.add_argument("format", metavar="FORMAT", help=about)
    parser.add_argument("file", metavar="FILE", help="the file with the answers")
    parser.add_argument("folder", metavar="FOLDER", help="a new folder for the study")
    parser.add_argument(
        "--items", metavar="FILE", help="potato: JSON lines with the id and text of each instance"
    )
    add_database(parser)


def run(options: argparse.Namespace) -> int:
    if options.format in importing.MARK_FORMATS:
        from ...study import span_import

        answers = span_import.read(options.format, options.file, options.items)
    else:
        answers = importing.read(options.format, options.file)
    importing.make_folder(answers, options.folder)
    with open_store(load(options.folder), options.database) as store:
        from ...study.store import import_export

        store.begin(now())
        import_export.store_imported(store, answers, now())
    print(
        f"{options.folder}: {len(answers.trials)} rows, {len(answers.items)} items, {len(answers.definition['conditions'])}"
        f" conditions. Next: plainmark study report {options.folder} -o report.html"
    )
    return 0
