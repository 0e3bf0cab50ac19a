"""Writes copies of documents with comments: Word comments in .docx files, HTML comments in .md and .html files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, MissingResourceError
from . import runs
from .prose import Prose
from .word_file import main_part, unpack

AUTHOR = "plainmark"


class Comment(NamedTuple):
    """A text about characters start..end of the prose of a document."""

    start: int
    end: int
    text: str


def commented_text(prose: Prose, comments: Sequence[Comment]) -> str:
    """The source of a .md or .html file with each comment as an HTML comment after the text that it is about."""
    source = prose.source
    places = sorted(((prose.source_span(c.start, c.end)[1], c.text) for c in comments), reverse=True)
    for place, text in places:
        safe = " ".join(text.split()).replace("--", "- -").replace(">", "›")
        source = f"{source[:place]}<!-- {safe} -->{source[place:]}"
    return source


def commented_word_document(path: str, prose: Prose, comments: Sequence[Comment]) -> bytes:
    """A copy of a .docx file with comments and no other changes. Needs python-docx."""
    try:
        import docx
    except ImportError:
        raise MissingResourceError(
            f"{path}: comments in Word documents need python-docx; pip install 'plainmark[documents]'"
        ) from None
    main_part(path, unpack(path))  # refuses dangerous documents
    try:
        document = docx.Document(path)
    except Exception as problem:  # python-docx raises the errors of its parts
        raise InputError(
            f"{path}: not a Word document, or a damaged one ({type(problem).__name__})."
        ) from None
    paragraphs = runs.paragraphs(document.element.body)
    by_paragraph: dict[int, list[tuple[int, int, str]]] = {}
    for comment in comments:
        first, last = prose.locate(comment.start), prose.locate(max(comment.end - 1, comment.start))
        end = last.column if last.line == first.line else len(runs.text(paragraphs[first.line - 1]))
        by_paragraph.setdefault(first.line - 1, []).append((first.column - 1, end, comment.text))
    for number, rows in by_paragraph.items():
        for start, end, text in sorted(rows, reverse=True):
            between = runs.runs_between(paragraphs[number], start, max(end, start + 1))
            if between:
                from docx.text.run import Run

                wrapped = [Run(between[0], document), Run(between[-1], document)]
                document.add_comment(wrapped, text=text, author=AUTHOR, initials="pm")
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def written_name(path: str, folder: str) -> Path:
    """The path of the copy of a document; the document itself is never overwritten."""
    target = Path(folder) / Path(path).name
    if target.resolve() == Path(path).resolve():
        raise InputError(f"--comments {folder}: would write over {path}; name another folder.")
    return target
