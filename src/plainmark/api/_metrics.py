"""Metrics as arguments and as columns of tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Self

from ..bundles import expand
from ..kernels import COUNT_COLUMNS
from ..metric import Metric, Score, Wrapper, metric
from ..options import Between, check_option, option_types
from ..registry import split_specs
from ..result import Result, finite
from ..table import Cell, Table

Metrics = str | Metric | Sequence[str | Metric]


def parse_metrics(metrics: Metrics) -> list[Metric]:
    """Metrics from their specifications and from names of bundles, without duplicates.

    >>> [m.spec for m in parse_metrics("SARI,sari(variant='hf', order=2),bleu")]
    ['sari', "sari(variant='hf', order=2)", 'bleu']
    >>> [m.spec for m in parse_metrics("@easse,bleu")]
    ['sari', 'bleu(lowercase=True)', "fkgl(variant='easse')", 'bleu']
    """
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    parsed = [m for item in metrics for m in ([item] if isinstance(item, Metric) else _read(item))]
    return list(dict.fromkeys(parsed))


def _read(text: str) -> Iterator[Metric]:
    for part in split_specs(text):
        yield from map(metric, expand(part))


@dataclass(frozen=True)
class Layout:
    """The layout of printed scores. With `long` there is one row per system and metric, with the signature in a column."""

    digits: Annotated[int, Between(0, 12)] = 2
    parts: bool = False  # a column for each part of a score, such as add, keep and del
    long: bool = False

    def __post_init__(self) -> None:
        check_option("layout", "digits", self.digits, option_types(Layout)["digits"])

    def number(self, value: float) -> str:
        """A score; undefined is a dash."""
        return "–" if math.isnan(value) else f"{value:.{self.digits}f}"


DEFAULT = Layout()
ARROWS = {True: " ↑", False: " ↓", None: ""}


@dataclass(frozen=True, eq=False)
class Scored(Result):
    """A result with a table of scores, whose layout can be chosen."""

    layout: Layout = field(default=DEFAULT, kw_only=True)

    def with_layout(self, *, digits: int = 2, parts: bool = False, long: bool = False) -> Self:
        """The same scores, printed with this number of digits, with the parts of scores, or in long form."""
        return replace(self, layout=Layout(digits, parts, long))


def display_name(metric: Metric) -> str:
    """A metric as papers write it: "SARI", "SARI (hf)", "mean FKGL (textstat, rounded)".

    >>> from plainmark import metric
    >>> display_name(metric("mean(bleu(lowercase=True, order=2))"))
    'mean BLEU (lowercase, order 2)'
    """
    inner = f"{metric.name} {display_name(metric.metric)}" if isinstance(metric, Wrapper) else ""
    values = [
        str(value) if isinstance(value, (str, Metric)) else name if value is True else f"{name} {value}"
        for name, value in metric.spec_options().items()
        if not (inner and name == "metric")
    ]
    options = f" ({', '.join(values)})" if values else ""
    return (inner or type(metric).__name__) + options.replace("_", " ")


def best_value(metric: Metric, values: Sequence[float]) -> float | None:
    """The best score of several systems; None for fewer than two, or a metric without a better direction."""
    defined = [v for v in values if not math.isnan(v)]
    if metric.higher_is_better is None or len(values) < 2 or not defined:
        return None
    return max(defined) if metric.higher_is_better else min(defined)


UNDEFINED = "defined: samples that have a score, of all samples; the others do not count"


@dataclass(frozen=True)
class Uncertainty:
    """The uncertainty of a score: half the width of its interval, and its significance letters."""

    half_width: float = math.nan
    letters: str = ""


def score_columns(
    systems: Sequence[str],
    metrics: Sequence[Metric],
    scores: Sequence[Sequence[Score]],
    layout: Layout,
    uncertainties: Sequence[Sequence[Uncertainty]] | None = None,
    notes: Sequence[str] = (),
    caption: str = "",
) -> Table:
    """One row per system and one column per metric, [system][metric]; signatures and then `notes` are printed below.

    If a metric is undefined on a sample of any system, the next column says on how many samples it is
    defined.
    """
    rows = [[Cell(system)] for system in systems]
    columns = [("system", "System")]  # heading and title
    partly_defined = False
    groups: list[int] = []
    names = [display_name(m) for m in metrics]
    for k, scorer in enumerate(metrics):
        column = [row[k] for row in scores]
        arrow = ARROWS[scorer.higher_is_better]
        groups.append(len(columns))
        columns.append((scorer.spec + arrow, names[k] + arrow))
        uncertain = [row[k] for row in uncertainties] if uncertainties else [Uncertainty()] * len(column)
        for row, cell in zip(rows, score_cells(scorer, column, uncertain, layout), strict=True):
            row.append(cell)
        if any(score.partly_defined for score in column):
            partly_defined = True
            columns.append(("defined", "defined"))
            for row, score in zip(rows, column, strict=True):
                row.append(Cell(score.extent, score.defined))
        for part in scorer.part_names[1:] if layout.parts else ():
            columns.append((f"{scorer.spec}.{part}", part.replace("_", " ")))
            for row, cell in zip(rows, part_cells(column, part, layout), strict=True):
                row.append(cell)
    headings, titles = zip(*columns, strict=True)
    return Table(
        headings,
        rows,
        [*([UNDEFINED] if partly_defined else []), *notes],
        titles=titles,
        signatures=signatures(systems, names, scores),
        caption=caption,
        groups=groups,
    )


@dataclass(frozen=True)
class LongTable(Table):
    """A table whose last column is the signature; in LaTeX, signatures are printed below the table."""

    below: Mapping[str, str] = field(default_factory=dict)  # by metric

    def latex(self) -> str:
        rows = [row[:-1] for row in self.rows]
        return Table(
            self.headings[:-1],
            rows,
            self.notes,
            (0, 1),
            signatures=self.below,
            caption=self.caption,
            bold=self.bold,
        ).latex()


def score_rows(
    systems: Sequence[str],
    metrics: Sequence[Metric],
    scores: Sequence[Sequence[Score]],
    layout: Layout,
    uncertainties: Sequence[Sequence[Uncertainty]] | None = None,
    notes: Sequence[str] = (),
    caption: str = "",
) -> Table:
    """The long form of `score_columns`: one row per system and metric, the signature in the last column."""
    rows = []
    for k, scorer in enumerate(metrics):
        column = [row[k] for row in scores]
        uncertain = [row[k] for row in uncertainties] if uncertainties else [Uncertainty()] * len(column)
        cells = score_cells(scorer, column, uncertain, layout)
        columns = [(scorer.spec, cells)]
        if layout.parts:
            columns += [(f"{scorer.spec}.{p}", part_cells(column, p, layout)) for p in scorer.part_names[1:]]
        for name, cells in columns:
            for system, score, cell in zip(systems, column, cells, strict=True):
                rows.append([Cell(system), Cell(name), cell, Cell(score.extent), Cell(score.signature)])
    headings = ["system", "metric", "score", "defined", "signature"]
    below = signatures(systems, [m.spec for m in metrics], scores)
    return LongTable(
        headings, rows, notes, (0, 1, 4), caption=caption, bold="the best by its metric", below=below
    )


def score_cells(
    metric: Metric, scores: Sequence[Score], uncertainties: Sequence[Uncertainty], layout: Layout
) -> list[Cell]:
    """One metric's scores of several systems; the best ones, at the printed precision, are marked."""
    best = best_value(metric, [score.value for score in scores])
    cells = []
    for score, uncertain in zip(scores, uncertainties, strict=True):
        text = layout.number(score.value)
        interval = "" if math.isnan(uncertain.half_width) else f" ± {layout.number(uncertain.half_width)}"
        is_best = best is not None and text == layout.number(best)
        cells.append(Cell(text + interval, finite(score.value), is_best, uncertain.letters))
    return cells


def part_cells(scores: Sequence[Score], part: str, layout: Layout) -> list[Cell]:
    """One part of several systems' scores; counts are printed as whole numbers."""
    values = [score.parts[part] for score in scores]
    whole = all(v.is_integer() for v in values)
    is_count = whole and (part in COUNT_COLUMNS or max(map(abs, values)) > 100)
    return [Cell(f"{v:.0f}" if is_count else layout.number(v), finite(v)) for v in values]


def signatures(
    systems: Sequence[str], names: Sequence[str], scores: Sequence[Sequence[Score]]
) -> dict[str, str]:
    """The signatures of columns by title; a system has a line of its own if its signature differs from the first one's."""
    titled = {}
    for name, column in zip(names, zip(*scores, strict=True), strict=True):
        first = column[0].signature
        titled[name] = first
        for system, score in zip(systems, column, strict=True):
            if score.signature != first:
                titled[f"{name} of {system}"] = score.signature
    return titled
