"""Files of the user's: glossaries (term, definition) and tables of terms (term, type)."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import InputError, OptionError
from ..files import json_objects, table_rows


def stamp(path: str) -> tuple[int, int]:
    """Changes when a file does, so that what was read of it may be kept."""
    try:
        known = Path(path).stat()
    except OSError:
        return 0, 0
    return known.st_mtime_ns, known.st_size


def read_table(path: str, *columns: str) -> tuple[tuple[str, ...], ...]:
    """Rows of a .csv, .tsv or .jsonl file with these columns, in the order of the file; rows with empty cells are left out."""
    return _read_table(path, stamp(path), columns)


@cache
def _read_table(path: str, _: tuple[int, int], columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    wanted = " and ".join(columns)
    rows: list[tuple[str, ...]] = []
    if Path(path).suffix in (".jsonl", ".ndjson"):
        for where, row in json_objects(path):
            if not all(c in row for c in columns):
                raise InputError(f"{where}: expected a JSON object with {wanted}.")
            rows.append(tuple(str(row[c]).strip() for c in columns))
    else:
        rows = [tuple(row[c].strip() for c in columns) for _, row in table_rows(path, columns)]
    found = tuple(row for row in rows if all(row))
    if not found:
        raise InputError(f"{path}: no rows, expected {wanted}.")
    return found


def digest(path: str, *columns: str) -> str:
    """A short hash of a table."""
    text = "\n".join("\t".join(row) for row in read_table(path, *columns))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@cache
def function(path: str, what: str) -> Any:
    """A function of the user's, from package.module.function."""
    module, _, name = path.rpartition(".")
    if not all(part.isidentifier() and not part.startswith("_") for part in path.split(".")) or not module:
        raise OptionError(f"{what}={path!r}: expected package.module.function.")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError):
        raise OptionError(f"{what}={path!r}: cannot import it; expected package.module.function.") from None
    if not callable(found):
        raise OptionError(f"{what}={path!r}: found {type(found).__name__}, expected a function.")
    return found
