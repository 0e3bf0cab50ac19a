"""Later sessions: when they open and close, what is asked about which items, who came back, and what changed."""

import csv
import json
import math

import pytest

from plainmark.errors import DefinitionError, OptionError
from plainmark.study import load, open_store
from plainmark.study.analysis.analyse import analyse
from plainmark.study.analysis.exclusions import exclude
from plainmark.study.analysis.responses import Response, collect, responses
from plainmark.study.analysis.sessions import RIGHT, _result, sessions
from plainmark.study.archive import anonymised, answers_csv, collected_from, participants_csv
from plainmark.study.codebook import codebook
from plainmark.study.definition.codes import check_codes
from plainmark.study.preregistration import preregistration
from plainmark.study.store import admin_actions, enrolment, monitoring, removal
from plainmark.study.store.answer_rows import PersonRow, answer_rows, person_rows
from plainmark.study.store.payments import for_recruiter, payments
from plainmark.study.store.steps import Finished
from plainmark.table import csv_text
from support import studies

HOUR = 3600.0
SURE = {"id": "sure", "type": "likert", "text": "How sure are you?"}
RECALL = {"kind": "recall", "title_field": "source", "questions": [studies.MCQ, SURE]}
NOTE = {"kind": "survey", "title": "And", "questions": [{"id": "talked", "type": "yesno", "text": "Talked?"}]}
SECOND = {"opens": 24, "closes": 72, "pages": [RECALL, NOTE], "codes": {"complete": "C2", "late": "L2"}}


def definition(*later, **changes):
    return json.loads(json.dumps(studies.definition(sessions=list(later or (SECOND,)), **changes)))


@pytest.fixture(params=["sqlite", "postgresql"])
def store(tmp_path, request):
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgresql").database()
    with open_store(studies.write(tmp_path / "study", definition()), url) as opened:
        opened.begin(0.0)
        yield opened


def token_of(store, name, now):
    return enrolment.find(store, name).token if enrolment.find(store, name) else store.enrol(name, now).token


def return_at(store, name, now, pick=None, stop_after=None):
    """Someone opens the link again; the end, or the pages that they saw."""
    token, seen = token_of(store, name, now), []
    while not isinstance(page := store.next_page(token, now), Finished):
        if stop_after is not None and len(seen) >= stop_after:
            return seen
        seen.append(page)
        assert (
            store.submit(token, page.token, studies.fill(page, pick), now + 5, advance=True).status
            == "stored"
        )
        now += 10
    return seen or page


@pytest.mark.parametrize(
    ("session", "message"),
    [
        ({**SECOND, "closes": 24}, "sessions[0].closes: found 24, expected more than opens, which is 24."),
        ({**SECOND, "pages": [NOTE]}, "sessions[0].pages: no page of kind recall"),
        ({**SECOND, "pages": [{**RECALL, "block": "x"}]}, "sessions[0].pages[0].block: found 'x', expected the id of a block: none with an id."),
        ({**SECOND, "pages": [RECALL, RECALL]}, "sessions[0].pages[1]: 'q1' is asked twice in this session."),
        ({**SECOND, "pages": [{**RECALL, "title_field": "headline"}]}, "sessions[0].pages[0].title_field: items.jsonl: item 'i0' has no field 'headline'."),
        ({**SECOND, "pages": [{**RECALL, "questions": [{**SURE, "high": 0}]}]}, "sessions[0].pages[0].questions[0].high: found 0"),
        ({**SECOND, "pages": [{**RECALL, "questions": [{"id": "w", "type": "text", "text": "Write.", "rewrite": {}}]}]}, "'w' is about texts that are not shown"),
        ({**SECOND, "pages": [{"kind": "block", "questions": [SURE]}]}, "expected one of recall, survey"),
        ({**SECOND, "opens": "soon"}, "sessions[0].opens: found 'soon', expected a number"),
        ({**SECOND, "pages": [RECALL, {**NOTE, "questions": [{**NOTE["questions"][0], "screen_out": ["no"]}]}]}, "only the first session screens out"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_line_and_key(tmp_path, session, message):
    rows = [{**row, "title": "x"} for row in studies.items()]
    made = definition(session) if "headline" in message else definition({**session})
    for later in made["sessions"]:
        for page in later["pages"]:
            if page.get("title_field") == "source":
                page["title_field"] = "title"
    with pytest.raises(DefinitionError) as raised:
        studies.write(tmp_path / "study", made, rows)
    assert message in str(raised.value)
    assert ", line " in str(raised.value)


@pytest.fixture(autouse=True)
def titles(monkeypatch):
    """Items have a title, which the recall pages show."""
    usual = studies.items
    monkeypatch.setattr(
        studies, "items", lambda *a, **k: [{**r, "title": f"About {r['id']}"} for r in usual(*a, **k)]
    )
    monkeypatch.setitem(RECALL, "title_field", "title")


def test_too_early_then_due_then_done(store):
    end = studies.walk(store, "ann", now=0.0)
    finished = person_rows(store)[0].minutes * 60
    assert (end.outcome, end.code) == ("complete", "C1")
    token = token_of(store, "ann", 0.0)
    early = store.current_page(token, 10 * HOUR)
    assert (early.standing.session, early.standing.state, early.code) == (2, "early", "C1")
    assert early.standing.opens == pytest.approx(finished + 24 * HOUR, abs=60)
    assert store.next_page(token, 10 * HOUR).standing.state == "early", "nothing begins before"
    due = store.current_page(token, 30 * HOUR)
    assert due.standing.state == "due"
    seen = return_at(store, "ann", 30 * HOUR)
    assert [p.kind for p in seen] == ["block", "block", "block", "survey"]
    assert [(p.trial, p.trials, p.position, p.pages) for p in seen] == [
        (1, 3, 0, 4),
        (2, 3, 1, 4),
        (3, 3, 2, 4),
        (0, 0, 3, 4),
    ]
    assert all(not p.texts and not p.source for p in seen), "the texts are not shown"
    assert all(p.title.startswith("About i") for p in seen[:3])
    done = store.current_page(token, 31 * HOUR)
    assert (done.outcome, done.code, done.standing.state) == ("complete", "C2", "done")
    rows = answer_rows(store)
    read = {r.item: r.arm for r in rows if r.page == "block"}
    recalled = {r.item: r.arm for r in rows if r.page == "recall"}
    assert recalled == read, "the same items in the same conditions"
    assert {r.session for r in rows if r.page == "recall"} == {2}
    assert [r.order for r in rows if r.page == "recall" and r.question == "q1"] == [1, 2, 3]
    assert all(r.counted for r in rows if r.page == "recall")
    assert all((r.correct is None) == (r.question == "sure") for r in rows if r.page == "recall")
    person = person_rows(store)[0]
    assert (person.sessions, person.trials) == (2, 3)
    assert person.delay_hours == pytest.approx(30, abs=0.1)
    assert store.database.intact()


def test_too_late(store):
    studies.walk(store, "ann", now=0.0)
    token = token_of(store, "ann", 0.0)
    for end in (store.current_page(token, 80 * HOUR), store.next_page(token, 80 * HOUR)):
        assert (end.outcome, end.code, end.standing.state) == ("late", "L2", "late")
    assert not [r for r in answer_rows(store) if r.session == 2]


def test_who_began_in_time_may_finish(store):
    studies.walk(store, "ann", now=0.0)
    assert len(return_at(store, "ann", 71 * HOUR, stop_after=2)) == 2
    assert len(return_at(store, "ann", 75 * HOUR)) == 2, "the rest: one text and the survey"
    assert [r.item for r in answer_rows(store) if r.page == "recall" and r.question == "q1"].__len__() == 3


def test_only_who_finished_comes_back(store):
    studies.walk(store, "left", now=0.0, stop_after=2)
    page = store.next_page(token_of(store, "left", 0.0), 30 * HOUR)
    assert page.kind == "block", "the first session goes on"
    studies.walk(store, "rejected", now=0.0)
    number = enrolment.find(store, "rejected").participant
    admin_actions.review(store, number, False, 100.0, reason="copied")
    assert store.current_page(token_of(store, "rejected", 0.0), 30 * HOUR).standing is None


def test_two_tabs_store_a_page_once(store):
    studies.walk(store, "ann", now=0.0)
    token = token_of(store, "ann", 0.0)
    first, second = (store.next_page(token, 30 * HOUR) for _ in range(2))
    assert first.token == second.token
    form = studies.fill(first)
    assert store.submit(token, first.token, form, 30 * HOUR + 1).status == "stored"
    assert store.submit(token, first.token, form, 30 * HOUR + 2).status == "repeated"
    assert sum(r.page == "recall" and r.question == "q1" for r in answer_rows(store)) == 1


def test_three_sessions_follow_each_other(tmp_path):
    third = {"opens": 1, "closes": 2, "pages": [{**RECALL, "show": "text", "order": "same"}]}
    with open_store(studies.write(tmp_path / "study", definition(SECOND, third))) as store:
        store.begin(0.0)
        studies.walk(store, "ann", now=0.0)
        return_at(store, "ann", 30 * HOUR)
        assert return_at(store, "ann", 30.5 * HOUR).standing.session == 3
        seen = return_at(store, "ann", 31.5 * HOUR)
        read = [(r.item, r.arm) for r in answer_rows(store) if r.page == "block"]
        assert [p.texts[0].text for p in seen] == [store.study.item(i).texts[a] for i, a in read], (
            "in the same order"
        )
        assert person_rows(store)[0].sessions == 3
        assert len({(r.session, r.position) for r in answer_rows(store)}) == 5 + 4 + 3


def test_a_recall_page_may_ask_about_one_block(tmp_path):
    first = {"kind": "block", "id": "one", "per_participant": 1, "questions": [SURE]}
    second = {"kind": "block", "id": "two", "per_participant": 2, "questions": [studies.MCQ]}
    made = definition(
        {**SECOND, "pages": [{"kind": "recall", "block": "two"}]},
        pages=[first, second],
        design={"replicates": 2},
    )
    with open_store(studies.write(tmp_path / "study", json.loads(json.dumps(made)))) as store:
        store.begin(0.0)
        studies.walk(store, "ann", now=0.0)
        return_at(store, "ann", 30 * HOUR)
        rows = answer_rows(store)
    asked = {(r.item, r.question) for r in rows if r.page == "recall"}
    assert asked == {(r.item, r.question) for r in rows if r.block == "two" and r.page == "block"}
    assert {r.block for r in rows if r.page == "recall"} == {"two"}
    assert load(tmp_path / "study").definition.recalled(made_page(tmp_path)).title == ""


def made_page(tmp_path):
    return load(tmp_path / "study").definition.sessions[0].pages[0]


def test_another_browser_begins_only_if_the_definition_allows_it(store, tmp_path):
    studies.walk(store, "ann", now=0.0)
    assert enrolment.may_return(store, "ann", 30 * HOUR) is None
    made = definition(recruit={"returning": "any_browser"})
    with open_store(studies.write(tmp_path / "open", made)) as other:
        other.begin(0.0)
        studies.walk(other, "ann", now=0.0)
        assert enrolment.may_return(other, "ann", 10 * HOUR) is None, "not open yet"
        assert enrolment.may_return(other, "bob", 30 * HOUR) is None, "nobody's"
        assert enrolment.may_return(other, "ann", 30 * HOUR).session == 2
        old = token_of(other, "ann", 0.0)
        assert enrolment.return_with(other, "ann", "new-token", 30 * HOUR).token == "new-token"
        assert other.next_page("new-token", 30 * HOUR).title.startswith("About")
        assert other.session(old) is None
        assert enrolment.return_with(other, "ann", "third", 30 * HOUR + 9).outcome == "taken", "it is begun"


def test_dashboard_payments_and_withdrawal_know_sessions(store):
    for k, name in enumerate(("ann", "bob", "cleo", "dan", "eve")):
        studies.walk(store, name, now=float(k))
    return_at(store, "ann", 30 * HOUR)
    return_at(store, "bob", 30 * HOUR, stop_after=1)
    state = monitoring.progress(store, 30.1 * HOUR).sessions[0]
    assert (state.session, state.expected) == (2, 5)
    assert state.states == {"early": 0, "due": 3, "working": 1, "left": 0, "late": 0, "done": 1}
    assert monitoring.progress(store, 40 * HOUR).sessions[0].states["left"] == 1
    assert monitoring.progress(store, 80 * HOUR).sessions[0].states["late"] == 3
    people = {p.id: p.later for p in monitoring.participant_list(store, 30 * HOUR)}
    assert people[store.id_of("ann")] == "all sessions done"
    assert people[store.id_of("cleo")].startswith("session 2 due, closes in 42")
    lines = {p.id: (p.decision, p.reason) for p in payments(store, 40 * HOUR, 2)}
    assert lines[store.id_of("ann")] == ("accept", "finished session 2")
    assert lines[store.id_of("bob")] == ("return", "left in the middle of session 2")
    assert lines[store.id_of("cleo")] == ("wait", "has not come yet")
    listed = for_recruiter(store, ["ann", "stranger"], 80 * HOUR, 2)
    assert [(p.decision, p.reason) for p in listed] == [
        ("accept", "finished session 2"),
        ("unknown", "did not finish the first session (pilot)"),
    ]
    with pytest.raises(OptionError, match="--session 3: the study has 2 sessions"):
        payments(store, 0.0, 3)
    token = token_of(store, "ann", 0.0)
    assert removal.withdraw(store, removal.code_of(store, token), 41 * HOUR)
    assert store.id_of("ann") not in {r.participant for r in answer_rows(store)}
    assert monitoring.progress(store, 41 * HOUR).sessions[0].states["done"] == 0
    assert store.database.intact()


def answers_of(right):
    """Who answers right with that probability, by their name's number."""

    def pick(asked):
        stored = "A" if right else "C"
        return studies.stored(asked, stored) if asked.question.id == "q1" else None

    return pick


def test_the_report_gives_the_change_and_who_came_back(store, tmp_path):
    """Four people: all right at first; two come back, one of them knows nothing any more."""
    for k in range(4):
        studies.walk(store, f"p{k}", now=float(k), pick=answers_of(k < 3))
    return_at(store, "p0", 30 * HOUR, pick=answers_of(True))
    return_at(store, "p1", 36 * HOUR, pick=answers_of(False))
    study = store.study
    collected = collect(store)
    analysis = analyse(study, responses(study, collected.rows), collected=collected, resamples=300)
    came = analysis.sessions.returns[0]
    assert (came.expected, came.began, came.finished) == (4, 2, 2)
    assert came.lost == 50
    assert came.delay_hours == pytest.approx(33, abs=0.1)
    assert (came.right_returned, came.right_lost) == (100, 50)
    right = [r for r in analysis.sessions.results if r.measure == RIGHT]
    assert sum(r.answers for r in right) == 6
    assert sum(r.answers * r.mean for r in right) / 6 == pytest.approx(50)
    assert sum(r.paired * r.change for r in right) / 6 == pytest.approx(-50)
    sure = [r for r in analysis.sessions.results if r.measure == "sure"]
    assert sum(r.answers for r in sure) == 6
    assert all(r.paired == 0 and math.isnan(r.change) for r in sure), "the first session did not ask it"
    from plainmark.report.study import render
    from plainmark.report.study_tables import tables

    page = render(analysis, people={"complete": 4})
    assert "What was remembered later" in page
    assert "Who came back" in dict(tables(analysis))
    assert "talked (session 2)" in {s.question for s in analysis.details.surveys}
    assert len(analysis.responses) == 12, "later answers are not counted as answers of the first session"
    kept = anonymised(study, collected)
    assert {r.session for r in kept.rows} == {1, 2}
    (tmp_path / "archive").mkdir()
    asked = [(q["id"], q["page"], q["session"]) for q in codebook(study)["questions"]]
    assert ("q1", "recall", 2) in asked
    assert ("q1", "block", 1) in asked
    assert (
        "Session 2, 24 to 72 hours after the one before, asks about the same items without the texts: q1, sure."
        in (preregistration(study, date=None))
    )


def test_the_interval_resamples_people():
    """Two people: one forgot everything (-100), one nothing (0); a resample has one, both or the other."""
    values = [("a", 100.0, 0.0)] * 10 + [("b", 100.0, 100.0)] * 10
    result = _result(2, RIGHT, "plain", values, 0.95, 2000, 0)
    assert (result.people, result.answers, result.first, result.mean) == (2, 20, 100, 50)
    assert result.change == -50
    assert result.change_interval == (-100, 0), "twenty independent answers would give a narrower interval"


def test_a_live_study_needs_codes_of_every_session(tmp_path):
    codes = {"complete": "C1A7Q", "full": "F1B8R", "no_consent": "N1C9S"}
    later = {**SECOND, "codes": {"complete": "C2D1T", "late": ""}}
    study = studies.write(tmp_path / "study", definition(later, recruit={"codes": codes}))
    with pytest.raises(
        DefinitionError, match=r"sessions\[0\].codes.late: no code, and people can end this way"
    ):
        check_codes(study, study.folder)
    check_codes(study, study.folder, without=["late"])


def test_answers_of_an_older_archive_have_one_block_and_one_session(store):
    studies.walk(store, "ann", now=0.0)
    collected = collect(store)
    text = answers_csv(collected.rows)
    rows = list(csv.DictReader(text.splitlines()))
    kept = [c for c in rows[0] if c not in ("block", "session")]
    older = csv_text([kept, *([row[c] for c in kept] for row in rows)])
    content = {
        "answers.csv": older.encode(),
        "participants.csv": participants_csv(
            collected, exclude(store.study, collected.rows, collected.people)
        ).encode(),
    }
    assert collected_from(content, {}, "old.zip").rows == collected.rows


def test_people_who_are_excluded_are_no_part_of_later_sessions(tmp_path):
    study = studies.write(tmp_path / "study", definition())
    first = [Response("plain", "i0", "q1", "ann", "A", "A")]
    people = [PersonRow(n, "complete", "", 1.0, 1, 1.0, None, (), "", 2, 30.0) for n in ("ann", "bob")]
    counted = sessions(study, first, [], people, resamples=10)
    assert counted.returns[0].expected == 1
    assert counted.results == ()
