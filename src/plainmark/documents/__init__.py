"""Whole documents: their prose for checks, and paragraphs that are simplified and put back into the same document.

`prose` reads .docx, .md, .html, .txt and .pdf files; `read` opens .docx and .md files to simplify. In these, headings,
code, quotations, contents and captions are not changed; list items and table cells are simplified if they are whole
sentences. revision.py puts an edited text back into its Word document, comments.py adds comments, export.py writes new
documents.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import PurePath

from ..errors import InputError
from ..files import open_text
from .prose import Location, Prose

__all__ = ["Document", "Location", "Prose", "is_document", "is_sentence", "prose", "read"]
MOST_CHARACTERS = 20_000_000
_TEXT = (".txt", ".text", "")
_MARKDOWN = (".md", ".markdown", ".mdown")
_HTML = (".html", ".htm", ".xhtml")


class Document(ABC):
    """A document whose paragraphs can be replaced."""

    texts: list[str]  # the paragraphs to simplify, in order
    left_alone: int = 0  # paragraphs whose changes could not be put back; known after `render`

    @abstractmethod
    def render(self, outputs: Sequence[str]) -> bytes:
        """The file with other paragraphs instead of `texts`; everything else stays, byte for byte if possible."""


def is_document(path: str) -> bool:
    """Whether a file is a document, not one text per line."""
    word = (".docx", ".docm", ".doc", ".dotm", ".odt", ".rtf")
    return PurePath(path).suffix.lower() in (*word, *_MARKDOWN, *_HTML, ".pdf")


def read(path: str) -> Document:
    """The document in a file."""
    suffix = PurePath(path).suffix.lower()
    if suffix == ".docx":
        from .docx import WordDocument

        return WordDocument(path)
    if suffix == ".md":
        from .markdown import MarkdownDocument

        return MarkdownDocument(path)
    raise InputError(f"{path}: cannot simplify a {suffix} file; expected .docx, .md or plain text.")


def is_sentence(text: str) -> bool:
    """Whether a list item or a cell is a whole sentence."""
    return text.rstrip().rstrip("\"'”’)").endswith((".", "!", "?")) and len(text.split()) > 3


def prose(path: str) -> Prose:
    """The prose of a file, with the place of each character; the suffix decides the format, and - is plain text from
    standard
    input.
    """
    suffix = PurePath(path).suffix.lower() if path != "-" else ""
    if suffix == ".docx":
        from .docx import prose as word_prose

        return word_prose(path)
    if suffix == ".pdf":
        from .pdf import prose as pdf_prose

        return pdf_prose(path)
    if suffix not in (*_TEXT, *_MARKDOWN, *_HTML):
        raise InputError(f"{path}: cannot read a {suffix} file; expected .docx, .md, .html, .txt or .pdf.")
    source = _source(path)
    if suffix in _MARKDOWN:
        from .markdown import prose as markdown_prose

        return markdown_prose(source)
    if suffix in _HTML:
        from .html import prose as html_prose

        return html_prose(source)
    return Prose.plain(source)


def _source(path: str) -> str:
    parts, size = [], 0
    with open_text(path) as lines:
        for line in lines:
            size += len(line)
            if size > MOST_CHARACTERS:
                raise InputError(f"{path}: more than {MOST_CHARACTERS:,} characters; split it.")
            parts.append(line)
    source = "".join(parts)
    if "\0" in source:
        raise InputError(f"{path}: a binary file, expected text in UTF-8.")
    return source
