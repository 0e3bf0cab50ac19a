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

from ...errors import InputError
from ..keys import short_id
from . import monitoring, removal, steps
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


def payments(store: Store, now: float) -> list[PaymentLine]:
    """A line for everyone of the study's mode, in the order in which they came."""
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
                decision, reason = "reject", f"{wrong} of {trials} attention trials wrong"
            elif row.outcome:
                decision, reason = "return", _RETURNED[row.outcome]
            elif person.state == "dropped out":
                decision, reason = "return", f"left after {person.answered} of {person.given} trials"
            shown = short_id(row.hash)
            lines.append(PaymentLine(shown, shown, decision, reason, round(person.minutes, 1), row.id))
        return lines

    return store.database.read(work)


def for_recruiter(store: Store, ids: Sequence[str], now: float) -> list[PaymentLine]:
    """A line for each id of the recruiter's list, in its order."""
    known = {line.id: line for line in payments(store, now)}

    def gone(connection: Connection) -> set[str]:
        return {i for i in ids if removal.is_withdrawn(connection, store.key, store.hash_of(i))}

    withdrawn = store.database.read(gone)
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
            lines.append(PaymentLine(external, "", "unknown", f"did not begin this study ({store.mode})"))
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
