"""Backup and restore: all of a study's database, from either kind, as one SQLite file, and back into an empty one.

The database lists its backups. Who withdraws is taken out of that list at once, is left out when an older backup is restored,
and is removed from the files themselves by `clean`.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, text, update

from ...errors import InputError, PlainmarkError, StoreError
from ..keys import short_id
from . import removal
from .answer_rows import iso_time
from .database import Database
from .store import Store, write_note
from .tables import answers, backups, metadata, participants, revisions

_ROWS_AT_ONCE = 1000

Tables = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class BackupEntry:
    """One line of the list of backups."""

    file: str
    created: str
    sha256: str
    people: int  # who are in it and have not been removed since
    answers: int
    removed: int  # who are still in the file, and no longer in the study


def backup(store: Store, path: str | Path, now: float, *, actor: str = "") -> dict[str, int]:
    """Copy everything to a new file while the study goes on; returns how many rows each table has.

    The copy is a consistent snapshot. It appears under its name only when it is complete and on the disk.
    """
    database = store.database
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
        digest, ids = _describe(part)
        part.replace(target)

    def enter(connection: Connection) -> None:
        entry = {"created": now, "file": str(target.resolve()), "sha256": digest, "removed": 0}
        entry |= {"participants": json.dumps(ids), "answers": counts["answers"]}
        connection.execute(insert(backups).values(**entry))
        write_note(connection, now, "backup", f"{len(ids)} people, {counts['answers']} answers", actor)

    database.write(enter)
    return counts


def entries(store: Store) -> list[BackupEntry]:
    """All backups that were made of a study, the latest first."""
    query = select(backups).order_by(backups.c.id.desc())
    return store.database.read(
        lambda c: [
            BackupEntry(
                r.file,
                iso_time(r.created),
                r.sha256,
                len(json.loads(r.participants)),
                r.answers,
                r.removed,
            )
            for r in c.execute(query)
        ]
    )


def clean(store: Store, now: float, *, actor: str = "") -> list[tuple[str, str]]:
    """Remove from the backup files everyone who was removed from the study; returns each file and what became of it."""
    gone = removal.all_tombstones(store)
    query = select(backups).where(backups.c.removed > 0).order_by(backups.c.id)
    results = []
    for row in store.database.read(lambda c: c.execute(query).all()):
        path = Path(row.file)
        if not path.exists():
            results.append((row.file, "not found; delete it wherever it is"))
            continue
        try:
            copy = Database(f"sqlite:///{path}", create=False)
            try:
                count = removal.bury(copy, store.key, gone, now)
                copy.forget()
            finally:
                copy.close()
        except PlainmarkError as error:
            results.append((row.file, str(error)))
            continue
        digest, ids = _describe(path)
        values = {"sha256": digest, "participants": json.dumps(ids), "removed": 0}

        def enter(connection: Connection, number: int = row.id, values: Any = values, n: int = count) -> None:
            connection.execute(update(backups).where(backups.c.id == number).values(**values))
            write_note(connection, now, "clean backup", f"{n} removed", actor)

        store.database.write(enter)
        results.append((row.file, f"{count} removed"))
    return results


def _describe(path: Path) -> tuple[str, list[str]]:
    """The digest of a backup, and the ids of the people in it."""
    copy = Database(f"sqlite:///{path}", create=False)
    try:
        hashes = copy.read(lambda c: list(c.execute(select(participants.c.hash)).scalars()))
    finally:
        copy.close()
    return hashlib.sha256(path.read_bytes()).hexdigest(), sorted({short_id(h) for h in hashes})


def restore(path: str | Path, store: Store, now: float, *, actor: str = "") -> dict[str, int]:
    """Copy a backup into an empty database, upgraded if an older version made it; returns how many rows each table has.

    Who withdrew after the backup was made is left out and counted as "left out".
    """
    source, database = Path(path), store.database
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
            left_out = removal.bury(saved, store.key, removal.all_tombstones(store), now)
            counts = _copy(saved, database)
        finally:
            saved.close()
    detail = f"{counts['participants']} people, {counts['answers']} answers; {left_out} withdrawn left out"
    store.note("restore", detail, now, actor=actor)
    return {**counts, "left out": left_out}


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
