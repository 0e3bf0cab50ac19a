"""Documents of the editor: a file becomes a text, a text becomes a file."""

from __future__ import annotations

from typing import Any

from ...errors import InputError
from ..playground.requests import MAX_TEXT, TextTooLongError, decode_file

_PLAIN = ("txt", "md")


def open_document(data: bytes, name: str) -> dict[str, Any]:
    """The text of a file, and notes on what it lost."""
    text = decode_file(data, name)
    if len(text) > MAX_TEXT:
        raise TextTooLongError(
            f"{name[-80:]}: found {len(text):,} characters, expected at most {MAX_TEXT:,}. Take a part of it;"
            " `plainmark check` takes texts of any length."
        )
    return {"text": text, "notes": []}


def save_document(text: str, form: str, name: str) -> bytes:
    """A text as a file."""
    if form not in _PLAIN:
        raise InputError(f"cannot save as {form}; expected one of {', '.join(_PLAIN)}.")
    return text.encode("utf-8", "replace")
