"""Tables for the terminal, Markdown, LaTeX, CSV and TSV."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


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
        shown = [[c.text if bold or not c.best else f"{c.text}*" for c in row] for row in self.rows]
        # Every column leaves room for the mark, so that numbers line up.
        widths = [
            max(_width(h), *(_width(r[i].rstrip("*")) for r in shown), 0) if shown else _width(h)
            for i, h in enumerate(self.headings)
        ]
        lines = [self._line(list(self.headings), widths, [False] * len(widths), bold)]
        lines += [
            self._line(texts, widths, [c.best for c in row], bold)
            for texts, row in zip(shown, self.rows, strict=True)
        ]
        return (
            "\n".join([*(line.rstrip() for line in lines), *(["", *self.notes] if self.notes else [])]) + "\n"
        )

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
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n", delimiter=separator)
        writer.writerow(self.headings)
        for row in self.rows:
            writer.writerow([c.text if c.value is None else c.value for c in row])
        return out.getvalue()


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
