"""Reading lines, JSON and tables from files; every error message names the file and the line.

Files ending in .gz or .xz are unpacked while they are read, within the limits of limits.py; - is standard
input. A file that changes while it is read is refused.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any, BinaryIO

from .errors import InputError, MissingResourceError
from .limits import limits

STANDARD_INPUT = "-"
_PROBLEMS = (OSError, EOFError, lzma.LZMAError, zlib.error)
_BATCH = 16 * 2**20  # bytes of lines decoded together
_UNPACK: dict[str, Callable[[Any], Any]] = {".gz": gzip.open, ".xz": lzma.open}
_PACKED = re.compile(r"\.(gz|xz)$")
_PATTERN = re.compile(r"[*?\[]")


def without_packing(path: str) -> str:
    """A path without .gz or .xz at its end."""
    return _PACKED.sub("", path)


def label(path: str) -> str:
    """The name of a file in error messages."""
    return "standard input" if path == STANDARD_INPUT else path


@contextmanager
def open_text(path: str, encoding: str = "utf-8") -> Iterator[Iterable[str]]:
    """The decoded lines of a file, with a clear error for undecodable bytes and missing files."""
    with open_bytes(path) as raw:
        yield _decoded(raw, label(path), encoding)


def read_lines(path: str, expected: int | None = None) -> list[str]:
    """The lines of a text without their line ends; an error unless their number is `expected`."""
    with open_text(path) as lines:
        texts = [line.removesuffix("\n") for line in lines]
    if expected is not None and len(texts) != expected:
        raise InputError(f"{path}: {len(texts)} lines, expected {expected}.")
    return texts


def read_json(path: str) -> Any:
    """A file that is one JSON value."""
    with open_text(path) as lines:
        text = "".join(lines)
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise InputError(f"{path}, line {problem.lineno}: not JSON ({problem.msg}).") from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: not JSON ({problem}).") from None


def json_objects(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a file of JSON lines, with its position for error messages."""
    number = 0
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            place = f"{label(path)}, line {number}"
            yield place, json_object(line, place)
    if not number:
        raise InputError(f"{label(path)}: empty, expected one JSON object per line.")


def json_object(line: str, place: str) -> dict[str, Any]:
    """The JSON object in one line."""
    if not line.strip():
        raise InputError(f"{place}: empty, expected a JSON object.")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{place}: not JSON ({problem}).") from None
    if not isinstance(row, dict):
        raise InputError(f"{place}: found {type(row).__name__}, expected a JSON object.")
    return row


def table_rows(
    path: str, columns: Sequence[str] = (), *, encoding: str = "utf-8"
) -> Iterator[tuple[str, dict[str, str]]]:
    """Every row of a CSV or TSV file that has at least these columns, with its position for error messages."""
    csv.field_size_limit(limits().line_bytes)
    separator = "\t" if without_packing(path).lower().endswith(".tsv") else ","
    with open_text(path, encoding) as lines:
        rows = csv.DictReader(lines, delimiter=separator, strict=True)
        try:
            missing = [c for c in columns if c not in (rows.fieldnames or ())]
            if missing:
                raise InputError(
                    f"{label(path)}: no column {', '.join(missing)}; expected {', '.join(columns)}."
                )
            for row in rows:
                place = f"{label(path)}, line {rows.line_num}"
                if None in row or None in row.values():
                    raise InputError(
                        f"{place}: not as many cells as the {len(rows.fieldnames or ())} columns."
                    )
                yield place, row
        except csv.Error as problem:
            raise InputError(f"{label(path)}, line {rows.line_num + 1}: not a table ({problem}).") from None


def is_remote(path: str) -> bool:
    """Whether a path is an address, such as s3://bucket/part-1.jsonl."""
    return re.match(r"[a-z][a-z0-9+.-]+://", path) is not None


def absolute(path: str) -> str:
    """The path for a process that works in another folder; addresses and standard input are not changed."""
    return path if path == STANDARD_INPUT or is_remote(path) else str(Path(path).absolute())


def is_pattern(path: str) -> bool:
    """Whether a path is a pattern such as parts/*.jsonl, and not the name of an existing file."""
    return bool(_PATTERN.search(path)) and (is_remote(path) or not Path(path).exists())


def matching(path: str) -> list[str]:
    """The files that match a pattern, sorted; any other path is returned alone."""
    if not is_pattern(path):
        return [path]
    if is_remote(path):
        with _remote(path) as fsspec:
            system, pattern = fsspec.core.url_to_fs(path)
            paths = sorted(system.unstrip_protocol(name) for name in system.glob(pattern))
    else:
        paths = sorted(glob(path, recursive=True))  # noqa: PTH207 - the pattern may be absolute
    if not paths:
        raise InputError(f"{path}: no file matches this pattern.")
    return paths


@contextmanager
def open_bytes(path: str) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked."""
    if path == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    if is_remote(path):
        with _remote(path) as fsspec, fsspec.open(path, "rb") as packed, _unpacked(path, packed) as raw:
            yield raw
        return
    try:
        with Path(path).open("rb") as packed:
            before = _state(packed.fileno())
            with _unpacked(path, packed) as raw:
                yield raw
            if (after := _state(path if packed.closed else packed.fileno())) != before:
                raise changed(path, f"{before[0]:,} bytes at first, {after[0]:,} now")
    except _PROBLEMS as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(f"{path}: cannot be read ({reason}).") from None


def changed(path: str, how: str) -> InputError:
    """An error for a file that changed after the run began; `how` says in what way."""
    return InputError(f"{path}: changed during the run ({how}); run again when nothing writes to it.")


def _state(file: int | str) -> tuple[int, int]:
    """A value that changes when a file is written to; it is constant for pipes and devices."""
    status = os.stat(file)  # noqa: PTH116 - also of open files
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else (0, 0)


@contextmanager
def _unpacked(path: str, raw: BinaryIO) -> Iterator[BinaryIO]:
    unpack = _UNPACK.get(path[-3:])
    if unpack is None:
        yield raw
        return
    with unpack(raw) as unpacking:
        yield io.BufferedReader(_Bounded(path, raw, unpacking), 1 << 20)


class _Bounded(io.RawIOBase):
    """The unpacked bytes of a file, as long as their number stays within the limit for its packed size."""

    def __init__(self, path: str, packed: BinaryIO, unpacking: Any) -> None:
        self._path, self._packed, self._unpacking, self._size = path, packed, unpacking, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._unpacking.read1(len(buffer))
        self._size += len(data)
        if self._size > limits().unpacked_bytes(self._packed.tell()):
            raise InputError(
                f"{self._path}: unpacks to more than {self._size - 1:,} bytes, over {limits().ratio} times its packed"
                " size; if it is meant to, raise the limit: --limits ratio=N."
            )
        buffer[: len(data)] = data
        return len(data)


def bounded_lines(raw: BinaryIO, name: str, start: int = 0) -> Iterator[bytes]:
    """The lines of a file after line `start`; an error, without reading it, for a line over the limit."""
    longest = limits().line_bytes
    for number, line in enumerate(iter(partial(raw.readline, longest + 1), b""), start + 1):
        if len(line) > longest:
            raise too_long(name, number)
        yield line


def too_long(name: str, number: int) -> InputError:
    """The error for a line over the limit."""
    return InputError(
        f"{name}, line {number}: longer than {limits().line} MB; if it is meant to be, raise the limit:"
        " --limits line=N."
    )


@contextmanager
def _remote(path: str) -> Iterator[Any]:
    """The module fsspec, for an address; its errors become one line."""
    try:
        import fsspec
    except ImportError:
        raise MissingResourceError(
            f"{path}: addresses need fsspec (pip install 'plainmark[dask]') and the package that it asks for."
        ) from None
    try:
        yield fsspec
    except (*_PROBLEMS, ValueError, ImportError) as problem:
        raise InputError(f"{path}: cannot be read ({' '.join(str(problem).split())[:200]}).") from None


def decode_lines(lines: Sequence[bytes], name: str, start: int, encoding: str = "utf-8") -> list[str]:
    """Decoded lines without their line ends; `start` lines come before them."""
    if start == 0 and lines and encoding == "utf-8":
        if lines[0].startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError(
                f"{name}: looks like UTF-16, expected UTF-8. Convert it: iconv -f UTF-16 -t UTF-8."
            )
        lines = [lines[0].removeprefix(b"\xef\xbb\xbf"), *lines[1:]]
    try:
        text = b"".join(lines).decode(encoding).removesuffix("\n")
        rows = text.split("\n")
        return [row.removesuffix("\r") for row in rows] if "\r" in text else rows
    except UnicodeDecodeError:
        for number, line in enumerate(lines, start + 1):
            try:
                line.decode(encoding)
            except UnicodeDecodeError as problem:
                byte = line[problem.start]
                raise InputError(
                    f"{name}, line {number}: byte 0x{byte:02x} is not {encoding.upper()}. Convert the file to {encoding.upper()} first."
                ) from None
        raise


def _decoded(raw: BinaryIO, name: str, encoding: str) -> Iterator[str]:
    batch: list[bytes] = []
    number, size = 0, 0

    def decoded() -> Iterator[str]:
        return (text + "\n" for text in decode_lines(batch, name, number, encoding))

    for line in bounded_lines(raw, name):
        batch.append(line)
        size += len(line)
        if len(batch) == 4096 or size > _BATCH:
            yield from decoded()
            number, size, batch = number + len(batch), 0, []
    if batch:
        yield from decoded()
