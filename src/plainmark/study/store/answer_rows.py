"""Answers and participants in long form, as exports and the analysis read them. Only reads.

A participant has one id everywhere: the first twelve digits of the keyed hash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import Any

from sqlalchemy import Connection, func, select

from ..definition.items import Item, key_of, options_of
from ..definition.loading import Study
from ..definition.pages import ConsentPage, RecallPage
from ..definition.questions import (
    NONE,
    UNANSWERABLE,
    Mcq,
    Multiselect,
    Question,
    Spans,
    YesNo,
    chosen,
    letter,
)
from ..keys import short_id
from ..marks import SOURCE, from_json
from ..pages import questions_of
from .flags import flags
from .store import Store
from .tables import answers, assignments, cells, pages, participants, visits

_LONG_TEXT = 20  # characters; shorter texts are the same by chance


@dataclass(frozen=True)
class AnswerRow:
    """One answer in long form; docs/study.md says what each field means."""

    participant: str
    mode: str
    revision: int
    page: str
    order: int
    item: str
    condition: str
    arm: str
    replicate: int | None
    question: str
    target: str
    value: str
    answer: str
    correct: bool | None
    shown: int | None
    position: int
    seconds: float | None
    client_seconds: float | None
    reading_seconds: float | None
    opened: str
    submitted: str
    device: str
    viewport: str
    asked: bool
    late: bool
    surplus: bool
    outcome: str
    review: str
    counted: bool
    flags: str
    block: str = ""
    session: int = 1


@dataclass(frozen=True)
class PersonRow:
    """One participant: how they ended, how long it took, on what device."""

    participant: str
    outcome: str  # empty: not finished
    review: str
    minutes: float | None  # from the first page to the end
    trials: int
    trial_seconds: float | None  # median
    reading_seconds: float | None  # median, of texts on a page of their own
    devices: tuple[str, ...]
    duplicate_of: (
        str  # "pilot" or "live": took part there, too; an id: wrote the same as this earlier participant
    )
    sessions: int = 0  # finished
    delay_hours: float | None = (
        None  # between the end of one session and the beginning of the next, of the last begun
    )


def answer_rows(store: Store, *, mode: str = "") -> list[AnswerRow]:
    """All answers of a mode in the order in which they were given."""
    flagged: dict[str, list[str]] = {}
    for flag in flags(store) if (mode or store.mode) == store.mode else []:
        if flag.kind not in flagged.setdefault(flag.participant, []):
            flagged[flag.participant].append(flag.kind)
    return store.database.read(lambda c: list(_rows(c, store.study, mode or store.mode, flagged)))


def _rows(
    connection: Connection, study: Study, mode: str, flagged: dict[str, list[str]]
) -> Iterator[AnswerRow]:
    query = (
        select(
            answers,
            participants.c.hash,
            participants.c.outcome,
            participants.c.review,
            pages.c.kind,
            pages.c.position,
            pages.c.seconds,
            pages.c.client_seconds,
            pages.c.opened,
            pages.c.read,
            pages.c.submitted,
            pages.c.device,
            pages.c.viewport,
            pages.c.step,
            pages.c.part,
            pages.c.session,
            assignments.c.item,
            assignments.c.arm,
            assignments.c.state,
            cells.c.replicate,
            cells.c.surplus,
            cells.c.block_id,
        )
        .join(participants, participants.c.id == answers.c.participant_id)
        .join(pages, pages.c.id == answers.c.page_id)
        .outerjoin(assignments, assignments.c.id == func.coalesce(pages.c.assignment_id, pages.c.about_id))
        .outerjoin(cells, cells.c.id == assignments.c.cell_id)
        .where(participants.c.mode == mode)
        .order_by(answers.c.id)
    )
    trials: Counter[tuple[str, int]] = Counter()
    trial_of: dict[int, int] = {}
    for r in connection.execute(query):
        if r.kind in ("block", "recall") and r.page_id not in trial_of:
            trials[r.hash, r.session] += 1
            trial_of[r.page_id] = trials[r.hash, r.session]
        counted = r.asked and not r.late and r.state != "rejected" and r.review != "rejected"
        question = _question(study, r, r.question.partition("[")[0])
        item = study.find_item(r.item or "")
        person = short_id(r.hash)
        yield AnswerRow(
            participant=person,
            mode=mode,
            revision=r.revision_id,
            page=r.kind,
            order=trial_of.get(r.page_id, 0),
            item=r.item or "",
            condition=(r.target if r.target in study.definition.conditions else "") or r.arm or "",
            arm=r.arm or "",
            replicate=r.replicate,
            question=r.question,
            target=r.target,
            value=r.value,
            answer=_consent_text(study, r.step, r.value)
            if r.kind == "consent"
            else marked_words(study, item, r.value)
            if isinstance(question, Spans)
            else answer_text(question, item, r.value),
            correct=_correct(question, item, r.value),
            shown=r.shown,
            position=r.position,
            seconds=r.seconds,
            client_seconds=r.client_seconds,
            reading_seconds=None if r.read is None else r.read - r.opened,
            opened=iso_time(r.opened),
            submitted=iso_time(r.submitted),
            device=r.device or "",
            viewport=r.viewport or "",
            asked=r.asked,
            late=r.late,
            surplus=bool(r.surplus),
            outcome=r.outcome,
            review=r.review,
            counted=bool(counted),
            flags=";".join(flagged.get(person, [])),
            block=r.block_id or "",
            session=r.session,
        )


def _question(study: Study, row: Any, name: str) -> Question | None:
    """The question of the definition that an answer belongs to; None if an older revision asked it."""
    definition = study.definition
    if row.kind == "attention":
        number = -1 - row.part
        checks = definition.checks.attention
        asked = checks[number].asked if number < len(checks) else ()
        return next((q for q in asked if q.id == name), None)
    if row.kind == "block":
        return next((q for q in definition.block_questions if q.id == name), None)
    if row.session > len(definition.sessions) + 1:
        return None
    template = dict(enumerate(definition.pages_of(row.session))).get(row.step)
    if template is None or template.kind != row.kind:
        return None
    shown = definition.recalled(template) if isinstance(template, RecallPage) else template
    return next((q for q in questions_of(shown) if q.id == name), None)


def _consent_text(study: Study, step: int, value: str) -> str:
    page = dict(enumerate(study.definition.pages)).get(step)
    if not isinstance(page, ConsentPage):
        return value
    return {"yes": page.agree, "no": page.decline}.get(value, value)


def answer_text(question: Question | None, item: Item | None, value: str) -> str:
    """What the participant chose, in words; the value itself where it is not a letter."""
    if isinstance(question, Mcq):
        if value == UNANSWERABLE:
            return question.unanswerable
        options = options_of(question, item)
        return dict(zip(map(letter, range(len(options))), options, strict=True)).get(value, "")
    if isinstance(question, Multiselect):
        options = options_of(question, item)
        texts = {
            **dict(zip(map(letter, range(len(options))), options, strict=True)),
            NONE: question.exclusive,
        }
        return "; ".join(texts.get(v, v) for v in chosen(question, value))
    if isinstance(question, YesNo) and value in ("yes", "no"):
        return question.labels[value == "no"]
    return value


def marked_words(study: Study, item: Item | None, value: str) -> str:
    """Marks in words: insertion (major): “the words”; ..."""
    if item is None:
        return value
    texts = {SOURCE: study.source_of(item), **item.texts}
    described = []
    for mark in from_json(value):
        words = " … ".join(f"“{texts.get(s.text, '')[s.start : s.end]}”" for s in mark.spans)
        described.append(f"{mark.category}{f' ({mark.severity})' if mark.severity else ''}: {words}")
    return "; ".join(described)


def _correct(question: Question | None, item: Item | None, value: str) -> bool | None:
    if not isinstance(question, (Mcq, Multiselect, YesNo)):
        return None
    key = key_of(question, item)
    return value == key if key else None


def person_rows(store: Store) -> list[PersonRow]:
    """All participants of the study's mode, in the order in which they began."""
    other_mode = "pilot" if store.mode == "live" else "live"

    def work(connection: Connection) -> list[PersonRow]:
        seconds: dict[int, list[float]] = {}
        reading: dict[int, list[float]] = {}
        devices: dict[int, dict[str, None]] = {}
        trials: Counter[int] = Counter()
        for r in connection.execute(
            select(pages).where(pages.c.submitted.is_not(None), pages.c.session == 1)
        ):
            if r.device:
                devices.setdefault(r.participant_id, {})[r.device] = None
            if r.kind == "block":
                trials[r.participant_id] += 1
                if r.read is not None:
                    reading.setdefault(r.participant_id, []).append(r.read - r.opened)
                if r.seconds is not None:
                    seconds.setdefault(r.participant_id, []).append(r.seconds)
        others = select(participants.c.hash).where(participants.c.mode != store.mode)
        elsewhere = set(connection.execute(others).scalars())
        copies = _copied_texts(connection, store)
        later: dict[int, list[Any]] = {}
        for visit in connection.execute(select(visits).order_by(visits.c.session)):
            later.setdefault(visit.participant_id, []).append(visit)
        mine = select(participants).where(participants.c.mode == store.mode).order_by(participants.c.id)
        return [
            PersonRow(
                participant=short_id(p.hash),
                outcome=p.outcome,
                review=p.review,
                minutes=None if p.finished is None else (p.finished - p.created) / 60,
                trials=trials[p.id],
                trial_seconds=median(seconds[p.id]) if p.id in seconds else None,
                reading_seconds=median(reading[p.id]) if p.id in reading else None,
                devices=tuple(devices.get(p.id, ())),
                duplicate_of=other_mode if p.hash in elsewhere else copies.get(p.id, ""),
                sessions=(p.outcome == "complete") + sum(v.finished is not None for v in later.get(p.id, ())),
                delay_hours=_delay(p, later.get(p.id, [])),
            )
            for p in connection.execute(mine)
        ]

    return store.database.read(work)


def _delay(person: Any, begun: list[Any]) -> float | None:
    """Hours from the end of a session to the beginning of the next, of the last that was begun."""
    if not begun:
        return None
    before = begun[-2].finished if len(begun) > 1 else person.finished
    return None if before is None else round((begun[-1].started - before) / 3600, 3)


def _copied_texts(connection: Connection, store: Store) -> dict[int, str]:
    """Who wrote the same long texts as an earlier participant, and whose they were."""
    written: dict[int, list[str]] = {}
    ids: dict[int, str] = {}
    query = (
        select(answers.c.participant_id, answers.c.value, participants.c.hash, pages.c.kind)
        .join(participants, participants.c.id == answers.c.participant_id)
        .join(pages, pages.c.id == answers.c.page_id)
        .where(
            participants.c.mode == store.mode,
            func.length(answers.c.value) >= _LONG_TEXT,
            pages.c.session == 1,
        )
        .order_by(answers.c.id)
    )
    for r in connection.execute(query):
        ids[r.participant_id] = short_id(r.hash)
        written.setdefault(r.participant_id, []).append(" ".join(r.value.lower().split()))
    first: dict[tuple[str, ...], str] = {}
    copies: dict[int, str] = {}
    for person, texts in written.items():
        owner = first.setdefault(tuple(sorted(texts)), ids[person])
        if owner != ids[person]:
            copies[person] = owner
    return copies


def iso_time(seconds: float | None) -> str:
    """A time as text, in UTC."""
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
