"""Cached vectors: in memory, and on disk if the user has requested it.

The disk cache is one SQLite file, so that writes are atomic and several processes can share it. A cache may forget entries
but must never fail: a damaged file is rebuilt, and a damaged row or a locked file is a miss.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError

Vectors = NDArray[np.float32]

MEMORY_BYTES = 256 * 2**20
DISK_BYTES = 2 * 2**30

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, size INT, crc INT, used INT, data BLOB)"
_MANY = 500  # largest number of keys in a query
_HOUR = 3_600_000


class MemoryCache:
    """The most recently used vectors, up to a number of bytes."""

    def __init__(self, limit: int = MEMORY_BYTES) -> None:
        self.limit, self.bytes = limit, 0
        self._kept: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Vectors]:
        """The vectors of those keys that are in the cache."""
        vectors = {}
        with self._lock:
            for key in keys:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    vectors[key] = self._kept[key]
        return vectors

    def put(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Store vectors, and remove the oldest if there are too many."""
        with self._lock:
            for key, values in vectors.items():
                if key not in self._kept and values.nbytes <= self.limit:
                    self._kept[key] = values
                    self.bytes += values.nbytes
            while self.bytes > self.limit:
                self.bytes -= self._kept.popitem(last=False)[1].nbytes


class DiskCache:
    """A file of vectors in a folder; the least recently used rows are removed when it exceeds the limit."""

    def __init__(self, folder: str | Path, limit: int = DISK_BYTES) -> None:
        self.path = Path(folder) / "vectors.sqlite"
        self.limit = limit
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{folder}: cannot be a cache folder ({problem.strerror}).") from None

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Vectors]:
        """The vectors of those keys that are in the cache and undamaged."""
        requested = list(keys)
        rows: list[Any] = []

        def read(file: sqlite3.Connection) -> None:
            for start in range(0, len(requested), _MANY):
                some = requested[start : start + _MANY]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, size, crc, data, used FROM vectors WHERE key IN ({marks})"  # noqa: S608
                rows.extend(file.execute(query, some))
            # Reading should rarely write, so times are only updated when they differ by an hour.
            stale = [(_now(), key) for key, *_, used in rows if used < _now() - _HOUR]
            file.executemany("UPDATE vectors SET used = ? WHERE key = ?", stale)

        self._try(read)
        vectors = {}
        for key, size, crc, data, _ in rows:
            if (
                size > 0
                and isinstance(data, bytes)
                and zlib.crc32(data) == crc
                and len(data) % (4 * size) == 0
            ):
                vectors[key] = np.frombuffer(data, dtype="<f4").reshape(-1, size)
        return vectors

    def put(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Store vectors, each of shape (rows, size)."""
        rows = []
        for key, values in vectors.items():
            data = np.ascontiguousarray(values, dtype="<f4").tobytes()
            rows.append((key, values.shape[-1], zlib.crc32(data), _now(), data))

        def write(file: sqlite3.Connection) -> None:
            file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", rows)
            self._shrink(file)

        self._try(write)

    def _shrink(self, file: sqlite3.Connection) -> None:
        (pages,), (size,) = (file.execute(f"PRAGMA {p}").fetchone() for p in ("page_count", "page_size"))
        over = pages * size - self.limit
        if over <= 0:
            return
        oldest = []
        for row, size in file.execute("SELECT rowid, length(data) FROM vectors ORDER BY used, rowid"):
            oldest.append((row,))
            over -= size
            if over <= -self.limit // 10:  # leaves some room, so that not every write has to shrink the file
                break
        file.executemany("DELETE FROM vectors WHERE rowid = ?", oldest)

    def _try(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Use the database; any failure ends the work without an error."""
        file = None
        try:
            file = sqlite3.connect(self.path, timeout=30)
            file.execute("PRAGMA auto_vacuum = FULL")
            file.execute(_TABLE)
            work(file)
            file.commit()
        except sqlite3.OperationalError:  # locked for long, disk full, read-only
            pass
        except sqlite3.DatabaseError:  # not a database, or a damaged one
            self.path.unlink(missing_ok=True)
        finally:
            if file is not None:
                file.close()


def _now() -> int:
    return time.time_ns() // 1_000_000
