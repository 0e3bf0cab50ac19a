"""Simple tables for a terminal, and the same as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Table:
    """A title, the names of the columns, and rows of cells."""

    title: str
    columns: list[str]
    rows: list[list[Any]]
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        cells = [self.columns, *([_cell(c) for c in row] for row in self.rows)]
        widths = [max(len(row[k]) for row in cells) for k in range(len(self.columns))]
        lines = [
            "  ".join(
                c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths, strict=True))
            )
            for row in cells
        ]
        return "\n".join(
            [self.title, *(f"  {line}".rstrip() for line in lines), *(f"  {n}" for n in self.notes)]
        )

    def to_dict(self) -> dict[str, Any]:
        """The table as a dictionary for JSON."""
        rows = [[None if c != c else c for c in row] for row in self.rows]
        return {"title": self.title, "columns": self.columns, "rows": rows, "notes": self.notes}


def _cell(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) and abs(value) < 1 else str(value)
