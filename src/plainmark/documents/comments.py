"""Copies of documents with comments: Word comments in .docx files, HTML comments in .md and .html files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, MissingResourceError
from .docx import _unpack, main_part
from .prose import Prose

AUTHOR = "plainmark"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


class Comment(NamedTuple):
    """A text about characters start..end of the prose of a document."""

    start: int
    end: int
    text: str


def commented_text(prose: Prose, comments: Sequence[Comment]) -> str:
    """The source of a .md or .html file with each comment as an HTML comment behind what it is about."""
    source = prose.source
    places = sorted(((prose.source_span(c.start, c.end)[1], c.text) for c in comments), reverse=True)
    for place, text in places:
        safe = " ".join(text.split()).replace("--", "- -").replace(">", "›")
        source = f"{source[:place]}<!-- {safe} -->{source[place:]}"
    return source


def commented_word_document(path: str, prose: Prose, comments: Sequence[Comment]) -> bytes:
    """A copy of a .docx file with comments; everything else is as it was. Needs python-docx."""
    try:
        import docx
    except ImportError:
        raise MissingResourceError(
            f"{path}: comments in Word documents need python-docx; pip install 'plainmark[documents]'"
        ) from None
    main_part(path, _unpack(path))  # refuses what is not a harmless document
    try:
        document = docx.Document(path)
    except Exception as problem:  # python-docx raises what its parts raise
        raise InputError(
            f"{path}: not a Word document, or a damaged one ({type(problem).__name__})."
        ) from None
    paragraphs = _paragraphs(document.element.body)
    by_paragraph: dict[int, list[tuple[int, int, str]]] = {}
    for comment in comments:
        first, last = prose.locate(comment.start), prose.locate(max(comment.end - 1, comment.start))
        end = last.column if last.line == first.line else len(_text(paragraphs[first.line - 1]))
        by_paragraph.setdefault(first.line - 1, []).append((first.column - 1, end, comment.text))
    for number, rows in by_paragraph.items():
        for start, end, text in sorted(rows, reverse=True):
            runs = _runs(paragraphs[number], start, max(end, start + 1))
            if runs:
                from docx.text.run import Run

                wrapped = [Run(runs[0], document), Run(runs[-1], document)]
                document.add_comment(wrapped, text=text, author=AUTHOR, initials="pm")
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def _paragraphs(body: Any) -> list[Any]:
    """All paragraphs in the order in which they end, as the reader has them."""
    out: list[Any] = []
    stack = [(body, False)]
    while stack:
        element, done = stack.pop()
        if done:
            out.append(element)
            continue
        if element.tag == f"{_W}p":
            stack.append((element, True))
        stack.extend((child, False) for child in reversed(element))
    return out


_CHARACTERS = {f"{_W}tab": "\t", f"{_W}ptab": "\t", f"{_W}br": " ", f"{_W}cr": " ", f"{_W}noBreakHyphen": "-"}


def _pieces(paragraph: Any) -> list[tuple[Any, Any, int, int]]:
    """Run, element, start and end of each text of a paragraph, without those of paragraphs inside it."""
    out = []
    at = 0
    for run in paragraph.iter(f"{_W}r"):
        owner = next(a for a in run.iterancestors() if a.tag == f"{_W}p")
        if owner is not paragraph:
            continue
        for child in run:
            text = (child.text or "") if child.tag == f"{_W}t" else _CHARACTERS.get(child.tag, "")
            if text:
                out.append((run, child, at, at + len(text)))
                at += len(text)
    return out


def _text(paragraph: Any) -> str:
    return "".join(
        (child.text or "") if child.tag == f"{_W}t" else _CHARACTERS.get(child.tag, "")
        for _, child, _, _ in _pieces(paragraph)
    )


def _runs(paragraph: Any, start: int, end: int) -> list[Any]:
    """The runs of characters start..end, cut so that they hold nothing else."""
    _cut(paragraph, start)
    _cut(paragraph, end)
    runs: list[Any] = []
    for run, _, a, b in _pieces(paragraph):
        if a >= start and b <= end and run not in runs:
            runs.append(run)
    return runs


def _cut(paragraph: Any, at: int) -> None:
    """Begin a new run at a character."""
    for run, child, a, b in _pieces(paragraph):
        if not a <= at < b or (a == at and child is _first(run)):
            continue
        if a < at < b and child.tag != f"{_W}t":
            return
        rest = deepcopy(run)
        for copied in list(rest):
            if copied.tag != f"{_W}rPr":
                rest.remove(copied)
        following = list(run)[list(run).index(child) + (a < at) :]
        if a < at:
            piece = deepcopy(child)
            piece.text, child.text = child.text[at - a :], child.text[: at - a]
            for element in (piece, child):
                element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            rest.append(piece)
        for element in following:
            rest.append(element)  # moves it
        run.addnext(rest)
        return


def _first(run: Any) -> Any:
    return next((child for child in run if child.tag == f"{_W}t" or child.tag in _CHARACTERS), None)


def written_name(path: str, folder: str) -> Path:
    """Where the copy of a document goes; the document itself is never written over."""
    target = Path(folder) / Path(path).name
    if target.resolve() == Path(path).resolve():
        raise InputError(f"--comments {folder}: would write over {path}; name another folder.")
    return target
