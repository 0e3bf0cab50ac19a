"""Results that print as tables and convert to CSV, TSV, JSON, Markdown, LaTeX, HTML and data frames.

Every function for users that computes something returns a `Result`, and every command that prints a table
prints one; subclasses define the tables and the records behind them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from .errors import MissingResourceError, OptionError
from .table import Cell, Table
from .writing import write_atomically

FORMATS = ("table", "csv", "tsv", "json", "markdown", "latex", "html")
SUFFIXES = {
    ".txt": "table",
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
}
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}"
    "table{border-collapse:collapse;margin-top:2rem;display:block;overflow-x:auto}caption{text-align:left;font-weight:600;padding:.5rem 0}"
    "th,td{padding:.25rem .75rem;border-bottom:1px solid #ccc;text-align:right;white-space:nowrap}"
    ".text{text-align:left}p{margin:.5rem 0;color:#555;overflow-wrap:anywhere}sup{margin-left:.2em}"
)

Row = dict[str, Any]
Titled = tuple[str, Table]  # a heading, which may be empty, and the table below it


def format_of(path: str | PathLike[str], formats: Mapping[str, str] | None = None) -> str:
    """The format that the suffix of a file name stands for.

    >>> format_of("scores.tex")
    'latex'
    """
    known = SUFFIXES if formats is None else formats
    suffix = Path(path).suffix.lower()
    if suffix not in known:
        raise OptionError(
            f"{path}: the name does not tell the format; expected it to end in {', '.join(known)}, or --format."
        )
    return known[suffix]


class Result:
    """Something computed that prints as its tables; subclasses define `tables` and `records`."""

    title = "plainmark"

    def tables(self) -> list[Titled]:
        """The printed tables, each with its heading."""
        raise NotImplementedError

    def records(self) -> list[Row]:
        """Every number in full precision, one flat dictionary per row; undefined is None."""
        raise NotImplementedError

    def to_dict(self) -> Any:
        """Plain lists and dictionaries, as written by `to_json`."""
        return self.records()

    def to_text(self, *, bold: bool = False) -> str:
        """The tables for a terminal."""
        return _joined(self.tables(), lambda t: t.text(bold=bold), "{}\n")

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        return _joined(self.tables(), Table.markdown, "### {}\n\n")

    def to_latex(self) -> str:
        """The tables in LaTeX; they need the package booktabs."""
        return _joined(self.tables(), lambda table: table.latex(), "% {}\n")

    def to_csv(self, separator: str = ",") -> str:
        """The records, comma-separated, in full precision."""
        records = self.records()
        columns = list(dict.fromkeys(name for record in records for name in record))
        cells = [
            [Cell("", "" if row.get(name) is None else row[name]) for name in columns] for row in records
        ]
        return Table(columns, cells).csv(separator)

    def to_json(self) -> str:
        """The plain data as JSON text."""
        plain = json.dumps(
            self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False, default=lambda v: v.item()
        )  # numpy's numbers have item()
        return plain + "\n"

    def to_html(self) -> str:
        """A self-contained page."""
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(self.title)}</title>'
            f"<style>{_STYLE}</style></head>\n<body>{self._repr_html_()}</body></html>\n"
        )

    def to_dataframe(self) -> Any:
        """The records as a pandas `DataFrame`."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingResourceError("data frames need pandas; to install: pip install pandas.") from None
        return pd.DataFrame(self.records())

    def render(self, format: str, *, bold: bool = False) -> str:  # noqa: A002 - as the option is called
        """The result in one of `FORMATS`."""
        writers: dict[str, Callable[[], str]] = {
            "table": lambda: self.to_text(bold=bold),
            "csv": self.to_csv,
            "tsv": lambda: self.to_csv("\t"),
            "json": self.to_json,
            "markdown": self.to_markdown,
            "latex": self.to_latex,
            "html": self.to_html,
        }
        if format not in writers:
            raise OptionError(f"no format {format!r}; expected one of {', '.join(FORMATS)}.")
        return writers[format]()

    def save(self, path: str | PathLike[str], format: str = "") -> None:  # noqa: A002
        """Write a file in the given format, or in that of its suffix."""
        write_atomically(path, self.render(format or format_of(path)))

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        """The tables in a notebook."""
        return _joined(self.tables(), Table.html, "<h2>{}</h2>", escape)


@dataclass(frozen=True, eq=False)
class Listing(Result):
    """Finished tables, for results that have no class of their own.

    The records are `flat`, or by default the rows of the tables; `data` replaces them in JSON.
    """

    listed: Sequence[Titled]
    flat: Sequence[Row] | None = None
    data: Any = None
    text: str = ""  # for the terminal, in place of the tables

    @classmethod
    def of(cls, table: Table, **more: Any) -> Listing:
        """A single table."""
        return cls([("", table)], **more)

    def tables(self) -> list[Titled]:
        return list(self.listed)

    def records(self) -> list[Row]:
        if self.flat is not None:
            return list(self.flat)
        return [
            dict(zip(table.headings, (_value(cell) for cell in row), strict=True))
            for _, table in self.listed
            for row in table.rows
        ]

    def to_dict(self) -> Any:
        return self.records() if self.data is None else self.data

    def to_text(self, *, bold: bool = False) -> str:
        return self.text or super().to_text(bold=bold)


def finite(value: float) -> float | None:
    """A number for JSON and CSV: None if it is undefined.

    >>> finite(float("nan")) is None
    True
    """
    return float(value) if math.isfinite(value) else None


def _value(cell: Cell) -> object:
    return cell.text if cell.value is None else cell.value


def _joined(
    tables: Sequence[Titled],
    write: Callable[[Table], str],
    heading: str,
    escaped: Callable[[str], str] = str,
) -> str:
    return "\n".join(
        (heading.format(escaped(title)) if title else "") + write(table) for title, table in tables
    )


__all__ = ["FORMATS", "SUFFIXES", "Listing", "Result", "Row", "Titled", "finite", "format_of"]
