"""Scores of systems: one row per system, one column per metric, signatures below."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, TextIO

from .. import engine as engines
from .. import scoring
from ..cautions import Cautions, cautions, lines_about
from ..languages import check_code
from ..languages.choice import Choice
from ..metric import Floats, Metric, Score
from ..result import Row, Titled, finite
from ..table import csv_text
from ..writing import writing
from ._metrics import Metrics, Scored, parse_metrics, score_columns, score_rows
from .test_sets import BASELINES, systems_of


@dataclass(frozen=True, eq=False)
class ScoreTable(Scored):
    """Scores of systems by metrics, each with its signature."""

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    scores: tuple[tuple[Score, ...], ...]  # [system][metric]
    samples: int
    failures: Mapping[str, str]  # shards that could not be read, with the reason
    partial: str = ""  # what the scores cover, if a shard is missing
    cautions: Cautions = field(default_factory=dict)
    language: Choice = field(default_factory=Choice)

    title = "Scores"

    def __getitem__(self, key: tuple[str, str]) -> Score:
        """The score of a system by a metric's specification: `table["access", "sari"]`."""
        system, spec = key
        return self.scores[self.systems.index(system)][[m.spec for m in self.metrics].index(spec)]

    def tables(self) -> list[Titled]:
        notes = [f"partial: {self.partial}"] if self.partial else []
        table = score_rows if self.layout.long else score_columns
        caption = f"Scores on {self.samples:,} sample{'s' * (self.samples != 1)}."
        columns = table(self.systems, self.metrics, self.scores, self.layout, notes=notes, caption=caption)
        return [("", columns)]

    def records(self) -> list[Row]:
        rows = []
        for record in self.to_dict():
            record.pop("warnings")
            parts = {f"parts.{name}": value for name, value in record.pop("parts").items()}
            signature = record.pop("signature")
            rows.append(record | {"signature": signature} | parts)
        return rows

    def to_dict(self) -> list[dict[str, Any]]:
        """A list of {system, metric, score, defined, samples, parts, signature, warnings}; undefined is None.

        `defined` counts the samples, out of `samples`, for which the metric is defined.
        """
        return [
            {
                "system": system,
                "metric": metric.spec,
                "score": finite(score.value),
                "defined": score.defined,
                "samples": score.samples,
                "parts": {name: finite(value) for name, value in score.parts.items()},
                "signature": score.signature,
                "warnings": lines_about(self.cautions, system),
            }
            | ({"partial": self.partial} if self.partial else {})
            | ({"language": self.language.code} if self.language.note else {})
            for system, row in zip(self.systems, self.scores, strict=True)
            for metric, score in zip(self.metrics, row, strict=True)
        ]


def score(
    outputs: Any,
    *,
    source: Any = None,
    references: Any = (),
    metrics: Metrics = "sari",
    fields: Mapping[str, str] | None = None,
    dataset: str = "",
    baselines: str | Sequence[str] = (),
    language: str = "",
    per_sample: str | PathLike[str] | None = None,
    workers: int = 1,
    engine: str = "",
    progress: Callable[[int], None] | None = None,
) -> ScoreTable:
    """Score systems' outputs.

    `outputs` are paths, patterns, texts, corpora, or a dictionary from names to any of these; `source` is a
    path or texts; `references` are paths, or one text or list of texts per sample. A `dataset` (a name or a
    folder) supplies sources and references, and outputs may be names of its systems; without outputs, all of
    its systems are scored. `baselines` adds rows: "copy" of the source, "references" against the other
    references of their sample. `language` is the code of the outputs' language; by default it is that of the
    data set, or detected in the texts. `per_sample` names a .csv or .jsonl file for the scores of every
    sample; `workers` processes, or the Dask scheduler at the address `engine`, share the work.

    >>> import plainmark as pm
    >>> table = pm.score(
    ...     {"good": ["A cat sat."], "copy": ["A feline sat."]},
    ...     source=["A feline sat."], references=[["A cat sat.", "The cat sat."]], metrics="sari,bleu",
    ... )
    >>> print(table)  # doctest: +ELLIPSIS
    system  sari ↑   bleu ↑
    good     72.02*  100.00*
    copy     10.58    35.36
    ...
    >>> round(table["good", "sari"].value, 2)
    72.02
    """
    systems = systems_of(outputs, source, references, fields, data=dataset, baselines=baselines)
    parsed = parse_metrics(metrics)
    code = check_code(language) if language else ""
    spoken = Choice(code, "given") if code else Choice(systems.language, "corpus" if systems.language else "")
    shards = [scoring.Shard(**systems.shard(i)) for i in range(systems.shards)]
    with engines.engine(workers, engine) as runner, ExitStack() as stack:
        writer = PerSampleWriter(per_sample, parsed, systems.names, stack) if per_sample else None
        totals = scoring.score(
            shards, parsed, runner, language=spoken, progress=progress, each=writer.write if writer else None
        )
    partial = ""
    if totals.failures:
        complete = len(shards) - len(totals.failures)
        partial = f"{complete} of {len(shards)} shards, {totals.samples:,} samples"
    rows = tuple(tuple(row) for row in totals.scores)
    seen = dict(zip(systems.names, totals.observed, strict=True))
    parsed = totals.metrics
    advice = cautions(seen, dict(zip(systems.names, rows, strict=True)), parsed, BASELINES.values())
    return ScoreTable(
        systems.names, tuple(parsed), rows, totals.samples, totals.failures, partial, advice, totals.language
    )


class PerSampleWriter:
    """Writes a table with the columns sample and system, and one column per metric."""

    def __init__(
        self, path: str | PathLike[str], metrics: list[Metric], systems: tuple[str, ...], stack: ExitStack
    ) -> None:
        self.metrics, self.systems = metrics, systems
        self.file: TextIO = stack.enter_context(writing(path))
        self.jsonl = Path(path).suffix in (".jsonl", ".ndjson")
        if not self.jsonl:
            self.file.write(csv_text([["sample", "system", *(m.spec for m in metrics)]]))

    def write(self, ids: list[str], scores: list[list[Floats]]) -> None:
        """Write the scores [system][metric] of some samples."""
        for system, columns in zip(self.systems, scores, strict=True):
            rows = [
                (sample, [finite(v) for v in values]) for sample, *values in zip(ids, *columns, strict=True)
            ]
            if not self.jsonl:
                cells = ([sample, system, *("" if v is None else v for v in row)] for sample, row in rows)
                self.file.write(csv_text(cells))
                continue
            for sample, numbers in rows:
                named = dict(zip((m.spec for m in self.metrics), numbers, strict=True))
                line = {"sample": sample, "system": system, "scores": named}
                self.file.write(json.dumps(line, ensure_ascii=False) + "\n")


__all__ = ["ScoreTable", "score"]
