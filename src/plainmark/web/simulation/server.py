"""Where a simulation runs: a copy of the study, a database of its own, and the real server as a process.

Everything is removed at the end, and only 127.0.0.1 is contacted.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from ...errors import OptionError, StoreError
from ...study.definition.loading import Study
from ...study.keys import VARIABLE

_START_SECONDS = 300.0  # a busy machine takes long


class ServerProcess:
    """The real server as a separate process."""

    def __init__(
        self,
        folder: Path,
        url: str,
        *,
        guarded: bool = False,
        mode: Literal["", "pilot", "live"] = "",
        public_url: str = "",
    ) -> None:
        self.folder, self.url, self.port = folder, url, _free_port()
        self._more = [f"--{mode}"] if mode else []
        self._more += ["--public-url", public_url] if public_url else []
        self._guarded = (
            guarded  # signed links and the usual limits; else none, as everyone comes from one address
        )
        self.crashes = 0
        self.ahead = 0.0  # hours that its clock is ahead, for later sessions
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it accepts connections."""
        command = [
            sys.executable,
            "-m",
            "plainmark",
            "study",
            "serve",
            str(self.folder),
            "--port",
            str(self.port),
        ]
        command += ["--database", self.url] if self.url else []
        command += self._more
        unlimited = ["--requests-per-minute", "100000000", "--starts-per-hour", "100000000"]
        command += ["--without-code", "all"]  # nobody is paid
        command += ["--ahead", str(self.ahead)] if self.ahead else []
        command += ["--signed-links"] if self._guarded else unlimited
        self._log = (self.folder / "server.log").open("ab")
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self._log)  # noqa: S603
        deadline = time.monotonic() + _START_SECONDS
        while not self._is_up():
            if self._process.poll() is not None or time.monotonic() > deadline:
                output = (self.folder / "server.log").read_text("utf-8", "replace").strip().splitlines()
                raise StoreError(f"the server did not start. {output[-1] if output else ''}".strip())
            time.sleep(0.05)

    def _is_up(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def crash(self) -> None:
        """Kill it, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._log.close()
        self.crashes += 1

    def stop(self) -> None:
        """Stop it cleanly, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process is not None:
            self._log.close()


@contextmanager
def isolated_copy(study: Study, url: str, keep: str = "") -> Iterator[tuple[Path, str]]:
    """A copy of the study and a database of its own; both are removed afterwards, unless there is a folder to keep."""
    if keep and url:
        raise OptionError(
            "--keep: a simulation on PostgreSQL leaves nothing there; only an SQLite file is kept."
        )
    with tempfile.TemporaryDirectory(prefix="plainmark-simulation-") as temporary:
        folder = Path(keep or temporary) / ("" if keep else "study")
        definition = study.definition
        try:
            folder.mkdir(mode=0o700, parents=bool(keep))
        except OSError as error:
            raise OptionError(
                f"--keep {keep}: expected a folder that does not exist yet ({error.strerror})."
            ) from None
        for name in {"study.yaml", definition.items, *definition.texts.values()}:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(study.folder / name, target)
        previous = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = secrets.token_hex(16)
        try:
            if not url:
                yield folder, ""
            else:
                with _temporary_schema(url) as schema_url:
                    yield folder, schema_url
        finally:
            (folder / "server.log").unlink(missing_ok=True)
            if previous is None:
                del os.environ[VARIABLE]
            else:
                os.environ[VARIABLE] = previous


@contextmanager
def _temporary_schema(url: str) -> Iterator[str]:
    """The address of a temporary schema on a PostgreSQL server."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise OptionError(f"--database {url[:60]}: expected postgresql://user@host/name.") from None
    if parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise OptionError(
            "--database: a simulation makes an SQLite file itself; expected postgresql://user@host/name."
        )
    name = f"simulation_{secrets.token_hex(6)}"
    # No pool: the server may be stopped and started between the two statements.
    engine = create_engine(
        parsed.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT", poolclass=NullPool
    )

    def execute(statement: str) -> None:
        try:
            with engine.connect() as connection:
                connection.execute(text(statement))
        except DBAPIError as error:
            shown = parsed.render_as_string(hide_password=True)
            reason = (str(error.orig).strip().splitlines() or [""])[-1].strip()
            raise StoreError(
                f"{shown}: cannot {statement.split(' ')[0].lower()} a schema ({reason})."
            ) from None

    execute(f"CREATE SCHEMA {name}")
    try:
        scoped = parsed.set(drivername="postgresql").update_query_dict({"options": f"-csearch_path={name}"})
        yield scoped.render_as_string(hide_password=False)
    finally:
        execute(f"DROP SCHEMA {name} CASCADE")


def _free_port() -> int:
    """A port outside the range from which clients are given theirs.

    A client that is sent such a port while the server is down could keep the server from getting it back.
    """
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
