"""Reading lines, JSON and tables from files; every error message names the file and the line.

Files ending in .gz or .xz are unpacked on the way; - is standard input.
"""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from glob import glob
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from .errors import InputError, MissingResourceError

STANDARD_INPUT = "-"
LONGEST_CELL = 2**31 - 1
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
    """The lines of a text without their line ends; another number than `expected` is refused."""
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
    """Every object of a file of JSON lines, with its place for error messages."""
    number = 0
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            place = f"{label(path)}, line {number}"
            yield place, json_object(line, place)
    if not number:
        raise InputError(f"{label(path)}: empty, expected one JSON object per line.")


def json_object(line: str, place: str) -> dict[str, Any]:
    """The object of one line."""
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
    """Every row of a CSV or TSV file that has at least these columns, with its place for error messages."""
    csv.field_size_limit(LONGEST_CELL)
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


def is_pattern(path: str) -> bool:
    """Whether a path is a pattern such as parts/*.jsonl, and not the name of an existing file."""
    return bool(_PATTERN.search(path)) and (is_remote(path) or not Path(path).exists())


def matching(path: str) -> list[str]:
    """The files that match a pattern, sorted; a path that is not a pattern stands for itself."""
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
        with Path(path).open("rb") as packed, _unpacked(path, packed) as raw:
            yield raw
    except (OSError, EOFError, lzma.LZMAError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(f"{path}: cannot be read ({reason}).") from None


def _unpacked(path: str, raw: BinaryIO) -> AbstractContextManager[BinaryIO]:
    return cast(AbstractContextManager[BinaryIO], _UNPACK.get(path[-3:], nullcontext)(raw))


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
    except (OSError, EOFError, ValueError, ImportError, lzma.LZMAError) as problem:
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
    number = 0
    while batch := list(islice(raw, 4096)):
        for text in decode_lines(batch, name, number, encoding):
            yield text + "\n"
        number += len(batch)
