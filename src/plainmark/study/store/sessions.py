"""Later sessions: when someone may come back, their pages, and how many have come. Times are passed in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from ..definition.loading import Study
from ..definition.pages import RecallPage
from . import progress, steps
from .steps import Finished, Place, Standing
from .tables import pages, participants, visits

STATES = ("early", "due", "working", "left", "late", "done")


def standing(study: Study, connection: Connection, person: Row[Any], now: float) -> Standing | None:
    """Where someone stands between sessions; None if there are no others for them."""
    begun = {
        v.session: v for v in connection.execute(select(visits).where(visits.c.participant_id == person.id))
    }
    return _standing(study, person, begun, now)


def _standing(study: Study, person: Row[Any], begun: dict[int, Row[Any]], now: float) -> Standing | None:
    sessions = study.definition.sessions
    if not sessions or person.outcome != "complete" or person.review == "rejected" or person.finished is None:
        return None
    ended = person.finished
    for number, session in enumerate(sessions, 2):
        visit = begun.get(number)
        opens, closes = ended + 3600 * session.opens, ended + 3600 * session.closes
        if visit is None:
            state = "early" if now < opens else "due" if now < closes else "late"
            return Standing(number, state, opens, closes)  # type: ignore[arg-type]
        if visit.finished is None:
            return Standing(number, "working", opens, closes)
        ended = visit.finished
    return Standing(len(sessions) + 1, "done")


def finished(study: Study, where: Standing) -> Finished:
    """What someone sees who has nothing to do now: too early, it may begin, too late, or all is done."""
    outcome = "late" if where.state == "late" else "complete"
    before = where.session - (where.state in ("early", "due"))
    return Finished(outcome, study.return_url(outcome, before), study.code(outcome, before), standing=where)  # type: ignore[arg-type]


def begin(connection: Connection, person: int, session: int, now: float) -> None:
    """Begin a session."""
    connection.execute(
        insert(visits).values(participant_id=person, session=session, started=now, last_seen=now)
    )


def advance(
    study: Study, connection: Connection, person: Row[Any], session: int, revision: int, now: float
) -> Row[Any] | Finished:
    """The open page of a session that was begun, or the next one, opened; or the end."""
    rows = connection.execute(select(pages).where(pages.c.participant_id == person.id)).all()
    unsent = [r for r in rows if r.submitted is None]
    if unsent:
        return max(unsent, key=lambda r: int(r.position))
    mine = [r for r in rows if r.session == session]
    visited = {(r.step, r.about_id) for r in mine}
    place = Place(person.id, revision, len(rows), now, session)
    recalled = progress.recalled_items(study, connection, person.id, session)
    for index, template in enumerate(study.definition.pages_of(session)):
        if isinstance(template, RecallPage):
            for at, trial in recalled:
                if at == index and (index, trial.id) not in visited:
                    return steps.open_new_page(
                        study, connection, place, index, trial.position, template, trial
                    )
        elif (index, None) not in visited:
            return steps.open_new_page(study, connection, place, index, 0, template)
    this_one = (visits.c.participant_id == person.id, visits.c.session == session)
    connection.execute(update(visits).where(*this_one).values(finished=now))
    where = standing(study, connection, person, now)
    assert where is not None
    return finished(study, where)


def seen(connection: Connection, person: int, session: int, now: float) -> None:
    """Note that a participant is active in a session."""
    connection.execute(update(participants).where(participants.c.id == person).values(last_seen=now))
    this_one = (visits.c.participant_id == person, visits.c.session == session)
    connection.execute(update(visits).where(*this_one).values(last_seen=now))


@dataclass(frozen=True)
class SessionCount:
    """How many people stand where before and in a later session."""

    session: int
    expected: int  # who finished the session before
    states: dict[str, int]  # early, due, working, left, late, done


def everyone(study: Study, connection: Connection, now: float) -> dict[int, tuple[Standing, list[Row[Any]]]]:
    """Where everyone stands who finished the first session, by number, with the sessions that they began."""
    begun: dict[int, dict[int, Row[Any]]] = {}
    for visit in connection.execute(select(visits).order_by(visits.c.session)):
        begun.setdefault(visit.participant_id, {})[visit.session] = visit
    people = connection.execute(select(participants).where(participants.c.mode == study.definition.mode))
    places = {}
    for person in people:
        where = _standing(study, person, begun.get(person.id, {}), now)
        if where is not None:
            places[person.id] = (where, list(begun.get(person.id, {}).values()))
    return places


def counts(study: Study, connection: Connection, now: float) -> list[SessionCount]:
    """For each later session how many people are due, at work, done or too late."""
    lease = 60 * study.definition.lease
    places = everyone(study, connection, now)
    counted = []
    for number in range(2, len(study.definition.sessions) + 2):
        states: Counter[str] = Counter(dict.fromkeys(STATES, 0))
        for where, begun in places.values():
            visit = next((v for v in begun if v.session == number), None)
            if visit is not None and visit.finished is not None:
                states["done"] += 1
            elif visit is not None:
                states["working" if now - visit.last_seen <= lease else "left"] += 1
            elif where.session == number:
                states[where.state] += 1
        counted.append(SessionCount(number, sum(states.values()), dict(states)))
    return counted
