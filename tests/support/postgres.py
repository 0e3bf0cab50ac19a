"""A PostgreSQL server of the tests' own, in a temporary folder, reached through a socket in it."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

from support.requirements import server_program


class Server:
    """A running server; `database()` makes a new database, `stop` and `start` take it away and bring it back."""

    def __init__(self, folder):
        self.folder = folder
        self.names = (f"study_{i}" for i in count())

    def run(self, *words):
        # PostgreSQL refuses to run as root: as Debian's user then, to whom the folder belongs.
        before = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run([*before, *words], check=True, capture_output=True, cwd=self.folder)

    def start(self):
        # tests check what is committed, not how fast: fsync stays on
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=80 -c recovery_init_sync_method=syncfs"
        log = str(self.folder / "log")
        self.run(
            server_program("pg_ctl"), "-D", str(self.folder / "data"), "-o", options, "-l", log, "-w", "start"
        )

    def stop(self):
        self.run(server_program("pg_ctl"), "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def database(self):
        """A schema of its own, which is empty as a new database is, and made in no time."""
        name = next(self.names)
        with psycopg.connect(f"postgresql://study@/postgres?host={self.folder}") as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"postgresql://study@/postgres?host={self.folder}&options=-csearch_path%3D{name}"


@contextmanager
def server():
    # Not in pytest's folder: others may not enter it, and a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="pm-pg-"))
    running = Server(folder)
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        running.run(
            server_program("initdb"), "-D", str(folder / "data"), "-A", "trust", "-U", "study", "-E", "UTF8"
        )
        running.start()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
