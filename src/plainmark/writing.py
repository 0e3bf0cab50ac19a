"""Writing files: under a temporary name first, so that an interrupted run never leaves half a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from .errors import InputError


@contextmanager
def writing(path: str | Path) -> Iterator[TextIO]:
    """A text file that takes its name only when the block ends well."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as problem:
        raise InputError(f"{path}: cannot write here ({problem.strerror}).") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            yield file
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)  # mkstemp makes private files; a result is an ordinary one
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_atomically(path: str | Path, text: str) -> None:
    """Write a whole text file, or nothing."""
    with writing(path) as file:
        file.write(text)
