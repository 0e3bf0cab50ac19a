"""A Word file on disk: the files of its archive and the paragraphs in them.

A .docx file is a zip archive of XML. An event parser finds its texts and their byte offsets. Nothing that a file refers to
is opened, files with macros are rejected, and the unpacked size is bounded (limits.py).
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.parsers import expat

from ..errors import InputError
from ..limits import limits

MOST_FILES = 10_000
DEEPEST = 500
_SPACES = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_MAIN = re.compile(r"word/document\d*\.xml")
STYLES = "word/styles.xml"
_UNREAD = re.compile(r"toc|contents|code|preformatted|macro|equation", re.I)
# These elements keep their place between two pieces of text: no change extends across them.
_BARRIERS = frozenset(
    "br cr tab ptab footnoteReference endnoteReference commentReference drawing pict object sym hyperlink fldSimple fldChar "
    "instrText sdt noBreakHyphen softHyphen smartTag customXml ruby annotationRef".split()
)
_FIXED = frozenset("hyperlink fldSimple sdt ruby".split())  # elements whose text is not changed
_TRACKED = frozenset("ins del moveFrom moveTo".split())
_TABLE = frozenset(("tbl", "tr", "tc"))
_GONE = frozenset(("del", "moveFrom"))  # text that tracked changes have deleted does not count
_SEPARATORS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


@dataclass
class TextPiece:
    """The text of one w:t, and the bytes from the beginning of its tag to the end of its text."""

    start: int
    fixed: bool
    barrier: bool  # whether an element that keeps its place precedes it
    end: int = 0
    text: str = ""
    at: int = 0  # its offset in the text of the paragraph
    link: bool = False


@dataclass
class Paragraph:
    pieces: list[TextPiece] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)  # the texts of pieces, and characters for tabs and breaks
    length: int = 0
    style: str = ""
    bounded: bool = False  # whether it is a list item or a table cell
    item: bool = False
    cell: tuple[int, int, int] | None = None  # table, row and column
    untouched: bool = False
    barrier: bool = False
    repeats: bool = False  # whether it is a second copy of a text box, for older programs

    def add(self, text: str) -> None:
        """Add the text that follows."""
        self.parts.append(text)
        self.length += len(text)

    @cached_property
    def text(self) -> str:
        """The whole text, once it has been read."""
        return "".join(self.parts)


def is_read(paragraph: Paragraph, styles: dict[str, str]) -> bool:
    """Whether a paragraph is for readers: not code, contents or a copy of another one."""
    return not (paragraph.repeats or _UNREAD.search(styles.get(paragraph.style, paragraph.style)))


def main_part(path: str, files: dict[str, tuple[zipfile.ZipInfo, bytes]]) -> str:
    """The name of the file with the paragraphs."""
    names = [name for name in files if _MAIN.fullmatch(name)]
    if not names:
        raise InputError(f"{path}: no word/document.xml in it; expected a Word document.")
    return names[0]


def unpack(path: str) -> dict[str, tuple[zipfile.ZipInfo, bytes]]:
    """The files of a document, within limits; macros, encryption and other kinds of archives are rejected."""
    try:
        size = Path(path).stat().st_size
        with Path(path).open("rb") as file:
            start = file.read(8)
            if start.startswith(b"\xd0\xcf\x11\xe0"):
                raise InputError(
                    f"{path}: encrypted, or an old .doc file; save it as .docx without a password."
                )
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                _check(path, members, size)
                return {m.filename: (m, archive.read(m)) for m in members}
    except (
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
        RuntimeError,
        EOFError,
        ValueError,
    ) as problem:
        raise InputError(f"{path}: not a Word document, or a damaged one ({problem}).") from None
    except OSError as problem:
        raise InputError(f"{path}: cannot be read ({problem.strerror or problem}).") from None


def _check(path: str, members: Sequence[zipfile.ZipInfo], size: int) -> None:
    names = [m.filename for m in members]
    if len(names) > MOST_FILES or len(set(names)) < len(names):
        raise InputError(f"{path}: {len(names):,} files in it, or two of the same name; it is rejected.")
    if any(m.flag_bits & 1 for m in members):
        raise InputError(f"{path}: has a password; save it without one.")
    if any(name.lower().endswith((".bin", ".vbs")) and "vba" in name.lower() for name in names):
        raise InputError(f"{path}: holds macros (vbaProject.bin); save it as .docx without macros.")
    total, largest = sum(m.file_size for m in members), limits().unpacked_bytes(size)
    if total > largest:
        raise InputError(
            f"{path}: {size:,} bytes that unpack to {total:,}, expected at most {largest:,}; if it is meant to, raise"
            " --limits ratio=N."
        )


class _Events:
    """An event parser for a file of a document; document types and entities are rejected."""

    def __init__(self, data: bytes, place: str) -> None:
        self.place = place
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.XmlDeclHandler = self._declaration
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise InputError(f"{place}: UTF-16, expected UTF-8 as Word writes it.")
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as problem:
            raise InputError(f"{place}: not XML ({problem}).") from None

    def _refuse(self, *_: Any) -> None:
        raise InputError(
            f"{self.place}: holds a document type with entities, which no Word document has; it is refused."
        )

    def _declaration(self, _: str, encoding: str | None, __: int) -> None:
        if (encoding or "utf-8").lower() not in ("utf-8", "us-ascii"):
            raise InputError(f"{self.place}: its encoding is {encoding!r}, expected UTF-8 as Word writes it.")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        self.begin(local if space in _SPACES else f"-{local}", attributes)

    def _end(self, name: str) -> None:
        space, _, local = name.rpartition(" ")
        self.finish(local if space in _SPACES else f"-{local}")

    def _text(self, text: str) -> None:
        self.characters(text)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the beginning of an element."""

    def finish(self, name: str) -> None:
        """Handle the end of an element."""

    def characters(self, text: str) -> None:
        """Handle characters of the text."""


def value_of(attributes: dict[str, str], name: str = "val") -> str:
    return next((attributes[k] for space in _SPACES if (k := f"{space} {name}") in attributes), "")


class Styles(_Events):
    """The names of styles, which are English in every language, by their ids, which are not."""

    def __init__(self, data: bytes) -> None:
        self.names: dict[str, str] = {}
        self._own = ""
        super().__init__(data, STYLES)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "style":
            self._own = value_of(attributes, "styleId")
        elif name == "name" and self._own:
            self.names.setdefault(self._own, value_of(attributes))


class Reader(_Events):
    """The paragraphs of a file; those of text boxes are inside others."""

    def __init__(self, data: bytes, place: str) -> None:
        self.paragraphs: list[Paragraph] = []
        self._open: list[Paragraph] = []
        self._elements: list[str] = []
        self._piece: TextPiece | None = None
        self._field = 0
        self._tables: list[list[int]] = []  # open tables: number, row, column
        self._number_of_tables = 0
        super().__init__(data, place)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._elements.append(name)
        if len(self._elements) > DEEPEST:
            raise InputError(f"{self.place}: more than {DEEPEST} elements inside each other; it is refused.")
        if name == "p":
            cell = (*self._tables[-1],) if self._tables else None
            repeats = "-Fallback" in self._elements
            self._open.append(Paragraph(bounded=bool(cell), cell=cell, repeats=repeats))  # type: ignore[arg-type]
        elif name in _TABLE:
            self._begin_table(name)
        elif self._open:
            own = self._open[-1]
            if name == "pStyle":
                own.style = value_of(attributes)
            elif name == "numPr":
                own.bounded = own.item = True
            elif name == "outlineLvl" or name in _TRACKED:
                own.untouched = own.untouched or name != "outlineLvl" or value_of(attributes) != "9"
            elif name == "fldChar":
                kind = value_of(attributes, "fldCharType")
                self._field += (kind == "begin") - (kind == "end")
            elif name == "t" and _GONE.isdisjoint(self._inside()):
                fixed = self._field > 0 or not _FIXED.isdisjoint(self._inside())
                self._piece = TextPiece(
                    self.parser.CurrentByteIndex,
                    fixed,
                    own.barrier,
                    at=own.length,
                    link="hyperlink" in self._inside(),
                )
                own.barrier = False
            if name in _BARRIERS or name.startswith("-oMath"):
                own.barrier = True
                if name in _SEPARATORS and "r" in self._inside() and _GONE.isdisjoint(self._inside()):
                    own.add(_SEPARATORS[name])

    def _begin_table(self, name: str) -> None:
        if name == "tbl":
            self._number_of_tables += 1
            self._tables.append([self._number_of_tables, 0, 0])
        elif self._tables and name == "tr":
            self._tables[-1][1:] = self._tables[-1][1] + 1, 0
        elif self._tables:
            self._tables[-1][2] += 1

    def _inside(self) -> list[str]:
        """The elements between the innermost paragraph and the current position."""
        last = len(self._elements) - 1 - self._elements[::-1].index("p")
        return self._elements[last + 1 :]

    def characters(self, text: str) -> None:
        if self._piece is not None:
            self._piece.text += text

    def finish(self, name: str) -> None:
        self._elements.pop()
        if name == "p":
            self.paragraphs.append(self._open.pop())
        elif name == "tbl":
            self._tables.pop()
        elif self._open:
            own = self._open[-1]
            if name == "t" and self._piece is not None:
                self._piece.end = self.parser.CurrentByteIndex
                if self._piece.text:
                    own.pieces.append(self._piece)
                    own.add(self._piece.text)
                self._piece = None
            elif name in _FIXED:
                own.barrier = True
