"""Leaderboards of shared tasks: submissions checked, scored and ranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InputError
from ..metric import __version__
from ..result import Result, Row, Titled, finite
from ..systems import Systems
from ..table import Cell, Table
from ..tracks import Track, load
from ..tracks.leaderboard import LEVEL, Entry, Leaderboard, rank
from ..tracks.submissions import Submission, read_submission

_SHOWN = 20  # largest number of listed problems per submission


class SubmissionError(InputError):
    """Submissions that do not fit the task; `problems` has one line for each place."""

    def __init__(self, message: str, problems: Sequence[str]) -> None:
        super().__init__("\n".join([message, *problems]))
        self.message, self.problems = message, tuple(problems)


@dataclass(frozen=True, eq=False)
class TrackResult(Result):
    """A leaderboard that prints as a table, a page, or JSON of Codabench's form."""

    leaderboard: Leaderboard

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.leaderboard.track.title

    def tables(self) -> list[Titled]:
        board = self.leaderboard
        columns = [m for m in board.track.metrics if m.metric is not None]
        headings = [
            "submission",
            "rank",
            "cluster",
            "overall ↓",
            *(f"{m.title} {_arrow(m)}".strip() for m in columns),
        ]
        return [("", Table(headings, [self._row(e) for e in board.entries], self.notes()))]

    def notes(self) -> list[str]:
        """The notes below the table: the rule, clusters, missing metrics, signatures."""
        board = self.leaderboard
        rule = (
            f"overall: the metric {board.track.by}"
            if board.track.rule == "metric"
            else "overall: each metric scaled from 1 (best) to the number of submissions, weighted mean"
        )
        notes = [
            f"{rule}; clusters: all submissions above differ significantly from all below (bootstrap of {board.items:,} "
            f"items, {board.resamples:,} resamples, p < {1 - LEVEL:.2g}, not corrected for the number of pairs)"
        ]
        notes += [f"not available, not in these ranks: {m.title}: {m.unavailable}" for m in board.unavailable]
        notes += [f"not ranked: {p}" for e in board.entries for p in _shortened(e.submission.problems)]
        first = board.entries[0].scores if board.entries else ()
        return notes + [s.signature for s in first if s is not None]

    def _row(self, entry: Entry) -> list[Cell]:
        ranks = f"{entry.rank} ({entry.ranks[0]}-{entry.ranks[1]})" if entry.rank and entry.ranks else "–"
        cells = [
            Cell(entry.submission.name),
            Cell(ranks, None if entry.rank is None else float(entry.rank)),
            Cell("–" if entry.cluster is None else str(entry.cluster), entry.cluster),
            Cell("–" if entry.rank is None else f"{entry.overall:.2f}", finite(entry.overall)),
        ]
        for column, score in zip(self.leaderboard.track.metrics, entry.scores, strict=True):
            if column.metric is not None:
                value = None if score is None else finite(score.value)
                cells.append(Cell("–" if value is None else f"{value:.2f}", value))
        return cells

    def records(self) -> list[Row]:
        """One row per submission and metric."""
        return [
            {
                "submission": entry.submission.name,
                "rank": entry.rank,
                "cluster": entry.cluster,
                "overall": finite(entry.overall),
                "metric": column.key,
                "score": finite(score.value),
                "low": None if interval is None else finite(interval[0]),
                "high": None if interval is None else finite(interval[1]),
                "defined": score.defined,
                "samples": score.samples,
                "signature": score.signature,
            }
            for entry in self.leaderboard.entries
            for column, score, interval in zip(
                self.leaderboard.track.metrics, entry.scores, entry.intervals, strict=True
            )
            if score is not None
        ]

    def to_dict(self) -> dict[str, Any]:
        """Codabench's form, with intervals, ranks, clusters and signatures added."""
        board = self.leaderboard
        columns: list[dict[str, Any]] = [{"title": "overall", "key": "overall", "index": 0, "sorting": "asc"}]
        for m in board.track.metrics:
            if m.metric is not None:
                sorting = "asc" if m.metric.higher_is_better is False else "desc"
                column = {"title": m.title, "key": m.key, "index": len(columns), "sorting": sorting}
                columns.append(column | {"weight": m.weight, "metric": m.spec})
        return {
            "title": board.track.title,
            "key": board.track.name,
            "generator": f"plainmark {__version__}",
            "items": board.items,
            "resamples": board.resamples,
            "seed": board.seed,
            "level": LEVEL,
            "columns": columns,
            "not_available": {m.key: m.unavailable for m in board.unavailable},
            "submissions": [self._submission(e, columns) for e in board.entries],
        }

    def _submission(self, entry: Entry, columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        scores: list[dict[str, Any]] = [{"column_key": "overall", "index": 0, "score": finite(entry.overall)}]
        index = {c["key"]: c["index"] for c in columns}
        for m, score, interval in zip(
            self.leaderboard.track.metrics, entry.scores, entry.intervals, strict=True
        ):
            if score is not None:
                scores.append(
                    {
                        "column_key": m.key,
                        "index": index[m.key],
                        "score": finite(score.value),
                        "interval": None if interval is None else [finite(v) for v in interval],
                        "defined": score.defined,
                        "samples": score.samples,
                        "signature": score.signature,
                    }
                )
        return {
            "name": entry.submission.name,
            "rank": entry.rank,
            "rank_interval": entry.ranks,
            "cluster": entry.cluster,
            "problems": list(entry.submission.problems),
            "scores": scores,
        }

    def to_html(self) -> str:
        from ..report import leaderboard

        return leaderboard.render(self.leaderboard, self.tables()[0][1], self.notes())


def leaderboard(
    submissions: Any,
    track: str | Track,
    *,
    partial: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> TrackResult:
    """Check the submissions (paths or patterns) to a shared task against its items, score and rank them.

    A submission with missing, repeated or unknown ids or empty texts is an error that names each line; with
    `partial` it is scored on the items it has, but not ranked.
    """
    task = load(track) if isinstance(track, str) else track
    items = task.items()
    systems = Systems.of(submissions, paths=True)
    read: list[Submission] = []
    for name, files in zip(systems.names, systems.outputs, strict=True):
        if len(files) != 1:
            raise InputError(f"{name}: found {len(files)} files, expected one file per submission.")
        read.append(read_submission(name, str(files[0]), task, items))
    flawed = [s for s in read if s.problems]
    if flawed and not partial:
        raise SubmissionError(
            f"{len(flawed)} of {len(read)} submissions cannot be scored as they are, and nothing was scored; --partial "
            "scores what they have, without a rank.",
            [p for s in flawed for p in _shortened(s.problems)],
        )
    usable = [s for s in read if s.outputs]
    if not usable:
        raise InputError("no submission has an output for an item of the task.")
    board = rank(task, items, usable, resamples=resamples, seed=seed, progress=progress)
    none: tuple[None, ...] = (None,) * len(task.metrics)
    empty = [Entry(s, none, none) for s in read if not s.outputs]
    return TrackResult(replace(board, entries=(*board.entries, *empty)))


def _arrow(column: Any) -> str:
    return {True: "↑", False: "↓", None: ""}[column.metric.higher_is_better]


def _shortened(problems: Sequence[str]) -> list[str]:
    more = len(problems) - _SHOWN
    return [*problems[:_SHOWN], *([f"and {more} more like these"] if more > 0 else [])]


__all__ = ["SubmissionError", "TrackResult", "leaderboard"]
