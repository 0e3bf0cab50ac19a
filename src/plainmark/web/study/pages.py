"""What the pages of a study share: the store, threads for it, cookies, messages, and words between two sessions."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.responses import RedirectResponse, Response

from ...errors import StoreUnavailableError
from ...study.messages import Messages
from ...study.store.database import Database
from ...study.store.steps import Standing
from ...study.store.store import Store
from ..rendering import Renderer
from .settings import Secrets, StudySettings

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = {"sqlite": 3, "postgresql": 8}
_SHORT_PATIENCE = 0.2  # seconds to try while the database is known to be unavailable


class DatabaseThreads:
    """Runs calls of the store in a few threads, so that the event loop goes on meanwhile.

    Few, as every statement releases the GIL and must acquire it again: with many threads a transaction would wait at each
    of its statements, and on SQLite everyone behind it. Once the database was unavailable for as long as `patience`, later
    calls fail almost at once until it is back.
    """

    def __init__(self, database: Database, threads: int = 0) -> None:
        self.database, self._patience = database, database.patience
        self._limiter = CapacityLimiter(threads or _THREADS[database.engine.dialect.name])

    async def run(self, call: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Call in a thread; its exceptions are raised here."""
        bound: Any = partial(call, *arguments, **options)
        try:
            result: T = await to_thread.run_sync(bound, limiter=self._limiter)
        except StoreUnavailableError:
            self.database.patience = min(self._patience, _SHORT_PATIENCE)
            raise
        self.database.patience = self._patience
        return result


@dataclass
class StudyPages:
    """Pages of one study: its store, and what renders and protects them."""

    store: Store
    threads: DatabaseThreads
    renderer: Renderer
    settings: StudySettings
    secrets: Secrets
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        """Set up what only some pages need."""

    def say(self, key: str, status: int) -> Response:
        """A page that only says something, in the study's language."""
        messages = self.store.study.messages
        return self.message(messages(f"{key}.title"), messages(f"{key}.text"), status)

    def message(self, heading: str, message: str, status: int) -> Response:
        """A page that only says something."""
        return self.renderer.page("message.html", status, heading=heading, message=message)

    def redirect(self, path: str) -> Response:
        """Send the browser to another page of the study with GET."""
        return RedirectResponse(f"{self.settings.base}{path}", 303)

    def cookie_name(self, name: str) -> str:
        """A cookie's name; the prefix makes browsers refuse one that was set without https or by a subdomain."""
        return f"__Host-{name}" if self.settings.secure else name

    def set_cookie(self, response: Response, name: str, value: str, max_age: int) -> None:
        """Set a cookie that no script reads and no other site sends along with a form."""
        response.set_cookie(
            name,
            value,
            max_age=max_age,
            path="/",
            secure=self.settings.secure,
            httponly=True,
            samesite="lax",
        )


def session_words(messages: Messages, where: Standing, now: float) -> tuple[str, str]:
    """What someone reads between sessions: heading and text."""
    words = {
        "session": where.session,
        "before": where.session - 1,
        "opens": _until(messages, where.opens - now, math.ceil),
        "closes": _until(messages, where.closes - now, math.floor),
    }
    return (
        messages(f"session.{where.state}.title", **words),
        messages(f"session.{where.state}.text", **words),
    )


def _until(messages: Messages, seconds: float, rounded: Callable[[float], int]) -> str:
    """A time from now in words, such as "in 5 hours"."""
    for unit, size, fewest in (("days", 86_400, 3), ("hours", 3600, 2)):
        if seconds >= fewest * size:
            return messages(f"session.in_{unit}", count=rounded(seconds / size))
    return messages("session.in_minutes", count=max(1, rounded(seconds / 60)))
