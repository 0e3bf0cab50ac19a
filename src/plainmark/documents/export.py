"""Writes a text as a document: Markdown from a Word document's text, and HTML or a new Word document from Markdown or plain
text.

Markdown is read by markdown-it-py. HTML in it is treated as text, and only safe links are kept.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..errors import MissingResourceError
from .differences import matched
from .revision import WordParagraph, split

if TYPE_CHECKING:
    from markdown_it.token import Token

_SPECIAL = re.compile(r"([\\`*_\[\]<>|])")
_LEADING = re.compile(r"^(\s*)([-+#>]|\d{1,9}(?=[.)]))", re.MULTILINE)
_LISTS = {"bullet_list_open": "List Bullet", "ordered_list_open": "List Number"}
_DEEPEST_LIST = 3  # styles of a new Word document


def word_text_as_markdown(paragraphs: Sequence[WordParagraph], text: str) -> str:
    """The edited text of a Word document with its headings, lists and tables in Markdown."""
    after = split(text)
    rows: list[tuple[WordParagraph | None, str]] = []
    for i, j in matched([p.text.strip() for p in paragraphs], after):
        if j is not None:
            rows.append((paragraphs[i] if i is not None else None, after[j]))
    blocks = []
    for table, group in groupby(rows, lambda row: row[0].cell[0] if row[0] and row[0].cell else 0):
        if table:
            blocks.append(_table([(p.cell, words) for p, words in group if p and p.cell]))
        else:
            blocks += _blocks(list(group))
    return "\n\n".join(blocks) + "\n"


def _blocks(rows: Sequence[tuple[WordParagraph | None, str]]) -> Iterator[str]:
    for is_item, group in groupby(rows, lambda row: bool(row[0] and row[0].item)):
        if is_item:
            yield "\n".join(f"- {_line(words)}" for _, words in group)
            continue
        for paragraph, words in group:
            level = min(paragraph.heading, 6) if paragraph else 0
            yield f"{'#' * level} {_line(words)}" if level else _escaped(words).replace("\n", "\\\n")


def _table(cells: Sequence[tuple[tuple[int, int, int], str]]) -> str:
    width = max(column for (_, _, column), _ in cells)
    lines = []
    for number, (_, group) in enumerate(groupby(cells, lambda cell: cell[0][1])):
        texts = [""] * width
        for (_, _, column), words in group:
            texts[column - 1] = f"{texts[column - 1]} {_line(words)}".strip()
        lines.append(f"| {' | '.join(texts)} |")
        if not number:
            lines.append(f"|{' --- |' * width}")
    return "\n".join(lines)


def _line(words: str) -> str:
    return _escaped(" ".join(words.split()))


def _escaped(words: str) -> str:
    """Words escaped so that Markdown shows them unchanged."""
    words = _SPECIAL.sub(r"\\\1", words)
    return _LEADING.sub(lambda m: f"{m[1]}{m[2]}\\" if m[2].isdigit() else f"{m[1]}\\{m[2]}", words)


def as_html(text: str, title: str, *, markdown: bool) -> str:
    """A page with the text."""
    if markdown:
        content = _parser().render(text)
    else:
        content = "".join(f"<p>{escape(p).replace(chr(10), '<br>')}</p>\n" for p in split(text))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title></head>\n'
        f"<body>\n{content}</body>\n</html>\n"
    )


def as_word_document(text: str, *, markdown: bool) -> bytes:
    """A new Word document of a text."""
    try:
        from docx import Document
    except ImportError:
        raise MissingResourceError(
            "a Word document needs python-docx; to install: pip install 'plainmark[documents]'."
        ) from None
    document = Document()
    if markdown:
        _add_tokens(document, _parser().parse(text))
    else:
        for words in split(text):
            document.add_paragraph(words)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _add_tokens(document: Any, tokens: Sequence[Token]) -> None:
    styles: list[str] = []  # open lists
    style = ""
    table: list[list[Token]] = []
    for token in tokens:
        if token.type in _LISTS:
            styles.append(_LISTS[token.type])
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            styles.pop()
        elif token.type == "heading_open":
            style = f"Heading {token.tag[1:]}"
        elif token.type in ("blockquote_open", "blockquote_close"):
            styles.append("Quote") if token.nesting > 0 else styles.pop()
        elif token.type == "table_open":
            table = []
        elif token.type == "tr_open":
            table.append([])
        elif token.type == "table_close":
            _add_table(document, table)
            table = []
        elif token.type == "inline" and table:
            table[-1].append(token)
        elif token.type == "inline":
            _add_inline(document.add_paragraph(style=style or _list_style(styles)), token)
            style = ""
        elif token.type in ("fence", "code_block"):
            document.add_paragraph(token.content.rstrip("\n"))


def _list_style(styles: Sequence[str]) -> str | None:
    if not styles:
        return None
    depth = min(styles.count(styles[-1]), _DEEPEST_LIST)
    return styles[-1] + (f" {depth}" if depth > 1 and styles[-1] != "Quote" else "")


def _add_table(document: Any, rows: Sequence[Sequence[Token]]) -> None:
    table = document.add_table(len(rows), max(map(len, rows)), style="Table Grid")
    for cells, tokens in zip(table.rows, rows, strict=True):
        for cell, token in zip(cells.cells, tokens, strict=False):
            _add_inline(cell.paragraphs[0], token)


def _add_inline(paragraph: Any, inline: Token) -> None:
    bold = italic = 0
    for token in inline.children or ():
        if token.type in ("strong_open", "strong_close"):
            bold += token.nesting
        elif token.type in ("em_open", "em_close"):
            italic += token.nesting
        elif token.type in ("softbreak", "hardbreak"):
            paragraph.add_run(" " if token.type == "softbreak" else "\n")
        elif token.content:
            run = paragraph.add_run(token.content)
            run.bold, run.italic = bool(bold) or None, bool(italic) or None


def _parser() -> Any:
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        raise MissingResourceError(
            "Markdown needs markdown-it-py; to install: pip install 'plainmark[documents]'."
        ) from None
    return MarkdownIt("commonmark", {"html": False}).enable("table")
