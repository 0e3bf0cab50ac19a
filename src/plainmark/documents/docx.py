"""Word documents: the text of paragraphs changes, and everything else stays byte for byte.

A .docx file is a zip archive of XML. Its texts are found with an event parser that says at which byte each stands, and only
these bytes are replaced: styles, pictures, notes and links stay as Word wrote them. A change is put where it was made, in the run
whose formatting the words around it have. Nothing that a file refers to is opened, no macro is kept, and what a file claims
to unpack to is bounded (limits.py).
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from ..errors import InputError
from ..limits import limits
from . import Document, is_sentence
from .prose import Prose

MOST_FILES = 10_000
DEEPEST = 500
LONGEST = 20_000  # characters of a paragraph that is simplified
_SPACES = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_PARTS = re.compile(r"word/(?:document\d*|footnotes|endnotes)\.xml")
_STYLES = "word/styles.xml"
_UNTOUCHED = re.compile(
    r"heading|title|toc|contents|code|preformatted|macro|quot|bibliography|caption|signature|verse|equation",
    re.I,
)
_UNREAD = re.compile(r"toc|contents|code|preformatted|macro|equation", re.I)
# Between two pieces of text these keep their place: no change goes across them.
_BARRIERS = frozenset(
    "br cr tab ptab footnoteReference endnoteReference commentReference drawing pict object sym hyperlink fldSimple fldChar "
    "instrText sdt noBreakHyphen softHyphen smartTag customXml ruby annotationRef".split()
)
_FIXED = frozenset("hyperlink fldSimple sdt ruby".split())  # their text stays as it is
_TRACKED = frozenset("ins del moveFrom moveTo".split())
_SEPARATORS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass
class _Piece:
    """The text of one w:t, and the bytes from the beginning of its tag to the end of its text."""

    start: int
    fixed: bool
    barrier: bool  # whether something that keeps its place stands before it
    end: int = 0
    text: str = ""
    at: int = 0  # where it begins in the text of the paragraph
    link: bool = False


@dataclass
class _Paragraph:
    pieces: list[_Piece] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)  # the texts of pieces and what stands for tabs and breaks
    length: int = 0
    style: str = ""
    bounded: bool = False  # a list item or a cell of a table
    untouched: bool = False
    barrier: bool = False

    def add(self, text: str) -> None:
        """Text that follows."""
        self.parts.append(text)
        self.length += len(text)

    @cached_property
    def text(self) -> str:
        """The whole text, once it has been read."""
        return "".join(self.parts)


class WordDocument(Document):
    """A .docx file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._files = _unpack(path)
        styles = _Styles(self._read(_STYLES)).names if _STYLES in self._files else {}
        self._places: list[tuple[str, _Paragraph]] = []
        names = [name for name in self._files if _PARTS.fullmatch(name)]
        if not any(name.startswith("word/document") for name in names):
            raise InputError(f"{path}: no word/document.xml in it; expected a Word document.")
        for name in names:
            for paragraph in _Reader(self._read(name), f"{path}, {name}").paragraphs:
                if _is_prose(paragraph, styles):
                    self._places.append((name, paragraph))
        self.texts = [paragraph.text for _, paragraph in self._places]

    def _read(self, name: str) -> bytes:
        return self._files[name][1]

    def render(self, outputs: Sequence[str]) -> bytes:
        changed: dict[str, list[tuple[_Piece, str]]] = {}
        for (name, paragraph), output in zip(self._places, outputs, strict=True):
            if output != paragraph.text:
                pieces = _put_back(paragraph, output)
                self.left_alone += pieces is None
                changed.setdefault(name, []).extend(pieces or ())
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as archive:
            for name, (info, data) in self._files.items():
                archive.writestr(info, _spliced(data, changed[name]) if name in changed else data)
        return target.getvalue()


def prose(path: str) -> Prose:
    """The paragraphs of the main part of a document, each a line of the source; code and contents are left out."""
    files = _unpack(path)
    styles = _Styles(files[_STYLES][1]).names if _STYLES in files else {}
    name = main_part(path, files)
    lines, parts, places, links = [], [], [], []
    at = length = 0
    for paragraph in _Reader(files[name][1], f"{path}, {name}").paragraphs:
        line = paragraph.text.replace("\n", " ")
        if line.strip() and not _UNREAD.search(styles.get(paragraph.style, paragraph.style)):
            links += [
                (length + piece.at, length + piece.at + len(piece.text))
                for piece in paragraph.pieces
                if piece.link
            ]
            parts.append(line + "\n\n")
            places += [*range(at, at + len(line)), at + len(line), at + len(line)]
            length += len(line) + 2
        lines.append(line + "\n")
        at += len(line) + 1
    source = "".join(lines)
    return Prose("".join(parts), source, [*places, len(source)], tuple(links))


def main_part(path: str, files: dict[str, tuple[zipfile.ZipInfo, bytes]]) -> str:
    """The name of the file with the paragraphs."""
    names = [name for name in files if _PARTS.fullmatch(name) and name.startswith("word/document")]
    if not names:
        raise InputError(f"{path}: no word/document.xml in it; expected a Word document.")
    return names[0]


def _unpack(path: str) -> dict[str, tuple[zipfile.ZipInfo, bytes]]:
    """The files of a document, within limits; macros, encryption and archives of other kinds are refused."""
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
        raise InputError(f"{path}: {len(names):,} files in it, or two of one name; it is refused.")
    if any(m.flag_bits & 1 for m in members):
        raise InputError(f"{path}: has a password; save it without one.")
    if any(name.lower().endswith((".bin", ".vbs")) and "vba" in name.lower() for name in names):
        raise InputError(f"{path}: holds macros (vbaProject.bin); save it as .docx without macros.")
    total, largest = sum(m.file_size for m in members), limits().unpacked_bytes(size)
    if total > largest:
        raise InputError(
            f"{path}: {size:,} bytes that unpack to {total:,}, expected at most {largest:,}; if it is in earnest, raise"
            " --limits ratio=N."
        )


class _Events:
    """An event parser for a file of a document; document types and entities are refused."""

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
        """An element begins."""

    def finish(self, name: str) -> None:
        """An element ends."""

    def characters(self, text: str) -> None:
        """Text."""


def _value(attributes: dict[str, str], name: str = "val") -> str:
    return next((attributes[k] for space in _SPACES if (k := f"{space} {name}") in attributes), "")


class _Styles(_Events):
    """The names of styles, which are English in every language, by their ids, which are not."""

    def __init__(self, data: bytes) -> None:
        self.names: dict[str, str] = {}
        self._own = ""
        super().__init__(data, _STYLES)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "style":
            self._own = _value(attributes, "styleId")
        elif name == "name" and self._own:
            self.names.setdefault(self._own, _value(attributes))


class _Reader(_Events):
    """The paragraphs of a file; those of text boxes stand inside others."""

    def __init__(self, data: bytes, place: str) -> None:
        self.paragraphs: list[_Paragraph] = []
        self._open: list[_Paragraph] = []
        self._elements: list[str] = []
        self._piece: _Piece | None = None
        self._field = 0
        super().__init__(data, place)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._elements.append(name)
        if len(self._elements) > DEEPEST:
            raise InputError(f"{self.place}: more than {DEEPEST} elements inside each other; it is refused.")
        if name == "p":
            self._open.append(_Paragraph(bounded="tc" in self._elements))
        elif self._open:
            own = self._open[-1]
            if name == "pStyle":
                own.style = _value(attributes)
            elif name == "numPr":
                own.bounded = True
            elif name == "outlineLvl" or name in _TRACKED:
                own.untouched = own.untouched or name != "outlineLvl" or _value(attributes) != "9"
            elif name == "fldChar":
                kind = _value(attributes, "fldCharType")
                self._field += (kind == "begin") - (kind == "end")
            elif name == "t":
                fixed = self._field > 0 or not _FIXED.isdisjoint(self._inside())
                self._piece = _Piece(
                    self.parser.CurrentByteIndex,
                    fixed,
                    own.barrier,
                    at=own.length,
                    link="hyperlink" in self._inside(),
                )
                own.barrier = False
            if name in _BARRIERS or name.startswith("-oMath"):
                own.barrier = True
                if name in _SEPARATORS and "r" in self._inside():
                    own.add(_SEPARATORS[name])

    def _inside(self) -> list[str]:
        """The elements between the innermost paragraph and here."""
        last = len(self._elements) - 1 - self._elements[::-1].index("p")
        return self._elements[last + 1 :]

    def characters(self, text: str) -> None:
        if self._piece is not None:
            self._piece.text += text

    def finish(self, name: str) -> None:
        self._elements.pop()
        if name == "p":
            self.paragraphs.append(self._open.pop())
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


def _is_prose(paragraph: _Paragraph, styles: dict[str, str]) -> bool:
    name = styles.get(paragraph.style, paragraph.style)
    if paragraph.untouched or paragraph.length > LONGEST or not paragraph.text.strip():
        return False
    return not _UNTOUCHED.search(name) and (not paragraph.bounded or is_sentence(paragraph.text))


def _put_back(paragraph: _Paragraph, output: str) -> list[tuple[_Piece, str]] | None:
    """The pieces with another text; None if a change would move something that keeps its place."""
    before, after = _TOKEN.findall(paragraph.text), _TOKEN.findall(output)
    offsets = [0]
    for token in before:
        offsets.append(offsets[-1] + len(token))
    pieces = paragraph.pieces
    # What is written in each piece, character by character; an insertion stands with the character before it.
    written = [list(piece.text) for piece in pieces]
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        start, end, new = offsets[a], offsets[b], "".join(after[c:d])
        place = max(start - 1, 0) if start == end else start
        touched = [
            k for k, p in enumerate(pieces) if p.at < max(end, place + 1) and p.at + len(p.text) > place
        ]
        covered = sum(
            min(end, pieces[k].at + len(pieces[k].text)) - max(start, pieces[k].at) for k in touched
        )
        if (
            not touched
            or any(pieces[k].fixed for k in touched)
            or any(pieces[k].barrier for k in touched[1:])
            or (start != end and covered != end - start)
        ):
            return None
        for k in touched:
            for i in range(
                max(start, pieces[k].at) - pieces[k].at, min(end - pieces[k].at, len(pieces[k].text))
            ):
                written[k][i] = ""
        first, i = touched[0], place - pieces[touched[0]].at
        if start != end or start == 0:
            written[first][i] = new + written[first][i]
        else:
            written[first][i] += new
    texts = ["".join(characters) for characters in written]
    return [(p, t) for p, t in zip(pieces, texts, strict=True) if t != p.text]


def _spliced(data: bytes, changes: Sequence[tuple[_Piece, str]]) -> bytes:
    """The bytes of a file with other texts in some of its pieces."""
    out, done = [], 0
    for piece, text in sorted(changes, key=lambda c: c[0].start):
        tag = re.match(rb"<([^\s/>]+)", data[piece.start : piece.start + 100])
        if tag is None:  # it was an element when it was read
            raise InputError("a paragraph of the document has moved; it is refused.")
        out += [
            data[done : piece.start],
            b"<",
            tag[1],
            b' xml:space="preserve">',
            escape(text).encode("utf-8"),
        ]
        done = piece.end
    return b"".join([*out, data[done:]])
