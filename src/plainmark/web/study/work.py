"""Where the database is spoken to: a few threads, so that answering others goes on meanwhile.

Few, as every statement gives Python's lock away and must get it back: with many threads a transaction would wait at each
of its statements, and on SQLite everyone behind it. When the database was away for as long as one is patient, those who
come next are told so at once, until it is back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread

from ...errors import StoreUnavailableError
from ...study.store.database import Database

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = {"sqlite": 3, "postgresql": 8}
_IMPATIENCE = 0.2  # seconds to try while the database is known to be away


class Work:
    """Runs calls of the store in threads of its own."""

    def __init__(self, database: Database, threads: int = 0) -> None:
        self.database, self._patience = database, database.patience
        self._limiter = CapacityLimiter(threads or _THREADS[database.engine.dialect.name])

    async def do(self, call: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Call in a thread; what it raises is raised here."""
        ready: Any = partial(call, *arguments, **options)
        try:
            found: T = await to_thread.run_sync(ready, limiter=self._limiter)
        except StoreUnavailableError:
            self.database.patience = min(self._patience, _IMPATIENCE)
            raise
        self.database.patience = self._patience
        return found
