"""Writing files under a temporary name first, so that an interrupted run never leaves half a file.

A file is written to disk before it gets its name, so that a power failure leaves either the old or the new
file. A temporary file that a killed run left behind is removed by the next run that writes the same file,
once it is a day old.
"""

from __future__ import annotations

import errno
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from os import PathLike
from pathlib import Path
from typing import BinaryIO, TextIO

from .errors import InputError

STALE = 24 * 3600  # seconds after which a temporary file is abandoned
FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file is larger than this system or shell allows",
}


@contextmanager
def writing_bytes(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open a binary file that gets its name only when the block ends without an error."""
    target = Path(path).resolve()  # a link stays a link
    if target.is_dir():
        raise InputError(f"{path}: a folder, expected the name of a file to write.")
    if target.exists() and not target.is_file():  # a pipe or a device cannot be replaced by renaming
        with target.open("wb") as file:
            yield file
        return
    # A long name is cut, so that the temporary name does not exceed the limit of the file system.
    prefix = f".{os.fsdecode(os.fsencode(target.name)[:200])}."
    part = target.with_name(f"{prefix}{uuid.uuid4().hex[:8]}.part")
    try:
        _remove_stale(target.parent, prefix)
        file = part.open("xb")
    except OSError as problem:
        raise InputError(f"{path}: cannot write here ({problem.strerror}).") from None
    try:
        with file:
            yield file
        _sync(part)
        part.replace(target)
        with suppress(OSError):  # not every system can do this with a folder
            _sync(target.parent)
    except BaseException as problem:
        part.unlink(missing_ok=True)
        if isinstance(problem, OSError) and problem.errno in FULL:
            raise InputError(
                f"{path}: {FULL[problem.errno]}; nothing was written. Make room, or write elsewhere."
            ) from None
        raise


def _remove_stale(folder: Path, prefix: str) -> None:
    with os.scandir(folder) as entries:
        names = [e.name for e in entries if e.name.startswith(prefix) and e.name.endswith(".part")]
    for name in names:
        with suppress(OSError):  # another process may have removed it
            if (folder / name).stat().st_mtime < time.time() - STALE:
                (folder / name).unlink()


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are written to disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def writing(path: str | PathLike[str]) -> Iterator[TextIO]:
    """Text-mode variant of `writing_bytes`."""
    with writing_bytes(path) as raw:
        file = TextIOWrapper(raw, encoding="utf-8", newline="")
        yield file
        file.flush()
        file.detach()


def write_atomically(path: str | PathLike[str], text: str) -> None:
    """Write a whole text file, or nothing."""
    with writing(path) as file:
        file.write(text)


def write_bytes_atomically(path: str | PathLike[str], data: bytes) -> None:
    """Write a whole binary file, or nothing."""
    with writing_bytes(path) as file:
        file.write(data)
