"""Removing people: withdrawal, purge, retention; and what keeps a restored backup from bringing them back.

Who withdraws or is purged leaves a tombstone: a second keyed hash, which without the study's key fits no row, export or backup. It
is in the table `tombstones` and, as a database can be lost, in the file withdrawn.txt of the study's folder. A study that
begins, and a backup that is restored, leave out everyone who has one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from ...errors import StoreUnavailableError
from ..keys import ID_LENGTH, short_id, tombstone, withdrawal_code
from . import allocation
from .database import Database
from .store import Store, write_note
from .tables import (
    answers,
    assignments,
    audit,
    backups,
    imports,
    pages,
    participants,
    resubmissions,
    tombstones,
    visits,
)

FILE = "withdrawn.txt"


def purge(store: Store, external: str, now: float, *, actor: str = "") -> int:
    """Remove a participant with all answers from the file itself; returns how many.

    `external` is the recruiter's id, or the id that dashboard, report and exports show (the start of the hash).
    """
    known = {store.hash_of(external), external.lower()}
    mine = or_(
        participants.c.hash.in_(known), func.substr(participants.c.hash, 1, ID_LENGTH) == external.lower()
    )
    return _remove_for_good(store, mine, now, "purge", actor)


def purge_expired(store: Store, now: float, *, actor: str = "") -> int:
    """Remove everyone whose answers are older than the definition's retention period; returns how many."""
    days = store.study.definition.privacy.retention_days
    old = participants.c.last_seen < now - 86_400 * days
    return _remove_for_good(store, old, now, "purge", actor) if days else 0


def code_of(store: Store, token: str) -> str:
    """The withdrawal code of a session's participant; empty if there is no such session."""
    query = select(participants.c.hash).where(participants.c.token == token)
    hashed = store.database.read(lambda c: c.execute(query).scalar())
    return withdrawal_code(store.key, store.study.definition.id, hashed) if hashed else ""


def withdraw(store: Store, code: str, now: float) -> bool:
    """Remove the participant with that code, in every mode; False if the code is nobody's."""
    hashed = find(store, code)
    if hashed is None:
        return False
    with suppress(StoreUnavailableError):  # removed; SQLite's log is emptied when nobody reads any more
        _remove_for_good(store, participants.c.hash == hashed, now, "withdrawal", "participant")
    return True


def find(store: Store, code: str) -> str | None:
    """The hash of the participant with that withdrawal code."""
    digits = "".join(c for c in code.lower() if c in "0123456789abcdef")
    prefix = func.substr(participants.c.hash, 1, ID_LENGTH) == digits[:ID_LENGTH]
    query = select(participants.c.hash).where(prefix)
    for hashed in store.database.read(lambda c: list(c.execute(query).scalars())):
        if digits == withdrawal_code(store.key, store.study.definition.id, hashed).replace("-", ""):
            return str(hashed)
    return None


def is_withdrawn(connection: Connection, key: bytes, hashed: str) -> bool:
    """Whether someone withdrew before."""
    query = select(tombstones.c.hash).where(tombstones.c.hash == tombstone(key, hashed))
    return connection.execute(query).first() is not None


def remove_withdrawn(store: Store, now: float) -> int:
    """Remove everyone who withdrew and is there nevertheless, as after a restore by other means; returns how many."""
    listed = read_list(store.study.folder)
    count = bury(store.database, store.key, listed, now)
    _write_list(store, listed)
    if count:
        store.note("withdrawal", f"{count} who had withdrawn removed again", now)
        store.database.forget()
    return count


def bury(database: Database, key: bytes, listed: Iterable[str], now: float) -> int:
    """Add tombstones to a database and remove everyone who has one; returns how many were removed."""

    def work(connection: Connection) -> int:
        known = set(connection.execute(select(tombstones.c.hash)).scalars())
        new = sorted(set(listed) - known)
        if new:
            connection.execute(insert(tombstones), [{"hash": h, "created": now} for h in new])
        known |= set(new)
        if not known:
            return 0
        hashes = set(connection.execute(select(participants.c.hash)).scalars())
        gone = [h for h in hashes if tombstone(key, h) in known]
        return sum(len(remove(connection, participants.c.hash == h)) for h in gone)

    return database.write(work)


def read_list(folder: Path) -> frozenset[str]:
    """The tombstones of a study's folder."""
    try:
        lines = (folder / FILE).read_text("ascii", "replace").splitlines()
    except OSError:
        return frozenset()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def all_tombstones(store: Store) -> frozenset[str]:
    """The tombstones of the database and of the study's folder."""
    query = select(tombstones.c.hash)
    return read_list(store.study.folder) | frozenset(
        store.database.read(lambda c: list(c.execute(query).scalars()))
    )


def _write_list(store: Store, listed: frozenset[str]) -> None:
    """Add to the folder's list what only the database knows. A folder that cannot be written has its list there alone."""
    missing = sorted(all_tombstones(store) - listed)
    if not missing:
        return
    with suppress(OSError):
        descriptor = os.open(store.study.folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="ascii") as file:
            file.write("".join(f"{line}\n" for line in missing))
            file.flush()
            os.fsync(file.fileno())


def _remove_for_good(store: Store, condition: Any, now: float, action: str, actor: str) -> int:
    """Remove people so that no backup brings them back, and nothing of them is left in a file; returns how many."""

    def work(connection: Connection) -> int:
        allocation.take_turn(connection)
        hashes = remove(connection, condition)
        for hashed in sorted(set(hashes)):
            if not is_withdrawn(connection, store.key, hashed):
                connection.execute(insert(tombstones).values(hash=tombstone(store.key, hashed), created=now))
        if hashes:
            write_note(connection, now, action, f"{len(hashes)} removed", actor)
        return len(hashes)

    count = store.database.write(work)
    if count:
        _write_list(store, read_list(store.study.folder))
        store.database.forget()
    return count


def remove(connection: Connection, condition: Any) -> list[str]:
    """Remove participants with all that belongs to them, and free their cells; returns their hashes."""
    people = connection.execute(select(participants.c.id, participants.c.hash).where(condition)).all()
    for participant, hashed in people:
        shown = short_id(hashed)
        named = audit.c.detail.contains(shown)
        unnamed = func.replace(audit.c.detail, shown, "(removed)")
        connection.execute(update(audit).where(named).values(detail=unnamed))
        _strike(connection, shown)
        allocation.give_back(connection, participant, "released", only_leased=False)
        for table in (answers, resubmissions, imports, pages, assignments, visits):
            connection.execute(delete(table).where(table.c.participant_id == participant))
        connection.execute(delete(participants).where(participants.c.id == participant))
    return [hashed for _, hashed in people]


def _strike(connection: Connection, shown: str) -> None:
    """Take a person out of the manifest of backups."""
    for row in connection.execute(select(backups).where(backups.c.participants.contains(shown))).all():
        left = [p for p in json.loads(row.participants) if p != shown]
        connection.execute(
            update(backups)
            .where(backups.c.id == row.id)
            .values(participants=json.dumps(left), removed=row.removed + 1)
        )
