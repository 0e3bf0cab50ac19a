"""The participant's pages over HTTP: what is taken, what is refused, and that nothing is said before it is stored."""

import html
import re
import threading
import time
from contextlib import contextmanager

import httpx
import pytest
from sqlalchemy import event, func, select

from plainmark.study import open_store
from plainmark.study.keys import link_signature
from plainmark.study.store import admin_actions, monitoring
from plainmark.study.store.answer_rows import answer_rows
from plainmark.study.store.tables import answers, assignments, cells, pages, participants, resubmissions
from plainmark.web.simulation.participants import PageParser
from support import studies
from support.study_server import KEYS, answered, finish, look, page_of, served

SCALE = {"id": "ease", "type": "likert", "text": "Is it easy?", "labels": ["no", "yes"]}


@pytest.fixture
def run(tmp_path):
    """run(**changes): the tiny study, served."""
    open_ones = []

    def start(
        *,
        rows=None,
        url="",
        patience=5.0,
        requests_per_minute=10**8,
        public_url=None,
        settings=None,
        **changes,
    ):
        study = studies.write(tmp_path / "study", studies.definition(**changes), rows)
        more = {"public_url": public_url} if public_url else {}
        more |= settings or {}
        one = served(study, url, patience=patience, requests_per_minute=requests_per_minute, **more)
        open_ones.append(one)
        return one.__enter__()

    yield start
    for one in open_ones:
        one.__exit__(None, None, None)


def count(served, table):
    return served.store.database.read(
        lambda c: c.execute(select(func.count()).select_from(table)).scalar_one()
    )


def said(answer):
    return html.unescape(answer.text)


def test_a_whole_study_ends_with_the_recruiters_link(run):
    study = run()
    with study.person() as person:
        assert "cc=C1" not in look(person).text  # a random token may hold the code
        end = finish(person)
        assert end.status_code == 200
        assert 'href="https://app.prolific.com/submissions/complete?cc=C1"' in end.text
        assert finish(person).text == end.text, "the end can be looked at again"
    rows = answer_rows(study.store)
    assert [r.page for r in rows] == ["consent", "block", "block", "block", "survey"]
    assert {r.outcome for r in rows} == {"complete"}


@pytest.mark.parametrize(
    ("codes", "link"),
    [({}, None), ({"complete": "A&B<"}, "https://app.prolific.com/submissions/complete?cc=A%26B%3C")],
)
def test_codes_are_escaped_and_optional(run, codes, link):
    with run(recruit={"codes": codes}).person() as person:
        end = finish(person)
    found = re.findall(r'class="go" href="([^"]*)"', end.text)
    assert found == ([link] if link else [])


def test_outcomes_have_their_own_words_and_codes(run):
    screened = {"id": "age", "type": "count", "text": "Age?", "screen_out": ["7"]}
    made = studies.definition()
    codes = {"no_consent": "N1", "screened_out": "S1", "complete": "C1"}
    study = run(
        pages=[*made["pages"][:2], {"kind": "survey", "questions": [screened]}], recruit={"codes": codes}
    )
    with study.person("one") as person:
        page = page_of(person)
        person.post("/study", data=answered(page, consent="no"))
        assert "cc=N1" in person.get("/study").text
    with study.person("two") as person:

        def seven(page):
            return answered(page, **{c.name: "7" for c in page.controls.values() if c.kind == "count"})

        end = finish(person, seven)
        assert "cc=S1" in end.text


def test_failed_checks(run):
    check = {
        "after": 1,
        "question": {"id": "a", "type": "mcq", "text": "Say no.", "options": ["No", "Yes"], "key": "A"},
    }
    study = run(checks={"attention": [check]}, recruit={"codes": {"failed_checks": "X1"}})

    def wrong(page):
        labels = {label: value for c in page.controls.values() for value, label in c.values}
        return answered(page, **({"q1": labels["Yes"]} if "Yes" in labels else {}))

    with study.person() as person:
        assert "cc=X1" in finish(person, wrong).text


def test_full_and_paused(run):
    study = run(conditions=["plain"], design={"per_participant": 6})
    with study.person("first") as person:
        finish(person)
    with study.client() as late:
        first = PageParser(late.get("/", params={"PROLIFIC_PID": "second"}).text)
        answer = late.post("/study", data=answered(first))
        assert answer.status_code == 200
        assert "All places" in answer.text
        assert "cc=F1" in answer.text
        assert "set-cookie" not in answer.headers
    study.store.pause(True, 1.0)
    with study.person("third") as late:
        assert late.post("/study", data=answered(page_of(late))).status_code == 503
    with study.client(cookies=person.cookies) as again:
        assert again.get("/", params={"PROLIFIC_PID": "first"}).headers["location"] == "/study"
        assert "Thank you!" in again.get("/study").text, "who was here before is known"


def test_without_a_recruiter(run):
    study = run()
    with study.client() as person:
        start = answered(PageParser(person.get("/").text))
        for _ in range(2):  # a double click is one person
            assert person.post("/study", data=start).headers["location"] == "/study"
        assert count(study, participants) == 1
        assert person.get("/").headers["location"] == "/study", "goes on where they were"
        assert "Thank you!" in finish(person).text
    with study.client() as stranger:
        assert stranger.post("/study", data=start).status_code == 403
    assert count(study, participants) == 1


def test_a_study_can_insist_on_its_recruiter(run):
    with run(recruit={"required": True}).client() as person:
        assert person.get("/").status_code == 400
        assert person.get("/", params={"PROLIFIC_PID": "  "}).status_code == 400
        assert person.get("/", params={"PROLIFIC_PID": "x" * 401}).status_code == 400
        assert person.get("/", params={"PROLIFIC_PID": "x"}).status_code == 200


def test_no_get_writes_anything(run):
    made = studies.definition()
    question = {"id": "p", "type": "yesno", "text": "Is it?", "key": "yes", "feedback": "It is."}
    practice = {"kind": "practice", "item": {"texts": ["A text."]}, "questions": [question]}
    study = run(pages=[made["pages"][0], practice, *made["pages"][1:]])

    def look_everywhere(client):
        before = dump(study)
        with forbid_writes(study):
            for path in ("/?PROLIFIC_PID=x", "/?PROLIFIC_PID=y", "/", "/study", "/practised?page=x"):
                assert client.get(path).status_code < 500
                assert client.head(path).status_code < 500
        assert dump(study) == before

    with study.person("x") as person:
        look_everywhere(person)
        assert count(study, participants) == 0
        person.post("/study", data=answered(page_of(person)))
        assert count(study, participants) == 1
        look_everywhere(person)
        told = person.post("/study", data=answered(PageParser(person.get("/study").text)))
        assert told.headers["location"].startswith("/practised")
        look_everywhere(person)
        page = PageParser(person.get(told.headers["location"]).text)
        assert page.action == "/continue"
        assert person.post("/continue", data={"csrf": "wrong"}).status_code == 403
        assert person.post("/continue", data=page.hidden).headers["location"] == "/study"
        look_everywhere(person)
        assert "Thank you!" in finish(person).text
        look_everywhere(person)


@contextmanager
def forbid_writes(study):
    """Fail at once if anything but a reader begins a transaction."""
    engine = study.store.database.engine

    def begin(connection):
        assert connection.get_execution_options().get("plainmark_reading"), "a GET began to write"

    event.listen(engine, "begin", begin)
    try:
        yield
    finally:
        event.remove(engine, "begin", begin)


def dump(study):
    tables = (participants, pages, answers, assignments, cells)
    return study.store.database.read(
        lambda c: [[tuple(row) for row in c.execute(select(table))] for table in tables]
    )


def test_twenty_nine_links_close_no_study(run):
    """A study of two places, which were gone for a whole lease after two links had been followed."""
    study = run(conditions=["plain"], design={"per_participant": 3})
    with study.client() as stranger:
        for number in range(29):
            stranger.get("/", params={"PROLIFIC_PID": f"invented {number}"})
    for name in ("one", "two"):
        with study.person(name) as person:
            assert "Thank you!" in finish(person).text


def test_who_declines_takes_no_place(run):
    study = run(conditions=["plain"], design={"per_participant": 6})
    with study.person("no") as person:
        assert person.post("/study", data=answered(page_of(person), consent="no")).status_code == 303
        assert "did not agree" in person.get("/study").text
    assert monitoring.progress(study.store, 0.0).leased == 0
    with study.person("yes") as person:
        assert "Thank you!" in finish(person).text


def test_an_id_alone_opens_no_session(run):
    study = run()
    with study.person("same") as one, study.person("same") as other:
        early = answered(page_of(other))
        one.post("/study", data=answered(page_of(one)))
        theirs = page_of(one)
        taken = other.get("/", params={"PROLIFIC_PID": "same"})
        assert taken.status_code == 409
        assert "another browser" in taken.text
        assert other.post("/study", data=early).status_code == 409, "not by a form from before either"
        assert other.get("/study").status_code == 403
        assert page_of(one).hidden == theirs.hidden
        assert one.get("/", params={"PROLIFIC_PID": "same"}).headers["location"] == "/study"
    assert count(study, participants) == 1


def test_the_first_form_can_be_sent_again(run):
    """Its response was lost, so that the browser has no session yet: the same browser finds the same one."""
    study = run()
    with study.person("same") as person:
        form = answered(page_of(person))
        with study.client(cookies=person.cookies) as tab:
            first = tab.post("/study", data=form).cookies["study-tiny"]
        assert person.post("/study", data=form).cookies["study-tiny"] == first
        assert "Thank you!" in finish(person).text
    assert count(study, participants) == 1


def test_signed_links(run):
    study = run(settings={"signed_links": True})
    key = (KEYS.study_key, KEYS.study)
    right = {"PROLIFIC_PID": "ann", "sig": link_signature(*key, "ann")}
    with study.client() as stranger:
        assert stranger.get("/").status_code == 400
        for sig in ("", "0" * 40, link_signature(*key, "bob"), "ü"):
            assert stranger.get("/", params={"PROLIFIC_PID": "ann", "sig": sig}).status_code == 403
        page = PageParser(stranger.get("/", params=right).text)
        forged = {**answered(page), "participant": "bob"}
        assert stranger.post("/study", data=forged).status_code == 403
    assert count(study, participants) == 0
    with study.client() as ann, study.client() as phone:
        page = PageParser(ann.get("/", params=right).text)
        assert ann.post("/study", data=answered(page)).status_code == 303
        assert phone.get("/", params=right).headers["location"] == "/study"
        assert page_of(phone).hidden["page"] == page_of(ann).hidden["page"], "goes on where they were"


def test_listed_ids(run):
    study = run(settings={"ids": frozenset({"ann"})})
    with study.client() as person:
        assert person.get("/").status_code == 400
        assert person.get("/", params={"PROLIFIC_PID": "bob"}).status_code == 403
        page = PageParser(person.get("/", params={"PROLIFIC_PID": "ann"}).text)
        assert person.post("/study", data={**answered(page), "participant": "bob"}).status_code == 403
        assert person.post("/study", data=answered(page)).status_code == 303


def test_one_address_cannot_start_for_everyone(run):
    study = run(settings={"starts_per_hour": 4}, design={"per_participant": 3, "replicates": 20})
    codes = []
    for number in range(8):
        with study.person(f"p{number}") as person:
            codes.append(person.post("/study", data=answered(page_of(person))).status_code)
    assert codes == [303] * 2 + [429] * 6
    with study.client(headers={"x-forwarded-for": "192.0.2.1"}) as elsewhere:
        page = PageParser(elsewhere.get("/", params={"PROLIFIC_PID": "far"}).text)
        assert elsewhere.post("/study", data=answered(page)).status_code == 303
    assert count(study, participants) == 3


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_nul_is_refused(run, database, request):
    url = request.getfixturevalue("postgresql").database() if database == "postgresql" else ""
    study = run(url=url)
    with study.person() as person:
        first = answered(page_of(person))
        assert person.post("/study", data={**first, "participant": "a\0b"}).status_code == 400
        assert person.post("/study", data=first).status_code == 303
        form = answered(page_of(person))
        for changes in ({"page": "\0"}, {"q1": "a\0b"}, {"a\0": "b"}):
            answer = person.post("/study", data={**form, **changes})
            assert answer.status_code == 400
            assert "cannot process this" in answer.text
        assert person.get("/?PROLIFIC_PID=a%00b").status_code == 400
        assert person.get("/practised?page=%00").status_code == 400
        assert person.get("/study", headers={"cookie": 'study-tiny="a\\000b"'}).status_code == 403
        assert person.post("/study", data=form).status_code == 303
    assert count(study, answers) == 2


def test_who_comes_back_late_presses_continue(run):
    study = run()
    with study.person("slow") as person:
        person.post("/study", data=answered(page_of(person)))
        person.post("/study", data=answered(page_of(person)))
        admin_actions.reclaim(study.store, time.time() + 10_000)
        page = PageParser(person.get("/study").text)
        assert (page.heading, page.action) == ("Welcome back", "/continue")
        assert person.post("/continue", data=page.hidden).status_code == 303
        assert "Thank you!" in finish(person).text


def test_no_cookie_no_page(run):
    study = run()
    with study.client() as person:
        for path in ("/study", "/practised"):
            assert person.get(path).status_code == 403
        person.cookies.set("study-tiny", "invented")
        assert person.get("/study").status_code == 403
        assert person.post("/continue", data={"csrf": "x"}).status_code == 403
        assert person.get("/practised?page=x").status_code == 403
        assert person.post("/study", data={"page": "x"}).headers["location"] == "/study?note=unknown"


def test_a_page_is_taken_once(run):
    study = run()
    with study.person() as person:
        page = page_of(person)
        assert person.post("/study", data=answered(page)).headers["location"] == "/study"
        trial = page_of(person)
        first = answered(trial)
        assert person.post("/study", data=first).headers["location"] == "/study"
        assert person.post("/study", data=first).headers["location"] == "/study?note=repeated"
        assert count(study, resubmissions) == 0
        other = person.post("/study", data=answered(trial, q1="2"))
        assert "had already answered that page" in person.get(other.headers["location"]).text
        assert count(study, resubmissions) == 1, "second words are kept aside"
        assert count(study, answers) == 2


def test_many_submits_at_once_are_one(run):
    study = run()
    with study.person() as person:
        form = answered(page_of(person))
        got = []

        def send():
            with httpx.Client(base_url=study.url, cookies=person.cookies, timeout=60) as tab:
                got.append(tab.post("/study", data=form).status_code)

        threads = [threading.Thread(target=send) for _ in range(12)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert got == [303] * 12
    assert count(study, answers) == 1


def test_what_is_missing_is_said_and_what_was_typed_is_kept(run):
    made = studies.definition()
    words = {"id": "why", "type": "text", "text": "Why?", "longest": 20}
    study = run(pages=[{"kind": "survey", "questions": [SCALE, words]}, *made["pages"][1:]])
    with study.person() as person:
        page = page_of(person)
        bad = person.post("/study", data={**page.hidden, "q2": "</textarea><b>far too long for this"})
        assert bad.status_code == 422
        assert "Please answer this question." in bad.text
        assert "at most 20 characters" in bad.text
        assert "</textarea><b>" not in bad.text
        assert "&lt;/textarea&gt;&lt;b&gt;far too long for this" in bad.text
        assert 'role="alert"' in bad.text
        assert "<title>Please check: " in bad.text
        assert person.post("/study", data={**page.hidden, "q1": "9", "q2": "x"}).status_code == 422
        good = PageParser(bad.text)
        assert good.hidden["page"] == page.hidden["page"]
        assert person.post("/study", data=answered(good)).status_code == 303
        assert count(study, answers) == 2


def test_practice_says_what_was_right(run):
    made = studies.definition()
    question = {"id": "p", "type": "yesno", "text": "Is it?", "key": "yes", "feedback": "It <is>."}
    practice = {"kind": "practice", "item": {"texts": ["A text."]}, "questions": [question]}
    study = run(pages=[practice, *made["pages"][1:]])
    with study.person() as person:
        page = page_of(person)
        sent = person.post("/study", data={**page.hidden, "q1": "no"})
        told = person.get(sent.headers["location"])
        assert "Not quite" in told.text
        assert "It &lt;is&gt;." in told.text
        again = person.post("/study", data={**page.hidden, "q1": "yes"})
        assert "Not quite" in person.get(again.headers["location"]).text, "the first answer counts"
        assert person.get("/practised?page=other").headers["location"] == "/study"
    with study.person("someone else") as other:
        assert other.get(sent.headers["location"]).headers["location"] == "/study"


def test_conditions_are_said_in_words_and_decided_here(run):
    made = studies.definition()
    first = {"id": "match", "type": "yesno", "text": "Match?", "labels": ["They do", "They do not"]}
    then = {**SCALE, "show_if": {"question": "match", "equals": "yes"}}
    study = run(pages=[{"kind": "survey", "questions": [first, then]}, *made["pages"][1:]])
    with study.person() as person:
        shown = person.get("/study")
        assert "Only if you answered “They do” to “Match?”." in said(shown)
        page = PageParser(shown.text)
        assert person.post("/study", data={**page.hidden, "q1": "yes"}).status_code == 422
        assert person.post("/study", data={**page.hidden, "q1": "no", "q2": "3"}).status_code == 303
    (row,) = [r for r in answer_rows(study.store) if r.question == "ease"]
    assert (row.asked, row.counted) == (False, False)


def test_forms_of_others_are_not_taken(run):
    study = run()
    with study.person("a") as person, study.person("b") as other:
        for client in (person, other):
            client.post("/study", data=answered(page_of(client)))
        page = page_of(person)
        form = answered(page)
        refused = "/study?note=unknown"
        assert person.post("/study", data={**form, "csrf": ""}).headers["location"] == refused
        assert person.post("/study", data={**form, "csrf": "ü" * 40}).headers["location"] == refused
        assert other.post("/study", data=form).headers["location"] == refused
        theirs = page_of(other).hidden["csrf"]
        assert other.post("/study", data={**form, "csrf": theirs}).headers["location"] == refused
        cross = {"sec-fetch-site": "cross-site"}
        assert person.post("/study", data=form, headers=cross).headers["location"] == refused
        assert "nothing from it was stored" in person.get(refused).text
    assert count(study, answers) == 2, "two consents"


def test_what_is_no_form_is_refused(run):
    study = run()
    with study.person() as person:
        person.post("/study", data=answered(page_of(person)))
        assert person.post("/study", json={"page": "x"}).status_code == 415
        assert person.post("/study", files={"page": b"x"}).status_code == 415
        many = "&".join(f"a{i}=1" for i in range(3000))
        kind = {"content-type": "application/x-www-form-urlencoded"}
        assert person.post("/study", content=many, headers=kind).status_code == 400
        assert person.post("/study", content=b"\xff\xfe%ZZ&page=%F0%28", headers=kind).status_code == 303
        assert person.post("/study", content=b"a=" + b"x" * 1_000_001, headers=kind).status_code == 413
        long = iter([b"a=", *[b"x" * 100_000] * 12])
        assert person.post("/study", content=long, headers=kind).status_code == 413
        assert person.put("/study").status_code == 405
        assert person.get("/nowhere").status_code == 404
        assert person.get("/static/..%2f..%2fparticipant.py").status_code == 404


def test_cookies(run):
    with run().client() as person:
        page = person.get("/", params={"PROLIFIC_PID": "x"})
        assert page.headers["set-cookie"].startswith("visit-tiny=")
        cookie = person.post("/study", data=answered(PageParser(page.text))).headers["set-cookie"]
        assert cookie.startswith("study-tiny=")
        assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {p.strip() for p in cookie.split(";")}


def test_cookies_and_addresses_behind_a_proxy(run):
    study = run(public_url="https://study.example.org/readers")
    with study.client() as person:
        shown = person.get("/", params={"PROLIFIC_PID": "x"})
        assert 'action="/readers/study"' in shown.text
        visit = shown.headers["set-cookie"].partition(";")[0]
        assert visit.startswith("__Host-visit-tiny=")
        form = answered(PageParser(shown.text))
        answer = person.post("/study", data=form, headers={"cookie": visit})
        assert answer.headers["location"] == "/readers/study"
        assert answer.headers["set-cookie"].startswith("__Host-study-tiny=")
        assert "Secure" in answer.headers["set-cookie"]
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
        page = person.get("/study", headers={"cookie": f"__Host-study-tiny={token}"})
        assert 'action="/readers/study"' in page.text
        assert 'href="/readers/static/study.css?v=' in page.text


def test_too_many_requests(run):
    study = run(requests_per_minute=60)
    with study.client() as person:
        codes = []
        while codes[-1:] != [429] and len(codes) < 500:  # a slow machine earns new requests while it asks
            codes.append(person.get("/static/study.css").status_code)
    assert codes[:30] == [200] * 30
    assert codes[-1] == 429


def test_disk_full_keeps_what_was_typed(run):
    words = {"id": "why", "type": "text", "text": "Why?", "longest": 20_000}
    study = run(pages=[{"kind": "survey", "questions": [words]}, *studies.definition()["pages"][1:]])
    with study.person() as person:
        form = answered(page_of(person), q1='"><script>alert(1)</script>\n' + "ü" * 15_000, more="kept")
        full = [True]

        @event.listens_for(study.store.database.engine, "begin")
        def shrink(connection):
            size = connection.exec_driver_sql("PRAGMA page_count").scalar() if full[0] else 10**9
            connection.exec_driver_sql(f"PRAGMA max_page_count={size}")

        answer = person.post("/study", data=form)
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "10"
        assert "Your answer is not stored yet" in answer.text
        assert "<script>alert" not in answer.text
        again = PageParser(answer.text).hidden
        assert {k: v.replace("\r\n", "\n") for k, v in again.items()} == form
        assert count(study, answers) == 0
        full[0] = False
        assert person.post("/study", data=again).status_code == 303
    (row,) = answer_rows(study.store)
    assert row.value == form["q1"]


def test_lost_database(run, postgresql):
    study = run(url=postgresql.database(), patience=1.0)
    with study.person() as person:
        person.post("/study", data=answered(page_of(person)))
        form = answered(page_of(person))
        postgresql.stop()
        try:
            answer = person.post("/study", data=form)
            assert answer.status_code == 503
            assert PageParser(answer.text).hidden == form
            shown = person.get("/study")
            assert shown.status_code == 503
            assert "reload" in shown.text
            with study.client() as new:
                assert new.get("/", params={"PROLIFIC_PID": "n"}).status_code == 503
                assert new.get("/study").status_code == 403
        finally:
            postgresql.start()
        assert person.post("/study", data=form).status_code == 303
        assert count(study, answers) == 2


def test_a_database_that_comes_back_in_time_is_waited_for(run, postgresql):
    study = run(url=postgresql.database(), patience=60.0)
    with study.person() as person:
        form = answered(page_of(person))
        postgresql.stop()
        bring_back = threading.Timer(1.0, postgresql.start)
        bring_back.start()
        answer = person.post("/study", data=form)
        bring_back.join()
        assert answer.status_code == 303
        assert count(study, answers) == 1
        assert count(study, pages) == 2, "the next page was opened with the same commit"


def test_a_page_of_an_older_definition(tmp_path):
    folder = tmp_path / "study"
    with served(studies.write(folder)) as study, study.person() as person:
        person.post("/study", data=answered(page_of(person)))
        old, cookies = answered(page_of(person)), person.cookies
        cookies.delete("visit-tiny")
    changed = studies.write(folder, studies.definition(title="Another title"))
    with open_store(changed) as store:
        store.begin(1.0, new_revision=True)
    with served(changed) as study, study.client(cookies=cookies) as person:
        sent = person.post("/study", data=old)
        assert sent.headers["location"] == "/study?note=outdated"
        assert "What you sent is kept" in person.get(sent.headers["location"]).text
        assert count(study, answers) == 1
        assert "Thank you!" in finish(person).text
