"""A study's answers: who takes part, what they were given, what they said. All times come in; nothing here reads a clock.

    store = Store.open(study)                       sqlite:///FOLDER/answers.db, or a PostgreSQL address
    store.begin(now)                                registers the definition's revision and its cells
    session = store.enrol("their id", now)          the same person gets the same session again
    page = store.next_page(session.token, now)      a Page to show, or Finished
    done = store.submit(session.token, page.token, form, now)

An answer is acknowledged only after its commit. A page is taken once: the same token again says "repeated" and changes
nothing. What comes after a lease ran out is kept and marked as late. Looking at answers: overview.py; taking care of them:
care.py.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ..errors import RevisionError, StoreError
from . import allocation
from .database import Database
from .definition import Attention, Block, Outcome, Survey
from .identity import participant_hash, study_key
from .items import Item
from .loading import Study, key_of
from .pages import Page, Problem, Sheet, is_right, lay_out, make_page, read_form
from .tables import (
    answers,
    assignments,
    audit,
    cells,
    pages,
    participants,
    resubmissions,
    revisions,
    settings,
)

FILE = "answers.db"
_LONGEST_ID = 400
_FRESH = 20.0  # seconds since someone was here in which no lease of theirs can have run out; the shortest is a minute


@dataclass(frozen=True)
class Session:
    """A person's way through the study; `token` is their secret."""

    token: str
    outcome: Outcome | Literal["", "paused"] = ""  # set: there is nothing (more) to do
    new: bool = False
    participant: int = 0  # 0: not let in


@dataclass(frozen=True)
class Finished:
    """There is no further page. `url` leads back to the recruiter if this outcome has a code."""

    outcome: Outcome | Literal["paused"]
    url: str = ""


@dataclass(frozen=True)
class Feedback:
    """What a practice page says to an answer."""

    name: str
    text: str
    right: bool | None
    message: str


@dataclass(frozen=True)
class Submitted:
    """What became of a submit. stored and repeated are acknowledged: the answers are in the database."""

    status: Literal["stored", "repeated", "invalid", "unknown"]
    problems: tuple[Problem, ...] = ()
    page: Page | None = None  # the page to show again when invalid
    late: bool = False
    feedback: tuple[Feedback, ...] = ()


class Store:
    """The answers of one study in one mode."""

    def __init__(self, study: Study, database: Database, key: bytes) -> None:
        self.study, self.database, self._key = study, database, key
        self.mode = study.definition.mode

    @classmethod
    def open(
        cls,
        study: Study,
        url: str = "",
        *,
        key: bytes | None = None,
        serving: bool = False,
        create: bool = True,
        patience: float = 5.0,
    ) -> Self:
        """Open a study's database, made and migrated if need be; `serving` keeps a second server off an SQLite file."""
        url = url or default_url(study.folder)
        database = Database(url, create=create, patience=patience)
        if serving:
            database.serve_alone()
        return cls(study, database, study_key(study.folder) if key is None else key)

    def close(self) -> None:
        """Give connections and lock back."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def begin(self, now: float, *, new_revision: bool = False) -> int:
        """Register the definition; its revision's number. A changed one with answers present needs `new_revision`."""

        def work(connection: Connection) -> int:
            allocation.take_turn(connection)
            mine = revisions.c.mode == self.mode
            known = connection.execute(
                select(revisions.c.id).where(mine, revisions.c.digest == self.study.digest)
            ).scalar()
            last = connection.execute(select(func.max(revisions.c.id)).where(mine)).scalar()
            if known is not None and known == last:
                return int(known)
            answered = connection.execute(
                select(func.count())
                .select_from(answers.join(participants, participants.c.id == answers.c.participant_id))
                .where(participants.c.mode == self.mode)
            ).scalar_one()
            if answered and not new_revision:
                raise RevisionError(
                    f"{self.study.folder}: the definition changed after {answered} answers were given. Change it back,"
                    " or start with --new-revision: every answer keeps the revision it belongs to."
                )
            if known is not None:  # changed back to an older one: it becomes the newest
                connection.execute(
                    update(revisions)
                    .where(revisions.c.id == known)
                    .values(digest=f"{self.study.digest[:48]}-{now:.0f}"[:64])
                )
            made = connection.execute(
                insert(revisions)
                .values(mode=self.mode, digest=self.study.digest, created=now)
                .returning(revisions.c.id)
            ).scalar_one()
            allocation.lay_out_cells(connection, self.study)
            return int(made)

        return self.database.write(work)

    def pause(self, paused: bool, now: float) -> None:
        """Let no new people in; those at work may finish."""

        def work(connection: Connection) -> None:
            name = f"paused {self.mode}"
            connection.execute(delete(settings).where(settings.c.name == name))
            if paused:
                connection.execute(insert(settings).values(name=name, value="yes"))
            write_note(connection, now, "pause" if paused else "resume", self.mode)

        self.database.write(work)

    @property
    def paused(self) -> bool:
        """Whether new people are turned away."""
        return self.database.read(self._is_paused)

    def _is_paused(self, connection: Connection) -> bool:
        found = select(settings.c.value).where(settings.c.name == f"paused {self.mode}")
        return connection.execute(found).first() is not None

    def note(self, action: str, detail: str, now: float) -> None:
        """Write an administrator's action down."""
        self.database.write(lambda c: write_note(c, now, action, detail))

    def hash_of(self, external: str) -> str:
        """What the database knows a person by."""
        return participant_hash(self._key, self.study.definition.id, external)

    def enrol(self, external: str, now: float, *, recruiter_study: str = "") -> Session:
        """Let a person in, or find them again. A new person whom there is no work for gets no session."""
        if not external.strip() or len(external) > _LONGEST_ID:
            raise StoreError("a participant's id is empty or too long.")
        known_by = self.hash_of(external)

        def work(connection: Connection) -> Session:
            row = connection.execute(
                select(participants).where(participants.c.hash == known_by, participants.c.mode == self.mode)
            ).first()
            if row is not None:
                return Session(row.token, row.outcome, participant=row.id)
            if self._is_paused(connection):
                return Session("", "paused")
            allocation.take_turn(connection)
            if not allocation.has_place(connection, self.study, now):
                return Session("", "full")
            token = secrets.token_urlsafe(24)
            made = connection.execute(
                insert(participants)
                .values(
                    mode=self.mode,
                    hash=known_by,
                    token=token,
                    step=0,
                    outcome="",
                    review="",
                    recruiter_study=recruiter_study[:80],
                    created=now,
                    last_seen=now,
                    finished=None,
                )
                .returning(participants.c.id)
            ).scalar_one()
            return Session(token, new=True, participant=made)

        return self.database.write(work)

    def session(self, token: str) -> Session | None:
        """The session of a token, if there is one."""

        def work(connection: Connection) -> Session | None:
            row = self._person(connection, token)
            return None if row is None else Session(row.token, row.outcome, participant=row.id)

        return self.database.read(work)

    def _person(self, connection: Connection, token: str, *, lock: bool = False) -> Row[Any] | None:
        query = select(participants).where(participants.c.token == token, participants.c.mode == self.mode)
        return connection.execute(query.with_for_update() if lock else query).first()

    def next_page(self, token: str, now: float) -> Page | Finished:
        """The page a person is at: the one they left, or a new one. Opening it again changes nothing."""

        def look(connection: Connection) -> Page | Finished | None:
            """Where there is nothing to write, as most often after `submit(advance=True)`: nobody waits for a turn."""
            person = self._person(connection, token)
            if person is not None and person.outcome:
                return self.finished(person.outcome)
            if person is None or now - person.last_seen > _FRESH:
                return None
            waiting = self._waiting(connection, person.id)
            return None if waiting is None else self._page(connection, waiting)

        found = self.database.read(look)
        if found is not None:
            return found

        def work(connection: Connection) -> Page | Finished:
            person = self._person(connection, token, lock=True)
            if person is None:
                raise StoreError("no such session.")
            if person.outcome:
                return self.finished(person.outcome)
            connection.execute(
                update(participants).where(participants.c.id == person.id).values(last_seen=now)
            )
            allocation.renew(connection, self.study, person.id, now)
            waiting = self._waiting(connection, person.id)
            if waiting is not None:
                return self._page(connection, waiting)
            return self._advance(connection, person, now)

        return self.database.write(work)

    def _waiting(self, connection: Connection, person: int) -> Row[Any] | None:
        """The page that a person has open."""
        return connection.execute(
            select(pages)
            .where(pages.c.participant_id == person, pages.c.submitted.is_(None))
            .order_by(pages.c.position.desc())
            .limit(1)
        ).first()

    def finished(self, outcome: Any) -> Finished:
        """The end, and where it leads."""
        return Finished(outcome, "" if outcome == "paused" else self.study.return_url(outcome))

    def _advance(self, connection: Connection, person: Row[Any], now: float) -> Page | Finished:
        """Open the next page, or end."""
        sheets = self.study.definition.pages
        step = person.step
        visited = {
            (r.step, r.part): r
            for r in connection.execute(select(pages).where(pages.c.participant_id == person.id))
        }
        while step < len(sheets):
            sheet = sheets[step]
            if isinstance(sheet, Block):
                given = connection.execute(
                    select(assignments)
                    .where(assignments.c.participant_id == person.id)
                    .order_by(assignments.c.position)
                ).all()
                if not given:
                    if not allocation.give_block(connection, self.study, person.id, now):
                        return self._end(connection, person.id, "full", now)
                    continue
                opened = {r.assignment_id for r in visited.values()}
                left = [a for a in given if a.id not in opened and a.state == "leased"]
                trials = sum(a.id in opened for a in given)
                for number, attention in enumerate(self.study.definition.checks.attention):
                    due = attention.after <= trials or not left
                    if due and (step, -1 - number) not in visited:
                        return self._open(connection, person.id, now, step, -1 - number, attention)
                if left:
                    return self._open(connection, person.id, now, step, left[0].position, sheet, left[0])
            elif (step, 0) not in visited:
                return self._open(connection, person.id, now, step, 0, sheet)
            step += 1
            connection.execute(update(participants).where(participants.c.id == person.id).values(step=step))
        failed = self._failures(connection, person.id) > self.study.definition.checks.allowed_failures
        return self._end(connection, person.id, "failed_checks" if failed else "complete", now)

    def _open(
        self,
        connection: Connection,
        person: int,
        now: float,
        step: int,
        part: int,
        sheet: Sheet,
        given: Row[Any] | None = None,
    ) -> Page:
        item = self.study.item(given.item) if given else None
        arm = next(a for a in self.study.arms if a.id == given.arm) if given else None
        position = connection.execute(
            select(func.count()).select_from(pages).where(pages.c.participant_id == person)
        ).scalar_one()
        rng = np.random.default_rng([self.study.definition.design.seed, person, position])
        row = connection.execute(
            insert(pages)
            .values(
                participant_id=person,
                revision_id=self._revision(connection),
                position=position,
                step=step,
                part=part,
                assignment_id=given.id if given else None,
                kind="attention" if part < 0 else sheet.tag,  # type: ignore[union-attr]
                token=secrets.token_urlsafe(24),
                layout=json.dumps(lay_out(sheet, arm, item, rng)),
                opened=now,
            )
            .returning(pages)
        ).one()
        return self._page(connection, row)

    def _revision(self, connection: Connection) -> int:
        found = connection.execute(
            select(func.max(revisions.c.id)).where(revisions.c.mode == self.mode)
        ).scalar()
        if found is None:
            raise StoreError("the study was not begun; call begin first.")
        return int(found)

    def _page(self, connection: Connection, row: Row[Any]) -> Page:
        """A stored page as it was drawn."""
        sheet, item = self._sheet(connection, row)
        given = (
            select(func.count())
            .select_from(assignments)
            .where(assignments.c.participant_id == row.participant_id)
        )
        trials = connection.execute(given).scalar_one()
        before = (
            select(func.count())
            .select_from(pages)
            .where(
                pages.c.participant_id == row.participant_id,
                pages.c.kind == "block",
                pages.c.position <= row.position,
            )
        )
        definition = self.study.definition
        return make_page(
            sheet,
            json.loads(row.layout),
            token=row.token,
            item=item,
            trial=connection.execute(before).scalar_one() if row.kind == "block" else 0,
            trials=trials,
            position=row.position,
            pages=len(definition.pages)
            - 1
            + (trials or definition.design.per_participant)
            + len(definition.checks.attention),
        )

    def _sheet(self, connection: Connection, row: Row[Any]) -> tuple[Sheet, Item | None]:
        sheet: Sheet = self.study.definition.pages[row.step]
        if row.kind == "attention":
            return self.study.definition.checks.attention[-1 - row.part], None
        if row.assignment_id is None:
            return sheet, None
        given = connection.execute(select(assignments).where(assignments.c.id == row.assignment_id)).one()
        return sheet, self.study.item(given.item)

    def submit(
        self,
        token: str,
        page_token: str,
        form: Mapping[str, str],
        now: float,
        *,
        client_seconds: float | None = None,
        advance: bool = False,
    ) -> Submitted:
        """Take a page's form. Only after this returns "stored" or "repeated" may anyone be told that it is safe.

        `advance` opens the next page with the same commit, unless there is feedback to read before.
        """

        def work(connection: Connection) -> Submitted:
            person = self._person(connection, token, lock=True)
            row = (
                None
                if person is None
                else connection.execute(
                    select(pages).where(pages.c.token == page_token, pages.c.participant_id == person.id)
                ).first()
            )
            if person is None or row is None:
                return Submitted("unknown")
            if row.submitted is not None:
                return self._again(connection, row, form, now)
            sheet, item = self._sheet(connection, row)
            page = self._page(connection, row)
            found, problems = read_form(page, form)
            if problems:
                return Submitted("invalid", tuple(problems), page)
            late = row.assignment_id is not None and not self._claim(connection, row.assignment_id)
            rows = [
                {
                    "participant_id": person.id,
                    "page_id": row.id,
                    "assignment_id": row.assignment_id,
                    "revision_id": row.revision_id,
                    "question": answer.question,
                    "target": answer.target,
                    "value": answer.value,
                    "shown": answer.shown,
                    "asked": answer.asked,
                    "late": late,
                    "created": now,
                }
                for answer in found
            ]
            if rows:
                connection.execute(insert(answers), rows)
            connection.execute(
                update(pages)
                .where(pages.c.id == row.id)
                .values(submitted=now, seconds=now - row.opened, client_seconds=client_seconds)
            )
            connection.execute(
                update(participants).where(participants.c.id == person.id).values(last_seen=now)
            )
            allocation.renew(connection, self.study, person.id, now)
            given = {a.question: a.value for a in found}
            feedback = _feedback(page, given, item) if row.kind == "practice" else ()
            if row.kind == "consent" and given.get("consent") != "yes":
                self._end(connection, person.id, "no_consent", now)
            elif isinstance(sheet, Survey) and any(given.get(q.id) in q.screen_out for q in sheet.questions):
                self._end(connection, person.id, "screened_out", now)
            elif (
                advance and not (feedback or person.outcome) and self._waiting(connection, person.id) is None
            ):
                self._advance(connection, person, now)
            return Submitted("stored", late=late, feedback=feedback)

        return self.database.write(work)

    def _again(self, connection: Connection, row: Row[Any], form: Mapping[str, str], now: float) -> Submitted:
        """A page that was taken before: nothing changes; other words than then are kept aside."""
        page = self._page(connection, row)
        item = self._sheet(connection, row)[1]
        stored = {
            r.question: r.value
            for r in connection.execute(select(answers).where(answers.c.page_id == row.id))
        }
        found, _ = read_form(page, form)
        sent = {a.question: a.value for a in found}
        if sent and sent != stored:
            payload = json.dumps(sent, ensure_ascii=False)[:100_000]
            known = connection.execute(
                select(resubmissions.c.id).where(
                    resubmissions.c.page_id == row.id, resubmissions.c.payload == payload
                )
            ).first()
            if known is None:
                connection.execute(
                    insert(resubmissions).values(
                        participant_id=row.participant_id, page_id=row.id, payload=payload, created=now
                    )
                )
        return Submitted("repeated", feedback=_feedback(page, stored, item) if row.kind == "practice" else ())

    def feedback(self, token: str, page_token: str) -> tuple[Feedback, ...]:
        """What to say to a practice page that was taken."""

        def work(connection: Connection) -> tuple[Feedback, ...]:
            person = self._person(connection, token)
            row = connection.execute(select(pages).where(pages.c.token == page_token)).first()
            if person is None or row is None or row.participant_id != person.id or row.kind != "practice":
                return ()
            stored = {
                r.question: r.value
                for r in connection.execute(select(answers).where(answers.c.page_id == row.id))
            }
            return _feedback(self._page(connection, row), stored, None)

        return self.database.read(work)

    def _claim(self, connection: Connection, assignment: int) -> bool:
        """Whether an answer is in time: its cell is the person's, or nobody has taken it since."""
        row = connection.execute(
            select(assignments).where(assignments.c.id == assignment).with_for_update()
        ).one()
        if row.state == "released":
            free = connection.execute(
                update(cells).where(cells.c.id == row.cell_id, cells.c.state == "free").values(state="leased")
            ).rowcount
            if not free:
                return False
        elif row.state != "leased":
            return False
        connection.execute(update(assignments).where(assignments.c.id == assignment).values(state="done"))
        allocation.settle(connection, row.cell_id)
        return True

    def _end(self, connection: Connection, person: int, outcome: Outcome, now: float) -> Finished:
        connection.execute(
            update(participants).where(participants.c.id == person).values(outcome=outcome, finished=now)
        )
        replace = outcome == "failed_checks" and self.study.definition.checks.on_failure == "replace"
        allocation.give_back(
            connection, person, "rejected" if replace else "released", only_leased=not replace
        )
        return self.finished(outcome)

    def _failures(self, connection: Connection, person: int) -> int:
        """Attention trials that were answered wrong."""
        wrong = 0
        query = select(answers.c.value, pages.c.part).join(pages, pages.c.id == answers.c.page_id)
        for row in connection.execute(
            query.where(pages.c.participant_id == person, pages.c.kind == "attention")
        ):
            attention: Attention = self.study.definition.checks.attention[-1 - row.part]
            wrong += row.value != attention_key(attention)
        return wrong


def default_url(folder: str | Path) -> str:
    """The SQLite file of a study's folder."""
    return f"sqlite:///{(Path(folder) / FILE).resolve()}"


def attention_key(attention: Attention) -> str:
    """The right answer of an attention trial, as it is stored."""
    return key_of(attention.question, None)


def _feedback(page: Page, given: Mapping[str, str], item: Item | None) -> tuple[Feedback, ...]:
    out = []
    for asked in page.questions:
        value = given.get(asked.key)
        right = None if value is None else is_right(asked, value, item)
        if asked.question.feedback or right is not None:
            out.append(Feedback(asked.name, asked.text, right, asked.question.feedback))
    return tuple(out)


def write_note(connection: Connection, now: float, action: str, detail: str) -> None:
    connection.execute(insert(audit).values(created=now, action=action[:40], detail=detail[:2000]))
