"""The text of PDF files, page by page, read by pypdf; pictures of text are not recognised."""

from __future__ import annotations

import io
import logging
import re
from pathlib import Path

from ..errors import InputError, MissingResourceError
from .prose import Prose

MOST_PAGES = 2000
MOST_BYTES = 64 * 2**20
MOST_CHARACTERS = 20_000_000
_HYPHENATED = re.compile(r"(?<=[a-z])-\n(?=[a-z])")


def prose(path: str) -> Prose:
    """The text of a PDF file; places are lines of the text, with their page."""
    try:
        import pypdf
    except ImportError:
        raise MissingResourceError(
            f"{path}: PDF files need pypdf; pip install 'plainmark[documents]'"
        ) from None
    file = Path(path)
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: larger than {MOST_BYTES // 2**20} MB, which is too large; split it.")
        data = file.read_bytes()
    except OSError as problem:
        raise InputError(f"{path}: cannot be read ({problem.strerror or problem}).") from None
    if not data.lstrip()[:5].startswith(b"%PDF-"):
        raise InputError(f"{path}: not a PDF file.")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # messages about repairs
    pages: list[int] = []
    parts: list[str] = []
    size = 0
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted:
            raise InputError(f"{path}: has a password; save it without one.")
        if len(reader.pages) > MOST_PAGES:
            raise InputError(
                f"{path}: {len(reader.pages):,} pages, expected at most {MOST_PAGES:,}; split it."
            )
        for page in reader.pages:
            text = page.extract_text() or ""
            pages.append(size)
            parts.append(text.replace("\0", "") + "\n\n")
            size += len(parts[-1])
            if size > MOST_CHARACTERS:
                raise InputError(f"{path}: more than {MOST_CHARACTERS:,} characters of text; split it.")
    except InputError:
        raise
    except Exception as problem:  # a damaged file may raise anything in the reader
        raise InputError(f"{path}: a damaged PDF file ({type(problem).__name__}).") from None
    source = "".join(parts)
    if not source.strip():
        raise InputError(f"{path}: no text in it; pictures of pages need text recognition first.")
    return _prose(source, tuple(pages))


def _prose(source: str, pages: tuple[int, ...]) -> Prose:
    """The text, with words joined that a line end divides."""
    places: list[int] = []
    parts: list[str] = []
    at = 0
    for match in _HYPHENATED.finditer(source):
        parts.append(source[at : match.start()])
        places.extend(range(at, match.start()))
        at = match.end()
    parts.append(source[at:])
    places.extend(range(at, len(source) + 1))
    return Prose("".join(parts), source, places, pages=pages)
