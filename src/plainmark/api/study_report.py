"""The results of a study with human participants."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

from ..result import Result, Row, Titled
from ..study import load, open_store
from ..table import Cell
from ._metrics import Metrics, parse_metrics

if TYPE_CHECKING:
    from ..study.analysis.analyse import Analysis


@dataclass(frozen=True, eq=False)
class StudyReport(Result):
    """The analysis of a study's answers: comprehension, ratings, preferences, metrics against human ratings."""

    analysis: Analysis = field(repr=False)
    people: Mapping[str, int] = field(default_factory=dict)  # by outcome
    figures: Mapping[str, float | None] = field(default_factory=dict)  # of the design
    flags: Sequence[tuple[str, str, str]] = ()  # participant, kind, detail

    title = "Study"

    def tables(self) -> list[Titled]:
        from ..report.study_tables import tables

        return tables(self.analysis)

    def records(self) -> list[Row]:
        """One row per cell of every table, since the tables differ in their columns."""
        return [
            {"table": heading, "row": first.text, "column": column, "value": _value(cell)}
            for heading, table in self.tables()
            for first, *cells in table.rows
            for column, cell in zip(table.headings[1:], cells, strict=True)
        ]

    def to_dict(self) -> list[dict[str, Any]]:
        """One dictionary per table: title, columns, rows, notes."""
        return [
            {
                "table": heading,
                "columns": list(table.headings),
                "rows": [[first.text, *map(_value, cells)] for first, *cells in table.rows],
                "notes": list(table.notes),
            }
            for heading, table in self.tables()
        ]

    def to_text(self, *, bold: bool = False) -> str:
        """What to know first, the tables, and notes."""
        from ..report.study_effects import answers_first

        first = "".join(f"{question:<24}{answer}\n" for question, answer in answers_first(self.analysis))
        notes = "".join(f"note: {note}\n" for note in self.analysis.notes)
        return (first and first + "\n") + super().to_text(bold=bold) + (notes and "\n" + notes)

    def to_html(self) -> str:
        """The report with intervals and plots."""
        from ..report import study as page

        return page.render(self.analysis, people=self.people, figures=self.figures, flags=list(self.flags))


def study(
    folder: str | PathLike[str],
    *,
    metrics: Metrics = (),
    reader: str | None = None,
    reader_model: str = "",
    database: str = "",
    mode: str = "",
    resamples: int = 10_000,
    seed: int = 0,
) -> StudyReport:
    """Analyse the answers of a study: `study("my-study", metrics="sari").save("report.html")`.

    `metrics` are correlated with human ratings; a `reader`, a question-answering model, answers the same
    questions as the participants: "plain", a local folder, or the address of an endpoint and its
    `reader_model`. The answers are in answers.db in the folder, or in the PostgreSQL `database`; `mode` is
    pilot, live, or the definition's.
    """
    definition = load(str(folder))
    if mode in ("pilot", "live"):
        definition = definition.in_mode(mode)  # type: ignore[arg-type]
    specs = [m.spec for m in parse_metrics(metrics)] if metrics else []
    with open_store(definition, database, create=False) as store:
        from ..study.analysis.analyse import analyse
        from ..study.analysis.model_reader import reader as load_reader
        from ..study.analysis.responses import collect, responses
        from ..study.store import monitoring
        from ..study.store.flags import flags as flags_of

        collected = collect(store)
        analysis = analyse(
            definition,
            responses(definition, collected.rows),
            collected=collected,
            metrics=specs,
            reader=load_reader(reader, model=reader_model) if reader else None,
            resamples=resamples,
            seed=seed,
        )
        state, flags = monitoring.progress(store, time.time()), flags_of(store)
    figures = {
        "cells of the design": float(state.cells),
        "answered": float(state.done),
        "answered beyond the design": float(state.surplus),
        "answered late": float(state.late),
        "median minutes of those who finished": state.median_minutes,
    }
    return StudyReport(analysis, state.people, figures, [(f.participant, f.kind, f.detail) for f in flags])


def _value(cell: Cell) -> Any:
    if isinstance(cell.value, float) and not math.isfinite(cell.value):
        return None  # JSON has no NaN
    return cell.text if cell.value is None else cell.value


__all__ = ["StudyReport", "study"]
