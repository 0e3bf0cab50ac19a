"""Files of scores: one row per score, or one row per output with a column per metric.

Rows name their output by system and sample, or show its texts (source and output), as tables of published scores do
(same_texts.py). Rows with the same texts count once, with their mean, for every system that wrote that output.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from os import PathLike

import numpy as np

from ..data import Corpus
from ..errors import InputError, did_you_mean
from ..files import table_rows
from ..metric import METRICS, metric
from ..table import without_apostrophe
from .same_texts import OutputsByText
from .scores import Cell, Kind, Scores, units_of

OUTPUTS = ("output", "simplified", "simplification")  # names of the column of outputs
LOWER = "↓"  # arrows at the end of a name, which mean that lower is better
NOT_METRICS = ("system", "sample", "source", *OUTPUTS, "references", "human")  # human: the means of ratings
_Row = tuple[str, dict[str, str]]


class UnmatchedError(InputError):
    """A file of scores contains none of a data set's outputs."""


def read_scores(
    path: str | PathLike[str],
    *,
    corpora: Mapping[str, Corpus] | None = None,
    columns: Sequence[str] = (),
    duplicates: str = "refuse",
    kind: Kind = "metric",
) -> list[Scores]:
    """The scores of a CSV file in any of its forms; `columns` names some of the metrics of a table."""
    rows = _rows(path)
    header = list(rows[0][1]) if rows else []
    if "value" in header or not {"sample", "source"} & set(header):
        groups: dict[str, list[tuple[str, Cell, float]]] = {}
        for location, row in _rows(path, ("system", "sample", "value")):
            value = _number(location, "value", row["value"])
            cell = (row["system"], row["sample"])
            groups.setdefault(row.get("metric") or "score", []).append((location, cell, value))
        if not groups:
            raise InputError(f"{path}: no rows, expected scores below the line of column names.")
    else:
        cells, by_text = _cells(str(path), header, rows, corpora)
        groups = {
            name: [
                (location, cell, _number(location, name, row[name]))
                for (location, row), own in zip(rows, cells, strict=True)
                for cell in own
            ]
            for name in (columns or _metric_columns(header, rows))
            if name in header
        }
        duplicates = "mean" if by_text else duplicates
    _check_columns(str(path), columns, groups)
    if corpora:
        scored = {cell for group in groups.values() for _, cell, _ in group}
        outputs = {(system, sample) for system, corpus in corpora.items() for sample in ("", *corpus.ids)}
        if not scored & outputs:
            raise UnmatchedError(f"{path}: none of its {len(rows)} rows is an output of the data set.")
    units = units_of(corpora) if corpora else None
    names = [name for name in groups if not columns or name in columns]
    return [_scores(str(path), name, groups[name], duplicates, kind, units) for name in names]


def _rows(path: str | PathLike[str], columns: Sequence[str] = ()) -> list[tuple[str, dict[str, str]]]:
    """The rows of a table; apostrophes that were added to protect against formulas are removed."""
    return [
        (place, {without_apostrophe(name): without_apostrophe(cell) for name, cell in row.items()})
        for place, row in table_rows(str(path), columns)
    ]


def _scores(
    path: str,
    name: str,
    rows: Sequence[tuple[str, Cell, float]],
    duplicates: str,
    kind: Kind,
    units: Mapping[str, str] | None,
) -> Scores:
    cells: dict[Cell, list[tuple[str, float]]] = {}
    for location, cell, value in rows:
        cells.setdefault(cell, []).append((location.rpartition(" ")[2], value))
    twice = {k: v for k, v in cells.items() if len(v) > 1}
    if twice and duplicates == "refuse":
        shown = "; ".join(
            f"{s}/{i or '(system)'} in lines {', '.join(line for line, _ in v[:4])}"
            for (s, i), v in islice(twice.items(), 3)
        )
        raise InputError(
            f"{path}: {len(twice)} outputs have more than one score of {name} ({shown}). Remove the "
            "duplicates, or take their means: duplicates=mean."
        )
    means = {k: float(np.mean([x for _, x in v])) for k, v in cells.items()}
    return Scores(
        name.removesuffix(LOWER).strip(),
        {k: v for k, v in means.items() if k[1]},
        totals={s: v for (s, i), v in means.items() if not i},
        units=units,
        higher_is_better=_direction(name),
        kind=kind,
    )


def _direction(name: str) -> bool | None:
    """False after an arrow; for names of metrics (FKGL) the metric's own direction; else higher is better."""
    if name.endswith(LOWER):
        return False
    letters = re.sub(r"[\W_]", "", name).lower()
    known = {re.sub(r"_", "", n): n for n in METRICS.names()}
    return metric(known[letters]).higher_is_better if letters in known else True


def _cells(
    path: str, header: Sequence[str], rows: Sequence[_Row], corpora: Mapping[str, Corpus] | None
) -> tuple[list[list[Cell]], bool]:
    """The outputs of each row, and whether they were identified by their texts."""
    if {"system", "sample"} <= set(header):
        return [[(row["system"], row["sample"])] for _, row in rows], False
    column = next((c for c in OUTPUTS if c in header), None)
    if "source" not in header or column is None:
        raise InputError(
            f"{path}: found the columns {', '.join(header[:6])}; expected system and sample, or source and output."
        )
    if not corpora:
        raise InputError(f"{path}: rows are identified by their texts, which requires a data set (-d).")
    texts = OutputsByText(corpora)
    return [texts.find(row["source"], row[column]) for _, row in rows], True


def _metric_columns(header: Sequence[str], rows: Sequence[_Row]) -> list[str]:
    """The columns with numbers: those whose first value that is not empty is a number."""
    names = []
    for name in header:
        first = next((row[name] for _, row in rows if row[name].strip() not in ("", "nan")), "")
        if name not in NOT_METRICS and _is_number(first):
            names.append(name)
    return names


def _check_columns(path: str, columns: Sequence[str], known: Mapping[str, object]) -> None:
    for name in columns:
        if name not in known:
            raise InputError(
                f"{path}: no scores of {name!r}.{did_you_mean(name, known)} There are: {', '.join(known)}."
            )
    if not known:
        raise InputError(f"{path}: no column has numbers; expected one for each metric.")


def _number(location: str, column: str, text: str) -> float:
    """Parse a number; an empty field is a missing value."""
    if text.strip() and not _is_number(text):
        raise InputError(f"{location}: {column} {text[:40]!r} is not a number.")
    value = float(text) if text.strip() else math.nan
    if math.isinf(value):
        raise InputError(f"{location}: {column} {text[:40]!r} is not finite.")
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
