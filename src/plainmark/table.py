"""Tables for the terminal, Markdown, LaTeX, HTML, CSV and TSV.

Texts may come from untrusted files. On a terminal, their control characters become visible symbols. In CSV
and TSV, a text that a spreadsheet would treat as a formula gets an apostrophe before it, which
`without_apostrophe` removes.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
_PAGE = 120  # characters that remain legible in a LaTeX table
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_SIGNS = {c: 0x2400 + c for c in range(32) if chr(c) not in "\n\t"} | {127: 0x2421}
_SIGNS |= dict.fromkeys(range(128, 160), 0xFFFD)


@dataclass(frozen=True)
class Cell:
    """One entry: the printed text, the bare value, whether it is the best of its column, and its significance letters."""

    text: str
    value: object = None
    best: bool = False
    letters: str = ""


@dataclass(frozen=True)
class Table:
    """Column headings, rows of cells, and notes below them; columns of text are left-aligned.

    `titles` are the headings in Markdown, LaTeX and HTML, where they differ; `signatures` has those of the
    columns by title and is printed below the table, before the notes. `bold` says what bold type means, if
    anything. `groups` has the first column of each group of columns: LaTeX breaks a table that is far wider
    than a page before them.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = field(default_factory=tuple)
    text_columns: Sequence[int] = (0,)
    titles: Sequence[str] = ()
    signatures: Mapping[str, str] = field(default_factory=dict)
    caption: str = ""
    bold: str = "the best of its column"
    groups: Sequence[int] = ()

    def text(self, *, bold: bool = False) -> str:
        """The table for a terminal; the best value of a column is bold, or marked with * if bold type is not available."""
        letters = [max((len(row[i].letters) for row in self.rows), default=0) for i in self._columns]
        shown = [
            [
                f"{visible(c.text)} {c.letters:{n}}" if n else visible(c.text)
                for c, n in zip(row, letters, strict=True)
            ]
            for row in self.rows
        ]
        headings = list(map(visible, self.headings))
        widths = [max(map(_width, column)) for column in zip(headings, *shown, strict=True)]
        lines = [self._line(headings, [False] * len(widths), widths, bold)]
        lines += [
            self._line(texts, [c.best for c in row], widths, bold)
            for texts, row in zip(shown, self.rows, strict=True)
        ]
        below = list(map(visible, [*dict.fromkeys(self.signatures.values()), *self.notes]))
        return "\n".join([*(line.rstrip() for line in lines), *(["", *below] if below else [])]) + "\n"

    def _line(self, texts: Sequence[str], best: Sequence[bool], widths: Sequence[int], bold: bool) -> str:
        """One line; every column of numbers leaves room for the mark, so that the numbers are aligned."""
        out = []
        for i, (text, width) in enumerate(zip(texts, widths, strict=True)):
            gap = " " * (width - _width(text))
            cell = f"{BOLD}{text}{PLAIN}" if bold and best[i] else text
            mark = "*" if best[i] and not bold else " "
            out.append(f"{cell}{gap}" if i in self.text_columns else f"{gap}{cell}{mark}")
        return "  ".join(out)

    def markdown(self) -> str:
        """A Markdown table, for a README or an issue."""
        rule = ["---" if i in self.text_columns else "---:" for i in self._columns]
        lines = [
            "| " + " | ".join(_escape_markdown(h) for h in self._titles) + " |",
            "|" + "|".join(rule) + "|",
        ]
        for row in self.rows:
            cells = [
                (f"**{_escape_markdown(c.text)}**" if c.best else _escape_markdown(c.text).strip())
                + (f" <sup>{c.letters}</sup>" if c.letters else "")
                for c in row
            ]
            lines.append("| " + " | ".join(cells) + " |")
        below = [
            f"{_escape_markdown(title)}: `{signature}`  " for title, signature in self.signatures.items()
        ]
        below += [f"{_escape_markdown(note)}  " for note in self._printed_notes]
        return "\n".join([*lines, *(["", *below] if below else [])]) + "\n"

    def latex(self) -> str:
        """A LaTeX table with booktabs rules, a caption, and signatures and notes below it."""
        lines = [r"% needs \usepackage{booktabs,graphicx}", r"\begin{table}[t]", r"\centering\small"]
        lines += [rf"\caption{{{_escape_latex(self.caption)}}}"] if self.caption else []
        for number, columns in enumerate(self._panels()):
            lines += ["", r"\medskip"] if number else []
            lines += self._tabular(columns)
        below = [
            rf"{_escape_latex(title)}: \texttt{{{_escape_latex_code(signature)}}}"
            for title, signature in self.signatures.items()
        ]
        below += [_escape_latex(note) for note in self._printed_notes]
        if below:
            lines += ["", r"\smallskip", r"\begin{minipage}{\linewidth}\footnotesize\raggedright"]
            lines += ["\\par\n".join(below), r"\end{minipage}"]
        return "\n".join([*lines, r"\end{table}"]) + "\n"

    def _tabular(self, columns: Sequence[int]) -> list[str]:
        """Some columns in LaTeX, shrunk to the width of the column or page if they are wider."""
        kinds = "".join("l" if i in self.text_columns else "r" for i in columns)
        lines = [rf"\sbox0{{\begin{{tabular}}{{{kinds}}}", r"\toprule"]
        lines += [" & ".join(_escape_latex(self._titles[i]) for i in columns) + r" \\", r"\midrule"]
        for row in self.rows:
            cells = [
                (rf"\textbf{{{_escape_latex(c.text)}}}" if c.best else _escape_latex(c.text).strip())
                + (rf"\textsuperscript{{{c.letters}}}" if c.letters else "")
                for c in (row[i] for i in columns)
            ]
            lines.append(" & ".join(cells) + r" \\")
        return [
            *lines,
            r"\bottomrule",
            r"\end{tabular}}%",
            r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi",
        ]

    def _panels(self) -> list[list[int]]:
        """The columns of each tabular: all of them, or groups one below the other if they are too wide."""
        width = [
            max(_width(self._titles[i]), *(_width(row[i].text + row[i].letters) for row in self.rows), 0) + 2
            for i in self._columns
        ]
        if not self.groups or sum(width) <= _PAGE:
            return [list(self._columns)]
        first, *starts = self.groups
        panels = [list(range(first))]
        for start, end in zip(self.groups, [*starts, len(self.headings)], strict=True):
            group = list(range(start, end))
            if len(panels[-1]) > first and sum(width[i] for i in (*panels[-1], *group)) > _PAGE:
                panels.append(list(range(first)))
            panels[-1] += group
        return panels

    def html(self) -> str:
        """A table element, with signatures and notes as paragraphs below it."""
        align = ["text" if i in self.text_columns else "number" for i in self._columns]
        heads = "".join(f'<th class="{a}">{escape(h)}</th>' for h, a in zip(self._titles, align, strict=True))
        body = "".join(
            "<tr>"
            + "".join(
                f'<td class="{a}">'
                + (f"<b>{escape(c.text)}</b>" if c.best else escape(c.text))
                + (f"<sup>{escape(c.letters)}</sup>" if c.letters else "")
                + "</td>"
                for c, a in zip(row, align, strict=True)
            )
            + "</tr>"
            for row in self.rows
        )
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        below = "".join(
            f"<p>{escape(title)}: <code>{escape(signature)}</code></p>"
            for title, signature in self.signatures.items()
        ) + "".join(f"<p>{escape(note)}</p>" for note in self._printed_notes)
        return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{below}"

    @property
    def _columns(self) -> range:
        return range(len(self.headings))

    @property
    def _titles(self) -> Sequence[str]:
        return self.titles or self.headings

    @property
    def _printed_notes(self) -> list[str]:
        """The notes, and the meaning of bold type if any entry is bold."""
        legend = (
            [f"Bold: {self.bold}."] if self.bold and any(c.best for row in self.rows for c in row) else []
        )
        return [*legend, *self.notes]

    def csv(self, separator: str = ",") -> str:
        """Bare values in full precision; one line per row."""
        rows = ([c.text if c.value is None else c.value for c in row] for row in self.rows)
        return csv_text([self.headings, *rows], separator)


def visible(text: str) -> str:
    """The text with symbols in place of control characters; line feeds and tabs are kept.

    >>> visible("a\\x1b[2Jb")
    'a␛[2Jb'
    """
    return text.translate(_SIGNS)


def csv_text(rows: Iterable[Iterable[Any]], separator: str = ",") -> str:
    """Lines of CSV in which no text is a formula."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n", delimiter=separator).writerows(
        [with_apostrophe(value) for value in row] for row in rows
    )
    return out.getvalue()


def with_apostrophe(value: Any) -> Any:
    """A cell that no spreadsheet treats as a formula: text that starts with =, +, -, @, tab or return gets an apostrophe.

    >>> with_apostrophe("=1+1"), with_apostrophe("-5"), with_apostrophe(-5)
    ("'=1+1", '-5', -5)
    """
    plain = not isinstance(value, str) or not _FORMULA.match(value) or _NUMBER.fullmatch(value)
    return value if plain else f"'{value}"


def without_apostrophe(text: str) -> str:
    """The text that `with_apostrophe` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def _width(text: str) -> int:
    """The number of terminal columns that a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def _escape_markdown(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def _escape_latex(text: str) -> str:
    special = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
        "±": r"$\pm$",
        "<": "$<$",
        ">": "$>$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "−": "$-$",
        "×": r"$\times$",
        "→": r"$\rightarrow$",
        "·": r"$\cdot$",
        "†": r"$^\dagger$",
        "∞": r"$\infty$",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
    }
    text = text.replace(">=", "≥").replace("<=", "≤")
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)


def _escape_latex_code(text: str) -> str:
    """Escape a signature for LaTeX: straight quotation marks, and line breaks allowed after each part."""
    quotes = {"'": r"\textquotesingle{}", "|": r"\textbar\allowbreak{}"}
    return "".join(quotes.get(c) or _escape_latex(c) for c in text)
