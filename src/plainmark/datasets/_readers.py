"""Readers of released files: fields of JSON and CSV files, judged JSON lines, and OpenDocument spreadsheets.

Every error message names the file and the line. A spreadsheet (a ZIP archive with the cells in content.xml) is unpacked up
to a bound, repeated cells count towards the width, and a document with a DTD (which could define entities that grow without
end) is rejected.
"""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError, fromstring

from ..data import Corpus
from ..errors import InputError
from ..files import json_objects, read_lines

CITATION = "Maddela and Alva-Manchego 2025, Adapting Sentence-level Automatic Metrics for Document-level Simplification Evaluation"

LARGEST_SHEET = 64 * 2**20  # bytes of content.xml, unpacked

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_VALUE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value"


def read_references(paths: Sequence[str], expected: int) -> list[tuple[str, ...]]:
    """One tuple of references per sample, from files with one reference of every sample each."""
    return list(zip(*(read_lines(path, expected) for path in paths), strict=True))


@contextmanager
def reporting_errors(location: str) -> Iterator[None]:
    """Turn errors in reading fields (missing, or of another type) into one-line input errors."""
    try:
        yield
    except KeyError as problem:
        raise InputError(f"{location}: no field {problem}.") from None
    except (TypeError, AttributeError, IndexError, ValueError) as problem:
        raise InputError(f"{location}: not as expected ({problem}).") from None


def text(value: object) -> str:
    """A text of a released file, or TypeError, which `reporting_errors` reports."""
    if not isinstance(value, str):
        raise TypeError(f"found {type(value).__name__}, expected text")
    return value


def number(value: object, location: str) -> float:
    """A cell as a number."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{location}: {value!r} is not a number.") from None


def finite(value: object) -> float:
    """A finite number of a JSON file, or TypeError or ValueError, which `reporting_errors` reports."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"found {type(value).__name__}, expected a number")
    if not math.isfinite(value):
        raise ValueError(f"found {value}, expected a finite number")
    return float(value)


def cefr_level(cell: str, location: str) -> float:
    """A cell as a CEFR level, 1 (A1) to 6 (C2)."""
    level = number(cell, location)
    if level not in (1, 2, 3, 4, 5, 6):
        raise InputError(f"{location}: level {cell!r}, expected 1 (A1) to 6 (C2).")
    return level


@dataclass(frozen=True)
class JudgedRow:
    """One line of Maddela and Alva-Manchego's files; documents are numbered in order of appearance."""

    location: str  # file and line, for error messages
    document: int
    source: str
    references: tuple[str, ...]
    outputs: tuple[str, ...]
    systems: tuple[str, ...]  # empty if the file does not name the raters
    judgements: dict[str, tuple[float, ...]]  # dimension -> one value per judge


def read_rows(path: str, endings: Sequence[str], *, named: bool = True) -> Iterator[JudgedRow]:
    """The rows of a file; outputs and systems are in the fields simplification and system followed by each ending."""
    documents: dict[str, int] = {}
    for location, row in json_objects(path):
        with reporting_errors(location):
            source = text(row["original"])
            judgements = {text(j["name"]): tuple(float(v) for v in j["value"]) for j in row["ratings"]}
            judged = JudgedRow(
                location,
                documents.setdefault(source, len(documents) + 1),
                source,
                tuple(text(r) for r in row["references"]),
                tuple(text(row[f"simplification{e}"]) for e in endings),
                tuple(text(row[f"system{e}"]) for e in endings if named),
                judgements,
            )
        yield judged


def gather(samples: Sequence[tuple[str, str, JudgedRow, str]]) -> dict[str, Corpus]:
    """A corpus for each system, from (system, sample id, row, output) in the order of the file."""
    systems: dict[str, list[tuple[str, str, JudgedRow, str]]] = {}
    for sample in samples:
        systems.setdefault(sample[0], []).append(sample)
    return {
        system: Corpus(
            [row.source for _, _, row, _ in own],
            [output for _, _, _, output in own],
            [row.references for _, _, row, _ in own],
            ids=[sample for _, sample, _, _ in own],
            name=system,
        )
        for system, own in systems.items()
    }


def read_sheet(path: str, *, rows: int, columns: int) -> list[list[str]]:
    """The cells of the first sheet as text; InputError for more than `rows`; cells after `columns` are dropped."""
    sheet = next(_parse(path).iter(f"{_TABLE}table"), None)
    if sheet is None:
        raise InputError(f"{path}: no sheet in it, expected a spreadsheet.")
    table: list[list[str]] = []
    for row in sheet.iter(f"{_TABLE}table-row"):
        cells: list[str] = []
        for cell in row:
            if cell.tag in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell") and len(cells) < columns:
                value = cell.get(_VALUE) or "".join(cell.itertext())
                cells += [value] * min(_repeated(path, cell), columns - len(cells))
        table.append(cells)
        if len(table) > rows:
            raise InputError(f"{path}: more than {rows} rows.")
    return table


def _repeated(path: str, cell: Element) -> int:
    text = cell.get(f"{_TABLE}number-columns-repeated", "1")
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise InputError(f"{path}: a cell is repeated {text[:20]!r} times, expected a number.")
    return int(text)


def _parse(path: str) -> Element:
    try:
        with zipfile.ZipFile(path) as archive, archive.open("content.xml") as file:
            data = file.read(LARGEST_SHEET + 1)  # the size that the archive declares may be wrong
        text = data.decode(
            "utf-8"
        )  # the encoding of OpenDocument programs; in another one, a DTD could be hidden
    except (OSError, EOFError, KeyError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error) as problem:
        raise InputError(f"{path}: not an OpenDocument spreadsheet ({problem}).") from None
    if len(data) > LARGEST_SHEET:
        raise InputError(f"{path}: content.xml is larger than {LARGEST_SHEET >> 20} MB.")
    if "<!DOCTYPE" in text:
        raise InputError(f"{path}: content.xml has a document type, expected cells only.")
    try:
        return fromstring(text)  # noqa: S314 - bounded, and without a DTD there are no entities
    except ParseError as problem:
        raise InputError(f"{path}: content.xml is not XML ({problem}).") from None
