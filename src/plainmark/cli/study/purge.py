"""Remove a person and everything they wrote, or everyone whose retention period is over.

PARTICIPANT is the recruiter's id, or the id that the dashboard, the report and exports show. Nothing about the
person is left in SQLite's files or in PostgreSQL's tables, `study restore` leaves them out, and they cannot take part again. `study backup --clean`
removes them from backups; files that you exported before, and PostgreSQL's own log, remain your responsibility.
"""

from __future__ import annotations

import argparse

from ...errors import OptionError, StoreError
from ._store import actor, add_study, now, opened


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument(
        "participant", nargs="?", metavar="PARTICIPANT", help="the id of the person to remove"
    )
    parser.add_argument(
        "--expired",
        action="store_true",
        help="remove everyone whose answers are older than privacy.retention_days",
    )


def run(options: argparse.Namespace) -> int:
    if bool(options.participant) == options.expired:
        raise OptionError("expected a participant, or --expired.")
    _, store = opened(options)
    with store:
        from ...study.store import removal

        if options.expired:
            count = removal.purge_expired(store, now(), actor=actor())
        else:
            count = removal.purge(store, options.participant, now(), actor=actor())
            if not count:
                raise StoreError(
                    "no such participant in this study, under this study's key; nothing removed."
                )
    print(f"removed: {count}")
    return 0
