"""The paragraphs and runs in the XML tree of a Word document: the characters of each, and functions that cut runs.

A run is a stretch of text with one format. Characters are counted as in the event parser of docx.py. Trees are those of
lxml, which python-docx installs.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_GONE = ("del", "moveFrom")  # text that tracked changes have deleted does not count


class Piece(NamedTuple):
    """Characters start..end of a paragraph: an element of a run."""

    run: Any
    element: Any
    start: int
    end: int


def local(element: Any) -> str:
    """The name of an element without its namespace; "" for comments and similar nodes."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def named(like: Any, name: str) -> str:
    """The full name of an element or attribute in the namespace of another element."""
    return f"{like.tag.rpartition('}')[0]}}}{name}"


def paragraphs(root: Any) -> list[Any]:
    """All paragraphs in the order in which they end, as in the event parser."""
    tag = named(root, "p")
    out: list[Any] = []
    stack = [(root, False)]
    while stack:
        element, done = stack.pop()
        if done:
            out.append(element)
            continue
        if element.tag == tag:
            stack.append((element, True))
        stack.extend((child, False) for child in reversed(element))
    return out


def pieces(paragraph: Any) -> list[Piece]:
    """The texts of a paragraph, without those of paragraphs inside it."""
    out = []
    at = 0
    for run in _runs(paragraph):
        for child in run:
            if text := _text(child):
                out.append(Piece(run, child, at, at + len(text)))
                at += len(text)
    return out


def text(paragraph: Any) -> str:
    """The text of a paragraph."""
    return "".join(_text(piece.element) for piece in pieces(paragraph))


def runs_between(paragraph: Any, start: int, end: int) -> list[Any]:
    """The runs of characters start..end, cut so that they contain nothing else."""
    cut(paragraph, start)
    cut(paragraph, end)
    out: list[Any] = []
    for piece in pieces(paragraph):
        if piece.start >= start and piece.end <= end and piece.run not in out:
            out.append(piece.run)
    return out


def cut(paragraph: Any, at: int) -> None:
    """Begin a new run at a character."""
    for run, child, start, end in pieces(paragraph):
        if not start <= at < end or (start == at and child is _first(run)):
            continue
        rest = _like(run)
        following = list(run)[list(run).index(child) + (start < at) :]
        if start < at:
            piece = deepcopy(child)
            piece.text, child.text = child.text[at - start :], child.text[: at - start]
            for element in (piece, child):
                element.set(SPACE, "preserve")
            rest.append(piece)
        for element in following:
            rest.append(element)  # moves it
        run.addnext(rest)
        return


def set_apart(paragraph: Any) -> None:
    """Give everything that is not text (notes, pictures, fields) runs of its own, so that text can be deleted without it."""
    for run in list(_runs(paragraph)):
        rest = run
        while True:
            content = [c for c in rest if local(c) != "rPr"]
            kinds = [bool(_text(c)) or local(c) == "lastRenderedPageBreak" for c in content]
            change = next((i for i in range(1, len(kinds)) if kinds[i] != kinds[0]), 0)
            if not change:
                break
            following = _like(rest)
            for element in content[change:]:
                following.append(element)
            rest.addnext(following)
            rest = following


def _runs(paragraph: Any) -> Iterator[Any]:
    """The runs of a paragraph itself, without those that tracked changes have deleted."""
    own = paragraph.tag
    for run in paragraph.iter(named(paragraph, "r")):
        gone = False
        for ancestor in run.iterancestors():
            if ancestor.tag == own:
                if ancestor is paragraph and not gone:
                    yield run
                break
            gone = gone or local(ancestor) in _GONE


def _text(element: Any) -> str:
    name = local(element)
    return (element.text or "") if name == "t" else _CHARACTERS.get(name, "")


def _first(run: Any) -> Any:
    return next((child for child in run if _text(child)), None)


def _like(run: Any) -> Any:
    """An empty run with the same format."""
    out = deepcopy(run)
    for child in list(out):
        if local(child) != "rPr":
            out.remove(child)
    return out
