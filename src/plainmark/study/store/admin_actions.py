"""What administrators do to a study: reclaim, review, release. Each action is logged, without names of participants."""

from __future__ import annotations

from sqlalchemy import Connection, and_, select, update

from ...errors import StoreError
from ..keys import short_id
from . import allocation, monitoring, removal, steps
from .store import Store, write_note
from .tables import participants


def reclaim(store: Store, now: float) -> int:
    """Free the cells that were leased and not answered in time; returns how many."""

    def work(connection: Connection) -> int:
        allocation.take_turn(connection)
        return allocation.reclaim(connection, store.study, now)

    return store.database.write(work)


def review(
    store: Store, participant: int, accepted: bool, now: float, *, reason: str = "", actor: str = ""
) -> None:
    """Accept or reject a participant's work. Rejected work is kept, not counted, and asked of others; accepting undoes that.

    The reason of a rejection is for the recruiter's list.
    """

    def work(connection: Connection) -> None:
        verdict = "accepted" if accepted else "rejected"
        this_one = participants.c.id == participant
        row = connection.execute(
            select(participants).where(this_one, participants.c.mode == store.mode)
        ).first()
        if row is None:
            raise StoreError(f"no participant {participant}.")
        connection.execute(
            update(participants).where(this_one).values(review=verdict, reason=reason[:400] or None)
        )
        allocation.take_turn(connection)
        if accepted and row.review == "rejected":
            allocation.take_back(connection, participant)
            allowed = store.study.definition.checks.allowed_failures
            ended = row.outcome == "failed_checks"
            if ended and steps.failures(store.study, connection, participant) <= allowed:
                # It was the rejection that ended the study for them: they resume where they were.
                connection.execute(update(participants).where(this_one).values(outcome="", finished=None))
        elif not accepted:
            allocation.give_back(connection, participant, "rejected", only_leased=False)
            if not row.outcome:
                connection.execute(
                    update(participants).where(this_one).values(outcome="failed_checks", finished=now)
                )
        because = f": {reason[:400]}" if reason else ""
        write_note(connection, now, "review", f"participant {short_id(row.hash)} {verdict}{because}", actor)

    store.database.write(work)


def release(
    store: Store, now: float, *, idle: float = 0.0, participant: int | None = None, actor: str = ""
) -> int:
    """Remove those who hold a place and have answered nothing, for `idle` seconds at least, or one of them; returns how many.

    Nothing is lost: they have no answers, and may begin again with the same link.
    """
    quiet = and_(monitoring.is_ghost(store.mode), participants.c.last_seen <= now - idle)
    which = quiet if participant is None else and_(quiet, participants.c.id == participant)

    def work(connection: Connection) -> int:
        allocation.take_turn(connection)
        count = len(removal.remove(connection, which))
        if count:
            write_note(connection, now, "release", f"{count} places", actor)
        return count

    return store.database.write(work)
