"""Published scores of single outputs, joined to the samples of a data set by their texts.

Such a table has the texts and one column for each metric, but no ids of ours. Texts are compared by their Latin letters
and digits alone, since releases of the same texts differ in tokens, brackets and damaged characters. An output that
equals none of its source is taken for the one to which it is nearly equal, if there is one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from os import PathLike

from ..data import Corpus
from ..errors import InputError
from ..files import table_rows
from ._readers import number

Cell = tuple[str, str]  # system, sample

NEARLY_EQUAL = 0.98  # twice the letters in common by all letters
OUTPUT_COLUMNS = ("output", "simplified")
# Columns that are not scores; `human` are people's means, which the data sets have as ratings.
OTHER_COLUMNS = ("source", *OUTPUT_COLUMNS, "references", "human")
_BRACKET = re.compile(r"-[lr][rsc]b-")
_OTHER = re.compile("[^a-z0-9]+")


@dataclass(frozen=True)
class PublishedScores:
    """Scores by metric and (system, sample): the mean where several rows have the texts of a sample."""

    values: dict[str, dict[Cell, float]]
    rows: int  # of the table
    matched: int  # rows with the texts of a sample

    @property
    def cells(self) -> set[Cell]:
        """The outputs that have a score."""
        return {cell for scores in self.values.values() for cell in scores}


def read_published(path: str | PathLike[str], corpora: Mapping[str, Corpus]) -> PublishedScores:
    """Read a table with the columns source, output (or simplified) and one for each metric; empty cells are no scores."""
    texts = _Texts(corpora)
    scores: dict[str, dict[Cell, list[float]]] = {}
    rows = matched = 0
    for location, row in table_rows(str(path), ("source",)):
        output = next((row[column] for column in OUTPUT_COLUMNS if column in row), None)
        if output is None:
            raise InputError(f"{path}: no column {' or '.join(OUTPUT_COLUMNS)}; expected one of them.")
        rows += 1
        cells = texts.find(row["source"], output)
        matched += bool(cells)
        for metric, cell in row.items():
            if metric in OTHER_COLUMNS or not cell.strip():
                continue
            value = number(cell, f"{location}, column {metric}")
            if math.isinf(value):
                raise InputError(f"{location}, column {metric}: {cell[:40]!r} is not finite.")
            for key in cells if math.isfinite(value) else ():
                scores.setdefault(metric, {}).setdefault(key, []).append(value)
    if not matched:
        raise InputError(f"{path}: none of its {rows} rows has the texts of a sample of this data set.")
    values = {
        metric: {key: sum(found) / len(found) for key, found in own.items()} for metric, own in scores.items()
    }
    return PublishedScores(values, rows, matched)


class _Texts:
    """The outputs of corpora by the letters of their sources and of themselves."""

    def __init__(self, corpora: Mapping[str, Corpus]) -> None:
        self._sources: dict[str, dict[str, list[Cell]]] = {}
        for system, corpus in corpora.items():
            for sample in corpus:
                outputs = self._sources.setdefault(_letters(sample.source), {})
                outputs.setdefault(_letters(sample.output), []).append((system, sample.id))

    def find(self, source: str, output: str) -> list[Cell]:
        """The outputs with these texts; none if there are no such texts."""
        nearest = _nearest(_letters(source), self._sources)
        if nearest is None:
            return []
        outputs = self._sources[nearest]
        same = _nearest(_letters(output), outputs)
        return [] if same is None else outputs[same]


def _letters(text: str) -> str:
    return _OTHER.sub("", _BRACKET.sub("", text.lower()))


def _nearest(text: str, known: Mapping[str, object]) -> str | None:
    """The text itself if it is known, else the most similar one that is nearly equal."""
    if text in known:
        return text
    best = max(_similar(text, known), default=None)
    return None if best is None else best[1]


def _similar(text: str, known: Iterable[str]) -> Iterable[tuple[float, str]]:
    for other in known:
        matcher = SequenceMatcher(None, text, other, autojunk=False)
        # Two upper bounds that cost little come first.
        if min(matcher.real_quick_ratio(), matcher.quick_ratio()) >= NEARLY_EQUAL:
            ratio = matcher.ratio()
            if ratio >= NEARLY_EQUAL:
                yield ratio, other
