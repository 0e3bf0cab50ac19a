"""Whom to pay: for each participant, whether the recruiter should accept or reject their work, and why.

The database knows no one by the recruiter's id; `for_recruiter` matches a list of them. Leaving someone out of the analysis
(`exclusions`) is no reason not to pay, and plays no part here.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from ...errors import InputError, OptionError
from ..keys import short_id
from . import monitoring, removal, sessions, steps
from .store import Store
from .tables import participants

_RETURNED = {
    "screened_out": "screened out: not who the study looks for",
    "no_consent": "did not agree to take part",
    "full": "no places were left",
}
_ID_COLUMNS = (
    "participant id",
    "participant_id",
    "participant",
    "prolific_pid",
    "workerid",
    "worker id",
    "id",
)


@dataclass(frozen=True)
class PaymentLine:
    """What the recruiter should do about one participant."""

    participant: str  # the recruiter's id, or the study's where no list of theirs was given
    id: str  # as dashboard, report and exports show it
    decision: str  # accept, reject, return (no work to pay for), wait, withdrawn, unknown
    reason: str
    minutes: float | None = None
    number: int = 0  # in the database; 0: not there


def payments(store: Store, now: float, session: int = 1) -> list[PaymentLine]:
    """A line for everyone of the study's mode, in the order in which they came; for a later session, who finished the first."""
    if not 1 <= session <= len(store.study.definition.sessions) + 1:
        count = len(store.study.definition.sessions) + 1
        raise OptionError(f"--session {session}: the study has {count} session{'s' if count > 1 else ''}.")
    if session > 1:
        return store.database.read(lambda c: _later(store, c, now, session))
    summaries = {p.participant: p for p in monitoring.participant_list(store, now)}
    trials = len(store.study.definition.checks.attention)

    def work(connection: Connection) -> list[PaymentLine]:
        lines = []
        query = select(participants).where(participants.c.mode == store.mode).order_by(participants.c.id)
        for row in connection.execute(query).all():
            person = summaries.get(row.id)
            if person is None:  # came in between
                continue
            decision, reason = "wait", "still at work"
            if row.review:
                decision = "accept" if row.review == "accepted" else "reject"
                reason = row.reason or f"{row.review} by an administrator"
            elif row.outcome == "complete":
                decision, reason = "accept", "finished"
            elif row.outcome == "failed_checks":
                wrong = steps.failures(store.study, connection, row.id)
                few = "trial" if trials == 1 else "trials"
                decision, reason = "reject", f"{wrong} of {trials} attention {few} wrong"
            elif row.outcome:
                decision, reason = "return", _RETURNED[row.outcome]
                if row.outcome == "full" and row.reason:
                    reason = row.reason
            elif person.state == "dropped out":
                decision, reason = "return", f"left after {person.answered} of {person.given} trials"
            shown = short_id(row.hash)
            lines.append(PaymentLine(shown, shown, decision, reason, round(person.minutes, 1), row.id))
        return lines

    return store.database.read(work)


def _later(store: Store, connection: Connection, now: float, session: int) -> list[PaymentLine]:
    """Lines for a later session."""
    query = select(participants).where(participants.c.mode == store.mode).order_by(participants.c.id)
    people = {p.id: p for p in connection.execute(query)}
    places = sessions.everyone(store.study, connection, now)
    lease = 60 * store.study.definition.lease
    lines = []
    for number, person in people.items():
        if number not in places:
            if person.outcome == "complete" and person.review == "rejected":
                reason = person.reason or "rejected by an administrator"
                shown = short_id(person.hash)
                lines.append(PaymentLine(shown, shown, "reject", reason, None, number))
            continue
        where, begun = places[number]
        visit = next((v for v in begun if v.session == session), None)
        minutes = None
        if visit is not None:
            minutes = round(max(0.0, (visit.finished or visit.last_seen) - visit.started) / 60, 1)
        if visit is None:
            states = {"early": "not open yet", "due": "has not come yet", "late": "did not come in time"}
            reason = states[where.state] if where.session == session else "did not finish the session before"
            wait = where.session == session and where.state != "late"
            decision = "wait" if wait else "return"
        elif visit.finished is not None:
            decision, reason = "accept", f"finished session {session}"
        elif now - visit.last_seen <= lease:
            decision, reason = "wait", "still at work"
        else:
            decision, reason = "return", f"left in the middle of session {session}"
        shown = short_id(person.hash)
        lines.append(PaymentLine(shown, shown, decision, reason, minutes, number))
    return lines


def for_recruiter(store: Store, ids: Sequence[str], now: float, session: int = 1) -> list[PaymentLine]:
    """A line for each id of the recruiter's list, in its order."""
    known = {line.id: line for line in payments(store, now, session)}

    def gone(connection: Connection) -> set[str]:
        return {i for i in ids if removal.is_withdrawn(connection, store.key, store.hash_of(i))}

    withdrawn = store.database.read(gone)
    begun = "begin this study" if session == 1 else "finish the first session"
    lines = []
    for external in ids:
        line = known.get(store.id_of(external))
        if line is not None:
            lines.append(
                PaymentLine(external, line.id, line.decision, line.reason, line.minutes, line.number)
            )
        elif external in withdrawn:
            lines.append(PaymentLine(external, "", "withdrawn", "withdrew; nothing of them is stored"))
        else:
            lines.append(PaymentLine(external, "", "unknown", f"did not {begun} ({store.mode})"))
    return lines


def read_recruiters_list(path: str | Path) -> list[str]:
    """The ids of a file: one per line, or a CSV file of the recruiter with a column such as "Participant id"."""
    try:
        rows = list(csv.reader(Path(path).read_text("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        raise InputError(f"{path}: cannot read it ({reason}).") from None
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    column = next((header.index(name) for name in _ID_COLUMNS if name in header), None)
    if column is None and len(header) > 1:
        raise InputError(f"{path}, line 1: no column of ids; expected 'Participant id', or one id per line.")
    body = rows if column is None else rows[1:]
    ids = [row[column or 0].strip() for row in body if len(row) > (column or 0)]
    ids = list(dict.fromkeys(i for i in ids if i))
    if not ids:
        raise InputError(f"{path}: no ids in it, expected one per line.")
    return ids
