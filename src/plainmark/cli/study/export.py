"""Export a study's answers as CSV, JSON lines or Parquet, as a reference set, or in the format of another program.

`--format participants` is CSV with one row per participant: outcome, times, devices, flags, and the rules that exclude them.
`plainmark study codebook` says what every column means.

A reference set (of collect-references) is JSON lines with id, source and references, as -r takes it.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ...errors import OptionError
from ...study import importing
from ...writing import write_atomically
from .._arguments import add_output, output_format
from ._store import actor, add_mode, add_study, now, opened

if TYPE_CHECKING:
    from ...study.definition.loading import Study
    from ...study.store.store import Store

FORMATS = (
    "csv",
    "jsonl",
    "parquet",
    "participants",
    "references",
    *importing.FORMATS,
    *importing.MARK_FORMATS,
    "potato-items",
)
SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    add_mode(parser)
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
        if form == "participants":
            return _participants(options, study, store)
        store.note("export", form, now(), actor=actor())
        if options.output is None:
            print(import_export.as_text(store, form)[0], end="")
            return 0
        count = import_export.export(store, form, options.output)
    print(f"{options.output}: {count} rows")
    return 0


def _participants(options: argparse.Namespace, study: Study, store: Store) -> int:
    """One row per participant."""
    from ...study.analysis.exclusions import exclude
    from ...study.analysis.responses import collect
    from ...study.archive import participants_csv

    store.note("export", "participants", now(), actor=actor())
    collected = collect(store)
    text = participants_csv(collected, exclude(study, collected.rows, collected.people))
    if options.output is None:
        print(text, end="")
    else:
        write_atomically(options.output, text)
        print(f"{options.output}: {len(collected.people)} rows")
    return 0
