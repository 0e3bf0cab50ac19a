"""Whole documents: which of their paragraphs are simplified, and how the results go back into the same document.

.docx and .md are known by their suffix. Headings, code, quotations, contents and captions stay as they are; list items and
table cells are simplified if they are whole sentences.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import PurePath

from ...errors import InputError


class Document(ABC):
    """A document whose paragraphs can be exchanged."""

    texts: list[str]  # the paragraphs to simplify, in order
    left_alone: int = 0  # paragraphs whose changes could not be put back; known after `render`

    @abstractmethod
    def render(self, outputs: Sequence[str]) -> bytes:
        """The file with other paragraphs in the place of `texts`; all else stays, byte for byte where possible."""


def is_document(path: str) -> bool:
    """Whether a file is a document, not one text per line."""
    return PurePath(path).suffix.lower() in (".docx", ".md", ".docm", ".doc", ".dotm", ".odt", ".pdf", ".rtf")


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
