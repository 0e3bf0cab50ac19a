"""Backup and restore: all of a study's database, from either kind, as one SQLite file, and back into an empty one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, text

from ...errors import InputError, StoreError
from .database import Database
from .tables import answers, metadata, participants, revisions

_ROWS_AT_ONCE = 1000

Tables = Mapping[str, list[dict[str, Any]]]


def backup(database: Database, path: str | Path) -> dict[str, int]:
    """Copy everything to a new file while the study goes on; returns how many rows each table has.

    The copy is a consistent snapshot. It appears under its name only when it is complete and on the disk.
    """
    target = Path(path)
    if target.exists():
        raise InputError(f"{target}: exists already, expected the name of a new file.")
    try:
        folder = tempfile.TemporaryDirectory(dir=target.resolve().parent, prefix=".backup-")
    except OSError as error:
        raise InputError(f"{target}: cannot write here ({error.strerror}).") from None
    with folder as temporary:
        part = Path(temporary) / target.name
        copy = Database(f"sqlite:///{part}")
        try:
            counts = _copy(database, copy)
            if not copy.intact():
                raise StoreError(f"{target}: the copy is damaged; nothing was written.")
        finally:
            copy.close()  # which empties SQLite's log into the file
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(target)
    return counts


def restore(path: str | Path, database: Database) -> dict[str, int]:
    """Copy a backup into an empty database, upgraded if an older version made it; returns how many rows each table has."""
    source = Path(path)
    with tempfile.TemporaryDirectory(prefix="plainmark-restore-") as temporary:
        copy = Path(temporary) / "copy.db"  # the backup itself stays as it is
        try:
            data = source.read_bytes()
        except OSError as error:
            raise InputError(f"{source}: cannot read it ({error.strerror}).") from None
        if not data.startswith(b"SQLite format 3\0"):
            raise InputError(f"{source}: not a backup; expected a file that `plainmark study backup` wrote.")
        copy.write_bytes(data)
        saved = Database(f"sqlite:///{copy}", create=False)
        try:
            if not saved.intact():
                raise StoreError(f"{source}: damaged; nothing was restored.")
            return _copy(saved, database)
        finally:
            saved.close()


def _copy(source: Database, target: Database) -> dict[str, int]:
    def read(connection: Connection) -> Tables:
        return {
            table.name: [dict(row._mapping) for row in connection.execute(select(table))]
            for table in metadata.sorted_tables
        }

    rows = source.read(read)

    def write(connection: Connection) -> dict[str, int]:
        for table in (participants, answers, revisions):
            if connection.execute(select(func.count()).select_from(table)).scalar_one():
                raise StoreError(
                    f"{target.shown}: has answers or a study already; expected an empty database."
                )
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())
        for table in metadata.sorted_tables:
            for start in range(0, len(rows[table.name]), _ROWS_AT_ONCE):
                connection.execute(insert(table), rows[table.name][start : start + _ROWS_AT_ONCE])
            if not target.path and "id" in table.c and rows[table.name]:
                # PostgreSQL counts ids apart from the rows.
                sequence = text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)")
                last = max(row["id"] for row in rows[table.name])
                connection.execute(sequence, {"table": table.name, "last": last})
        return {table.name: len(rows[table.name]) for table in metadata.sorted_tables}

    return target.write(write)
