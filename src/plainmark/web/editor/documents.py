"""Documents of the editor: a file becomes a text, a text becomes a file.

Markdown stays as it is written; of Word, HTML and PDF files the prose is taken, without layout, pictures, macros or links.
"""

from __future__ import annotations

import io
import re
import tempfile
from html import escape
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any

from ...documents import prose
from ...errors import InputError, MissingResourceError, PlainmarkError
from ..playground.requests import MAX_TEXT, TextTooLongError, decode_file, normalize

_READ = (".docx", ".html", ".htm", ".pdf")
_NOTE = "The words were taken out of the document; its layout, pictures and links stay behind."
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def formats() -> tuple[str, ...]:
    """The formats in which a text can be saved here, the likeliest first."""
    return (*(("docx",) if find_spec("docx") else ()), "md", "html", "txt")


def open_document(data: bytes, name: str) -> dict[str, Any]:
    """The text of a file, and notes on what it lost."""
    suffix = PurePath(name).suffix.lower()
    shown = "".join(c if c.isprintable() else "\ufffd" for c in name[-80:])
    notes = []
    if suffix in _READ:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"document{suffix}"
            path.write_bytes(data)
            try:
                text = str(normalize(prose(str(path)).text)).strip("\n") + "\n"
            except PlainmarkError as error:
                raise InputError(str(error).replace(str(path), shown)) from None
        notes.append(_NOTE)
    else:
        text = decode_file(data, name)
    if len(text) > MAX_TEXT:
        raise TextTooLongError(
            f"{shown}: found {len(text):,} characters, expected at most {MAX_TEXT:,}. Take a part of it;"
            " `plainmark check` takes texts of any length."
        )
    return {"text": _CONTROL.sub("\ufffd", text), "notes": notes}


def save_document(text: str, form: str, name: str) -> bytes:
    """A text as a file."""
    text = _CONTROL.sub("\ufffd", text)
    if form == "docx":
        return _word(text)
    if form == "html":
        body = "\n".join(f"<p>{escape(p).replace(chr(10), '<br>')}</p>" for p in _paragraphs(text))
        title = escape(name or "Text")
        text = f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n{body}\n</body>\n</html>\n'
    return text.encode("utf-8", "replace")


def _word(text: str) -> bytes:
    try:
        from docx import Document
    except ImportError:
        raise MissingResourceError(
            "a Word document needs python-docx; to install: pip install 'plainmark[documents]'."
        ) from None
    document = Document()
    for paragraph in _paragraphs(text):
        document.add_paragraph(paragraph)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _paragraphs(text: str) -> list[str]:
    return [p.strip("\n") for p in re.split(r"\n[ \t]*\n", text) if p.strip()]
