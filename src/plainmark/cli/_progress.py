"""A progress bar on standard error for work that takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Self

_DELAY, _INTERVAL, _WIDTH = 2.0, 0.2, 30


class Progress:
    """A progress bar; silent if standard error is not a terminal or --quiet is given."""

    def __init__(self, label: str, total: int | None = None, *, quiet: bool = False) -> None:
        self.label, self.total = label, total
        self.shown = False
        self.silent = quiet or not sys.stderr.isatty()
        self.started = self.drawn = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def __call__(self, done: int, total: int | None = None) -> None:
        """Show that `done` of `total` are done."""
        now = time.monotonic()
        if self.silent or now - self.started < _DELAY or now - self.drawn < _INTERVAL:
            return
        self.drawn, self.shown = now, True
        total = total or self.total
        if total:
            filled = min(_WIDTH, _WIDTH * done // total)
            left = (now - self.started) * (total - done) / max(done, 1)
            state = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {100 * done // total:3d}%, {left:.0f} s left"
        else:
            state = f"{done:,} done, {now - self.started:.0f} s"
        sys.stderr.write(f"\r\x1b[K{self.label} {state}")
        sys.stderr.flush()


def with_models(progress: Progress) -> AbstractContextManager[object]:
    """A context in which learned models show progress too, if a metric has imported them."""
    models = sys.modules.get("plainmark.models")
    return nullcontext() if models is None else models.using(progress=progress)
