"""Reading the first sheet of an OpenDocument spreadsheet: a ZIP archive with the cells in content.xml.

No more is unpacked than a bound, repeated cells are counted against the width, and a document with a DTD
(which could define entities that grow without end) is refused.
"""

from __future__ import annotations

import zipfile
import zlib
from xml.etree.ElementTree import Element, ParseError, fromstring

from ..errors import InputError

LARGEST = 64 * 2**20  # of content.xml, unpacked

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_VALUE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value"


def read_sheet(path: str, *, rows: int, columns: int) -> list[list[str]]:
    """The cells of the first sheet as text, at most so many rows and columns."""
    sheet = next(_parse(path).iter(f"{_TABLE}table"), None)
    if sheet is None:
        raise InputError(f"{path}: no sheet in it, expected a spreadsheet.")
    found: list[list[str]] = []
    for row in sheet.iter(f"{_TABLE}table-row"):
        cells: list[str] = []
        for cell in row:
            if cell.tag in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell") and len(cells) < columns:
                value = cell.get(_VALUE) or "".join(cell.itertext())
                cells += [value] * min(_repeated(path, cell), columns - len(cells))
        found.append(cells)
        if len(found) > rows:
            raise InputError(f"{path}: more than {rows} rows.")
    return found


def _repeated(path: str, cell: Element) -> int:
    text = cell.get(f"{_TABLE}number-columns-repeated", "1")
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise InputError(f"{path}: a cell is repeated {text[:20]!r} times, expected a number.")
    return int(text)


def _parse(path: str) -> Element:
    try:
        with zipfile.ZipFile(path) as archive, archive.open("content.xml") as file:
            data = file.read(LARGEST + 1)  # not what the archive says of itself
        text = data.decode("utf-8")  # what OpenDocument programs write; in another encoding a DTD could hide
    except (OSError, EOFError, KeyError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error) as problem:
        raise InputError(f"{path}: not an OpenDocument spreadsheet ({problem}).") from None
    if len(data) > LARGEST:
        raise InputError(f"{path}: content.xml is larger than {LARGEST >> 20} MB.")
    if "<!DOCTYPE" in text:
        raise InputError(f"{path}: content.xml has a document type, expected cells only.")
    try:
        return fromstring(text)  # noqa: S314 - bounded, and without a DTD there are no entities
    except ParseError as problem:
        raise InputError(f"{path}: content.xml is not XML ({problem}).") from None
