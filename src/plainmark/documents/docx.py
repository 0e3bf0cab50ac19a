"""Word documents: the text of paragraphs is changed, and everything else stays the same, byte for byte.

Only the bytes of changed texts are replaced: styles, pictures, notes and links stay as Word wrote them. A change is put
into the run that has the formatting of the words around it.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from difflib import SequenceMatcher
from xml.sax.saxutils import escape

from ..errors import InputError
from . import Document, is_sentence
from .prose import Prose
from .word_file import STYLES, Paragraph, Reader, Styles, TextPiece, is_read, main_part, unpack

LONGEST = 20_000  # longest paragraph that is simplified, in characters
_PARTS = re.compile(r"word/(?:document\d*|footnotes|endnotes)\.xml")
_UNTOUCHED = re.compile(
    r"heading|title|toc|contents|code|preformatted|macro|quot|bibliography|caption|signature|verse|equation",
    re.I,
)
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


class WordDocument(Document):
    """A .docx file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._files = unpack(path)
        styles = Styles(self._read(STYLES)).names if STYLES in self._files else {}
        self._places: list[tuple[str, Paragraph]] = []
        names = [name for name in self._files if _PARTS.fullmatch(name)]
        if not any(name.startswith("word/document") for name in names):
            raise InputError(f"{path}: no word/document.xml in it; expected a Word document.")
        for name in names:
            for paragraph in Reader(self._read(name), f"{path}, {name}").paragraphs:
                if _is_prose(paragraph, styles):
                    self._places.append((name, paragraph))
        self.texts = [paragraph.text for _, paragraph in self._places]

    def _read(self, name: str) -> bytes:
        return self._files[name][1]

    def render(self, outputs: Sequence[str]) -> bytes:
        changed: dict[str, list[tuple[TextPiece, str]]] = {}
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
    files = unpack(path)
    styles = Styles(files[STYLES][1]).names if STYLES in files else {}
    name = main_part(path, files)
    lines, parts, places, links = [], [], [], []
    at = length = 0
    for paragraph in Reader(files[name][1], f"{path}, {name}").paragraphs:
        line = paragraph.text.replace("\n", " ")
        if line.strip() and is_read(paragraph, styles):
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


def _is_prose(paragraph: Paragraph, styles: dict[str, str]) -> bool:
    name = styles.get(paragraph.style, paragraph.style)
    if paragraph.untouched or paragraph.length > LONGEST or not paragraph.text.strip():
        return False
    return not _UNTOUCHED.search(name) and (not paragraph.bounded or is_sentence(paragraph.text))


def _put_back(paragraph: Paragraph, output: str) -> list[tuple[TextPiece, str]] | None:
    """The pieces with another text; None if a change would move something that must keep its place."""
    before, after = _TOKEN.findall(paragraph.text), _TOKEN.findall(output)
    offsets = [0]
    for token in before:
        offsets.append(offsets[-1] + len(token))
    pieces = paragraph.pieces
    # The new text of each piece, character by character; an insertion belongs to the character before it.
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


def _spliced(data: bytes, changes: Sequence[tuple[TextPiece, str]]) -> bytes:
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
