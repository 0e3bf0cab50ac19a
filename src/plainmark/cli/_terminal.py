"""Output to the terminal: makes control characters in file names and contents visible, and prints errors as one line."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from ..errors import PlainmarkError
from ..table import BOLD, PLAIN, visible
from ..writing import FULL

# the escape sequences that plainmark itself sends: bold type, and the start of a progress line
_OWN = re.compile(rf"(^\r\x1b\[K|{re.escape(BOLD)}|{re.escape(PLAIN)})")
_REPORT = "this is a defect of plainmark: please run it again with --debug and report what that prints"
_DATABASES = ("sqlite3", "sqlalchemy", "psycopg")


class _Terminal:
    """A stream that shows control characters as visible symbols."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        parts = _OWN.split(text)
        parts[::2] = map(visible, parts[::2])
        self._stream.write("".join(parts))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Make control characters visible wherever standard output or standard error is a terminal."""
    with ExitStack() as stack:
        # Other streams stay in place: a command that runs in a thread must not put back an old one when it ends.
        for stream, redirect in ((sys.stdout, redirect_stdout), (sys.stderr, redirect_stderr)):
            if stream.isatty():
                stack.enter_context(redirect(cast(TextIO, _Terminal(stream))))
        yield


def explain(problem: Exception) -> tuple[str, int]:
    """One line for an error, and the exit code: 2 for what the user can fix, 1 for a defect of plainmark."""
    message = visible(" ".join(str(problem).split()))
    if isinstance(problem, PlainmarkError):
        return message, 2
    advice = _advice(problem)
    kind = type(problem).__name__
    return f"{kind}: {message[:300] or 'no more is known'}; {advice or _REPORT}.", 2 if advice else 1


def _advice(problem: Exception) -> str:
    """What the user can do about an error of the system or of a database; empty if nothing is known."""
    if isinstance(problem, MemoryError):
        return "there is not enough memory; try a smaller input, shorter texts or fewer --workers"
    if isinstance(problem, RecursionError):
        return "the input is nested too deeply"
    if isinstance(problem, RuntimeError) and re.search(r"\bstart\b.*\bthread\b", str(problem)):
        return "the system allows no more threads or has no memory for them; end other programs or raise the limit"
    if type(problem).__module__.partition(".")[0] in _DATABASES:
        return "the database is damaged or not available; check it, or restore it from a backup"
    if not isinstance(problem, OSError):
        return ""
    if problem.errno in FULL:
        return "make room, or write elsewhere"
    if problem.errno == errno.ENAMETOOLONG:
        return "use a shorter name"
    return "check that the file or address exists and may be used"
