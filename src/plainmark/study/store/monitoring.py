"""Looking at a study's answers: progress, flags, and rows in long form. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, select

from ..definition.models import OUTCOMES
from .steps import attention_key
from .store import Store
from .straightlining import straightline
from .tables import answers, assignments, audit, cells, pages, participants, revisions, settings

NOBODY_KNOWN = "people unknown"  # a setting: answers were imported without saying who gave them


@dataclass(frozen=True)
class Progress:
    """How far a study is."""

    mode: str
    cells: int  # that the design asks for
    done: int
    leased: int
    free: int
    surplus: int  # trials answered beyond the design
    late: int  # trials answered after their lease ran out
    people: dict[str, int]  # by outcome; "working" and "dropped out" among them
    median_minutes: float | None
    by_cell: dict[tuple[str, str], tuple[int, int]]  # (item, arm) -> answered, asked for
    paused: bool


@dataclass(frozen=True)
class Flag:
    """Something about one person that someone should look at."""

    participant: int
    kind: str  # attention, fast, straightlining, late, resubmitted
    detail: str


@dataclass(frozen=True)
class Row:
    """One answer in long form. `counted` is False for late, rejected, surplus-of-rejected or unasked answers."""

    participant: str  # the keyed hash
    mode: str
    revision: int
    page: str  # consent, practice, block, attention, survey
    item: str
    arm: str
    replicate: int | None
    question: str
    target: str
    value: str
    shown: int | None
    position: int
    seconds: float | None
    opened: str
    submitted: str
    asked: bool
    late: bool
    surplus: bool
    outcome: str
    review: str
    counted: bool


def progress(store: Store, now: float) -> Progress:
    """How far the study is in its mode."""

    def work(connection: Connection) -> Progress:
        mode, lease = store.mode, 60 * store.study.definition.lease
        states: Counter[str] = Counter()
        by_cell: dict[tuple[str, str], list[int]] = {}
        surplus = 0
        for row in connection.execute(
            select(cells.c.item, cells.c.arm, cells.c.state, cells.c.surplus, func.count().label("n"))
            .where(cells.c.mode == mode, cells.c.retired.is_(False))
            .group_by(cells.c.item, cells.c.arm, cells.c.state, cells.c.surplus)
        ):
            if row.surplus:
                surplus += row.n if row.state == "done" else 0
                continue
            states[row.state] += row.n
            pair = by_cell.setdefault((row.item, row.arm), [0, 0])
            pair[0] += row.n if row.state == "done" else 0
            pair[1] += row.n
        people: Counter[str] = Counter(dict.fromkeys([*OUTCOMES, "working", "dropped out"], 0))
        minutes = []
        for person in connection.execute(select(participants).where(participants.c.mode == mode)):
            here = "working" if now - person.last_seen <= lease else "dropped out"
            people[person.outcome or here] += 1
            if person.outcome == "complete" and person.finished:
                minutes.append((person.finished - person.created) / 60)
        if connection.execute(select(settings).where(settings.c.name == NOBODY_KNOWN)).first():
            people.clear()
        late = connection.execute(
            select(func.count(func.distinct(answers.c.assignment_id)))
            .join(participants, participants.c.id == answers.c.participant_id)
            .where(participants.c.mode == mode, answers.c.late.is_(True))
        ).scalar_one()
        return Progress(
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
        )

    return store.database.read(work)


def rows(store: Store, *, mode: str = "") -> list[Row]:
    """All answers of a mode in the order in which they were given."""
    return store.database.read(lambda c: list(_rows(c, mode or store.mode)))


def _rows(connection: Connection, mode: str) -> Iterator[Row]:
    query = (
        select(
            answers,
            participants.c.hash,
            participants.c.outcome,
            participants.c.review,
            pages.c.kind,
            pages.c.position,
            pages.c.seconds,
            pages.c.opened,
            pages.c.submitted,
            assignments.c.item,
            assignments.c.arm,
            assignments.c.state,
            cells.c.replicate,
            cells.c.surplus,
        )
        .join(participants, participants.c.id == answers.c.participant_id)
        .join(pages, pages.c.id == answers.c.page_id)
        .outerjoin(assignments, assignments.c.id == answers.c.assignment_id)
        .outerjoin(cells, cells.c.id == assignments.c.cell_id)
        .where(participants.c.mode == mode)
        .order_by(answers.c.id)
    )
    for r in connection.execute(query):
        counted = r.asked and not r.late and r.state != "rejected" and r.review != "rejected"
        yield Row(
            r.hash,
            mode,
            r.revision_id,
            r.kind,
            r.item or "",
            r.arm or "",
            r.replicate,
            r.question,
            r.target,
            r.value,
            r.shown,
            r.position,
            r.seconds,
            _iso(r.opened),
            _iso(r.submitted),
            r.asked,
            r.late,
            bool(r.surplus),
            r.outcome,
            r.review,
            bool(counted),
        )


def flags(store: Store) -> list[Flag]:
    """Everyone who answered too fast, always alike, late, or failed a trial of attention."""
    checks = store.study.definition.checks
    block = {q.id: q for q in store.study.definition.block.questions}

    def work(connection: Connection) -> list[Flag]:
        out: list[Flag] = []
        mine = participants.c.mode == store.mode
        joined = select(answers, pages.c.kind, pages.c.part).join(pages, pages.c.id == answers.c.page_id)
        by_person: dict[int, list[Any]] = {}
        for row in connection.execute(
            joined.join(participants, participants.c.id == answers.c.participant_id)
            .where(mine)
            .order_by(answers.c.id)
        ):
            by_person.setdefault(row.participant_id, []).append(row)
        for person, given in by_person.items():
            wrong = sum(
                r.kind == "attention" and r.value != attention_key(checks.attention[-1 - r.part])
                for r in given
            )
            if wrong:
                out.append(Flag(person, "attention", f"{wrong} of {len(checks.attention)} trials wrong"))
            for question, share, count in straightline(
                [(r.question.partition("[")[0], r.shown, r.value) for r in given if r.kind == "block"], block
            ):
                if checks.straightlining and share >= checks.straightlining:
                    out.append(
                        Flag(person, "straightlining", f"{question}: {share:.0%} of {count} answers alike")
                    )
            late = len({r.assignment_id for r in given if r.late})
            if late:
                out.append(Flag(person, "late", f"{late} trials after the lease ran out"))
        if checks.minimum_seconds:
            fast = connection.execute(
                select(
                    pages.c.participant_id, func.count().label("n"), func.min(pages.c.seconds).label("least")
                )
                .join(participants, participants.c.id == pages.c.participant_id)
                .where(mine, pages.c.kind == "block", pages.c.seconds < checks.minimum_seconds)
                .group_by(pages.c.participant_id)
            )
            out += [
                Flag(r.participant_id, "fast", f"{r.n} trials, the fastest {r.least:.1f} s") for r in fast
            ]
        return sorted(out, key=lambda f: (f.participant, f.kind, f.detail))

    return store.database.read(work)


@dataclass(frozen=True)
class Waiting:
    """A person whose first answers someone should look at."""

    participant: int
    review: str  # "", accepted, rejected
    answers: tuple[tuple[str, str, str], ...]  # item's source, question, value


def to_review(store: Store) -> list[Waiting]:
    """The first answers of each person, as many as the definition says, those not yet looked at first."""
    first = store.study.definition.checks.review

    def work(connection: Connection) -> list[Waiting]:
        found: dict[int, list[tuple[str, str, str]]] = {}
        reviews: dict[int, str] = {}
        for r in connection.execute(
            select(answers, assignments.c.item, assignments.c.arm, participants.c.review)
            .join(assignments, assignments.c.id == answers.c.assignment_id)
            .join(participants, participants.c.id == answers.c.participant_id)
            .where(participants.c.mode == store.mode)
            .order_by(answers.c.id)
        ):
            given = found.setdefault(r.participant_id, [])
            reviews[r.participant_id] = r.review
            if len(given) < first:
                item = store.study.item(r.item)
                with_source = store.study.definition.shows_source
                shown = (not with_source and item.texts.get(r.arm)) or store.study.source_of(item)
                given.append((shown, r.question, r.value))
        return sorted(
            (Waiting(p, reviews[p], tuple(a)) for p, a in found.items() if a),
            key=lambda w: (w.review != "", w.participant),
        )

    return store.database.read(work)


def audit_log(store: Store) -> list[tuple[str, str, str]]:
    """When, what and details of what administrators did, the latest first."""
    query = select(audit).order_by(audit.c.id.desc())
    return store.database.read(lambda c: [(_iso(r.created), r.action, r.detail) for r in c.execute(query)])


def revision_list(store: Store) -> list[tuple[int, str, str]]:
    """Number, digest and time of each revision of this mode."""
    query = select(revisions).where(revisions.c.mode == store.mode).order_by(revisions.c.id)
    return store.database.read(lambda c: [(r.id, r.digest, _iso(r.created)) for r in c.execute(query)])


def _iso(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
