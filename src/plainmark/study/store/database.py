"""The database of a study: SQLite by default, PostgreSQL for more; transactions that are retried, and typed errors.

A transaction is run again when the database was unavailable, locked, or chose it as the loser of a race, for up to `patience`
seconds; all work passed here can be repeated. Then: StoreUnavailableError, and nothing was acknowledged.
"""

from __future__ import annotations

import os
import random
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import IO, Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from ...errors import MissingResourceError, StoreError, StoreFullError, StoreInUseError, StoreUnavailableError
from .tables import metadata

T = TypeVar("T")

_MIGRATIONS = Path(__file__).parent / "migrations"
_READING = "plainmark_reading"
_MIGRATION_LOCK = 0x706C61696E  # the advisory lock under which PostgreSQL is migrated
_DISK_FULL = ("disk is full", "no space left")
# SQLSTATE classes: 08 connection, 40 rolled back, 53 resources, 55P03 lock, 57 shut down or starting
_TRANSIENT_STATES = ("08", "40", "53", "55P03", "57")


class Database:
    """An engine with transactions that are retried, and a lock that keeps a second server off an SQLite file."""

    def __init__(self, url: str, *, create: bool = True, patience: float = 5.0) -> None:
        self.patience = patience
        self._lock: IO[bytes] | None = None
        self.engine = _engine(url)
        self.path = self._sqlite_path()
        if self.path and not create and not self.path.exists():
            raise StoreError(f"{self.path}: no such database; nobody has answered yet.")
        if self.path and create:
            _make_private(self.path)
        # SQLite has one writer: waiting for a turn here is fairer than its busy loop.
        self._turn: Any = threading.Lock() if self.path else nullcontext()
        try:
            self._migrate()
        except BaseException:
            self.engine.dispose()
            raise

    def _sqlite_path(self) -> Path | None:
        if self.engine.dialect.name != "sqlite":
            return None
        return Path(str(self.engine.url.database))

    @property
    def shown(self) -> str:
        """The address without its password."""
        return str(self.path) if self.path else self.engine.url.render_as_string(hide_password=True)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run in a transaction; what it returns is committed."""

        def attempt() -> T:
            with self._turn, self.engine.begin() as connection:
                return work(connection)

        return self._retry(attempt)

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run on a consistent snapshot, without blocking writers."""

        def attempt() -> T:
            level = "AUTOCOMMIT" if self.path else "REPEATABLE READ"
            options: dict[str, Any] = {_READING: True} if self.path else {"isolation_level": level}
            with self.engine.connect().execution_options(**options) as connection, connection.begin():
                return work(connection)

        return self._retry(attempt)

    def _retry(self, attempt: Callable[[], T]) -> T:
        deadline = time.monotonic() + self.patience
        pause = 0.02
        while True:
            try:
                return attempt()
            except (DBAPIError, PoolTimeoutError) as error:
                if is_disk_full(error):
                    raise StoreFullError(
                        f"{self.shown}: no room left on the disk; nothing was stored."
                    ) from None
                if not is_transient(error):
                    raise
                if time.monotonic() + pause > deadline:
                    if isinstance(error, IntegrityError):
                        raise
                    raise StoreUnavailableError(
                        f"{self.shown}: the database does not answer; nothing was stored. Try again."
                    ) from None
            time.sleep(pause * (0.5 + random.random()))
            pause = min(2 * pause, 1.0)

    def serve_alone(self) -> None:
        """Keep other servers off an SQLite file until this process ends or `close` is called."""
        if self.path is None:
            return
        file = Path(f"{self.path}.lock").open("ab")  # noqa: SIM115 - held as long as the server lives
        try:
            lock_file(file)
        except OSError:
            file.close()
            raise StoreInUseError(
                f"{self.path}: another server already works on this file. Use PostgreSQL for several."
            ) from None
        self._lock = file

    def close(self) -> None:
        """Close the connections and release the lock."""
        self.engine.dispose()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def forget(self) -> None:
        """Make sure that nothing deleted is left in a file.

        SQLite has overwritten deleted rows, and its log is emptied; PostgreSQL rewrites its tables (its own log and copies
        of it are its administrator's).
        """
        if not self.path:
            names = ", ".join(table.name for table in metadata.sorted_tables)
            with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text(f"VACUUM (FULL) {names}"))
            return
        deadline = time.monotonic() + self.patience
        with closing(sqlite3.connect(self.path, isolation_level=None)) as raw:
            while raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[
                0
            ]:  # a reader still needs the log
                if time.monotonic() > deadline:
                    raise StoreUnavailableError(
                        f"{self.shown}: removed, but its log is in use and may still hold what was removed. Purge again."
                    )
                time.sleep(0.05)

    def responds(self) -> bool:
        """Whether the database answers at once."""
        options: dict[str, Any] = {_READING: True} if self.path else {}
        try:
            with self.engine.connect().execution_options(**options) as connection:
                connection.execute(text("SELECT count(*) FROM revisions")).scalar_one()
        except (DBAPIError, PoolTimeoutError):
            return False
        return True

    def intact(self) -> bool:
        """Whether SQLite finds its file in order; PostgreSQL looks after itself."""
        if not self.path:
            return True
        report = self.read(lambda c: c.execute(text("PRAGMA integrity_check")).scalars().all())
        return report == ["ok"]

    def _migrate(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        scripts = ScriptDirectory.from_config(config)
        head, known = scripts.get_current_head(), {script.revision for script in scripts.walk_revisions()}

        def work(connection: Connection) -> None:
            if not self.path:
                connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _MIGRATION_LOCK})
            current = MigrationContext.configure(connection).get_current_revision()
            if current is not None and current not in known:
                raise StoreError(
                    f"{self.shown}: made by another version of plainmark (its tables are of version {current}, this one"
                    f" knows them up to {head}). Use the plainmark that made it, or a newer one."
                )
            if current != head:
                config.attributes["connection"] = connection
                try:
                    command.upgrade(config, "head")
                except Exception as error:
                    if isinstance(error, DBAPIError):
                        raise
                    raise StoreError(
                        f"{self.shown}: made by another version of plainmark ({error})."
                    ) from None

        self.write(work)


def lock_file(file: IO[bytes]) -> None:
    """Lock a file for this process, or raise OSError if another one has it; closing the file releases it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _make_private(path: Path) -> None:
    """Create a file that others cannot read; SQLite creates its log with the same rights."""
    with suppress(OSError):  # it exists, or cannot be created, which SQLite reports
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(
            f"{url[:60]!r} is not a database; expected sqlite:///file or postgresql://user@host/name."
        ) from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"{parsed.drivername}: expected sqlite or postgresql.")
    if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreError("a study's database must be a file, or PostgreSQL.")
    try:
        if parsed.get_backend_name() == "sqlite":
            engine = create_engine(parsed, pool_size=10, max_overflow=30, pool_timeout=30)
            _prepare_sqlite(engine)
            return engine
        # No ping before each use: a connection that died fails at its first statement, and the work is done again.
        return create_engine(parsed, pool_size=10, max_overflow=20, connect_args={"connect_timeout": 5})
    except (NoSuchModuleError, ImportError) as error:
        raise MissingResourceError(
            f"PostgreSQL needs psycopg ({error}); to install: pip install 'plainmark[study]'."
        ) from None


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions are begun below
        for pragma in (
            "busy_timeout=10000",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes its lock at once: one that began as a reader could not wait for it.
        mode = "DEFERRED" if connection.get_execution_options().get(_READING) else "IMMEDIATE"
        connection.exec_driver_sql(f"BEGIN {mode}")


def is_disk_full(error: Exception) -> bool:
    """Whether the database has no room left."""
    message = str(getattr(error, "orig", error)).lower()
    return getattr(getattr(error, "orig", None), "sqlstate", None) == "53100" or any(
        words in message for words in _DISK_FULL
    )


def is_transient(error: Exception) -> bool:
    """Whether a retry may succeed: a lost connection, a lock, a race."""
    if isinstance(error, PoolTimeoutError) or getattr(error, "connection_invalidated", False):
        return True
    if isinstance(error, IntegrityError):
        return True  # another server took the cell or made the row first; the next look sees it
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    if state:
        return str(state).startswith(_TRANSIENT_STATES)
    return isinstance(error, OperationalError)
