"""Reading released files: lines, JSON lines, tables; every complaint names the file and the line."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import InputError
from ..reading import open_text

LONGEST_CELL = 2**24


def read_lines(path: str, expected: int | None = None) -> list[str]:
    """The lines of a text, without their ends; as many as the set has samples."""
    with open_text(path) as lines:
        found = [line.removesuffix("\n") for line in lines]
    if expected is not None and len(found) != expected:
        raise InputError(f"{path}: {len(found)} lines, expected {expected}.")
    return found


def read_references(paths: Sequence[str], expected: int) -> list[tuple[str, ...]]:
    """One tuple of references a sample, from files with one reference of every sample each."""
    return list(zip(*(read_lines(path, expected) for path in paths), strict=True))


def read_json_lines(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a file of JSON lines, with its place for complaints."""
    number = 0
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}, line {number}"
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as problem:
                raise InputError(f"{where}: not JSON ({problem}).") from None
            if not isinstance(row, dict):
                raise InputError(f"{where}: found {type(row).__name__}, expected a JSON object.")
            yield where, row
    if not number:
        raise InputError(f"{path}: empty, expected one JSON object a line.")


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


def read_table(
    path: str, columns: Sequence[str], separator: str = ","
) -> Iterator[tuple[str, dict[str, str]]]:
    """Every row of a CSV or TSV file that has at least these columns, with its place for complaints."""
    csv.field_size_limit(LONGEST_CELL)
    with open_text(path) as lines:
        rows = csv.DictReader(lines, delimiter=separator)
        absent = [c for c in columns if c not in (rows.fieldnames or ())]
        if absent:
            raise InputError(f"{path}: no column {', '.join(absent)}; expected {', '.join(columns)}.")
        where = ""
        try:
            for row in rows:
                where = f"{path}, line {rows.line_num}"
                if None in row or None in row.values():
                    raise InputError(
                        f"{where}: not as many cells as the {len(rows.fieldnames or ())} columns."
                    )
                yield where, row
        except csv.Error as problem:
            raise InputError(f"{path}, line {rows.line_num}: {problem}.") from None
        if not where:
            raise InputError(f"{path}: no rows, only headings.")


@contextmanager
def complaining(where: str) -> Iterator[None]:
    """A block that reads fields; one that is absent or of another kind is said in one line."""
    try:
        yield
    except KeyError as problem:
        raise InputError(f"{where}: no field {problem}.") from None
    except (TypeError, AttributeError, IndexError, ValueError) as problem:
        raise InputError(f"{where}: not as expected ({problem}).") from None


def text(value: object) -> str:
    """A text of a released file, or TypeError for `complaining`."""
    if not isinstance(value, str):
        raise TypeError(f"found {type(value).__name__}, expected text")
    return value


def number(value: object, where: str) -> float:
    """A cell as a number."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{where}: {value!r} is not a number.") from None
