"""Tables for the terminal, Markdown, LaTeX, CSV and TSV.

Texts come from files that others have written. On a terminal their control characters become visible signs. In CSV and TSV
a text that a spreadsheet would take for a formula gets an apostrophe before it, which `without_apostrophe` takes away.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_SIGNS = {c: 0x2400 + c for c in range(32) if chr(c) not in "\n\t"} | {127: 0x2421}
_SIGNS |= dict.fromkeys(range(128, 160), 0xFFFD)


@dataclass(frozen=True)
class Cell:
    """One entry: the printed text, the bare value, and whether it is the best of its column."""

    text: str
    value: object = None
    best: bool = False


@dataclass(frozen=True)
class Table:
    """Column headings, rows of cells, and the notes below them; columns of text are aligned at the left."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = field(default_factory=tuple)
    text_columns: Sequence[int] = (0,)

    def text(self, *, bold: bool = False) -> str:
        """For a terminal; the best value of a column is bold, or marked with * where bold is not available."""
        shown = [
            [visible(c.text) if bold or not c.best else f"{visible(c.text)}*" for c in row]
            for row in self.rows
        ]
        headings, notes = list(map(visible, self.headings)), list(map(visible, self.notes))
        # Every column leaves room for the mark, so that numbers line up.
        widths = [
            max(_width(h), *(_width(r[i].rstrip("*")) for r in shown), 0) if shown else _width(h)
            for i, h in enumerate(headings)
        ]
        lines = [self._line(headings, widths, [False] * len(widths), bold)]
        lines += [
            self._line(texts, widths, [c.best for c in row], bold)
            for texts, row in zip(shown, self.rows, strict=True)
        ]
        return "\n".join([*(line.rstrip() for line in lines), *(["", *notes] if notes else [])]) + "\n"

    def _line(self, texts: Sequence[str], widths: Sequence[int], best: Sequence[bool], bold: bool) -> str:
        out = []
        for i, (text, width) in enumerate(zip(texts, widths, strict=True)):
            mark = "*" if text.endswith("*") and not bold else " "
            bare = text.removesuffix("*") if mark == "*" else text
            gap = " " * (width - _width(bare))
            cell = f"{BOLD}{bare}{PLAIN}" if bold and best[i] else bare
            out.append(f"{cell}{gap}" if i in self.text_columns else f"{gap}{cell}{mark}")
        return "  ".join(out)

    def markdown(self) -> str:
        """A Markdown table, for a README or an issue."""
        rule = ["---" if i in self.text_columns else "---:" for i in range(len(self.headings))]
        lines = [
            "| " + " | ".join(_escape_markdown(h) for h in self.headings) + " |",
            "|" + "|".join(rule) + "|",
        ]
        for row in self.rows:
            cells = [f"**{_escape_markdown(c.text)}**" if c.best else _escape_markdown(c.text) for c in row]
            lines.append("| " + " | ".join(cells) + " |")
        notes = [f"`{note}`  " for note in self.notes]
        return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"

    def latex(self) -> str:
        """A LaTeX tabular with booktabs rules; notes become comments."""
        lines = [f"% {note}" for note in self.notes]
        columns = "".join("l" if i in self.text_columns else "r" for i in range(len(self.headings)))
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
        lines += [" & ".join(_escape_latex(h) for h in self.headings) + r" \\", r"\midrule"]
        for row in self.rows:
            cells = [rf"\textbf{{{_escape_latex(c.text)}}}" if c.best else _escape_latex(c.text) for c in row]
            lines.append(" & ".join(cells) + r" \\")
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"

    def csv(self, separator: str = ",") -> str:
        """Bare values in full precision; one line per row."""
        rows = ([c.text if c.value is None else c.value for c in row] for row in self.rows)
        return csv_text([self.headings, *rows], separator)


def visible(text: str) -> str:
    """The text with signs in place of characters that steer a terminal; line feeds and tabs stay.

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
    """A cell that no spreadsheet takes for a formula: text that starts with =, +, -, @, tab or return gets an apostrophe.

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
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
    }
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)
