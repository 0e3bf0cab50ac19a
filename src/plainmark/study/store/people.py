"""The people of a study, one line each, and how long their trials took. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from sqlalchemy import Connection, func, select

from .store import Store
from .tables import assignments, pages, participants


@dataclass(frozen=True)
class Person:
    """Someone who takes part, by number: the database knows no names."""

    participant: int
    state: str  # an outcome, working, or dropped out
    review: str
    answered: int  # trials
    given: int
    minutes: float  # from the first page to the last sign of them
    idle_minutes: float  # since the last sign of them
    trial_seconds: float | None  # median


def people(store: Store, now: float) -> list[Person]:
    """Everyone of the study's mode, those seen last first."""
    lease = 60 * store.study.definition.lease

    def work(connection: Connection) -> list[Person]:
        given = {
            r.participant_id: r.n
            for r in connection.execute(
                select(assignments.c.participant_id, func.count().label("n")).group_by(
                    assignments.c.participant_id
                )
            )
        }
        seconds: dict[int, list[float]] = {}
        for r in connection.execute(
            select(pages.c.participant_id, pages.c.seconds).where(
                pages.c.kind == "block", pages.c.submitted.is_not(None)
            )
        ):
            seconds.setdefault(r.participant_id, []).append(r.seconds or 0.0)
        out = []
        for p in connection.execute(
            select(participants)
            .where(participants.c.mode == store.mode)
            .order_by(participants.c.last_seen.desc(), participants.c.id)
        ):
            here = "working" if now - p.last_seen <= lease else "dropped out"
            took = seconds.get(p.id, [])
            out.append(
                Person(
                    participant=p.id,
                    state=p.outcome or here,
                    review=p.review,
                    answered=len(took),
                    given=given.get(p.id, 0),
                    minutes=((p.finished or p.last_seen) - p.created) / 60,
                    idle_minutes=max(0.0, now - p.last_seen) / 60,
                    trial_seconds=median(took) if took else None,
                )
            )
        return out

    return store.database.read(work)
