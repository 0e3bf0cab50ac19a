"""The store on SQLite and on PostgreSQL: nothing lost, nothing twice, and what must not happen is refused by the database."""

import os
import sqlite3
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from plainmark.errors import (
    RevisionError,
    StoreError,
    StoreFullError,
    StoreInUseError,
    StoreUnavailableError,
)
from plainmark.study import load, open_store
from plainmark.study.store import admin_actions, monitoring, removal
from plainmark.study.store.answer_rows import answer_rows
from plainmark.study.store.database import is_disk_full, is_transient, lock_file
from plainmark.study.store.flags import flags
from plainmark.study.store.store import default_url
from plainmark.study.store.tables import (
    answers,
    assignments,
    cells,
    metadata,
    pages,
    participants,
    resubmissions,
)
from support import studies


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/answers.db"
    return request.getfixturevalue("postgresql").database()


@pytest.fixture
def opened(url, tmp_path):
    """opened(**changes): a store of the tiny study, begun at time 0."""
    stores = []

    def make(*, rows=None, begin=True, **changes):
        study = studies.write(tmp_path / "study", studies.definition(**changes), rows)
        store = open_store(study, url)
        stores.append(store)
        if begin:
            store.begin(0.0)
        return store

    yield make
    for store in stores:
        store.close()


def count(store, table, *where):
    return store.database.read(
        lambda c: c.execute(select(func.count()).select_from(table).where(*where)).scalar_one()
    )


def test_a_whole_study(opened):
    store = opened()
    ends = [studies.walk(store, f"person {k}", now=100.0 * k) for k in range(6)]
    assert {e.outcome for e in ends} == {"complete"}
    assert ends[0].url == "https://app.prolific.com/submissions/complete?cc=C1"
    state = monitoring.progress(store, 1000.0)
    assert (state.cells, state.done, state.free, state.leased, state.surplus) == (18, 18, 0, 0, 0)
    assert state.people["complete"] == 6
    assert studies.walk(store, "one too many", 2000.0).outcome == "full"
    rows = answer_rows(store)
    assert len(rows) == 6 * (1 + 3 + 1)  # consent, three trials, survey
    seen = {}
    for row in rows:
        if row.page == "block":
            seen.setdefault(row.participant, []).append((row.item, row.arm))
    for given in seen.values():
        assert len({i for i, _ in given}) == len({a for _, a in given}) == 3
    assert all(row.revision == 1 and row.seconds == 5.0 for row in rows)


def test_the_same_person_comes_back_to_the_same_page(opened):
    store = opened()
    first = store.enrol("ann", 1.0)
    again = store.enrol("ann", 2.0)
    assert (again.token, again.new) == (first.token, False)
    page = store.next_page(first.token, 3.0)
    assert store.next_page(first.token, 4.0) == page  # reload: the same token, the same order
    store.submit(first.token, page.token, {"consent": "yes"}, 5.0)
    trial = store.next_page(first.token, 6.0)
    assert store.next_page(first.token, 700.0).questions == trial.questions


def test_a_page_is_taken_once(opened):
    store = opened()
    session = store.enrol("ann", 1.0)
    consent = store.next_page(session.token, 1.0)
    store.submit(session.token, consent.token, {"consent": "yes"}, 1.0)
    page = store.next_page(session.token, 2.0)
    first = page.questions[0].choices[0]
    assert store.submit(session.token, page.token, {"q1": first.value}, 3.0).status == "stored"
    assert store.submit(session.token, page.token, {"q1": first.value}, 4.0).status == "repeated"
    assert count(store, resubmissions) == 0
    # Back, another answer, submit: the first answer stands, and the other is kept aside.
    other = page.questions[0].choices[1].value
    assert store.submit(session.token, page.token, {"q1": other}, 5.0).status == "repeated"
    assert store.submit(session.token, page.token, {"q1": other}, 6.0).status == "repeated"
    assert count(store, resubmissions) == 1
    assert [r.value for r in answer_rows(store) if r.page == "block"] == [first.stored]


def test_many_submits_at_one_moment_store_one_answer(opened):
    store = opened()
    session = store.enrol("ann", 1.0)
    consent = store.next_page(session.token, 1.0)
    store.submit(session.token, consent.token, {"consent": "yes"}, 1.0)
    page = store.next_page(session.token, 2.0)
    form = studies.fill(page)
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: store.submit(session.token, page.token, form, 3.0).status, range(16)))
    assert sorted(set(done)) == ["repeated", "stored"]
    assert done.count("stored") == 1
    assert count(store, answers, answers.c.assignment_id.is_not(None)) == 1


def test_many_people_at_one_moment_get_different_cells(opened):
    store = opened(rows=studies.items(8), design={"per_participant": 3, "replicates": 2, "seed": 1})
    with ThreadPoolExecutor(12) as pool:
        ends = list(pool.map(lambda k: studies.walk(store, f"person {k}", now=1.0), range(16)))
    assert [e.outcome for e in ends] == ["complete"] * 16
    state = monitoring.progress(store, 2.0)
    assert (state.cells, state.done, state.surplus) == (48, 48, 0)


def test_answers_that_are_not_allowed_are_sent_back(opened):
    store = opened()
    session = store.enrol("ann", 1.0)
    consent = store.next_page(session.token, 1.0)
    empty = store.submit(session.token, consent.token, {}, 1.0)
    assert (empty.status, empty.problems[0].message) == ("invalid", "Please answer this question.")
    assert empty.page.token == consent.token
    assert store.submit(session.token, consent.token, {"consent": "maybe"}, 1.0).status == "invalid"
    assert store.submit(session.token, "no such page", {}, 1.0).status == "unknown"
    assert store.submit("no such person", consent.token, {}, 1.0).status == "unknown"
    other = store.enrol("bob", 1.0)
    assert store.submit(other.token, consent.token, {"consent": "yes"}, 1.0).status == "unknown"
    assert count(store, answers) == 0
    with pytest.raises(StoreError, match="no such session"):
        store.next_page("nobody", 1.0)
    with pytest.raises(StoreError, match="empty or too long"):
        store.enrol(" ", 1.0)


def test_a_lease_that_runs_out_is_given_to_others(opened):
    store = opened(rows=studies.items(3))
    assert studies.walk(store, "ann", 0.0, stop_after=2) is None  # consent and one trial
    left = monitoring.progress(store, 100.0)
    assert (left.done, left.leased, left.free) == (1, 2, 6)
    assert admin_actions.reclaim(store, 100.0) == 0
    assert admin_actions.reclaim(store, 700.0) == 2
    assert monitoring.progress(store, 700.0).people["dropped out"] == 1
    for k in range(2):
        assert studies.walk(store, f"other {k}", 800.0).outcome == "complete"
    assert monitoring.progress(store, 900.0).free == 2
    # Two cells are left: someone gets them, and a third so that everyone has the same work.
    assert studies.walk(store, "last", 1000.0).outcome == "complete"
    state = monitoring.progress(store, 1100.0)
    assert (state.done, state.free, state.surplus) == (9, 0, 1)


def test_a_late_answer_is_kept_and_flagged(opened):
    store = opened(rows=studies.items(3), design={"per_participant": 3, "seed": 1, "fill": False})
    session = store.enrol("ann", 0.0)
    consent = store.next_page(session.token, 0.0)
    store.submit(session.token, consent.token, {"consent": "yes"}, 0.0)
    page = store.next_page(session.token, 1.0)
    for k in range(3):
        studies.walk(store, f"other {k}", 5000.0 + 100 * k)
    assert monitoring.progress(store, 6000.0).done == 9
    done = store.submit(session.token, page.token, studies.fill(page), 6000.0)
    assert (done.status, done.late) == ("stored", True)
    row = next(r for r in answer_rows(store) if r.late)
    assert not row.counted
    assert [f.kind for f in flags(store)] == ["late"]
    assert monitoring.progress(store, 6000.0).done == 9
    assert store.next_page(session.token, 6001.0).kind == "survey"  # nothing else is left for them


def test_who_comes_back_in_time_keeps_what_nobody_took(opened):
    store = opened(rows=studies.items(3))
    session = store.enrol("ann", 0.0)
    consent = store.next_page(session.token, 0.0)
    store.submit(session.token, consent.token, {"consent": "yes"}, 0.0)
    page = store.next_page(session.token, 1.0)
    assert admin_actions.reclaim(store, 5000.0) == 3
    assert store.next_page(session.token, 5001.0).token == page.token
    assert monitoring.progress(store, 5001.0).leased == 3
    # Answering an expired page that nobody else has is in time.
    admin_actions.reclaim(store, 9000.0)
    assert not store.submit(session.token, page.token, studies.fill(page), 9001.0).late


def test_what_was_never_seen_is_replaced_when_others_took_it(opened):
    store = opened(rows=studies.items(6), design={"per_participant": 3, "seed": 1})
    session = store.enrol("ann", 0.0)
    consent = store.next_page(session.token, 0.0)
    store.submit(session.token, consent.token, {"consent": "yes"}, 0.0)
    store.next_page(session.token, 1.0)
    admin_actions.reclaim(store, 5000.0)
    studies.walk(store, "bob", 5000.0)  # gets ann's block, which is whole again
    end = studies.walk(store, "ann", 5100.0)
    assert end.outcome == "complete"
    mine = [r for r in answer_rows(store) if r.page == "block" and r.participant == store.id_of("ann")]
    assert len(mine) == 3
    assert [r.late for r in mine] == [True, False, False]
    assert len({r.item for r in mine}) == 3


def test_a_surplus_answer_stands_for_one_that_is_lost(opened):
    store = opened(rows=studies.items(3))
    studies.walk(store, "ann", 0.0, stop_after=3)  # two of three trials
    for k in range(2):
        studies.walk(store, f"other {k}", 10.0)
    studies.walk(store, "last", 5000.0)  # one open cell and two surplus ones
    before = monitoring.progress(store, 5100.0)
    assert (before.done, before.surplus) == (9, 2)
    filled = {(r.item, r.arm) for r in answer_rows(store) if r.surplus}
    person = next(
        r.participant
        for r in answer_rows(store)
        if r.page == "block" and not r.surplus and (r.item, r.arm) in filled
    )
    removal.purge(store, person, 5200.0)
    after = monitoring.progress(store, 5200.0)
    assert after.done + after.free == 9
    assert after.surplus < before.surplus


def test_how_studies_end(opened):
    survey = {
        "kind": "survey",
        "questions": [{"id": "adult", "type": "yesno", "text": "Are you over 18?", "screen_out": ["no"]}],
    }
    base = studies.definition()["pages"]
    store = opened(pages=[base[0], survey, base[1]])
    assert (
        studies.walk(store, "a", pick=lambda q: "no" if q.name == "consent" else None).outcome == "no_consent"
    )
    assert (
        studies.walk(store, "b", pick=lambda q: "no" if q.question.id == "adult" else None).outcome
        == "screened_out"
    )
    assert studies.walk(store, "c").outcome == "complete"
    assert studies.walk(store, "c").outcome == "complete"  # again: the same end, nothing new
    assert count(store, assignments) == 3  # only who came to the block got work


ATTENTION = {
    "attention": [
        {
            "after": 2,
            "question": {
                "id": "look",
                "type": "mcq",
                "text": "Choose Green.",
                "options": ["Green", "Red"],
                "key": "A",
            },
        }
    ],
    "minimum_seconds": 60,
}


def test_failed_attention_gives_the_work_to_others(opened):
    store = opened(checks=ATTENTION, rows=studies.items(3))
    wrong = studies.walk(
        store, "ann", pick=lambda q: studies.stored(q, "B") if q.question.id == "look" else None
    )
    assert wrong.outcome == "failed_checks"
    assert monitoring.progress(store, 1.0).done == 0
    assert all(not r.counted for r in answer_rows(store) if r.page == "block")
    right = studies.walk(
        store, "bob", 50.0, pick=lambda q: studies.stored(q, "A") if q.question.id == "look" else None
    )
    assert right.outcome == "complete"
    assert monitoring.progress(store, 100.0).done == 3
    kinds = [(f.participant, f.kind) for f in flags(store)]
    ann, bob = store.id_of("ann"), store.id_of("bob")
    assert (ann, "attention") in kinds
    assert (bob, "attention") not in kinds
    assert {(ann, "fast"), (bob, "fast")} <= set(kinds)


def test_other_questions_of_an_attention_trial_check_nothing(opened):
    (trial,) = ATTENTION["attention"]
    others = [{"id": f"other{k}", "type": "mcq", "text": "?", "options": ["a", "b"]} for k in range(2)]
    checks = {"attention": [{**trial, "others": others}]}
    store = opened(checks=checks, exclusions={"attention": True}, rows=studies.items(3))

    def choose(look):
        return lambda q: (
            studies.stored(q, {"look": look}.get(q.question.id, "B")) if q.type == "mcq" else None
        )

    assert studies.walk(store, "ann", pick=choose("A")).outcome == "complete"
    rows = [r for r in answer_rows(store) if r.page == "attention"]
    assert [(r.question, r.correct) for r in rows] == [("other0", None), ("other1", None), ("look", True)]
    assert not [f for f in flags(store) if f.kind == "attention"]
    assert studies.walk(store, "bob", 50.0, pick=choose("B")).outcome == "failed_checks"
    (flag,) = [f for f in flags(store) if f.kind == "attention"]
    assert (flag.participant, flag.detail) == (store.id_of("bob"), "1 of 1 trial wrong")


def test_failed_attention_may_only_flag(opened):
    store = opened(checks={**ATTENTION, "on_failure": "flag"}, rows=studies.items(3))
    studies.walk(store, "ann", pick=lambda q: studies.stored(q, "B") if q.question.id == "look" else None)
    assert monitoring.progress(store, 1.0).done == 3


def test_straightlining_goes_by_the_place_on_the_screen(opened):
    store = opened(
        rows=studies.items(6, ("plain",)),
        conditions=["plain"],
        design={"per_participant": 6, "replicates": 2},
    )
    studies.walk(store, "first", 0.0)  # always the first place
    studies.walk(store, "right", 1.0, pick=lambda q: studies.stored(q, "A") if q.type == "mcq" else None)
    flagged = [f for f in flags(store) if f.kind == "straightlining"]
    assert [f.participant for f in flagged] == [store.id_of("first")]
    assert flagged[0].detail == "mcq: 100% of 6 answers alike"


def test_pause_lets_nobody_new_in(opened):
    store = opened()
    session = store.enrol("ann", 0.0)
    store.pause(True, 1.0)
    assert store.paused
    assert store.enrol("bob", 2.0).outcome == "paused"
    assert store.enrol("ann", 2.0).token == session.token
    store.pause(False, 3.0)
    assert store.enrol("bob", 4.0).new
    assert [entry.action for entry in monitoring.audit_log(store)] == ["resume", "pause"]


def test_pilot_and_live_are_never_mixed(opened, url):
    pilot = opened()
    studies.walk(pilot, "ann")
    live = opened(mode="live")
    assert monitoring.progress(live, 1.0).done == 0
    assert answer_rows(live) == []
    assert live.enrol("ann", 1.0).new  # the same person may take part in both
    assert monitoring.progress(pilot, 1.0).done == 3


def test_a_changed_definition_is_refused_when_there_are_answers(opened):
    store = opened()
    studies.walk(store, "ann", stop_after=2)
    changed = opened(begin=False, title="Another title")
    with pytest.raises(
        RevisionError, match=r"the definition changed after 2 answers were given.*--new-revision"
    ):
        changed.begin(10.0)
    assert changed.begin(10.0, new_revision=True) == 2
    assert studies.walk(changed, "bob", 20.0).outcome == "complete"
    assert {r.revision for r in answer_rows(changed)} == {1, 2}
    assert changed.begin(30.0) == 2  # unchanged since: nothing to do
    assert store.study.digest != changed.study.digest
    with pytest.raises(RevisionError):
        store.begin(40.0)
    assert len(monitoring.revision_list(changed)) == 2
    back = opened(begin=False)
    assert back.begin(50.0, new_revision=True) == 3  # an older definition again is a new revision


def test_a_new_revision_retires_what_is_gone_and_adds_what_is_new(opened):
    store = opened(rows=studies.items(3))
    studies.walk(store, "ann")
    more = opened(begin=False, rows=studies.items(4)[1:])
    more.begin(10.0, new_revision=True)
    state = monitoring.progress(more, 10.0)
    assert state.cells == 9
    assert ("i0", "plain") not in state.by_cell
    assert ("i3", "plain") in state.by_cell


def test_people_under_way_go_on_with_the_new_revision(opened):
    store = opened(rows=studies.items(3))
    session = store.enrol("ann", 0.0)
    page = store.next_page(session.token, 0.0)
    store.submit(session.token, page.token, {"consent": "yes"}, 0.0)
    old = store.next_page(session.token, 1.0)  # open when the study changes
    changed = opened(begin=False, rows=studies.items(5)[2:])  # i0 and i1 are gone, i3 and i4 are new
    changed.begin(10.0, new_revision=True)
    sent = changed.submit(session.token, old.token, studies.fill(old), 11.0)
    assert sent.status == "outdated"
    assert count(changed, resubmissions) == 1  # what they wrote is kept
    end = studies.walk(changed, "ann", 12.0)
    assert end.outcome == "complete"
    mine = [r for r in answer_rows(changed) if r.page == "block"]
    assert {r.item for r in mine} == {"i2", "i3", "i4"}
    assert {r.revision for r in mine} == {2}
    assert count(changed, resubmissions) == 1
    assert changed.submit(session.token, page.token, {"consent": "no"}, 20.0).status == "repeated"


def test_before_anyone_answered_a_definition_may_change(opened):
    opened()
    store = opened(rows=studies.items(9))
    assert monitoring.progress(store, 1.0).cells == 27


def test_the_database_itself_refuses_doubles(opened):
    store = opened()
    studies.walk(store, "ann", stop_after=2)

    with store.database.engine.connect() as connection:
        person = connection.execute(select(participants)).mappings().one()
        given = connection.execute(select(assignments)).mappings().first()
        page = connection.execute(select(pages).where(pages.c.assignment_id == given["id"])).mappings().one()
        answer = connection.execute(select(answers).where(answers.c.page_id == page["id"])).mappings().one()
        cell = connection.execute(select(cells)).mappings().first()

    def again(row, **changes):
        return {k: v for k, v in {**row, **changes}.items() if k != "id"}

    statements = [
        insert(participants).values(**again(person, token="other")),  # (external id, mode)
        insert(assignments).values(**again(given)),  # (participant, item), and the cell is live
        insert(assignments).values(**again(given, item="another")),  # a cell in two live blocks
        insert(answers).values(**again(answer)),  # (assignment, question)
        insert(cells).values(**again(cell)),
        insert(pages).values(**again(page, assignment_id=None, token="other")),
    ]
    for statement in statements:
        with store.database.engine.connect() as connection, pytest.raises(IntegrityError):
            connection.execute(statement)
    # A cell that was given back may be given out again.
    with store.database.engine.begin() as connection:
        connection.execute(
            update(assignments).where(assignments.c.id == given["id"]).values(state="released")
        )
        other = connection.execute(
            insert(participants).values(**again(person, hash="x", token="y")).returning(participants.c.id)
        ).scalar_one()
        connection.execute(insert(assignments).values(**again(given, participant_id=other, state="leased")))


def test_migrations_make_the_tables(opened):
    store = opened()
    with store.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_an_unknown_version_is_refused(opened, url, tmp_path):
    store = opened()
    with store.database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="made by another version of plainmark"):
        open_store(store.study, url)


def test_review_takes_rejected_work_back(opened):
    store = opened(rows=studies.items(3), checks={"review": 1})
    studies.walk(store, "ann")
    studies.walk(store, "bob", 100.0)
    waiting = monitoring.reviews(store)
    assert [(w.participant, len(w.answers), w.review) for w in waiting] == [(1, 1, ""), (2, 1, "")]
    admin_actions.review(store, 1, False, 200.0)
    admin_actions.review(store, 2, True, 201.0)
    assert monitoring.progress(store, 202.0).done == 3
    assert {r.participant for r in answer_rows(store) if r.counted} == {store.id_of("bob")} | {
        r.participant for r in answer_rows(store) if r.page != "block" and r.counted
    }
    assert [w.review for w in monitoring.reviews(store)] == ["rejected", "accepted"]
    with pytest.raises(StoreError, match="no participant 99"):
        admin_actions.review(store, 99, True, 1.0)


def test_a_rejection_can_be_undone(opened):
    """Answers count again, beside those that others gave meanwhile; who was at work goes on."""
    store = opened(rows=studies.items(3), checks={"review": 1}, conditions=["plain"])
    studies.walk(store, "ann")
    bob = store.enrol("bob", 50.0)
    assert bob.outcome == "full"
    admin_actions.review(store, 1, False, 60.0)
    studies.walk(store, "cid", 100.0)
    before = monitoring.progress(store, 200.0)
    assert (before.done, before.surplus) == (3, 0)
    admin_actions.review(store, 1, True, 210.0)
    after = monitoring.progress(store, 211.0)
    assert (after.done, after.surplus, after.people["complete"]) == (3, 3, 2)
    assert sum(r.counted for r in answer_rows(store) if r.page == "block") == 6
    admin_actions.review(store, 2, False, 220.0)
    now = monitoring.progress(store, 221.0)
    assert (now.done, now.surplus) == (3, 0), "ann's answers take the place of those that were rejected"


def test_who_was_at_work_goes_on_after_a_mistaken_rejection(opened):
    store = opened(rows=studies.items(3), checks={"review": 1})
    ann = store.enrol("ann", 1.0)
    for now in (2.0, 4.0):
        page = store.next_page(ann.token, now)
        store.submit(ann.token, page.token, studies.fill(page), now + 1)
    admin_actions.review(store, 1, False, 10.0)
    assert store.next_page(ann.token, 11.0).outcome == "failed_checks"
    admin_actions.review(store, 1, True, 12.0)
    assert store.next_page(ann.token, 13.0).kind == "block"
    studies.walk(store, "ann", 20.0)
    assert store.session(ann.token).outcome == "complete"
    assert monitoring.progress(store, 99.0).done == 3


def test_purge_removes_a_person_from_the_files(opened, url, tmp_path, postgresql):
    def held():
        if url.startswith("sqlite"):
            return _bytes(tmp_path)
        with store.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("CHECKPOINT"))
        files = [p for p in (postgresql.folder / "data" / "base").rglob("*") if p.is_file()]
        return b"".join(p.read_bytes() for p in files).decode("latin-1")

    secret = "ZEBRA-QUINCE-7731"
    pages_ = [
        *studies.definition()["pages"],
        {"kind": "survey", "questions": [{"id": "note", "type": "text", "text": "?"}]},
    ]
    store = opened(pages=pages_)
    studies.walk(store, "ann", pick=lambda q: secret if q.type == "text" else None)
    studies.walk(store, "bob", 100.0)
    known = store.id_of("ann")
    assert known != "ann"
    assert secret in held()
    assert removal.purge(store, "ann", 200.0) == 1
    assert removal.purge(store, "ann", 201.0) == 0
    for table in (answers, pages, assignments, participants):
        assert count(store, table) > 0  # bob's are there
    assert monitoring.progress(store, 300.0).done == 3
    assert known not in {r.participant for r in answer_rows(store)}
    left = held()
    assert secret not in left
    assert known not in left
    last = monitoring.audit_log(store)[0]
    assert (last.action, last.detail) == ("purge", "1 removed")


def _bytes(folder):
    return b"".join(p.read_bytes() for p in folder.glob("answers.db*")).decode("latin-1")


def test_purge_of_old_answers(opened):
    store = opened(privacy={"retention_days": 1})
    studies.walk(store, "ann", 0.0)
    studies.walk(store, "bob", 200_000.0)
    assert removal.purge_expired(store, 200_100.0) == 1
    assert count(store, participants) == 1
    assert removal.purge_expired(opened(privacy={"retention_days": 0}, begin=False), 1e12) == 0


def test_external_ids_are_stored_as_keyed_hashes(opened, url, tmp_path):
    store = opened()
    store.enrol("PROLIFIC-5f3a", 0.0)
    if url.startswith("sqlite"):
        assert "PROLIFIC-5f3a" not in _bytes(tmp_path)
    other = open_store(store.study, url, key=b"another key, another hash")
    assert other.hash_of("PROLIFIC-5f3a") != store.hash_of("PROLIFIC-5f3a")
    other.close()
    key = store.study.folder / ".study-key"
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_key_that_others_can_read_is_refused(tmp_path, monkeypatch):
    study = studies.write(tmp_path / "s")
    open_store(study).close()
    key = study.folder / ".study-key"
    key.chmod(0o644)
    with pytest.raises(StoreError, match="others can read the study's key"):
        open_store(study)
    monkeypatch.setenv("PLAINMARK_STUDY_KEY", "short")
    with pytest.raises(StoreError, match="PLAINMARK_STUDY_KEY: 5 characters, expected at least 16"):
        open_store(study)
    monkeypatch.setenv("PLAINMARK_STUDY_KEY", "long enough to be a key")
    open_store(study).close()


def test_a_second_server_on_one_file_is_refused(tmp_path):
    study = studies.write(tmp_path / "s")
    with open_store(study, serving=True):
        with pytest.raises(StoreInUseError, match="another server already works on this file"):
            open_store(study, serving=True)
        open_store(study).close()  # looking is allowed
    open_store(study, serving=True).close()


def test_a_full_disk_acknowledges_nothing(tmp_path):
    study = studies.write(tmp_path / "s", studies.definition(pages=[*studies.definition()["pages"][:2], {
        "kind": "survey", "questions": [{"id": "note", "type": "text", "text": "?", "longest": 20000}]}]))  # fmt: skip
    with open_store(study) as store:
        store.begin(0.0)
        session = store.enrol("ann", 0.0)
        page = store.next_page(session.token, 0.0)
        store.submit(session.token, page.token, {"consent": "yes"}, 0.0)
        for _ in range(3):
            page = store.next_page(session.token, 0.0)
            store.submit(session.token, page.token, studies.fill(page), 0.0)
        page = store.next_page(session.token, 0.0)
        # SQLite's own limit answers as a full disk does.
        size = sqlite3.connect(store.database.path).execute("PRAGMA page_count").fetchone()[0]
        from sqlalchemy import event

        @event.listens_for(store.database.engine, "begin")
        def limit(connection):
            connection.exec_driver_sql(f"PRAGMA max_page_count={size}")

        before = count(store, answers)
        with pytest.raises(StoreFullError, match="no room left on the disk; nothing was stored"):
            store.submit(session.token, page.token, {"q1": "x" * 20_000}, 1.0)
        event.remove(store.database.engine, "begin", limit)
        store.database.engine.dispose()
        assert count(store, answers) == before
        assert store.database.intact()
        assert store.submit(session.token, page.token, {"q1": "x" * 20_000}, 2.0).status == "stored"


def test_a_database_that_is_away_is_waited_for(postgresql, tmp_path):
    study = studies.write(tmp_path / "s")
    address = postgresql.database()
    with open_store(study, address, patience=30.0) as store:
        store.begin(0.0)
        session = store.enrol("ann", 0.0)
        page = store.next_page(session.token, 0.0)
        postgresql.stop()
        back = threading.Timer(1.0, postgresql.start)
        back.start()
        started = time.monotonic()
        try:
            done = store.submit(session.token, page.token, {"consent": "yes"}, 1.0)
        finally:
            back.join()
        assert done.status in ("stored", "repeated")
        assert time.monotonic() - started > 1
        assert count(store, answers) == 1
        store.database.patience = 0.3
        postgresql.stop()
        try:
            with pytest.raises(
                StoreUnavailableError, match="the database does not answer; nothing was stored"
            ) as found:
                store.next_page(session.token, 2.0)
            assert "study@" in str(found.value)
        finally:
            postgresql.start()
        assert store.next_page(session.token, 3.0).kind == "block"


def test_a_password_is_never_shown(tmp_path):
    study = studies.write(tmp_path / "s")
    with pytest.raises(StoreUnavailableError) as found:
        open_store(study, "postgresql://study:hunter2@127.0.0.1:1/none", patience=0.1)
    assert "hunter2" not in str(found.value)


def test_errors_of_the_server_are_told_apart():
    from psycopg import errors
    from sqlalchemy.exc import OperationalError

    full = OperationalError("INSERT", {}, errors.DiskFull("could not extend file"))
    assert is_disk_full(full)
    assert is_transient(OperationalError("SELECT", {}, errors.SerializationFailure()))
    assert is_transient(OperationalError("SELECT", {}, errors.AdminShutdown()))
    assert not is_transient(OperationalError("SELECT", {}, errors.InvalidPassword()))


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "'nonsense' is not a database"),
        ("mysql://x/y", "expected sqlite or postgresql"),
        ("sqlite://", "must be a file"),
    ],
)
def test_addresses_that_are_no_databases(tmp_path, address, message):
    with pytest.raises(StoreError, match=message):
        open_store(studies.write(tmp_path / "s"), address)


def test_a_database_that_is_not_there_is_not_made(tmp_path):
    study = studies.write(tmp_path / "s")
    with pytest.raises(StoreError, match="nobody has answered yet"):
        open_store(study, create=False)
    assert not (study.folder / "answers.db").exists()
    assert default_url(study.folder).endswith("answers.db")


def test_answers_are_not_for_others_on_the_machine(tmp_path):
    with open_store(studies.write(tmp_path / "s")) as store:
        store.begin(0.0)
        files = list((tmp_path / "s").glob("answers.db*"))
        assert {f.name for f in files} >= {"answers.db", "answers.db-wal"}
        assert {f.stat().st_mode & 0o777 for f in files} == {0o600}


def test_sqlite_is_durable(tmp_path):
    with open_store(studies.write(tmp_path / "s")) as store, store.database.engine.connect() as connection:
        values = [
            connection.execute(text(f"PRAGMA {p}")).scalar()
            for p in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert values == ["wal", 2, 1]


def test_an_answer_survives_a_process_that_is_killed(tmp_path):
    """Acknowledged means committed: the process dies right after the acknowledgement, without closing anything."""
    study = studies.write(tmp_path / "s")
    child = os.fork()
    if child == 0:
        store = open_store(study)
        store.begin(0.0)
        session = store.enrol("ann", 0.0)
        page = store.next_page(session.token, 0.0)
        store.submit(session.token, page.token, {"consent": "yes"}, 0.0)
        os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    with open_store(load(study.folder)) as store:
        assert count(store, answers) == 1
        assert store.database.intact()


def test_the_lock_of_an_sqlite_file_on_windows(monkeypatch, tmp_path):
    taken = []

    def locking(descriptor, mode, count):
        if taken:
            raise OSError(13, "Permission denied")
        taken.append((mode, count))

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(sys, "platform", "win32")
    with (tmp_path / "a").open("ab") as file, (tmp_path / "a").open("ab") as other:
        lock_file(file)
        assert taken == [(2, 1)]
        with pytest.raises(OSError, match="Permission denied"):
            lock_file(other)
