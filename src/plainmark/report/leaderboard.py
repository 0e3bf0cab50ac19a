"""The leaderboard of a shared task as a page: clusters, rank intervals, a sortable table, missing metrics and signatures."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ..table import Table
from ..tracks.leaderboard import Entry, Leaderboard
from . import html
from .formatting import count


@dataclass(frozen=True)
class Bar:
    """A submission in the figure of rank intervals; numbers are percentages of the width."""

    name: str
    rank: int
    label: str
    left: float
    width: float
    place: float


@dataclass(frozen=True)
class Cluster:
    """Submissions whose order is not certain."""

    number: int
    bars: Sequence[Bar]


def render(
    board: Leaderboard, table: Table, notes: Sequence[str], *, day: datetime.date | None = None
) -> str:
    """The page as text."""
    ranked = [e for e in board.entries if e.rank is not None]
    unranked = len(board.entries) - len(ranked)
    lede = f"{count(len(ranked), 'submission')} ranked on {count(board.items, 'item')}."
    if unranked:
        lede += f" {count(unranked, 'submission')} not ranked."
    clusters = [
        Cluster(number or 0, [_bar(e, len(ranked)) for e in group])
        for number, group in groupby(ranked, key=lambda e: e.cluster)
    ]
    return html.page(
        "leaderboard.html",
        title=board.track.title,
        styles=("page.css", "leaderboard.css"),
        data={},
        lede=lede,
        about=board.track.about,
        clusters=clusters,
        missing=[(m.title, m.unavailable) for m in board.unavailable],
        table=Table(table.headings, table.rows),
        notes=notes,
        date=day or datetime.datetime.now(datetime.UTC).date(),
    )


def _bar(entry: Entry, total: int) -> Bar:
    low, high = entry.ranks or (1, total)
    step = 100 / total
    label = f"rank {entry.rank}, from {low} to {high} in 95% of resamples"
    rank = entry.rank or 0
    return Bar(
        entry.submission.name, rank, label, (low - 1) * step, (high - low + 1) * step, (rank - 0.5) * step
    )
