"""Running a study: withdrawal, preview, payment lists, completion codes, attention trials, health, logs, clocks."""

import io
import json
import logging
import re
import subprocess
import sys
import time
from contextlib import ExitStack
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from plainmark.cli import main
from plainmark.errors import DefinitionError, OptionError
from plainmark.study import load, open_store
from plainmark.study.definition.codes import check_codes
from plainmark.study.store import admin_actions, import_export, monitoring, payments, removal
from plainmark.study.store.tables import assignments, metadata, pages
from plainmark.web import logs
from plainmark.web.simulation.participants import PageParser
from plainmark.web.study.preview import make_preview, tour
from plainmark.web.study.serving import signed_link
from plainmark.web.study.settings import Secrets, StudySettings, read_administrators
from support import studies
from support.study_server import KEYS, TOKEN, answered, finish, look, page_of, served

ATTENTION = {
    "after": 1,
    "text": "Please read this with care.",
    "question": {
        "id": "see",
        "type": "mcq",
        "text": "Which one?",
        "options": ["the first", "the second", "the third", "the last"],
        "key": "A",
    },
}
EVERYTHING = studies.definition(checks={"attention": [ATTENTION]})
CODE = re.compile(r"<code>((?:[0-9a-f]{4}-){6}[0-9a-f]{4})</code>")


def everything(store):
    return store.database.read(lambda c: repr([list(c.execute(select(t))) for t in metadata.sorted_tables]))


def test_a_participant_withdraws_with_the_code(tmp_path):
    with served(studies.write(tmp_path / "study")) as study:
        with study.person("bob") as bob:
            finish(bob)
        with study.person("ann") as ann:
            code = CODE.search(finish(ann).text)[1]
        shown = study.store.id_of("ann")
        before = study.store.database.read(lambda c: c.execute(select(pages)).all())
        with study.client() as stranger:
            assert "withdraw" in stranger.get("/").text
            page = stranger.get("/withdraw", params={"code": code})
            assert code in page.text
            assert stranger.get("/withdraw", params={"code": '"><b>'}).text.count("<b>") == 0
            wrong = stranger.post("/withdraw", data={"code": "0" + code[1:]})
            assert (wrong.status_code, "Nothing was removed" in wrong.text) == (404, True)
            other_site = {"sec-fetch-site": "cross-site"}
            assert stranger.post("/withdraw", data={"code": code}, headers=other_site).status_code == 403
            assert study.store.database.read(lambda c: c.execute(select(pages)).all()) == before
            done = stranger.post("/withdraw", data={"code": code})
            assert (done.status_code, "You have withdrawn" in done.text) == (200, True)
            assert stranger.post("/withdraw", data={"code": code}).status_code == 404
        assert shown not in everything(study.store)
        assert shown not in import_export.as_text(study.store, "csv")[0]
        assert monitoring.audit_log(study.store)[0].actor == "participant"
        with study.person("ann") as again:
            refused = again.post("/study", data=answered(page_of(again)))
            assert (refused.status_code, "withdrawn before" in refused.text) == (410, True)
        with study.admin() as admin:
            assert shown not in admin.get("/admin").text + admin.get("/admin/audit").text
            assert "withdrawal" in admin.get("/admin/audit").text


def test_a_participant_withdraws_in_the_middle(tmp_path):
    """With the session's cookie, or with the signed link; the browser forgets both cookies."""
    made = studies.write(tmp_path / "study")
    with served(made) as study:
        with study.person("ann") as ann:
            ann.post("/study", data=answered(page_of(ann)))
            ann.post("/study", data=answered(page_of(ann)))
            form = dict(re.findall(r'name="(code)" value="([^"]+)"', ann.get("/withdraw").text))
            assert "You have withdrawn" in ann.post("/withdraw", data=form).text
            assert not ann.cookies
        with study.person("bob") as bob:
            bob.post("/study", data=answered(page_of(bob)))
        link = signed_link(made, StudySettings("http://127.0.0.1"), KEYS.study_key, "bob")
        with study.client() as elsewhere:
            query = {k: v[0] for k, v in parse_qs(urlsplit(link).query).items()}
            unsigned = elsewhere.get("/withdraw", params={**query, "sig": "x"})
            assert 'value=""' in unsigned.text
            form = dict(
                re.findall(r'name="(code)" value="([^"]+)"', elsewhere.get("/withdraw", params=query).text)
            )
            assert elsewhere.post("/withdraw", data=form).status_code == 200
        progress = monitoring.progress(study.store, time.time())
        assert (progress.leased, sum(progress.people.values())) == (0, 0)


def test_codes_cannot_be_guessed_for_long(tmp_path):
    with served(studies.write(tmp_path / "study")) as study, study.client() as stranger:
        codes = [stranger.post("/withdraw", data={"code": str(n)}).status_code for n in range(8)]
        assert codes[0] == 404
        assert codes[-1] == 429


class Shape(HTMLParser):
    """Tags and attributes of a page without its words, tokens and numbers."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        free = {"href", "src", "content"} | ({"value"} if dict(attributes).get("type") == "hidden" else set())
        kept = [(k, v) for k, v in attributes if k not in free | {"data-page"}]
        self.tags.append((tag, [(k, v) for k, v in kept if tag != "progress" or k not in ("value", "max")]))


def test_attention_trials_look_as_others_do(tmp_path):
    block = {"kind": "block", "title": "Read", "text": "Some **help**.", "labels": ["The text"], "questions": [studies.MCQ]}  # fmt: skip
    made = studies.definition(
        pages=[studies.definition()["pages"][0], block], checks={"attention": [ATTENTION]}
    )
    with served(studies.write(tmp_path / "study", made)) as study, study.person() as ann:
        ann.post("/study", data=answered(page_of(ann)))
        seen = {}
        for number in range(1, 5):
            answer = look(ann)
            assert f"Text {number} of 4" in answer.text, "counted as one of the texts"
            assert not re.search(
                r"attention|check|control|\bsee\b", answer.text.lower().replace("please check", "")
            )
            kind = "attention" if "with care" in answer.text else "block"
            seen.setdefault(kind, []).append((Shape(answer.text).tags, len(answer.headers), answer.url))
            ann.post("/study", data=answered(PageParser(answer.text)))
        assert len(seen["attention"]) == 1
        assert seen["attention"][0] == seen["block"][0] == seen["block"][1]


def preview(study):
    return TestClient(make_preview(study, StudySettings()), follow_redirects=False)


def test_every_page_can_be_previewed(tmp_path):
    practice = {
        "kind": "practice",
        "item": {"texts": ["Cats purr."]},
        "questions": [{"id": "p", "type": "mcq", "text": "Who?", "options": ["cats", "dogs"], "key": "A"}],
    }
    first, *others = EVERYTHING["pages"]
    study = studies.write(tmp_path / "study", {**EVERYTHING, "pages": [first, practice, *others]})
    client = preview(study)
    index = client.get("/").text
    stops = tour(study)
    assert [s.arm.id for s in stops if s.arm] == ["plain", "hard", "odd"]
    for number, stop in enumerate(stops):
        assert f'href="/page/{number}"' in index
        page = client.get(f"/page/{number}")
        assert page.status_code == 200
        assert "<b>Preview.</b> Nothing is stored." in page.text
        if stop.arm:
            chosen = client.get(f"/page/{number}", params={"item": "i3"}).text
            assert f"Text 3, the {stop.arm.id} one." in chosen
        if stop.end or not PageParser(page.text).controls:
            continue
        empty = client.post("/study", data=PageParser(page.text).hidden)
        assert empty.status_code == 422
        sent = client.post("/study", data=answered(PageParser(page.text)))
        if number == 1:
            assert "That was practice" in sent.text
            sent = client.post("/continue", data=PageParser(sent.text).hidden)
        assert sent.headers["location"] == f"/page/{number + 1}"
    assert client.get("/page/999").status_code == 404
    assert client.post("/study", data={"page": "x" * 50}).headers["location"] == "/"
    assert sorted(p.name for p in study.folder.iterdir()) == ["items.jsonl", "study.yaml"], (
        "nothing is stored"
    )


def test_the_preview_shows_every_step_of_a_page(tmp_path):
    first, block, survey = EVERYTHING["pages"]
    effort = {"id": "effort", "type": "yesno", "text": "Was it hard?"}
    apart = {
        **block,
        "title": "Read",
        "text": "Questions follow.",
        "reading": "apart",
        "questions_title": "Answer",
        "questions_text": "From memory.",
        "one_per_screen": "phone",
        "questions": [studies.MCQ, effort],
    }
    study = studies.write(tmp_path / "study", {**EVERYTHING, "pages": [first, apart, survey]})
    stops, client = tour(study), preview(study)
    start = next(n for n, s in enumerate(stops) if s.arm)
    assert [s.label.partition("plain")[2] for s in stops[start : start + 4]] == [
        ", the text",
        ", the questions",
        ", question 1 of 2 on a phone",
        ", question 2 of 2 on a phone",
    ]
    texts = [client.get(f"/page/{start + k}", params={"item": "i2"}).text for k in range(4)]
    assert ["Text 2, the plain one." in t for t in texts] == [True, False, False, False]
    assert [("Questions follow." in t, "From memory." in t) for t in texts] == [(True, False)] + 3 * [
        (False, True)
    ]
    assert [t.count("<legend id=") for t in texts] == [0, 2, 1, 1]
    on = client.post("/study", data=PageParser(texts[0]).hidden).headers["location"]
    assert on == f"/page/{start + 1}?item=i2", "the questions are about the text that was read"
    back = client.post("/study", data={**PageParser(texts[3]).hidden, "back": "yes"}).headers["location"]
    assert back == f"/page/{start + 2}"
    attention = next(n for n, s in enumerate(stops) if "attention" in s.label)
    page, questions = (client.get(f"/page/{attention + k}").text for k in range(2))
    assert ("Questions follow." in page, "From memory." in questions) == (True, True)


def test_the_preview_of_the_command_line(tmp_path):
    study = studies.write(tmp_path / "study")
    command = [sys.executable, "-m", "plainmark", "study", "preview", str(study.folder), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().startswith("preview of tiny: http://127.0.0.1:")
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert sorted(p.name for p in study.folder.iterdir()) == ["items.jsonl", "study.yaml"]


def test_payment_lists(tmp_path, capsys):
    study = studies.write(tmp_path / "study", EVERYTHING)
    with open_store(study) as store:
        store.begin(0.0)
        studies.walk(
            store, "ann", 0.0, pick=lambda q: studies.stored(q, "A") if q.question.id == "see" else None
        )
        studies.walk(
            store, "bob", 100.0, pick=lambda q: studies.stored(q, "B") if q.question.id == "see" else None
        )
        studies.walk(store, "cleo", 200.0, stop_after=2)
        studies.walk(store, "dan", 300.0, pick=lambda q: "no" if q.name == "consent" else None)
        session = store.enrol("eve", 400.0)
        store.next_page(session.token, 401.0)
        removal.withdraw(store, removal.code_of(store, session.token), 402.0)
        lines = payments.for_recruiter(store, ["ann", "bob", "cleo", "dan", "eve", "zoe"], 410.0)
        assert [(p.participant, p.decision) for p in lines] == [
            ("ann", "accept"),
            ("bob", "reject"),
            ("cleo", "wait"),
            ("dan", "return"),
            ("eve", "withdrawn"),
            ("zoe", "unknown"),
        ]
        assert lines[1].reason == "1 of 1 attention trial wrong"
        assert payments.for_recruiter(store, ["cleo"], 1e6)[0].reason == "left after 1 of 3 trials"
        assert len(payments.payments(store, 410.0)) == 4
    ids = tmp_path / "ids.csv"
    ids.write_text("Submission id,Participant id\ns1,ann\ns2,bob\ns2,bob\n")
    folder = str(study.folder)
    assert main(["study", "payments", folder, str(ids), "-o", str(tmp_path / "pay.csv")]) == 0
    assert (tmp_path / "pay.csv").read_text().splitlines()[0] == "participant,id,decision,reason,minutes"
    assert main(["study", "payments", folder, str(ids), "--reject", "ann"]) == 2
    capsys.readouterr()
    reason = "pasted =1+1 from the web"
    assert (
        main(
            ["study", "payments", folder, str(ids), "--reject", "ann", "--reason", reason, "--format", "json"]
        )
        == 0
    )
    listed = json.loads(capsys.readouterr().out)
    assert (listed[0]["decision"], listed[0]["reason"]) == ("reject", reason)
    assert main(["study", "payments", folder, "--accept", "nobody"]) == 2
    ids.write_text("a,b\n1,2\n")
    assert main(["study", "payments", folder, str(ids)]) == 2
    assert "line 1: no column of ids" in capsys.readouterr().err
    with open_store(study) as store:
        assert {e.action for e in monitoring.audit_log(store)} >= {"payment list", "review"}


def test_payments_and_reminders_of_a_study_that_was_served_live(tmp_path, capsys):
    study = studies.write(tmp_path / "study")  # its mode is pilot
    with open_store(study.in_mode("live")) as store:
        store.begin(0.0)
        studies.walk(store, "ann")
    ids = tmp_path / "ids.txt"
    ids.write_text("ann\n")
    for options, decision in (([], "unknown"), (["--live"], "accept")):
        command = ["study", "payments", str(study.folder), str(ids), "--format", "json", *options]
        assert main(command) == 0
        assert json.loads(capsys.readouterr().out)[0]["decision"] == decision
    assert main(["study", "links", str(study.folder), str(ids), "--due", "--live", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [], "there is no later session"


def test_payments_on_the_dashboard(tmp_path):
    with served(studies.write(tmp_path / "study")) as study:
        with study.person() as ann:
            finish(ann)
        with study.client() as admin:
            admin.get("/admin", params={"token": TOKEN})
            page = admin.get("/admin/payments").text
            assert '<span class="decision accept">accept</span>' in page
            form = {**PageParser(page).hidden, "verdict": "reject", "reason": " <b>copied</b>\n twice "}
            assert admin.post("/admin/review", data=form).headers["location"] == "/admin/payments"
            assert "&lt;b&gt;copied&lt;/b&gt; twice" in admin.get("/admin/payments").text
            rows = admin.get("/admin/payments.csv").text.splitlines()
            assert rows[1].split(",")[1:3] == ["reject", "<b>copied</b> twice"]


GOOD = {"complete": "C7Q2ZK1A", "full": "C0FF11ZZ", "no_consent": "CN0T99XX", "failed_checks": "CF4IL123"}


@pytest.mark.parametrize(
    ("codes", "key", "words"),
    [
        (None, "recruit.codes.complete", "no code"),
        ({**GOOD, "full": ""}, "recruit.codes.full", "no code"),
        ({**GOOD, "complete": "XXXXXXXX"}, "recruit.codes.complete", "placeholder"),
        ({**GOOD, "complete": "YOUR_CODE"}, "recruit.codes.complete", "placeholder"),
        ({**GOOD, "full": "12345678"}, "recruit.codes.full", "placeholder"),
        ({**GOOD, "full": "<code>"}, "recruit.codes.full", "placeholder"),
        ({**GOOD, "full": "C1"}, "recruit.codes.full", "placeholder"),
        ({**GOOD, "full": GOOD["complete"]}, "recruit.codes.full", "the code of complete as well"),
    ],
)
def test_codes_are_checked_before_a_live_study(tmp_path, capsys, codes, key, words):
    made = {**EVERYTHING, "recruit": {"codes": codes} if codes else {}}
    study = studies.write(tmp_path / "study", made)
    assert main(["study", "serve", str(study.folder), "--live", "--port", "0"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{key}: " in said
    assert words in said
    line = int(re.search(r"study.yaml, line (\d+):", said)[1])
    text = (study.folder / "study.yaml").read_text().splitlines()
    name = key.split(".")[-1]
    assert not codes or name not in codes or name in text[line - 1]
    check_codes(study, study.folder, ["all"])


def test_people_turned_away_by_a_quota_may_have_a_code_of_their_own(tmp_path):
    native = {"kind": "survey", "questions": [{"id": "native", "type": "yesno", "text": "Native?"}]}
    first, *others = studies.definition()["pages"]
    made = studies.definition(
        pages=[first, native, *others], quotas=[{"question": "native", "equals": "yes", "people": 1}]
    )
    plain = studies.write(tmp_path / "plain", {**made, "recruit": {"codes": GOOD}})
    check_codes(plain, plain.folder)
    assert plain.code("quota") == GOOD["full"], "without its own, that of full"
    own = studies.write(tmp_path / "own", {**made, "recruit": {"codes": {**GOOD, "quota": "CQ7R5T2Y"}}})
    check_codes(own, own.folder)
    assert own.return_url("quota").endswith("CQ7R5T2Y")
    texts = [preview(own).get(f"/page/{n}").text for n, s in enumerate(tour(own)) if s.end and s.end.quota]
    assert ["CQ7R5T2Y" in t and "All places for your group are taken" in t for t in texts] == [True]
    twice = studies.write(tmp_path / "twice", {**made, "recruit": {"codes": {**GOOD, "quota": GOOD["full"]}}})
    with pytest.raises(DefinitionError, match=r"recruit\.codes\.quota: .* the code of full as well"):
        check_codes(twice, twice.folder)


def test_good_codes(tmp_path):
    study = studies.write(tmp_path / "study", {**EVERYTHING, "recruit": {"codes": GOOD}})
    check_codes(study, study.folder)
    check_codes(study, study.folder / "study.yaml")
    fewer = {k: v for k, v in GOOD.items() if k != "no_consent"}
    study = studies.write(tmp_path / "study", {**EVERYTHING, "recruit": {"codes": fewer}})
    with pytest.raises(DefinitionError, match="--without-code no_consent"):
        check_codes(study, study.folder)
    check_codes(study, study.folder, ["no_consent"])


def test_health(tmp_path, postgresql):
    made = studies.write(tmp_path / "study")
    with served(made, postgresql.database(), patience=0.5) as study, study.client() as client:
        assert client.get("/health").json() == {"status": "ok", "database": "ok"}
        postgresql.stop()
        try:
            answer = client.get("/health")
            assert (answer.status_code, answer.json()["database"]) == (503, "does not answer")
        finally:
            postgresql.start()
        assert client.get("/health").status_code == 200


def test_logs_hold_nothing_personal(tmp_path):
    stream = io.StringIO()
    handler = logs.log_as_json(stream)
    try:
        with served(studies.write(tmp_path / "study")) as study:
            with study.person("a very secret id") as ann:
                html = finish(ann, lambda page: answered(page, note="my secret words")).text
                code = CODE.search(html)[1]
                cookies = list(ann.cookies.values())
                ann.get("/nowhere/secret")
                ann.get("/study?note=secret")
                ann.post("/withdraw", data={"code": code})
            with study.client() as admin:
                admin.get("/admin", params={"token": TOKEN})
                admin.get("/admin/export/csv")
            shown = study.store.id_of("a very secret id")
        logging.getLogger("plainmark.web").error("TypeError in submit, line 3")
        logging.getLogger("other").error("failed with secret")
    finally:
        logging.getLogger().removeHandler(handler)
        logs.EVENTS.disabled = True
    text = stream.getvalue()
    lines = [json.loads(line) for line in text.splitlines()]
    for secret in ("secret", code, shown, TOKEN, "127.0.0.1", *cookies):
        assert secret not in text
    requests = [line for line in lines if line["event"] == "request"]
    assert {"event", "time", "level", "process", "method", "route", "status", "milliseconds"} == set(
        requests[0]
    )
    assert {r["route"] for r in requests} >= {"/", "/study", "/withdraw", "/admin/export/{form}", "other"}
    assert [(line["action"], line["actor"]) for line in lines if line["event"] == "administrator"] == [
        ("enter", "admin"),
        ("export", "admin"),
    ]
    assert "TypeError in submit, line 3" in [line["event"] for line in lines]


def test_the_log_says_who_did_what(tmp_path):
    token = "tok-" + "Zq8".join("abcdefghij")
    file = tmp_path / "admins"
    file.write_text(f"# name and token\nmary {token}\n")
    with pytest.raises(OptionError, match="chmod 600"):
        read_administrators(str(file))
    file.chmod(0o600)
    keys = Secrets(
        b"a key of the tests, long enough", TOKEN, b"k" * 20, "tiny", read_administrators(str(file))
    )
    with served(studies.write(tmp_path / "study"), keys=keys) as study:
        for name, secret in (("mary", token), ("admin", TOKEN)):
            with study.client() as admin:
                assert admin.get("/admin", params={"token": secret}).status_code == 303
                admin.get("/admin/export/csv")
                hidden = PageParser(admin.get("/admin").text).hidden
                assert admin.post("/admin/pause", data={**hidden, "paused": "yes"}).status_code == 303
                log = admin.get("/admin/audit").text
                assert f"<td>{name}</td><td>export</td>" in log
                assert f"<td>{name}</td><td>pause</td>" in log
                assert secret not in log
    for wrong in ("mary\n", f"mary {token}\nmary {token}\n", "mary short\n", f"admin {token}\n"):
        file.write_text(wrong)
        with pytest.raises(OptionError):
            read_administrators(str(file))


@pytest.mark.parametrize("jump", [-86_400.0, 86_400.0])
def test_a_clock_that_jumps(tmp_path, jump):
    """Nothing is lost, no time is negative, and no place is blocked for as long as the clock was wrong."""
    now = 1_000_000.0
    with open_store(studies.write(tmp_path / "study")) as store:
        store.begin(now)
        ann, bob = store.enrol("ann", now), store.enrol("bob", now)
        for person in (ann, bob):
            page = store.next_page(person.token, now + 1)
            store.submit(person.token, page.token, {"consent": "yes"}, now + 2)
            store.next_page(person.token, now + 3)
        now += jump
        while hasattr(page := store.next_page(ann.token, now), "token"):
            assert store.submit(ann.token, page.token, studies.fill(page), now + 1).status == "stored"
            now += 5
        assert page.outcome == "complete"
        seconds = store.database.read(lambda c: list(c.execute(select(pages.c.seconds)).scalars()))
        assert all(s is None or s >= 0 for s in seconds)
        assert all(p.minutes >= 0 and p.idle_minutes >= 0 for p in monitoring.participant_list(store, now))
        assert not [r for r in import_export.answer_rows(store) if r.late]
        # bob has left; his places are free once his lease, counted from now, is over
        admin_actions.reclaim(store, now)
        until = store.database.read(lambda c: max(c.execute(select(assignments.c.leased_until)).scalars()))
        assert until <= now + 601 or jump > 0
        admin_actions.reclaim(store, now + 700)
        assert monitoring.progress(store, now + 700).leased == 0
        assert studies.walk(store, "cleo", now + 800).outcome == "complete"
        assert monitoring.progress(store, now + 900).done == 6


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_clock_that_jumps_while_people_answer(tmp_path, database, request):
    """The server's clock goes forward, then back, by hours, between any two pages; everyone finishes, each page once."""
    url = request.getfixturevalue("postgresql").database() if database == "postgresql" else ""
    hours, jumps = [0.0], [5.0, -9.0, 3.0, -2.0, 7.0]
    study = studies.write(tmp_path / "study", studies.definition(), studies.items(3))  # three places
    with served(study, url, clock=lambda: time.time() + 3600 * hours[0]) as study, ExitStack() as stack:
        people = [stack.enter_context(study.person(f"p{n}")) for n in range(3)]
        for jump in jumps:
            for person in people:
                assert person.post("/study", data=answered(page_of(person))).status_code == 303
            hours[0] += jump
        assert ["Thank you!" in finish(person).text for person in people] == [True] * 3
        rows = import_export.answer_rows(study.store)
        assert len(rows) == 3 * 5, "consent, three trials, survey"
        assert not [r for r in rows if r.seconds is not None and r.seconds < 0]
        assert not [r for r in rows if r.late]
        progress = monitoring.progress(study.store, time.time())
        assert (progress.done, progress.leased, progress.surplus) == (9, 0, 0)
        assert progress.median_minutes >= 0


def test_a_place_of_the_future_is_not_held(tmp_path):
    """Someone agreed while the clock was hours ahead, and left: their place is free once it is right again."""
    first, block, survey = studies.definition()["pages"]
    made = studies.definition(pages=[first, survey, block])  # places are given after the survey
    study = studies.write(tmp_path / "study", made, studies.items(3))  # three places
    with open_store(study) as store:
        store.begin(0.0)
        for n in range(3):
            studies.walk(store, f"gone {n}", 20_000.0, stop_after=1)
        assert store.enrol("ann", 20_100.0).outcome == "full"
        assert studies.walk(store, "ann", 1000.0).outcome == "complete"


def test_a_definition_that_changed_after_the_first_answer(tmp_path, capsys):
    study = studies.write(tmp_path / "study")
    with open_store(study) as store:
        store.begin(0.0)
        studies.walk(store, "ann", stop_after=1)
    studies.write(tmp_path / "study", studies.definition(title="Another title"))
    assert main(["study", "serve", str(study.folder), "--port", "0"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the definition changed after 1 answers were given" in said
    assert "--new-revision" in said
    with open_store(load(study.folder)) as store:
        assert [e.action for e in monitoring.audit_log(store)] == [], "and nothing was written"
