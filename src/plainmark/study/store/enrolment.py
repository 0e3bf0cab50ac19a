"""Admitting participants. A place is reserved here and nowhere else, together with the consent if a study begins with one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from ...errors import StoreError
from ..definition.pages import ConsentPage
from ..pages import Page, make_page
from . import allocation, removal, sessions, steps
from .steps import UNKNOWN_SCREEN, Screen, Standing
from .store import Session, Store
from .tables import participants

_MAX_ID = 400


def check_id(external: str) -> None:
    """Refuse an id that cannot be one."""
    if not external.strip() or len(external) > _MAX_ID:
        raise StoreError("a participant's id is empty or too long.")


def find(store: Store, external: str) -> Session | None:
    """The session of a participant, or None if they have not begun."""
    check_id(external)
    hashed = store.hash_of(external)

    def work(connection: Connection) -> Session | None:
        row = connection.execute(
            select(participants).where(participants.c.hash == hashed, participants.c.mode == store.mode)
        ).first()
        return None if row is None else Session(row.token, row.outcome, participant=row.id)

    return store.database.read(work)


def consent_page(store: Store, token: str) -> Page | None:
    """The consent with which a study begins, as someone sees it who has no session yet; None: it begins with another page."""
    template = store.study.definition.pages[0]
    if not isinstance(template, ConsentPage):
        return None
    definition = store.study.definition
    others = len(definition.pages) - len(definition.blocks)
    count = others + definition.per_participant + len(definition.checks.attention)
    return make_page(template, {}, token=token, messages=store.study.messages, pages=count)


def may_return(store: Store, external: str, now: float) -> Standing | None:
    """The later session that someone may begin in a browser that is not known: it is open, and the definition allows it."""
    if store.study.definition.recruit.returning != "any_browser":
        return None
    hashed = store.hash_of(external)

    def work(connection: Connection) -> Standing | None:
        return _due(store, connection, hashed, now)[1]

    return store.database.read(work)


def return_with(store: Store, external: str, token: str, now: float) -> Session:
    """Begin a later session in another browser: the session's secret is replaced by that browser's."""
    hashed = store.hash_of(external)

    def work(connection: Connection) -> Session:
        person, where = _due(store, connection, hashed, now, lock=True)
        if person is None or where is None:  # begun meanwhile, by somebody else perhaps
            return Session("", "taken")
        this_one = participants.c.id == person.id
        connection.execute(update(participants).where(this_one).values(token=token))
        return Session(token, person.outcome, participant=person.id)

    return store.database.write(work)


def _due(
    store: Store, connection: Connection, hashed: str, now: float, *, lock: bool = False
) -> tuple[Row[Any] | None, Standing | None]:
    """A participant, and the later session that they may begin now."""
    query = select(participants).where(participants.c.hash == hashed, participants.c.mode == store.mode)
    person = connection.execute(query.with_for_update() if lock else query).first()
    where = sessions.standing(store.study, connection, person, now) if person is not None else None
    return person, where if where is not None and where.state == "due" else None


def enrol(
    store: Store,
    external: str,
    now: float,
    *,
    recruiter_study: str = "",
    token: str = "",
    consent: Mapping[str, str] | None = None,
    client_seconds: float | None = None,
    screen: Screen = UNKNOWN_SCREEN,
) -> Session:
    """Admit a participant, or find them again. A new participant for whom there is no work gets no session.

    `token` is the secret of the new session; a participant who is known by another one is "taken", and nothing of their
    session is returned. `consent` is the form of the first page, stored with the same commit; who declines takes no place.
    """
    check_id(external)
    hashed = store.hash_of(external)
    declined = consent is not None and consent.get("consent") != "yes"

    def work(connection: Connection) -> Session:
        row = connection.execute(
            select(participants).where(participants.c.hash == hashed, participants.c.mode == store.mode)
        ).first()
        if row is not None:
            if token and row.token != token:
                return Session("", "taken")
            return Session(row.token, row.outcome, participant=row.id)
        if removal.is_withdrawn(connection, store.key, hashed):
            return Session("", "withdrawn")
        if not declined:
            if store._is_paused(connection):
                return Session("", "paused")
            allocation.take_turn(connection)
            if not allocation.has_place(connection, store.study, now):
                return Session("", "full")
        person = connection.execute(
            insert(participants)
            .values(
                mode=store.mode,
                hash=hashed,
                token=token or secrets.token_urlsafe(24),
                step=0,
                outcome="",
                review="",
                recruiter_study=recruiter_study[:80],
                created=now,
                last_seen=now,
                finished=None,
            )
            .returning(participants)
        ).one()
        if consent is not None:
            revision = steps.revision(store.study, connection)
            page = steps.advance(store.study, connection, person, revision, now)
            if isinstance(page, steps.Finished):
                raise StoreError("the study has no pages.")
            store.take(
                connection,
                person,
                page,
                consent,
                now,
                client_seconds=client_seconds,
                screen=screen,
                advance=True,
            )
        elif token:  # in the browser; a program asks for its first page itself
            steps.advance(store.study, connection, person, steps.revision(store.study, connection), now)
        return Session(person.token, new=True, participant=person.id)

    return store.database.write(work)
