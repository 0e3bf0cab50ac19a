"""Writing files under a temporary name first, so that an interrupted run never leaves half a file."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from os import PathLike
from pathlib import Path
from typing import BinaryIO, TextIO

from .errors import InputError


@contextmanager
def writing_bytes(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open a binary file that takes its name only when the block ends without an error."""
    target = Path(path).resolve()  # a link stays a link
    if target.is_dir():
        raise InputError(f"{path}: a folder, expected the name of a file to write.")
    if target.exists() and not target.is_file():  # a pipe or a device cannot be renamed over
        with target.open("wb") as file:
            yield file
        return
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        file = part.open("xb")
    except OSError as problem:
        raise InputError(f"{path}: cannot write here ({problem.strerror}).") from None
    try:
        with file:
            yield file
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def writing(path: str | PathLike[str]) -> Iterator[TextIO]:
    """Text-mode variant of `writing_bytes`."""
    with writing_bytes(path) as raw, TextIOWrapper(raw, encoding="utf-8", newline="") as file:
        yield file


def write_atomically(path: str | PathLike[str], text: str) -> None:
    """Write a whole text file, or nothing."""
    with writing(path) as file:
        file.write(text)


def write_bytes_atomically(path: str | PathLike[str], data: bytes) -> None:
    """Write a whole binary file, or nothing."""
    with writing_bytes(path) as file:
        file.write(data)
