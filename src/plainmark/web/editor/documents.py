"""Converts the editor's documents: a file to a text, and a text to a file.

Markdown is not converted; of HTML and PDF files the prose is extracted. The words of a Word document are edited, and when
they are saved as Word they are put back into the document. Macros are refused, and nothing that a document refers to is
opened.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any

from ...checks import Finding
from ...documents import prose
from ...documents.comments import Comment, commented_word_document
from ...documents.export import as_html, as_word_document, word_text_as_markdown
from ...documents.revision import joined, read_word_text, revised_word_document
from ...errors import InputError, PlainmarkError
from ..playground.requests import MAX_TEXT, TextTooLongError, decode_file, normalize
from .requests import SaveRequest

_READ = (".html", ".htm", ".pdf")
_NOTE = "Only the words were taken from the document, without its layout, pictures and links."
_WORD_NOTE = "Saved as Word, the document keeps its layout, pictures and links."
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_SHOWN_NAME = 80  # characters


def formats() -> tuple[str, ...]:
    """The available formats for saving a text, the most likely one first."""
    word = ("docx", "tracked", "comments") if find_spec("docx") else ()
    return (*word, "md", "html", "txt")


def open_document(data: bytes, name: str) -> dict[str, Any]:
    """The text of a file, its kind, and notes on the conversion."""
    suffix = PurePath(name).suffix.lower()
    notes, kind = [], "text"
    if suffix == ".docx":
        with _file(data, name) as path:
            rows = read_word_text(path)
        text, kind = joined(rows), "word"
        outside = sum(row.part != rows[0].part for row in rows)
        if not rows:
            raise InputError(f"{_shown(name)}: no text in it.")
        if outside:
            what = "paragraph is a note" if outside == 1 else f"{outside} paragraphs are notes"
            notes.append(f"The last {what}, header or footer of the document.")
        notes.append(_WORD_NOTE)
    elif suffix in _READ:
        with _file(data, name) as path:
            text = str(normalize(prose(path).text)).strip("\n") + "\n"
        notes.append(_NOTE)
    else:
        text = decode_file(data, name)
        kind = "markdown" if suffix in (".md", ".markdown") else "text"
    if len(text) > MAX_TEXT:
        raise TextTooLongError(
            f"{_shown(name)}: found {len(text):,} characters, expected at most {MAX_TEXT:,}. Take a part of it;"
            " `plainmark check` takes texts of any length."
        )
    return {"text": _CONTROL.sub("\ufffd", text), "kind": kind, "notes": notes}


def save_document(request: SaveRequest, document: bytes, check: Callable[[str], Sequence[Finding]]) -> bytes:
    """A text as a file; `document` is the Word document that it was opened from, `check` finds the passages to comment on."""
    text = _CONTROL.sub("\ufffd", request.text)
    markdown = request.kind == "markdown"
    if request.format in ("docx", "tracked", "comments"):
        return _word(request, text, document, check)
    if document and request.format in ("md", "html"):
        with _file(document, request.name) as path:
            text, markdown = word_text_as_markdown(read_word_text(path), text), True
    if request.format == "html":
        text = as_html(text, request.name or "Text", markdown=markdown)
    return text.encode("utf-8", "replace")


def _word(
    request: SaveRequest, text: str, document: bytes, check: Callable[[str], Sequence[Finding]]
) -> bytes:
    if document:
        with _file(document, request.name) as path:
            data = revised_word_document(path, text, track=request.format == "tracked")
    elif request.format == "tracked":
        raise InputError(
            "tracked changes need the Word document that the text was opened from; open it first."
        )
    else:
        data = as_word_document(text, markdown=request.kind == "markdown")
    if request.format != "comments":
        return data
    with _file(data, request.name) as path:
        words = prose(path)
        findings = check(words.text)
        return commented_word_document(path, words, [Comment(f.start, f.end, f.comment) for f in findings])


def _shown(name: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in name[-_SHOWN_NAME:]) or "the document"


@contextmanager
def _file(data: bytes, name: str) -> Iterator[str]:
    """The path of a file with these bytes; messages have the name that the user knows."""
    with tempfile.TemporaryDirectory() as folder:
        suffix = PurePath(name).suffix.lower()
        path = Path(folder) / f"document{suffix if suffix in _READ else '.docx'}"
        path.write_bytes(data)
        try:
            yield str(path)
        except PlainmarkError as error:
            raise InputError(str(error).replace(str(path), _shown(name))) from None
