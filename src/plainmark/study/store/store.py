"""A study's answers: participants, what they were assigned, what they answered. Times are passed in; no clock is read here.

    store = Store.open(study)                       sqlite:///FOLDER/answers.db, or a PostgreSQL address
    store.begin(now)                                registers the definition's revision and its cells
    session = store.enrol("their id", now)          the same id gets the same session again
    page = store.next_page(session.token, now)      a Page to show, or Finished
    done = store.submit(session.token, page.token, form, now)

An answer is acknowledged only after its commit. A page is stored once: the same token again returns "repeated" and changes
nothing. An answer after its lease ran out is stored and marked as late. monitoring.py reads answers, admin_actions.py
removes and reviews them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from sqlalchemy import Connection, Row, delete, insert, select, update

from ...errors import StoreError
from ..definition.loading import Study
from ..definition.models import Outcome
from ..definition.pages import SurveyPage
from ..definition.questions import chosen
from ..keys import participant_hash, short_id, study_key
from ..pages import Page, Problem, read_form
from . import allocation, quotas, sessions, steps
from .database import Database
from .steps import UNKNOWN_SCREEN, Feedback, Finished, Screen, Standing
from .tables import answers, audit, pages, participants, resubmissions, settings

FILE = "answers.db"


@dataclass(frozen=True)
class Session:
    """A participant's session; `token` is their secret."""

    token: str
    outcome: Outcome | Literal["", "paused", "taken", "withdrawn"] = ""  # set: there is nothing (more) to do
    new: bool = False
    participant: int = 0  # 0: not admitted


@dataclass(frozen=True)
class Submitted:
    """The result of a submit. "stored" and "repeated" are acknowledgements: the answers are in the database.

    "outdated": the page belongs to an older revision of the study; what was sent is set aside, and a new page is drawn.
    """

    status: Literal["stored", "repeated", "invalid", "outdated", "unknown"]
    problems: tuple[Problem, ...] = ()
    page: Page | None = None  # the page to show again when invalid
    late: bool = False
    feedback: tuple[Feedback, ...] = ()


class Store:
    """The answers of one study in one mode."""

    def __init__(self, study: Study, database: Database, key: bytes) -> None:
        self.study, self.database, self.key = study, database, key
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
        """Open a study's database, created and migrated if needed; `serving` keeps a second server off an SQLite file."""
        url = url or default_url(study.folder)
        database = Database(url, create=create, patience=patience)
        if serving:
            database.serve_alone()
        return cls(study, database, study_key(study.folder) if key is None else key)

    def close(self) -> None:
        """Close the connections and release the lock."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def begin(self, now: float, *, new_revision: bool = False) -> int:
        """Register the definition; returns its revision. A definition that changed after answers needs `new_revision`."""

        from .removal import remove_withdrawn

        number = self.database.write(lambda c: steps.register(self.study, c, now, new_revision))
        remove_withdrawn(self, now)
        return number

    def pause(self, paused: bool, now: float, *, actor: str = "") -> None:
        """Admit no new participants; those at work may finish."""

        def work(connection: Connection) -> None:
            name = f"paused {self.mode}"
            connection.execute(delete(settings).where(settings.c.name == name))
            if paused:
                connection.execute(insert(settings).values(name=name, value="yes"))
            write_note(connection, now, "pause" if paused else "resume", self.mode, actor)

        self.database.write(work)

    @property
    def paused(self) -> bool:
        """Whether new participants are turned away."""
        return self.database.read(self._is_paused)

    def _is_paused(self, connection: Connection) -> bool:
        setting = select(settings.c.value).where(settings.c.name == f"paused {self.mode}")
        return connection.execute(setting).first() is not None

    def note(self, action: str, detail: str, now: float, *, actor: str = "") -> None:
        """Log an administrator's action."""
        self.database.write(lambda c: write_note(c, now, action, detail, actor))

    def hash_of(self, external: str) -> str:
        """The hash by which the database knows a participant."""
        return participant_hash(self.key, self.study.definition.id, external)

    def id_of(self, external: str) -> str:
        """The id by which dashboard, report and exports know a participant."""
        return short_id(self.hash_of(external))

    def enrol(self, external: str, now: float, **options: Any) -> Session:
        """Admit a participant, or find them again; `enrolment.enrol` has the options."""
        from .enrolment import enrol

        return enrol(self, external, now, **options)

    def session(self, token: str) -> Session | None:
        """The session of a token, or None."""

        def work(connection: Connection) -> Session | None:
            row = self._person(connection, token)
            return None if row is None else Session(row.token, row.outcome, participant=row.id)

        return self.database.read(work)

    def _person(self, connection: Connection, token: str, *, lock: bool = False) -> Row[Any] | None:
        query = select(participants).where(participants.c.token == token, participants.c.mode == self.mode)
        return connection.execute(query.with_for_update() if lock else query).first()

    def current_page(self, token: str, now: float) -> Page | Finished | None:
        """The page that the participant has open, or the end, without writing; None: `next_page` must open one."""

        def work(connection: Connection) -> Page | Finished | None:
            person = self._person(connection, token)
            if person is None:
                raise StoreError("no such session.")
            where = sessions.standing(self.study, connection, person, now)
            if person.outcome and (where is None or where.state != "working"):
                return self.end_of(person, where)
            open_page = steps.open_page(connection, person.id)
            if open_page is None or not steps.is_current(self.study, connection, open_page):
                return None
            return steps.page_of(self.study, connection, open_page)

        return self.database.read(work)

    def next_page(self, token: str, now: float) -> Page | Finished:
        """The participant's current page: the one they left, or a new one; their lease begins again.

        Who finished a session begins the next one with it, once that is open.
        """

        def work(connection: Connection) -> Page | Finished:
            person = self._person(connection, token, lock=True)
            if person is None:
                raise StoreError("no such session.")
            where = sessions.standing(self.study, connection, person, now)
            if person.outcome and (where is None or where.state not in ("due", "working")):
                return self.end_of(person, where)
            if where is None:
                self._seen(connection, person.id, now)
            elif where.state == "due":
                sessions.begin(connection, person.id, where.session, now)
            else:
                sessions.seen(connection, person.id, where.session, now)
            revision = steps.revision(self.study, connection)
            open_page = steps.open_page(connection, person.id)
            if open_page is not None and open_page.revision_id != revision:
                # Drawn from an older definition and never submitted: a new one is drawn.
                steps.set_aside(connection, open_page.id, now)
            page = self._advance(connection, person, where.session if where else 1, revision, now)
            return page if isinstance(page, Finished) else steps.page_of(self.study, connection, page)

        return self.database.write(work)

    def _advance(
        self, connection: Connection, person: Row[Any], session: int, revision: int, now: float
    ) -> Row[Any] | Finished:
        if session == 1:
            return steps.advance(self.study, connection, person, revision, now)
        return sessions.advance(self.study, connection, person, session, revision, now)

    def finished(self, outcome: Any) -> Finished:
        """The end of the study, and the link back to the recruiter."""
        return steps.finished(self.study, outcome)

    def end_of(self, person: Row[Any], where: Standing | None = None) -> Finished:
        """The end as a participant sees it, who may be between two sessions."""
        if where is not None:
            return sessions.finished(self.study, where)
        by_quota = person.outcome == "full" and bool(person.reason)
        return steps.finished(self.study, person.outcome, quota=by_quota)

    def submit(
        self,
        token: str,
        page_token: str,
        form: Mapping[str, str],
        now: float,
        *,
        client_seconds: float | None = None,
        screen: Screen = UNKNOWN_SCREEN,
        advance: bool = False,
    ) -> Submitted:
        """Store a page's form. Only after this returns "stored" or "repeated" may it be acknowledged.

        `advance` opens the next page with the same commit, unless there is feedback to read first.
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
            revision = steps.revision(self.study, connection)
            outdated = row.revision_id != revision
            if row.submitted is not None:
                return Submitted("repeated") if outdated else self._repeat(connection, row, form, now)
            if outdated:
                self._set_aside(connection, row, dict(form), now)
                return Submitted("outdated")
            return self.take(
                connection,
                person,
                row,
                form,
                now,
                client_seconds=client_seconds,
                screen=screen,
                advance=advance,
            )

        return self.database.write(work)

    def take(
        self,
        connection: Connection,
        person: Row[Any],
        row: Row[Any],
        form: Mapping[str, str],
        now: float,
        *,
        client_seconds: float | None = None,
        screen: Screen = UNKNOWN_SCREEN,
        advance: bool = False,
    ) -> Submitted:
        """Store the form of an open page inside a transaction."""
        template, item = steps.template_of(self.study, connection, row)
        page = steps.drawn(self.study, row, template, item)
        status, draft, problems = steps.take_step(connection, row, page, form, now, client_seconds)
        if status == "complete":
            page_answers, missing = read_form(page, draft.form)
            problems = tuple(missing)
        if problems:
            return Submitted("invalid", problems, steps.page_of(self.study, connection, row))
        if status != "complete":
            self._seen(connection, person.id, now, row.session)
            return Submitted("repeated" if status == "repeated" else "stored")
        late = row.assignment_id is not None and not steps.claim(connection, row.assignment_id)
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
            for answer in page_answers
        ]
        if rows:
            connection.execute(insert(answers), rows)
        connection.execute(
            update(pages)
            .where(pages.c.id == row.id)
            .values(
                submitted=now,
                seconds=now - row.opened if now >= row.opened else None,  # None: the clock was set back
                client_seconds=draft.client_seconds,
                device=screen.device or None,
                viewport=screen.viewport or None,
                draft=None,
            )
        )
        self._seen(connection, person.id, now, row.session)
        values = {a.question: a.value for a in page_answers}
        feedback = steps.feedback_of(page, values, item) if row.kind == "practice" else ()
        if row.session > 1:
            if advance:
                sessions.advance(self.study, connection, person, row.session, row.revision_id, now)
        elif person.outcome:
            pass  # the study ended for them before; what they wrote is stored
        elif row.kind == "consent" and values.get("consent") != "yes":
            steps.end(self.study, connection, person.id, "no_consent", now)
        elif isinstance(template, SurveyPage) and any(
            set(chosen(q, values.get(q.id, ""))) & set(q.screen_out) for q in template.questions
        ):
            steps.end(self.study, connection, person.id, "screened_out", now)
        elif row.kind == "survey" and (quota := quotas.filled(self.study, connection, person.id, now)):
            reason = f"all places for {quota.question}: {', '.join(quota.equals)} are taken"
            steps.end(self.study, connection, person.id, "full", now, reason=reason[:400])
        elif advance and not feedback:
            steps.advance(self.study, connection, person, row.revision_id, now)
        return Submitted("stored", late=late, feedback=feedback)

    def _seen(self, connection: Connection, participant: int, now: float, session: int = 1) -> None:
        """Note that a participant is active; their leases begin again."""
        if session > 1:
            sessions.seen(connection, participant, session, now)
            return
        connection.execute(update(participants).where(participants.c.id == participant).values(last_seen=now))
        allocation.renew(connection, self.study, participant, now)

    def _repeat(
        self, connection: Connection, row: Row[Any], form: Mapping[str, str], now: float
    ) -> Submitted:
        """A page that is already stored: nothing changes; different answers are set aside."""
        template, item = steps.template_of(self.study, connection, row)
        page = steps.drawn(self.study, row, template, item)
        stored = {
            r.question: r.value
            for r in connection.execute(select(answers).where(answers.c.page_id == row.id))
        }
        sent = {a.question: a.value for a in read_form(page, form)[0]}
        one_step = json.loads(row.layout).get("one")  # of several: the form has one question of the page
        before = {k: v for k, v in stored.items() if k in sent} if one_step else stored
        if sent and sent != before:
            self._set_aside(connection, row, sent, now)
        return Submitted(
            "repeated", feedback=steps.feedback_of(page, stored, item) if row.kind == "practice" else ()
        )

    def _set_aside(self, connection: Connection, row: Row[Any], sent: Mapping[str, str], now: float) -> None:
        """Store what a participant sent but cannot be counted."""
        payload = json.dumps(dict(sent), ensure_ascii=False)[:100_000]
        same = (resubmissions.c.page_id == row.id, resubmissions.c.payload == payload)
        if connection.execute(select(resubmissions.c.id).where(*same)).first() is None:
            connection.execute(
                insert(resubmissions).values(
                    participant_id=row.participant_id, page_id=row.id, payload=payload, created=now
                )
            )

    def feedback(self, token: str, page_token: str) -> tuple[Feedback, ...]:
        """The feedback of a submitted practice page."""

        def work(connection: Connection) -> tuple[Feedback, ...]:
            person = self._person(connection, token)
            row = connection.execute(select(pages).where(pages.c.token == page_token)).first()
            if person is None or row is None or row.participant_id != person.id or row.kind != "practice":
                return ()
            stored = {
                r.question: r.value
                for r in connection.execute(select(answers).where(answers.c.page_id == row.id))
            }
            return steps.feedback_of(steps.page_of(self.study, connection, row), stored, None)

        return self.database.read(work)


def default_url(folder: str | Path) -> str:
    """The SQLite file of a study's folder."""
    return f"sqlite:///{(Path(folder) / FILE).resolve()}"


def write_note(connection: Connection, now: float, action: str, detail: str, actor: str = "") -> None:
    """Log an administrator's action inside a transaction."""
    values = {"created": now, "action": action[:40], "detail": detail[:2000], "actor": actor[:80] or None}
    connection.execute(insert(audit).values(**values))
