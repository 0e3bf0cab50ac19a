"""The steps of a participant through a study, inside a transaction: which page comes next, and when the study ends."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sqlalchemy import Connection, Row, and_, func, insert, select, update

from ...errors import RevisionError, StoreError
from ..definition.items import Item, key_of
from ..definition.loading import Study
from ..definition.models import Attention, Outcome
from ..definition.pages import BlockPage, RecallPage
from ..pages import Page, PageTemplate, Problem, is_right, lay_out, make_page
from ..screens import Draft, plan_steps, step, view
from . import allocation, progress
from .tables import answers, assignments, cells, pages, participants, revisions


@dataclass(frozen=True)
class Screen:
    """What a page was answered on, as far as the browser says."""

    device: str = ""  # phone, tablet, desktop
    viewport: str = ""  # 390x840


UNKNOWN_SCREEN = Screen()


@dataclass(frozen=True)
class Finished:
    """There is no further page. `url` leads back to the recruiter if this outcome has a `code`."""

    outcome: Outcome | Literal["paused", "late"]
    url: str = ""
    code: str = ""
    quota: bool = False  # full, as enough people with the same survey answer take part
    standing: Standing | None = None  # between sessions


@dataclass(frozen=True)
class Standing:
    """Where someone who finished a session stands: the next one, and whether it may begin."""

    session: int
    state: Literal["early", "due", "working", "late", "done"]
    opens: float = 0.0
    closes: float = 0.0


@dataclass(frozen=True)
class Feedback:
    """The feedback on an answer of a practice page."""

    name: str
    text: str
    right: bool | None
    message: str


def finished(study: Study, outcome: Any, *, quota: bool = False) -> Finished:
    """The end of the study, and the link back to the recruiter."""
    if outcome == "paused":
        return Finished(outcome)
    named = "quota" if quota else outcome
    return Finished(outcome, study.return_url(named), study.code(named), quota)


def advance(
    study: Study, connection: Connection, person: Row[Any], revision: int, now: float
) -> Row[Any] | Finished:
    """The participant's open page, or the next one, opened; or the end."""
    definition = study.definition
    step = person.step
    rows = connection.execute(select(pages).where(pages.c.participant_id == person.id)).all()
    unsent = [r for r in rows if r.submitted is None]
    if unsent:
        return max(unsent, key=lambda r: int(r.position))
    visited = {(r.step, r.part) for r in rows}
    asked = {r.part for r in rows if r.kind == "attention"}
    opened = {r.assignment_id for r in rows}
    place = Place(person.id, revision, len(rows), now)
    order = progress.route(definition, person.id)
    while step < len(order):
        index = order[step]
        template = definition.pages[index]
        if isinstance(template, BlockPage):
            assigned = connection.execute(
                select(assignments, cells.c.block_id)
                .join(cells, cells.c.id == assignments.c.cell_id)
                .where(assignments.c.participant_id == person.id)
                .order_by(assignments.c.position)
            ).all()
            if not assigned:
                if not allocation.give_booklet(connection, study, person.id, now):
                    return end(study, connection, person.id, "full", now)
                continue
            left = [a for a in assigned if a.id not in opened and a.state == "leased"]
            trials = sum(a.id in opened for a in assigned)
            for number, attention in enumerate(definition.checks.attention):
                due = attention.after <= trials or not left
                if due and -1 - number not in asked:
                    return open_new_page(study, connection, place, index, -1 - number, attention)
            here = [a for a in left if a.block_id == template.id]
            if here:
                return open_new_page(study, connection, place, index, here[0].position, template, here[0])
        elif (index, 0) not in visited:
            return open_new_page(study, connection, place, index, 0, template)
        step += 1
        connection.execute(update(participants).where(participants.c.id == person.id).values(step=step))
    failed = failures(study, connection, person.id) > definition.checks.allowed_failures
    return end(study, connection, person.id, "failed_checks" if failed else "complete", now)


def open_page(connection: Connection, person: int) -> Row[Any] | None:
    """The page that a participant has open."""
    return connection.execute(
        select(pages)
        .where(pages.c.participant_id == person, pages.c.submitted.is_(None))
        .order_by(pages.c.position.desc())
        .limit(1)
    ).first()


def is_current(study: Study, connection: Connection, page: Row[Any]) -> bool:
    """Whether an open page is of the current revision and its trial still belongs to the participant."""
    if page.revision_id != revision(study, connection):
        return False
    if page.assignment_id is None:
        return True
    state = select(assignments.c.state).where(assignments.c.id == page.assignment_id)
    return connection.execute(state).scalar() != "released"


@dataclass(frozen=True)
class Place:
    """A participant's place in the study, at a time."""

    person: int
    revision: int
    position: int  # pages before this one
    now: float
    session: int = 1


def open_new_page(
    study: Study,
    connection: Connection,
    place: Place,
    step: int,
    part: int,
    template: PageTemplate | RecallPage,
    assignment: Row[Any] | None = None,
) -> Row[Any]:
    """Draw a page and store it as the participant's open page."""
    item = study.item(assignment.item) if assignment else None
    arm = next(a for a in study.arms if a.id == assignment.arm) if assignment else None
    rng = np.random.default_rng([study.definition.design.seed, place.person, place.position])
    kind = "attention" if part < 0 else template.kind  # type: ignore[union-attr]
    block = study.definition.block_at(step if place.session == 1 else 0)
    if isinstance(template, RecallPage):
        arm = arm if template.show == "text" else None
        template = study.definition.recalled(template)
    layout = lay_out(template, arm, item, rng)
    layout |= plan_steps(template, block, last_device(connection, place.person))
    about = assignment.id if assignment else None
    return connection.execute(
        insert(pages)
        .values(
            participant_id=place.person,
            revision_id=place.revision,
            position=place.position,
            step=step,
            part=part,
            session=place.session,
            assignment_id=about if place.session == 1 else None,
            about_id=None if place.session == 1 else about,
            kind=kind,
            token=secrets.token_urlsafe(24),
            layout=json.dumps(layout),
            opened=place.now,
        )
        .returning(pages)
    ).one()


def last_device(connection: Connection, person: int) -> str:
    """The device on which a participant answered their last page; empty if the browser did not say."""
    mine = select(pages.c.device).where(pages.c.participant_id == person, pages.c.device.is_not(None))
    return connection.execute(mine.order_by(pages.c.position.desc()).limit(1)).scalar() or ""


def revision(study: Study, connection: Connection) -> int:
    """The current revision of the study."""
    number = connection.execute(
        select(func.max(revisions.c.id)).where(revisions.c.mode == study.definition.mode)
    ).scalar()
    if number is None:
        raise StoreError("the study was not begun; call begin first.")
    return int(number)


def register(study: Study, connection: Connection, now: float, new_revision: bool) -> int:
    """Register the definition as a revision, with its cells; one that changed after answers needs `new_revision`."""
    mode = study.definition.mode
    allocation.take_turn(connection)
    latest = select(revisions).where(revisions.c.mode == mode).order_by(revisions.c.id.desc()).limit(1)
    last = connection.execute(latest).first()
    if last is not None and last.digest == study.digest:
        return int(last.id)
    answered = connection.execute(
        select(func.count())
        .select_from(answers.join(participants, participants.c.id == answers.c.participant_id))
        .where(participants.c.mode == mode)
    ).scalar_one()
    if answered and not new_revision:
        raise RevisionError(
            f"{study.folder}: the definition changed after {answered} answers were given. Change it back,"
            " or start with --new-revision: every answer keeps the revision it belongs to."
        )
    values = {"mode": mode, "digest": study.digest, "created": now}
    number = connection.execute(insert(revisions).values(**values).returning(revisions.c.id)).scalar_one()
    allocation.lay_out_cells(connection, study)
    return int(number)


def drawn(study: Study, row: Row[Any], template: PageTemplate, item: Item | None, **place: Any) -> Page:
    """A stored page as it was drawn, with all of its questions; without a `place`, enough to read its form."""
    layout = json.loads(row.layout)
    return make_page(template, layout, token=row.token, item=item, messages=study.messages, **place)


def take_step(
    connection: Connection,
    row: Row[Any],
    page: Page,
    form: Mapping[str, str],
    now: float,
    client_seconds: float | None,
) -> tuple[Literal["complete", "stored", "repeated", "invalid"], Draft, tuple[Problem, ...]]:
    """Store one step of a page that has several; "complete": the draft has the whole form, which may be stored."""
    before = Draft.of(row.draft, read=row.read is not None)
    done = step(page, json.loads(row.layout), before, form, client_seconds)
    if done.complete or done.repeated:
        return "complete" if done.complete else "repeated", done.draft, ()
    values: dict[str, Any] = {"draft": done.draft.to_json()}
    if done.draft.read and not before.read:
        values |= {"read": now, "reading_client_seconds": client_seconds}
    if not done.problems:
        connection.execute(update(pages).where(pages.c.id == row.id).values(**values))
    return "invalid" if done.problems else "stored", done.draft, done.problems


def page_of(study: Study, connection: Connection, row: Row[Any]) -> Page:
    """What a participant sees of a stored page, with their progress."""
    template, item = template_of(study, connection, row)
    page = drawn(study, row, template, item, **progress.progress_of(study, connection, row))
    return view(page, json.loads(row.layout), Draft.of(row.draft, read=row.read is not None))


def set_aside(connection: Connection, page: int, now: float) -> None:
    """Close a page of an older revision; it is no longer a step of the study, but what refers to it stays."""
    connection.execute(
        update(pages)
        .where(pages.c.id == page)
        .values(assignment_id=None, about_id=None, step=-1, kind="outdated", submitted=now)
    )


def template_of(study: Study, connection: Connection, row: Row[Any]) -> tuple[PageTemplate, Item | None]:
    """The page of the definition that a stored page was drawn from, and its item."""
    template = study.definition.pages_of(row.session)[row.step]
    if row.kind == "attention":
        return study.definition.checks.attention[-1 - row.part], None
    about = row.assignment_id or row.about_id
    if about is None:
        return template, None
    key = connection.execute(select(assignments.c.item).where(assignments.c.id == about)).scalar_one()
    item = study.item(key)
    if isinstance(template, RecallPage):
        block = study.definition.recalled(template)
        title = item.text_of(template.title_field) if template.title_field else block.title
        return block.model_copy(update={"title": title}), item
    return template, item


def claim(connection: Connection, assignment: int) -> bool:
    """Whether an answer is in time: its cell is still leased to the participant, or nobody has taken it since."""
    this_one = assignments.c.id == assignment
    done = update(assignments).where(this_one).values(state="done")
    cell = connection.execute(
        done.where(assignments.c.state == "leased").returning(assignments.c.cell_id)
    ).scalar()
    if cell is None:
        row = connection.execute(select(assignments).where(this_one).with_for_update()).one()
        if row.state != "released":
            return False
        free = and_(cells.c.id == row.cell_id, cells.c.state == "free")
        if not connection.execute(update(cells).where(free).values(state="leased")).rowcount:
            return False
        connection.execute(done)
        cell = row.cell_id
    allocation.settle(connection, cell)
    return True


def end(
    study: Study, connection: Connection, person: int, outcome: Outcome, now: float, *, reason: str = ""
) -> Finished:
    """End the study for a participant; on failed checks, free their cells if the definition says so."""
    values = {"outcome": outcome, "finished": now} | ({"reason": reason} if reason else {})
    connection.execute(update(participants).where(participants.c.id == person).values(**values))
    replace = outcome == "failed_checks" and study.definition.checks.on_failure == "replace"
    allocation.give_back(connection, person, "rejected" if replace else "released", only_leased=not replace)
    return finished(study, outcome)


def failures(study: Study, connection: Connection, person: int) -> int:
    """The number of attention trials that were answered wrong."""
    wrong = 0
    query = select(answers.c.question, answers.c.value, pages.c.part)
    query = query.join(pages, pages.c.id == answers.c.page_id)
    for row in connection.execute(query.where(pages.c.participant_id == person, pages.c.kind == "attention")):
        wrong += is_failure(study.definition.checks.attention[-1 - row.part], row.question, row.value)
    return wrong


def is_failure(attention: Attention, question: str, value: str) -> bool:
    """Whether an answer on the page of an attention trial is the wrong answer to the question that counts."""
    return question == attention.question.id and value != key_of(attention.question, None)


def feedback_of(page: Page, values: Mapping[str, str], item: Item | None) -> tuple[Feedback, ...]:
    """The feedback on the answers of a practice page."""
    feedback = []
    for shown in page.questions:
        value = values.get(shown.key)
        right = None if value is None else is_right(shown, value, item)
        if shown.question.feedback or right is not None:
            feedback.append(Feedback(shown.name, shown.text, right, shown.question.feedback))
    return tuple(feedback)
