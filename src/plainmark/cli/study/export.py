"""Export a study's answers: CSV, JSON lines, Parquet, a reference set, marks for other programs, or as imported.

A reference set (of collect-references) is JSON lines with id, source and references, as -r takes it.
"""

from __future__ import annotations

import argparse
import sys

from ...errors import OptionError
from ...study import importing
from .._arguments import add_output, output_format
from ._store import add_study, opened

FORMATS = (
    "csv",
    "jsonl",
    "parquet",
    "references",
    *importing.FORMATS,
    *importing.MARK_FORMATS,
    "potato-items",
)
SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    form = output_format(options, FORMATS, SUFFIXES)
    if options.output is None and form == "parquet":
        raise OptionError("Parquet is not for a screen; name a file: -o answers.parquet.")
    study, store = opened(options)
    with store:
        from ...study.store import import_export, monitoring

        if form == "references" and study.definition.checks.review:
            unseen = sum(not w.review for w in monitoring.reviews(store))
            if unseen:
                print(
                    f"note: of {unseen} people nobody has reviewed the first rewrites; they are in the set until rejected.",
                    file=sys.stderr,
                )
        if options.output is None:
            print(import_export.as_text(store, form)[0], end="")
            return 0
        count = import_export.export(store, form, options.output)
    print(f"{options.output}: {count} rows")
    return 0
