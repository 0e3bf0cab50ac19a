"""Write a study's answers to a file: CSV, JSON lines, Parquet, a reference set, or as they were imported.

A reference set (of collect-references) is JSON lines with id, source and references, as -r takes it.
"""

from __future__ import annotations

import argparse
import sys

from ...errors import OptionError
from ...study import importing
from ._store import add_study, opened

_FORMS = ("csv", "jsonl", "parquet", "references", *importing.FORMATS)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument("--format", choices=_FORMS, default="csv", help="form of the file (default: csv)")
    parser.add_argument("-o", "--out", metavar="FILE", help="the file to write (default: standard output)")


def run(options: argparse.Namespace) -> int:
    if options.out is None and options.format == "parquet":
        raise OptionError("Parquet is not for a screen; name a file: -o answers.parquet.")
    study, store = opened(options)
    with store:
        from ...study.store import import_export, monitoring

        if options.format == "references" and study.definition.checks.review:
            unseen = sum(not w.review for w in monitoring.reviews(store))
            if unseen:
                print(
                    f"note: of {unseen} people nobody has reviewed the first rewrites; they are in the set until rejected.",
                    file=sys.stderr,
                )
        if options.out is None:
            print(import_export.as_text(store, options.format)[0], end="")
            return 0
        count = import_export.export(store, options.format, options.out)
    print(f"{options.out}: {count} rows")
    return 0
