"""What was acknowledged to simulated participants, compared with the database: is anything lost, duplicated or damaged?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, select

from ...study.pages import Page, read_form
from ...study.screens import READING
from ...study.store.steps import drawn, template_of
from ...study.store.store import Store
from ...study.store.tables import answers, assignments, cells, pages, resubmissions
from ...study.store.tables import participants as people
from ..study.arrival import START
from .participants import SimulationLog, Submission, simulated_id


@dataclass(frozen=True)
class SimulationResult:
    """What a simulation measured; `safe` says whether nothing was lost, duplicated or damaged."""

    participants: int
    ends: dict[str, int]
    submits: int  # sent, repetitions included
    acknowledged: int  # pages that a participant was told are stored
    stored: int  # of these, found in the database as they were sent, each answer once
    lost: int
    different: int  # stored, but not as it was sent
    duplicated: int  # answers that are stored twice
    duplicated_cells: int  # cells with two live answers, or an item that one participant saw twice
    conflicting: int  # other answers to a page that was already submitted, set aside
    conflicting_lost: int
    crashes: int
    crashes_planned: int
    intruder: dict[str, int]  # responses to a stranger's requests
    strangers: int  # places and sessions that a stranger got
    intact: bool
    invalid: int
    refused: dict[str, int]
    submit_p50: float  # milliseconds, of submits that no crash interrupted
    submit_p95: float
    submit_p99: float
    submit_max: float
    interrupted: int  # submits that a crash interrupted; sent again until acknowledged
    interrupted_max: float
    page_p50: float
    page_p95: float
    seconds: float
    answers: int
    cells_done: int
    cells: int
    database: str

    @property
    def complete(self) -> bool:
        """Whether every crash that was asked for happened while participants were at work."""
        return self.crashes >= self.crashes_planned

    @property
    def safe(self) -> bool:
        """Whether nothing was lost, duplicated or damaged."""
        return self.intact and not (
            self.lost
            or self.different
            or self.duplicated
            or self.duplicated_cells
            or self.conflicting_lost
            or self.strangers
        )


def compare(
    participants: int, store: Store, log: SimulationLog, crashes: tuple[int, int], seconds: float
) -> SimulationResult:
    """Compare a log of acknowledged submissions with the store; `crashes` are how many happened, and were planned."""
    acknowledged: dict[str, list[Submission]] = {}
    for submission in log.acknowledged:
        # The first page has no token yet: it is the participant's.
        page = _first_page(submission.participant) if submission.page == START else submission.page
        acknowledged.setdefault(page, []).append(submission)
    ids = {store.hash_of(simulated_id(number)): number for number in range(participants)}

    def count_pages(connection: Connection) -> dict[str, int]:
        rows_of_pages = connection.execute(
            select(pages, people.c.hash).join(people, people.c.id == pages.c.participant_id)
        )
        page_rows = {}
        for r in rows_of_pages:
            page_rows[r.token] = r
            if r.position == 0 and r.hash in ids:
                page_rows[_first_page(ids[r.hash])] = r
        answer_rows: dict[int, list[Any]] = {}
        for r in connection.execute(select(answers)):
            answer_rows.setdefault(r.page_id, []).append(r)
        set_aside: dict[int, list[dict[str, str]]] = {}
        for r in connection.execute(select(resubmissions)):
            set_aside.setdefault(r.page_id, []).append(json.loads(r.payload))
        names = ("stored", "lost", "different", "duplicated", "conflicting", "conflicting_lost")
        count = dict.fromkeys(names, 0)
        for token, submissions in acknowledged.items():
            row = page_rows.get(token)
            if row is not None and row.submitted is None and all("step" in s.form for s in submissions):
                continue  # left between two steps of a page: nothing of it counts yet
            if row is None or row.submitted is None:
                count["lost"] += 1
                continue
            page = drawn(store.study, row, *template_of(store.study, connection, row))
            if any("step" in s.form for s in submissions):
                count[_compare_steps(page, row, submissions, answer_rows.get(row.id, []))] += 1
                continue
            sent = [{a.question: a.value for a in read_form(page, s.form)[0]} for s in submissions]
            rows = answer_rows.get(row.id, [])
            stored = {r.question: r.value for r in rows}
            count["duplicated"] += len(rows) - len(stored)
            if stored not in sent:
                count["lost" if not stored else "different"] += 1
                continue
            count["stored"] += 1
            others = {json.dumps(form, sort_keys=True) for form in sent if form != stored}
            kept = {json.dumps(form, sort_keys=True) for form in set_aside.get(row.id, [])}
            count["conflicting"] += len(others)
            count["conflicting_lost"] += len(others - kept)
        return count

    def duplicated_cells(connection: Connection) -> int:
        live = assignments.c.state.in_(("leased", "done"))
        cells_twice = (
            select(assignments.c.cell_id).where(live).group_by(assignments.c.cell_id).having(func.count() > 1)
        )
        items_twice = (
            select(assignments.c.participant_id)
            .group_by(assignments.c.participant_id, assignments.c.item)
            .having(func.count() > 1)
        )
        return len(connection.execute(cells_twice).all()) + len(connection.execute(items_twice).all())

    def totals(connection: Connection) -> tuple[int, int, int]:
        planned = cells.c.surplus.is_(False)
        return (
            connection.execute(select(func.count()).select_from(answers)).scalar_one(),
            connection.execute(
                select(func.count()).select_from(cells).where(planned, cells.c.state == "done")
            ).scalar_one(),
            connection.execute(select(func.count()).select_from(cells).where(planned)).scalar_one(),
        )

    answer_count, cells_done, cell_count = store.database.read(totals)
    return SimulationResult(
        participants=participants,
        ends=dict(sorted(log.ends.items())),
        submits=log.submits,
        acknowledged=len(acknowledged),
        **store.database.read(count_pages),
        duplicated_cells=store.database.read(duplicated_cells),
        crashes=crashes[0],
        crashes_planned=crashes[1],
        intruder=log.intruder,
        strangers=log.stolen_sessions
        + (store.database.read(lambda c: _strangers(c, set(ids))) if log.intruder else 0),
        intact=store.database.intact(),
        invalid=log.invalid,
        refused=dict(sorted(log.refused.items())),
        submit_p50=_milliseconds(log.seconds, 50),
        submit_p95=_milliseconds(log.seconds, 95),
        submit_p99=_milliseconds(log.seconds, 99),
        submit_max=_milliseconds(log.seconds, 100),
        interrupted=len(log.interrupted),
        interrupted_max=_milliseconds(log.interrupted, 100),
        page_p50=_milliseconds(log.pages, 50),
        page_p95=_milliseconds(log.pages, 95),
        seconds=round(seconds, 1),
        answers=answer_count,
        cells_done=cells_done,
        cells=cell_count,
        database="SQLite" if store.database.path else "PostgreSQL",
    )


def _compare_steps(page: Page, row: Any, submissions: Sequence[Submission], rows: Sequence[Any]) -> str:
    """Whether a page in several steps is stored as it was sent: every answer is one that was acknowledged for its question."""
    sent = {(a.question, a.value) for s in submissions for a in read_form(page, s.form)[0]}
    read = row.read is not None or not any(s.form.get("step") == READING for s in submissions)
    stored = {(r.question, r.value) for r in rows}
    if not read or (sent and not stored):
        return "lost"
    same = stored <= sent and {q for q, _ in stored} >= {q for q, _ in sent}
    return "stored" if same else "different"


def _first_page(participant: int) -> str:
    return f"{START} {participant}"


def _strangers(connection: Connection, hashes: set[str]) -> int:
    """Participants who are nobody that was simulated."""
    return sum(h not in hashes for h in connection.execute(select(people.c.hash)).scalars())


def _milliseconds(seconds: list[float], percentile: float) -> float:
    return round(1000 * float(np.percentile(seconds, percentile)), 1) if seconds else float("nan")


def as_data(result: SimulationResult) -> dict[str, Any]:
    """A result as plain data; what could not be measured is null."""
    return {k: None if v != v else v for k, v in asdict(result).items()} | {
        "safe": result.safe,
        "complete": result.complete,
    }
