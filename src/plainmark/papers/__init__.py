"""One module per paper; the figures it prints, and the same figures from the data that were released.

A printed figure and ours agree when ours is the printed one after rounding at its last digit (a tie either way) or after
cutting it off there.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..datasets import dataset
from ..errors import UnknownNameError, did_you_mean
from ..registry import Named, Registry

# Sums in another order differ in their last bits; far below any printed digit.
_SLACK = 1e-9


@dataclass(frozen=True)
class Cell:
    """A printed figure and ours; `note` says why they differ, or what to know about the printed one."""

    paper: str
    table: str
    cell: str
    printed: str
    ours: float
    note: str = ""

    @property
    def published(self) -> float:
        return float(self.printed)

    @property
    def digits(self) -> int:
        """How many digits after the point are printed."""
        return len(self.printed.partition(".")[2])

    @property
    def agrees(self) -> bool:
        """Whether ours is as printed, rounded or cut off."""
        unit = 10.0**-self.digits
        rounded = abs(self.ours - self.published) <= unit / 2 + _SLACK
        return rounded or self.is_cut

    @property
    def is_cut(self) -> bool:
        """Whether the printed figure is ours cut off at its last digit."""
        scaled = abs(self.ours) * 10**self.digits + _SLACK
        same_sign = self.ours * self.published >= 0
        return (
            same_sign
            and math.isfinite(scaled)
            and math.floor(scaled) == round(abs(self.published) * 10**self.digits)
        )

    @property
    def shown(self) -> str:
        """Ours with the printed digits, and one more where rounding would hide why it agrees."""
        text = f"{self.ours:.{self.digits}f}"
        return (
            text if not self.agrees or float(text) == self.published else f"{self.ours:.{self.digits + 1}f}"
        )

    def as_record(self) -> dict[str, Any]:
        """The cell as plain data."""
        return {
            "paper": self.paper,
            "table": self.table,
            "cell": self.cell,
            "published": self.published,
            "ours": self.ours if math.isfinite(self.ours) else None,
            "agrees": self.agrees,
            "note": self.note,
        }


@dataclass(frozen=True)
class Gap:
    """Printed figures that cannot be computed again, and what is missing for them."""

    what: str
    reason: str


@dataclass(frozen=True, eq=False)
class Part:
    """Tables that are computed from the same data sets."""

    tables: tuple[str, ...]
    compute: Callable[[], Iterable[Cell]]
    datasets: tuple[str, ...] = ()
    needs: tuple[
        Callable[[], str], ...
    ] = ()  # each says what else is missing ("needs ..."), such as word lists

    def missing(self) -> list[tuple[str, str]]:
        """What the part lacks, (data set or "", "needs ..."); empty if it can be computed."""
        found = [(dataset(spec).name, dataset(spec).missing()) for spec in self.datasets]
        found += [("", need()) for need in self.needs]
        return [(name, reason) for name, reason in found if reason]


@dataclass(frozen=True)
class Paper(Named, ABC):
    """Base of all papers."""

    id: ClassVar[str]  # the number and name by which its cells are known, such as "2-sari"
    citation: ClassVar[str]
    notes: ClassVar[Mapping[str, str]] = {}  # "Table 1: BLEU/qa.accuracy" -> why it differs
    gaps: ClassVar[tuple[Gap, ...]] = ()

    @abstractmethod
    def parts(self) -> list[Part]:
        """What can be computed, in the order of the paper."""

    def cell(self, table: str, cell: str, printed: str, ours: float, note: str = "") -> Cell:
        """A cell of this paper with the note that belongs to it."""
        known = self.notes.get(f"{table}: {cell}", "")
        return Cell(self.id, table, cell, printed, float(ours), "; ".join(filter(None, (known, note))))


@dataclass(frozen=True)
class Absent:
    """Something that is not on this machine, and the tables that were left out for want of it."""

    what: str
    tables: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.what}; left out: {', '.join(self.tables)}"


@dataclass(frozen=True)
class Recomputed:
    """All cells of some papers, and what is missing for others."""

    papers: tuple[Paper, ...]
    cells: tuple[Cell, ...]
    absent: tuple[Absent, ...] = ()

    @property
    def agreeing(self) -> int:
        return sum(c.agrees for c in self.cells)

    @property
    def unexplained(self) -> list[Cell]:
        """Cells that differ and do not say why."""
        return [c for c in self.cells if not c.agrees and not c.note]

    def tables(self) -> dict[tuple[str, str], list[Cell]]:
        """(Paper, table) -> its cells, in the order of the papers."""
        found: dict[tuple[str, str], list[Cell]] = {}
        for cell in self.cells:
            found.setdefault((cell.paper, cell.table), []).append(cell)
        return found


PAPERS: Registry[Paper] = Registry("paper", Paper, "plainmark.papers")  # type: ignore[type-abstract]


def papers(names: Iterable[str] = ()) -> list[Paper]:
    """Papers by their name, number or both ("sari", "2", "2-sari"); all of them if none is named."""
    known = sorted((PAPERS.find(name)() for name in PAPERS.names()), key=lambda p: p.id)
    chosen = []
    for name in names:
        found = [p for p in known if name.lower() in (p.id, p.id.partition("-")[0], p.name)]
        if not found:
            ids = [p.id for p in known]
            raise UnknownNameError(
                f"no paper {name[:80]!r}.{did_you_mean(name, ids)} There are: {', '.join(ids)}."
            )
        chosen += found
    return list(dict.fromkeys(chosen)) or known


def recompute(names: Iterable[str] = (), progress: Callable[[int, int], None] | None = None) -> Recomputed:
    """The printed figures of papers beside the same from released data; what lacks its data is left out and listed."""
    chosen = papers(names)
    parts = [(paper, part) for paper in chosen for part in paper.parts()]
    cells: list[Cell] = []
    lacks: dict[tuple[str, str], list[str]] = {}  # data set, reason -> tables
    for done, (paper, part) in enumerate(parts, 1):
        missing = part.missing()
        for name, reason in missing:
            # Variants of one data set lack different files; the first is named.
            key = next((k for k in lacks if name and k[0] == name), (name, reason))
            lacks.setdefault(key, []).extend(f"{paper.id} {table}" for table in part.tables)
        if not missing:
            cells += part.compute()
        if progress:
            progress(done, len(parts))
    # Parts of one table may need different data; its cells stand together all the same.
    place = {key: i for i, key in enumerate(dict.fromkeys((c.paper, c.table) for c in cells))}
    cells.sort(key=lambda c: place[c.paper, c.table])
    absent = [Absent(" ".join(k).strip(), tuple(dict.fromkeys(tables))) for k, tables in lacks.items()]
    return Recomputed(tuple(chosen), tuple(cells), tuple(absent))


def grid(columns: Sequence[str], rows: Mapping[str, str]) -> dict[str, str]:
    """Printed figures by "row/column", from rows as they are printed; "-" is no figure."""
    return {
        f"{row}/{column}": printed
        for row, line in rows.items()
        for column, printed in zip(columns, line.split(), strict=True)
        if printed != "-"
    }


def rows_of(table: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Cell, row, column and printed figure of a grid."""
    for cell, printed in table.items():
        row, _, column = cell.partition("/")
        yield cell, row, column, printed
