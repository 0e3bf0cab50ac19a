"""Looking at a study: progress, participants, reviews, the audit log. Only reads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import Connection, and_, func, select

from ..definition.models import OUTCOMES
from ..keys import short_id
from . import quotas, sessions
from .answer_rows import iso_time
from .quotas import QuotaCount
from .sessions import SessionCount
from .steps import Standing
from .store import Store
from .tables import answers, assignments, audit, cells, pages, participants, revisions, settings

ANONYMOUS_IMPORT = "people unknown"  # a setting: the imported file does not say who gave the answers


@dataclass(frozen=True)
class StudyProgress:
    """How much of a study is done."""

    mode: str
    cells: int  # in the design
    done: int
    leased: int
    free: int
    surplus: int  # trials answered beyond the design
    late: int  # trials answered after their lease ran out
    people: dict[str, int]  # participants by outcome, "working" or "dropped out"
    median_minutes: float | None
    by_cell: dict[tuple[str, str], tuple[int, int]]  # (item, arm) -> answered, wanted
    paused: bool
    by_block: dict[str, tuple[int, int]]  # answered, wanted
    quotas: tuple[QuotaCount, ...]
    sessions: tuple[SessionCount, ...]  # later ones


def progress(store: Store, now: float) -> StudyProgress:
    """The progress of the study in its mode."""

    def work(connection: Connection) -> StudyProgress:
        mode, lease = store.mode, 60 * store.study.definition.lease
        states: Counter[str] = Counter()
        by_cell: dict[tuple[str, str], list[int]] = {}
        by_block: dict[str, list[int]] = {b.id: [0, 0] for b in store.study.definition.blocks}
        surplus = 0
        kind = (cells.c.block_id, cells.c.item, cells.c.arm, cells.c.state, cells.c.surplus)
        for row in connection.execute(
            select(*kind, func.count().label("n"))
            .where(cells.c.mode == mode, cells.c.retired.is_(False))
            .group_by(*kind)
        ):
            if row.surplus:
                surplus += row.n if row.state == "done" else 0
                continue
            states[row.state] += row.n
            for count in (
                by_cell.setdefault((row.item, row.arm), [0, 0]),
                by_block.setdefault(row.block_id, [0, 0]),
            ):
                count[0] += row.n if row.state == "done" else 0
                count[1] += row.n
        people: Counter[str] = Counter(dict.fromkeys([*OUTCOMES, "working", "dropped out"], 0))
        minutes = []
        for row in connection.execute(select(participants).where(participants.c.mode == mode)):
            people[row.outcome or _activity(row, now, lease)] += 1
            if row.outcome == "complete" and row.finished:
                minutes.append(max(0.0, row.finished - row.created) / 60)
        if connection.execute(select(settings).where(settings.c.name == ANONYMOUS_IMPORT)).first():
            people.clear()
        late = connection.execute(
            select(func.count(func.distinct(answers.c.assignment_id)))
            .join(participants, participants.c.id == answers.c.participant_id)
            .where(participants.c.mode == mode, answers.c.late.is_(True))
        ).scalar_one()
        return StudyProgress(
            mode=mode,
            cells=sum(states.values()),
            done=states["done"],
            leased=states["leased"],
            free=states["free"],
            surplus=surplus,
            late=late,
            people=dict(people),
            median_minutes=sorted(minutes)[len(minutes) // 2] if minutes else None,
            by_cell={k: (v[0], v[1]) for k, v in by_cell.items()},
            paused=store._is_paused(connection),
            by_block={k: (v[0], v[1]) for k, v in by_block.items()},
            quotas=tuple(quotas.counts(store.study, connection, now)),
            sessions=tuple(sessions.counts(store.study, connection, now)),
        )

    return store.database.read(work)


@dataclass(frozen=True)
class Review:
    """A participant's first answers, and whether they were accepted."""

    participant: int
    id: str
    review: str  # "", accepted, rejected
    answers: tuple[tuple[str, str, str], ...]  # text shown, question, value


def reviews(store: Store) -> list[Review]:
    """The first answers of each participant, as many as the definition says, unreviewed ones first."""
    count = store.study.definition.checks.review

    def work(connection: Connection) -> list[Review]:
        first_answers: dict[int, list[tuple[str, str, str]]] = {}
        verdicts: dict[int, tuple[str, str]] = {}
        for r in connection.execute(
            select(
                answers,
                assignments.c.item,
                assignments.c.arm,
                cells.c.block_id,
                participants.c.review,
                participants.c.hash,
            )
            .join(assignments, assignments.c.id == answers.c.assignment_id)
            .join(cells, cells.c.id == assignments.c.cell_id)
            .join(participants, participants.c.id == answers.c.participant_id)
            .where(participants.c.mode == store.mode)
            .order_by(answers.c.id)
        ):
            answered = first_answers.setdefault(r.participant_id, [])
            verdicts[r.participant_id] = (short_id(r.hash), r.review)
            if len(answered) < count:
                item = store.study.item(r.item)
                with_source = store.study.definition.block_named(r.block_id).shows_source
                shown = (not with_source and item.texts.get(r.arm)) or store.study.source_of(item)
                answered.append((shown, r.question, r.value))
        return sorted(
            (Review(p, *verdicts[p], tuple(a)) for p, a in first_answers.items() if a),
            key=lambda r: (r.review != "", r.participant),
        )

    return store.database.read(work)


@dataclass(frozen=True)
class AuditEntry:
    """What an administrator did, and when."""

    time: str
    actor: str
    action: str
    detail: str


def audit_log(store: Store) -> list[AuditEntry]:
    """What administrators did, latest first."""
    query = select(audit).order_by(audit.c.id.desc())
    return store.database.read(
        lambda c: [
            AuditEntry(iso_time(r.created), r.actor or "", r.action, r.detail) for r in c.execute(query)
        ]
    )


def revision_list(store: Store) -> list[tuple[int, str, str]]:
    """The number, digest and time of each revision of this mode."""
    query = select(revisions).where(revisions.c.mode == store.mode).order_by(revisions.c.id)
    return store.database.read(lambda c: [(r.id, r.digest, iso_time(r.created)) for r in c.execute(query)])


def answered_digests(store: Store) -> list[str]:
    """The digests of the definitions to which the answers of this mode were given."""
    query = (
        select(revisions.c.digest)
        .where(revisions.c.mode == store.mode, revisions.c.id.in_(select(answers.c.revision_id)))
        .order_by(revisions.c.id)
    )
    return store.database.read(lambda c: list(dict.fromkeys(c.execute(query).scalars())))


def is_anonymous(store: Store) -> bool:
    """Whether the answers were imported from a file that does not say who gave them."""
    query = select(settings).where(settings.c.name == ANONYMOUS_IMPORT)
    return store.database.read(lambda c: c.execute(query).first() is not None)


@dataclass(frozen=True)
class ParticipantSummary:
    """A participant, by number and id: the database knows no names."""

    participant: int
    id: str
    state: str  # an outcome, working, or dropped out
    review: str
    answered: int  # trials
    given: int  # trials assigned
    minutes: float  # from the first page to the last activity
    idle_minutes: float  # since the last activity
    trial_seconds: float | None  # median
    ghost: bool = False  # holds a place, or waits for one, and has answered nothing but the consent
    due: bool = False  # may begin a later session now
    later: str = ""  # where they stand between sessions, such as "session 2 due"


def participant_list(store: Store, now: float) -> list[ParticipantSummary]:
    """All participants of the study's mode, the most recently active first."""
    lease = 60 * store.study.definition.lease

    def work(connection: Connection) -> list[ParticipantSummary]:
        assigned = {
            r.participant_id: r.n
            for r in connection.execute(
                select(assignments.c.participant_id, func.count().label("n")).group_by(
                    assignments.c.participant_id
                )
            )
        }
        quiet = set(connection.execute(select(participants.c.id).where(is_ghost(store.mode))).scalars())
        seconds: dict[int, list[float]] = {}
        for r in connection.execute(
            select(pages.c.participant_id, pages.c.seconds).where(
                pages.c.kind == "block", pages.c.submitted.is_not(None)
            )
        ):
            seconds.setdefault(r.participant_id, []).append(r.seconds or 0.0)
        between = sessions.everyone(store.study, connection, now)
        summaries = []
        for p in connection.execute(
            select(participants)
            .where(participants.c.mode == store.mode)
            .order_by(participants.c.last_seen.desc(), participants.c.id)
        ):
            trial_seconds = seconds.get(p.id, [])
            summaries.append(
                ParticipantSummary(
                    participant=p.id,
                    id=short_id(p.hash),
                    state=p.outcome or _activity(p, now, lease),
                    review=p.review,
                    answered=len(trial_seconds),
                    given=assigned.get(p.id, 0),
                    minutes=max(0.0, (p.finished or p.last_seen) - p.created) / 60,
                    idle_minutes=max(0.0, now - p.last_seen) / 60,
                    trial_seconds=median(trial_seconds) if trial_seconds else None,
                    ghost=p.id in quiet,
                    due=p.id in between and between[p.id][0].state == "due",
                    later=_between(between[p.id][0], now) if p.id in between else "",
                )
            )
        return summaries

    return store.database.read(work)


def _between(where: Standing, now: float) -> str:
    """Where someone stands between sessions, in words."""
    if where.state == "done":
        return "all sessions done"
    hours = {"early": (where.opens - now) / 3600, "due": (where.closes - now) / 3600}.get(where.state, 0.0)
    rest = {"early": f", opens in {hours:.1f} h", "due": f", closes in {hours:.1f} h"}.get(where.state, "")
    state = {"early": "not open yet", "working": "begun", "late": "missed"}.get(where.state, where.state)
    return f"session {where.session} {state}{rest}"


def is_ghost(mode: str) -> Any:
    """The condition under which a participant reserves a place and has answered nothing but the consent."""
    answered = select(pages.c.participant_id).where(
        pages.c.submitted.is_not(None), pages.c.kind.not_in(("consent", "outdated"))
    )
    return and_(participants.c.mode == mode, participants.c.outcome == "", participants.c.id.not_in(answered))


def _activity(participant: Any, now: float, lease: float) -> str:
    return "working" if abs(now - participant.last_seen) <= lease else "dropped out"
