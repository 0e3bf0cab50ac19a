"""What robots were told, compared with what is in the database: is anything lost, doubled or damaged?"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, select

from ...study.pages import read_form
from ...study.store.steps import page_of
from ...study.store.store import Store
from ...study.store.tables import answers, assignments, cells, pages, resubmissions
from .participants import Diary, Sent


@dataclass(frozen=True)
class Outcome:
    """What came of a simulation. Nothing is lost if lost, different, duplicated and doubled are 0 and intact is true."""

    people: int
    ends: dict[str, int]
    submits: int  # sent, repetitions included
    acknowledged: int  # pages that someone was told are stored
    stored: int  # of these, found in the database, each answer once, as it was sent
    lost: int
    different: int  # what the database has is none of what was sent
    duplicated: int  # answers there twice
    doubled_cells: int  # cells with two live answers, or an item that one person saw twice
    second_words: int  # other answers to a page that was taken, kept aside
    second_words_lost: int
    kills: int
    intact: bool
    invalid: int
    refused: dict[str, int]
    submit_p50: float  # milliseconds, of submits that no kill came between
    submit_p95: float
    submit_p99: float
    submit_max: float
    interrupted: int  # submits that a kill came between; sent again until acknowledged
    interrupted_max: float
    page_p50: float
    page_p95: float
    seconds: float
    answers: int
    cells_done: int
    cells: int
    database: str

    @property
    def safe(self) -> bool:
        """Whether nothing was lost, doubled or damaged."""
        return self.intact and not (
            self.lost or self.different or self.duplicated or self.doubled_cells or self.second_words_lost
        )


def compare(people: int, store: Store, diary: Diary, kills: int, took: float) -> Outcome:
    told: dict[str, list[Sent]] = {}
    for sent in diary.acknowledged:
        told.setdefault(sent.page, []).append(sent)

    def work(connection: Connection) -> dict[str, int]:
        found = {r.token: r for r in connection.execute(select(pages))}
        kept: dict[int, list[Any]] = {}
        for r in connection.execute(select(answers)):
            kept.setdefault(r.page_id, []).append(r)
        aside: dict[int, list[dict[str, str]]] = {}
        for r in connection.execute(select(resubmissions)):
            aside.setdefault(r.page_id, []).append(json.loads(r.payload))
        count = dict.fromkeys(("stored", "lost", "different", "duplicated", "second", "second_lost"), 0)
        for token, forms in told.items():
            row = found.get(token)
            if row is None or row.submitted is None:
                count["lost"] += 1
                continue
            page = page_of(store.study, connection, row)
            meant = [{a.question: a.value for a in read_form(page, s.form)[0]} for s in forms]
            rows = kept.get(row.id, [])
            stored = {r.question: r.value for r in rows}
            count["duplicated"] += len(rows) - len(stored)
            if stored not in meant:
                count["lost" if not stored else "different"] += 1
                continue
            count["stored"] += 1
            others = {json.dumps(m, sort_keys=True) for m in meant if m != stored}
            put_aside = {json.dumps(m, sort_keys=True) for m in aside.get(row.id, [])}
            count["second"] += len(others)
            count["second_lost"] += len(others - put_aside)
        return count

    count = store.database.read(work)

    def doubled(connection: Connection) -> int:
        live = assignments.c.state.in_(("leased", "done"))
        twice = (
            select(assignments.c.cell_id).where(live).group_by(assignments.c.cell_id).having(func.count() > 1)
        )
        seen = (
            select(assignments.c.participant_id)
            .group_by(assignments.c.participant_id, assignments.c.item)
            .having(func.count() > 1)
        )
        return len(connection.execute(twice).all()) + len(connection.execute(seen).all())

    def totals(connection: Connection) -> tuple[int, int, int]:
        mine = cells.c.surplus.is_(False)
        return (
            connection.execute(select(func.count()).select_from(answers)).scalar_one(),
            connection.execute(
                select(func.count()).select_from(cells).where(mine, cells.c.state == "done")
            ).scalar_one(),
            connection.execute(select(func.count()).select_from(cells).where(mine)).scalar_one(),
        )

    everything, done, wanted = store.database.read(totals)
    return Outcome(
        people=people,
        ends=dict(sorted(diary.ends.items())),
        submits=diary.submits,
        acknowledged=len(told),
        stored=count["stored"],
        lost=count["lost"],
        different=count["different"],
        duplicated=count["duplicated"],
        doubled_cells=store.database.read(doubled),
        second_words=count["second"],
        second_words_lost=count["second_lost"],
        kills=kills,
        intact=store.database.intact(),
        invalid=diary.invalid,
        refused=dict(sorted(diary.refused.items())),
        submit_p50=_milliseconds(diary.seconds, 50),
        submit_p95=_milliseconds(diary.seconds, 95),
        submit_p99=_milliseconds(diary.seconds, 99),
        submit_max=_milliseconds(diary.seconds, 100),
        interrupted=len(diary.interrupted),
        interrupted_max=_milliseconds(diary.interrupted, 100),
        page_p50=_milliseconds(diary.pages, 50),
        page_p95=_milliseconds(diary.pages, 95),
        seconds=round(took, 1),
        answers=everything,
        cells_done=done,
        cells=wanted,
        database="SQLite" if store.database.path else "PostgreSQL",
    )


def _milliseconds(seconds: list[float], percentile: float) -> float:
    return round(1000 * float(np.percentile(seconds, percentile)), 1) if seconds else float("nan")


def plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data; what could not be measured is null."""
    return {k: None if v != v else v for k, v in asdict(outcome).items()} | {"safe": outcome.safe}
