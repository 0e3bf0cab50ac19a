"""One module per paper: the figures that it prints, and the same figures recomputed from released data.

A recomputed figure agrees with the printed one if it equals it after rounding at the last printed digit (a tie either
way) or after truncation there. A difference is explained if there is evidence for its reason: repeating the mistake gives
the printed figure, or the figure is impossible with these data. Everything else is open, except a figure of a model or of
data that are not released: it is not computed, and a model that comes with plainmark may be used instead.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from .. import punkt
from ..datasets import dataset
from ..errors import MissingResourceError, UnknownNameError, did_you_mean
from ..registry import Named, Registry
from ..result import finite

# Sums in another order differ in their last bits, far below any printed digit.
_SLACK = 1e-9
# NLTK's data, with which some papers were computed; used if it is on the machine, never downloaded.
STOP_WORDS = "corpora/stopwords/english"


@dataclass(frozen=True)
class Figure:
    """A figure with its 95 % interval, and what it was computed with."""

    value: float
    low: float = math.nan
    high: float = math.nan
    name: str = ""


@dataclass(frozen=True)
class PublishedCell:
    """A printed figure beside the recomputed one; `note` says why they differ, or comments on the printed one.

    `ours` is NaN if the paper's model or data are not released; `stand_in` is then the figure of a substitute that comes
    with plainmark. `strict` counts ties as wrong, `baseline` is the best trivial baseline.
    """

    paper: str
    table: str
    cell: str
    printed: str
    ours: float
    note: str = ""
    explained: bool = False  # whether the note has evidence for the difference
    interval: tuple[float, float] | None = None  # interval of `ours`
    stand_in: Figure | None = None
    strict: Figure | None = None
    baseline: Figure | None = None

    @property
    def status(self) -> Literal["as printed", "explained", "open", "not computed"]:
        """The status of the cell."""
        if self.agrees:
            return "as printed"
        return "explained" if self.explained else "not computed" if math.isnan(self.ours) else "open"

    @property
    def published(self) -> float:
        return float(self.printed)

    @property
    def digits(self) -> int:
        """The number of printed decimals."""
        return len(self.printed.partition(".")[2])

    @property
    def agrees(self) -> bool:
        """Whether the recomputed figure is as printed, rounded or truncated."""
        unit = 10.0**-self.digits
        rounded = abs(self.ours - self.published) <= unit / 2 + _SLACK
        return rounded or self.is_truncated

    @property
    def is_truncated(self) -> bool:
        """Whether the printed figure is the recomputed one truncated at the last printed digit."""
        scaled = abs(self.ours) * 10**self.digits + _SLACK
        same_sign = self.ours * self.published >= 0
        return (
            same_sign
            and math.isfinite(scaled)
            and math.floor(scaled) == round(abs(self.published) * 10**self.digits)
        )

    @property
    def shown(self) -> str:
        """The recomputed figure with the printed number of digits, or one more if rounding would hide why it agrees."""
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
            "status": self.status,
            "note": self.note,
            "low": self.interval and finite(self.interval[0]),
            "high": self.interval and finite(self.interval[1]),
            **_flat("stand_in", self.stand_in),
            **_flat("strict", self.strict),
            **_flat("baseline", self.baseline),
        }


def _flat(name: str, figure: Figure | None) -> dict[str, Any]:
    """A figure as entries of a record."""
    values = (
        {"value": finite(figure.value), "low": finite(figure.low), "high": finite(figure.high)}
        if figure
        else dict.fromkeys(("value", "low", "high"))
    )
    return {name: figure.name if figure else None} | {f"{name}_{key}": v for key, v in values.items()}


@dataclass(frozen=True)
class Gap:
    """Printed figures that cannot be recomputed, and the reason."""

    what: str
    reason: str


@dataclass(frozen=True)
class Claim:
    """A conclusion of a paper, whether it holds on the paper's own data (None: undecided), and the figures."""

    text: str
    holds: bool | None
    evidence: str

    @property
    def verdict(self) -> str:
        """Whether it holds, in words."""
        return {True: "holds", False: "does not hold", None: "is not decided"}[self.holds]


@dataclass(frozen=True, eq=False)
class PaperPart:
    """Tables that are recomputed from the same data sets."""

    tables: tuple[str, ...]
    compute: Callable[[], Iterable[PublishedCell]]
    datasets: tuple[str, ...] = ()
    needs: tuple[
        Callable[[], str], ...
    ] = ()  # each returns what else is missing ("needs ..."), such as word lists

    def missing(self) -> list[tuple[str, str]]:
        """What is missing, (data set or "", "needs ..."); empty if the part can be computed."""
        reasons = [(dataset(spec).name, dataset(spec).missing()) for spec in self.datasets]
        reasons += [("", need()) for need in self.needs]
        return [(name, reason) for name, reason in reasons if reason]


@dataclass(frozen=True)
class Paper(Named, ABC):
    """Base of all papers."""

    id: ClassVar[str]  # number and name, such as "2-sari"
    citation: ClassVar[str]
    notes: ClassVar[
        Mapping[str, str]
    ] = {}  # "Table 1: BLEU/qa.accuracy" -> the reason for a difference, or a comment
    explained: ClassVar[frozenset[str]] = frozenset()  # keys of the notes with evidence
    gaps: ClassVar[tuple[Gap, ...]] = ()

    stand_ins: Annotated[bool, "also run the substitutes for models that are not released"] = False

    @abstractmethod
    def parts(self) -> list[PaperPart]:
        """The parts that can be computed, in the order of the paper."""

    def claims(self, cells: Sequence[PublishedCell]) -> list[Claim]:
        """The paper's conclusions, checked against the computed cells, except those that these cells cannot decide."""
        return []

    def cell(
        self,
        table: str,
        cell: str,
        printed: str,
        ours: float,
        note: str = "",
        *,
        explained: bool = False,
        **more: Any,
    ) -> PublishedCell:
        """A cell of this paper with its note."""
        key = f"{table}: {cell}"
        notes = "; ".join(filter(None, (self.notes.get(key, ""), note)))
        explained = explained or key in self.explained
        return PublishedCell(self.id, table, cell, printed, float(ours), notes, explained, **more)


@dataclass(frozen=True)
class Absent:
    """A missing resource and the tables that were left out because of it."""

    what: str
    tables: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.what}; left out: {', '.join(self.tables)}"


@dataclass(frozen=True)
class Recomputed:
    """The recomputed cells of some papers, and what was left out."""

    papers: tuple[Paper, ...]
    cells: tuple[PublishedCell, ...]
    absent: tuple[Absent, ...] = ()

    def count(self, status: str) -> int:
        """The number of cells that are as printed, explained, open or not computed."""
        return sum(c.status == status for c in self.cells)

    def claims(self, paper: Paper) -> list[Claim]:
        """The conclusions of a paper, checked against its cells."""
        return paper.claims([c for c in self.cells if c.paper == paper.id])

    def tables(self) -> dict[tuple[str, str], list[PublishedCell]]:
        """(Paper, table) -> its cells, in the order of the papers."""
        tables: dict[tuple[str, str], list[PublishedCell]] = {}
        for cell in self.cells:
            tables.setdefault((cell.paper, cell.table), []).append(cell)
        return tables


PAPERS: Registry[Paper] = Registry("paper", Paper, "plainmark.papers")  # type: ignore[type-abstract]


def papers(names: Iterable[str] = ()) -> list[Paper]:
    """Papers by their name, number or both ("sari", "2", "2-sari"); all of them if none is named."""
    known = sorted((PAPERS.find(name)() for name in PAPERS.names()), key=lambda p: p.id)
    selected = []
    for name in names:
        matches = [p for p in known if name.lower() in (p.id, p.id.partition("-")[0], p.name)]
        if not matches:
            ids = [p.id for p in known]
            raise UnknownNameError(
                f"no paper {name[:80]!r}.{did_you_mean(name, ids)} There are: {', '.join(ids)}."
            )
        selected += matches
    return list(dict.fromkeys(selected)) or known


def recompute(
    names: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
    *,
    stand_ins: bool = False,
) -> Recomputed:
    """Recompute the figures of papers from released data; tables whose data are missing are left out and listed.

    With `stand_ins`, models that come with plainmark replace those that are not released, which takes minutes.
    """
    selected = [replace(paper, stand_ins=stand_ins) for paper in papers(names)]
    parts = [(paper, part) for paper in selected for part in paper.parts()]
    cells: list[PublishedCell] = []
    needs: dict[tuple[str, str], list[str]] = {}  # data set, reason -> tables
    for done, (paper, part) in enumerate(parts, 1):
        missing = part.missing()
        for name, reason in missing:
            # Variants of a data set need different files; only the first missing one is named.
            key = next((k for k in needs if name and k[0] == name), (name, reason))
            needs.setdefault(key, []).extend(f"{paper.id} {table}" for table in part.tables)
        if not missing:
            try:
                cells += part.compute()
            except (MissingResourceError, ImportError) as problem:
                what = f"needs something that is not installed ({' '.join(str(problem).split()).rstrip('.')})"
                needs.setdefault(("", what), []).extend(f"{paper.id} {table}" for table in part.tables)
        if progress:
            progress(done, len(parts))
    # Parts of one table may need different data; the cells of a table stay together.
    place = {key: i for i, key in enumerate(dict.fromkeys((c.paper, c.table) for c in cells))}
    cells.sort(key=lambda c: place[c.paper, c.table])
    absent = [Absent(" ".join(k).strip(), tuple(dict.fromkeys(tables))) for k, tables in needs.items()]
    return Recomputed(tuple(selected), tuple(cells), tuple(absent))


def grid(columns: Sequence[str], rows: Mapping[str, str]) -> dict[str, str]:
    """Printed figures by "row/column", from rows as printed; "-" is no figure."""
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


def missing_punkt() -> str:
    """How to install NLTK's Punkt parameters if they are missing ("needs ..."); other sentence rules give other figures."""
    return punkt.missing()


def missing_stop_words() -> str:
    """How to install NLTK's stop words if they are missing ("needs ...")."""
    return "" if _stop_word_file() else "needs NLTK's stop words: python -m nltk.downloader stopwords"


def stop_words() -> frozenset[str]:
    """NLTK's English stop words."""
    path = _stop_word_file()
    if path is None:
        raise MissingResourceError(f"stop words: {missing_stop_words()}.")
    return frozenset(path.read_text("utf-8").split())


def _stop_word_file() -> Path | None:
    return next((path for folder in punkt.nltk_folders() if (path := folder / STOP_WORDS).is_file()), None)
