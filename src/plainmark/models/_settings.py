"""Settings for running models, which belong to a block of code and not to a metric, because they change no score."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class RunSettings:
    """The number of threads (None: all cores), the cache folder of vectors (None: no cache), and the progress callback."""

    threads: int | None = None
    cache: str | Path | None = None
    progress: Progress | None = None

    @property
    def workers(self) -> int:
        """The number of threads."""
        if self.threads is not None:
            return max(1, self.threads)
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1


_SETTINGS: ContextVar[RunSettings | None] = ContextVar("settings", default=None)


def settings() -> RunSettings:
    """The current settings: those of the enclosing block, else the cache folder that PLAINMARK_CACHE names."""
    return _SETTINGS.get() or RunSettings(cache=folder_from_environment())


@contextmanager
def using(**changes: Any) -> Iterator[RunSettings]:
    """Other settings inside a block: with models.using(threads=1, cache="vectors"): ..."""
    token = _SETTINGS.set(replace(settings(), **changes))
    try:
        yield settings()
    finally:
        _SETTINGS.reset(token)


def folder_from_environment() -> Path | None:
    """PLAINMARK_CACHE: a folder, or "xdg" for the user's cache folder; None if it is not set."""
    wish = os.environ.get("PLAINMARK_CACHE", "")
    return user_cache() if wish == "xdg" else Path(wish) if wish else None


def user_cache() -> Path:
    """The user's cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "plainmark"
