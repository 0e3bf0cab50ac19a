"""Looking at a study: progress, participants, flags, reviews, and answers in long form. Only reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import Any

from sqlalchemy import Connection, and_, func, select

from ..definition.models import OUTCOMES
from ..definition.questions import Question
from .steps import attention_key
from .store import Store
from .tables import answers, assignments, audit, cells, pages, participants, revisions, settings

ANONYMOUS_IMPORT = "people unknown"  # a setting: the imported file does not say who gave the answers
_MIN_ANSWERS = 5  # to one question, for straightlining
_CLOSED = ("mcq", "likert", "slider", "pairwise", "yesno")


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


@dataclass(frozen=True)
class Flag:
    """Something about a participant that an administrator should look at."""

    participant: int
    kind: str  # attention, fast, straightlining, late, resubmitted
    detail: str


@dataclass(frozen=True)
class AnswerRow:
    """One answer in long form. `counted` is False for late, rejected, surplus-of-rejected or hidden questions."""

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


def progress(store: Store, now: float) -> StudyProgress:
    """The progress of the study in its mode."""

    def work(connection: Connection) -> StudyProgress:
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
        for row in connection.execute(select(participants).where(participants.c.mode == mode)):
            people[row.outcome or _activity(row, now, lease)] += 1
            if row.outcome == "complete" and row.finished:
                minutes.append((row.finished - row.created) / 60)
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
        )

    return store.database.read(work)


def answer_rows(store: Store, *, mode: str = "") -> list[AnswerRow]:
    """All answers of a mode in the order in which they were given."""
    return store.database.read(lambda c: list(_rows(c, mode or store.mode)))


def _rows(connection: Connection, mode: str) -> Iterator[AnswerRow]:
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
        yield AnswerRow(
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
    """Flags of everyone who answered too fast, always alike, late, or failed an attention trial."""
    checks = store.study.definition.checks
    block = {q.id: q for q in store.study.definition.block.questions}

    def work(connection: Connection) -> list[Flag]:
        flagged: list[Flag] = []
        in_mode = participants.c.mode == store.mode
        joined = select(answers, pages.c.kind, pages.c.part).join(pages, pages.c.id == answers.c.page_id)
        by_participant: dict[int, list[Any]] = {}
        for row in connection.execute(
            joined.join(participants, participants.c.id == answers.c.participant_id)
            .where(in_mode)
            .order_by(answers.c.id)
        ):
            by_participant.setdefault(row.participant_id, []).append(row)
        for participant, rows in by_participant.items():
            wrong = sum(
                r.kind == "attention" and r.value != attention_key(checks.attention[-1 - r.part])
                for r in rows
            )
            if wrong:
                flagged.append(
                    Flag(participant, "attention", f"{wrong} of {len(checks.attention)} trials wrong")
                )
            for question, share, count in straightlining(
                [(r.question.partition("[")[0], r.shown, r.value) for r in rows if r.kind == "block"], block
            ):
                if checks.straightlining and share >= checks.straightlining:
                    flagged.append(
                        Flag(
                            participant, "straightlining", f"{question}: {share:.0%} of {count} answers alike"
                        )
                    )
            late = len({r.assignment_id for r in rows if r.late})
            if late:
                flagged.append(Flag(participant, "late", f"{late} trials after the lease ran out"))
        if checks.minimum_seconds:
            fast = connection.execute(
                select(
                    pages.c.participant_id, func.count().label("n"), func.min(pages.c.seconds).label("least")
                )
                .join(participants, participants.c.id == pages.c.participant_id)
                .where(in_mode, pages.c.kind == "block", pages.c.seconds < checks.minimum_seconds)
                .group_by(pages.c.participant_id)
            )
            flagged += [
                Flag(r.participant_id, "fast", f"{r.n} trials, the fastest {r.least:.1f} s") for r in fast
            ]
        return sorted(flagged, key=lambda f: (f.participant, f.kind, f.detail))

    return store.database.read(work)


@dataclass(frozen=True)
class Review:
    """A participant's first answers, and whether they were accepted."""

    participant: int
    review: str  # "", accepted, rejected
    answers: tuple[tuple[str, str, str], ...]  # text shown, question, value


def reviews(store: Store) -> list[Review]:
    """The first answers of each participant, as many as the definition says, unreviewed ones first."""
    count = store.study.definition.checks.review

    def work(connection: Connection) -> list[Review]:
        first_answers: dict[int, list[tuple[str, str, str]]] = {}
        verdicts: dict[int, str] = {}
        for r in connection.execute(
            select(answers, assignments.c.item, assignments.c.arm, participants.c.review)
            .join(assignments, assignments.c.id == answers.c.assignment_id)
            .join(participants, participants.c.id == answers.c.participant_id)
            .where(participants.c.mode == store.mode)
            .order_by(answers.c.id)
        ):
            answered = first_answers.setdefault(r.participant_id, [])
            verdicts[r.participant_id] = r.review
            if len(answered) < count:
                item = store.study.item(r.item)
                with_source = store.study.definition.shows_source
                shown = (not with_source and item.texts.get(r.arm)) or store.study.source_of(item)
                answered.append((shown, r.question, r.value))
        return sorted(
            (Review(p, verdicts[p], tuple(a)) for p, a in first_answers.items() if a),
            key=lambda r: (r.review != "", r.participant),
        )

    return store.database.read(work)


def audit_log(store: Store) -> list[tuple[str, str, str]]:
    """Time, action and details of what administrators did, latest first."""
    query = select(audit).order_by(audit.c.id.desc())
    return store.database.read(lambda c: [(_iso(r.created), r.action, r.detail) for r in c.execute(query)])


def revision_list(store: Store) -> list[tuple[int, str, str]]:
    """The number, digest and time of each revision of this mode."""
    query = select(revisions).where(revisions.c.mode == store.mode).order_by(revisions.c.id)
    return store.database.read(lambda c: [(r.id, r.digest, _iso(r.created)) for r in c.execute(query)])


@dataclass(frozen=True)
class ParticipantSummary:
    """A participant, by number: the database knows no names."""

    participant: int
    state: str  # an outcome, working, or dropped out
    review: str
    answered: int  # trials
    given: int  # trials assigned
    minutes: float  # from the first page to the last activity
    idle_minutes: float  # since the last activity
    trial_seconds: float | None  # median
    ghost: bool = False  # holds a place, or waits for one, and has answered nothing but the consent


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
                    state=p.outcome or _activity(p, now, lease),
                    review=p.review,
                    answered=len(trial_seconds),
                    given=assigned.get(p.id, 0),
                    minutes=((p.finished or p.last_seen) - p.created) / 60,
                    idle_minutes=max(0.0, now - p.last_seen) / 60,
                    trial_seconds=median(trial_seconds) if trial_seconds else None,
                    ghost=p.id in quiet,
                )
            )
        return summaries

    return store.database.read(work)


def is_ghost(mode: str) -> Any:
    """The condition under which a participant reserves a place and has answered nothing but the consent."""
    answered = select(pages.c.participant_id).where(
        pages.c.submitted.is_not(None), pages.c.kind.not_in(("consent", "outdated"))
    )
    return and_(participants.c.mode == mode, participants.c.outcome == "", participants.c.id.not_in(answered))


def straightlining(
    answers_given: Iterable[tuple[str, int | None, str]], questions: Mapping[str, Question]
) -> list[tuple[str, float, int]]:
    """The share of the most frequent answer to each closed question, and how many answers there are.

    `answers_given` has the question's id, the place on the screen and the value of each answer. Options that are shuffled are
    compared by their place on the screen, scales by their value. Multiple-choice questions of one page are taken together,
    as a person goes down the page.
    """
    places: dict[str, Counter[str]] = {}
    for name, place, value in answers_given:
        kind = questions[name].type if name in questions else ""
        if kind in _CLOSED:
            group = "mcq" if kind == "mcq" else name
            places.setdefault(group, Counter())[str(place) if kind in ("mcq", "pairwise") else value] += 1
    totals = {name: count.total() for name, count in places.items()}
    return [
        (name, count.most_common(1)[0][1] / totals[name], totals[name])
        for name, count in places.items()
        if totals[name] >= _MIN_ANSWERS
    ]


def _activity(participant: Any, now: float, lease: float) -> str:
    return "working" if now - participant.last_seen <= lease else "dropped out"


def _iso(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
