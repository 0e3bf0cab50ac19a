"""What administrators do to a study: reclaim, review, release, purge. Each action is logged, without names."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, and_, delete, func, or_, select, update

from ...errors import StoreError
from ..keys import ID_LENGTH, short_id
from . import allocation, monitoring, steps
from .store import Store, write_note
from .tables import answers, assignments, audit, imports, pages, participants, resubmissions


def reclaim(store: Store, now: float) -> int:
    """Free the cells that were leased and not answered in time; returns how many."""

    def work(connection: Connection) -> int:
        allocation.take_turn(connection)
        return allocation.reclaim(connection, store.mode, now)

    return store.database.write(work)


def review(store: Store, participant: int, accepted: bool, now: float) -> None:
    """Accept or reject a participant's work. Rejected work is kept, not counted, and asked of others; accepting undoes that."""

    def work(connection: Connection) -> None:
        verdict = "accepted" if accepted else "rejected"
        this_one = participants.c.id == participant
        row = connection.execute(
            select(participants).where(this_one, participants.c.mode == store.mode)
        ).first()
        if row is None:
            raise StoreError(f"no participant {participant}.")
        connection.execute(update(participants).where(this_one).values(review=verdict))
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
        write_note(connection, now, "review", f"participant {short_id(row.hash)} {verdict}")

    store.database.write(work)


def release(store: Store, now: float, *, idle: float = 0.0, participant: int | None = None) -> int:
    """Remove those who hold a place and have answered nothing, for `idle` seconds at least, or one of them; returns how many.

    Nothing is lost: they have no answers, and may begin again with the same link.
    """
    quiet = and_(monitoring.is_ghost(store.mode), participants.c.last_seen <= now - idle)
    which = quiet if participant is None else and_(quiet, participants.c.id == participant)

    def work(connection: Connection) -> int:
        allocation.take_turn(connection)
        count = _remove(connection, which)
        if count:
            write_note(connection, now, "release", f"{count} places")
        return count

    return store.database.write(work)


def purge(store: Store, external: str, now: float) -> int:
    """Remove a participant with all answers from the file itself; returns how many.

    `external` is the recruiter's id, or the id that dashboard, report and exports show (the start of the hash).
    """
    known = {store.hash_of(external), external.lower()}
    mine = or_(
        participants.c.hash.in_(known), func.substr(participants.c.hash, 1, ID_LENGTH) == external.lower()
    )
    return _purge(store, mine, now)


def purge_expired(store: Store, now: float) -> int:
    """Remove everyone whose answers are older than the definition's retention period; returns how many."""
    days = store.study.definition.privacy.retention_days
    return _purge(store, participants.c.last_seen < now - 86_400 * days, now) if days else 0


def _purge(store: Store, condition: Any, now: float) -> int:
    def work(connection: Connection) -> int:
        allocation.take_turn(connection)
        count = _remove(connection, condition)
        if count:
            write_note(connection, now, "purge", f"{count} removed")
        return count

    count = store.database.write(work)
    if count:
        store.database.forget()
    return count


def _remove(connection: Connection, condition: Any) -> int:
    """Remove participants with all that belongs to them, and free their cells; returns how many."""
    people = connection.execute(select(participants.c.id, participants.c.hash).where(condition)).all()
    for participant, hashed in people:
        named = audit.c.detail.contains(short_id(hashed))
        unnamed = func.replace(audit.c.detail, short_id(hashed), "(removed)")
        connection.execute(update(audit).where(named).values(detail=unnamed))
        allocation.give_back(connection, participant, "released", only_leased=False)
        for table in (answers, resubmissions, imports, pages, assignments):
            connection.execute(delete(table).where(table.c.participant_id == participant))
        connection.execute(delete(participants).where(participants.c.id == participant))
    return len(people)
