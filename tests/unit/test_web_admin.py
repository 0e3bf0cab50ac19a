"""The admin pages: closed without the token, and what they do with it."""

import json
import logging
import time

import pytest

from plainmark.errors import OptionError
from plainmark.study.store import admin_actions, monitoring
from plainmark.web import security
from plainmark.web.addresses import LockOut, RateLimiter, network_of
from plainmark.web.security import HEADERS, cookies_of, equal_in_constant_time
from plainmark.web.simulation.participants import PageParser, rewritten
from support import studies
from support.study_server import KEYS, TOKEN, answered, finish, look, page_of, served

PATHS = [
    ("GET", "/admin"),
    ("GET", "/admin/progress.json"),
    ("GET", "/admin/export/csv"),
    ("GET", "/admin/export/jsonl"),
    ("GET", "/admin/export/references"),
    ("GET", "/admin/export/other"),
    ("GET", "/admin/review"),
    ("GET", "/admin/audit"),
    ("POST", "/admin/pause"),
    ("POST", "/admin/release"),
    ("POST", "/admin/review"),
]
REWRITE = {"id": "rewrite", "type": "text", "text": "In other words?", "rewrite": {}}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    made = studies.definition()
    block = {"kind": "block", "show": "text", "questions": [REWRITE]}
    changed = studies.definition(
        pages=[made["pages"][0], block],
        conditions=["plain"],
        checks={"review": 2},
        design={"per_participant": 3, "replicates": 3},
    )
    rows = studies.items()
    for row in rows:
        row["texts"]["plain"] = f"The {row['id']} sentence that has to be written in other words is this one."
    with served(studies.write(tmp_path_factory.mktemp("admin") / "study", changed, rows)) as running:
        with running.person("a writer") as person:
            finish(person, lambda p: answered(p, **({"q1": rewritten(p.text)} if "q1" in p.controls else {})))
        yield running


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_nothing_without_the_token(study, method, path):
    with study.client() as stranger:
        answer = stranger.request(method, path, data={"paused": "yes"} if method == "POST" else None)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
        stranger.cookies.set("admin-tiny", TOKEN)  # the cookie is not the token
        assert stranger.request(method, path).status_code == 403
    assert not study.store.paused


@pytest.mark.parametrize("token", ["wrong", TOKEN + "x", TOKEN[:-1], "ü", "x" * 5000])
def test_nothing_with_a_wrong_token(tmp_path, token):
    with served(studies.write(tmp_path / "study")) as study, study.client() as stranger:
        assert stranger.get("/admin", params={"token": token}).status_code == 403
        header = {"authorization": f"Bearer {token}".encode()}
        assert stranger.get("/admin/export/csv", headers=header).status_code == 403
        codes = [stranger.get("/admin", params={"token": token}).status_code for _ in range(5)]
        assert codes[0] == 403
        assert codes[-1] == 429, "guessing is slow"
        locked = stranger.get("/admin", params={"token": TOKEN})
        assert locked.status_code == 429, "and tells nothing"
        assert int(locked.headers["retry-after"]) >= 1
        elsewhere = {"x-forwarded-for": "192.0.2.1"}
        assert stranger.get("/admin", params={"token": TOKEN}, headers=elsewhere).status_code == 303


def test_tokens_are_compared_in_constant_time(monkeypatch):
    seen = []
    monkeypatch.setattr(security.hmac, "compare_digest", lambda a, b: seen.append((a, b)) is None and a == b)
    assert equal_in_constant_time("a", "a")
    assert not KEYS.is_csrf_token("x", "y")
    assert len(seen) == 2


def test_the_link_becomes_a_cookie(study):
    with study.client() as admin:
        entered = admin.get("/admin", params={"token": TOKEN})
        assert (entered.status_code, entered.headers["location"]) == (303, "/admin")
        assert TOKEN not in entered.headers["set-cookie"]
        assert "HttpOnly" in entered.headers["set-cookie"]
        page = admin.get("/admin")
        assert page.status_code == 200
        assert "trials answered" in page.text
        assert TOKEN not in page.text
        hidden = PageParser(page.text).hidden
        assert admin.post("/admin/pause", data={"paused": "yes"}).status_code == 403
        crossed = {"sec-fetch-site": "cross-site"}
        assert admin.post("/admin/pause", data=hidden, headers=crossed).status_code == 403
        assert not study.store.paused
        assert admin.post("/admin/pause", data=hidden).status_code == 303
        assert study.store.paused
        again = admin.get("/admin")
        assert "Paused" in again.text
        assert admin.post("/admin/pause", data=PageParser(again.text).hidden).status_code == 303
        assert not study.store.paused
    assert {"enter", "pause", "resume"} <= {entry.action for entry in monitoring.audit_log(study.store)}


def test_exports(study):
    with study.admin() as admin:
        table = admin.get("/admin/export/csv")
        assert table.headers["content-type"].startswith("text/csv")
        assert table.headers["content-disposition"] == 'attachment; filename="tiny-pilot.csv"'
        assert len(table.text.splitlines()) == 1 + 4
        assert "a writer" not in table.text
        lines = [json.loads(r) for r in admin.get("/admin/export/jsonl").text.splitlines()]
        assert [r["page"] for r in lines] == ["consent", "block", "block", "block"]
        assert admin.get("/admin/export/parquet").status_code == 404
        data = admin.get("/admin/progress.json").json()
        assert (data["done"], data["cells"], data["people"]["complete"]) == (3, 18, 1)
        log = admin.get("/admin/audit").text
        assert "csv, 4 rows" in log


def test_review(study):
    with study.admin() as admin:
        page = admin.get("/admin/review")
        assert "sentence that has to be written" in page.text
        assert "1 of 1 people wait for you" in page.text
        assert "1 person waits for your review" in admin.get("/admin").text
        form = dict(PageParser(page.text).hidden)
        assert admin.post("/admin/review", data={**form, "verdict": "perhaps"}).status_code == 400
        assert (
            admin.post("/admin/review", data={**form, "participant": "999", "verdict": "accept"}).status_code
            == 404
        )
        assert (
            admin.post("/admin/review", data={**form, "participant": "-1", "verdict": "accept"}).status_code
            == 400
        )
        assert admin.post("/admin/review", data={"participant": "1", "verdict": "accept"}).status_code == 403
        accepted = [json.loads(r) for r in admin.get("/admin/export/references").text.splitlines()]
        assert sum(len(r["references"]) for r in accepted) == 3
        assert admin.post("/admin/review", data={**form, "verdict": "reject"}).status_code == 303
        assert "rejected" in admin.get("/admin/review").text
        kept = [json.loads(r) for r in admin.get("/admin/export/references").text.splitlines()]
        assert sum(len(r["references"]) for r in kept) == 0
        assert monitoring.progress(study.store, 0.0).done == 0, "what was rejected is asked of others"
        assert "for your review" not in admin.get("/admin").text
        assert admin.post("/admin/review", data={**form, "verdict": "accept"}).status_code == 303
        again = [json.loads(r) for r in admin.get("/admin/export/references").text.splitlines()]
        assert again == accepted, "a rejection can be undone"


def test_no_references_where_none_are_asked_for(tmp_path):
    with served(studies.write(tmp_path / "study")) as study, study.admin() as admin:
        assert admin.get("/admin/export/references").status_code == 404
        assert 'href="/admin/review"' not in admin.get("/admin").text
        assert "Nothing to review yet" in admin.get("/admin/review").text


def test_places_of_those_who_answer_nothing_are_released(tmp_path):
    design = {"per_participant": 6, "replicates": 2}
    study_folder = studies.write(tmp_path / "study", studies.definition(conditions=["plain"], design=design))
    with (
        served(study_folder) as study,
        study.admin() as admin,
        study.person("ghost") as ghost,
        study.person("worker") as worker,
    ):
        for person in (ghost, worker):
            person.post("/study", data=answered(page_of(person)))
        worker.post("/study", data=answered(page_of(worker)))
        page = admin.get("/admin")
        assert "1 person holds a place and has answered nothing yet." in page.text
        hidden = PageParser(page.text).hidden
        with study.person("late") as late:
            form = answered(page_of(late))
            assert "All places" in late.post("/study", data=form).text
            assert admin.post("/admin/release", data={"participant": "1"}).status_code == 403
            assert admin.post("/admin/release", data={**hidden, "participant": "x"}).status_code == 400
            assert admin.post("/admin/release", data={**hidden, "participant": "1"}).status_code == 303
            assert late.post("/study", data=form).status_code == 303, "their place is free"
            assert admin_actions.release(study.store, time.time(), idle=600) == 0, "nobody is idle yet"
            assert admin_actions.release(study.store, time.time() + 700, idle=600) == 1
            assert late.get("/study").status_code == 403
        assert admin.post("/admin/release", data={**hidden, "participant": "2"}).status_code == 303
        assert "Thank you!" in finish(worker).text, "who has answered anything is never released"
        assert "Thank you!" in finish(ghost).text, "who was released may begin again"
        assert "1 places" in admin.get("/admin/audit").text


def test_an_address_is_locked_out_for_longer_each_time():
    now = [0.0]
    lock = LockOut(clock=lambda: now[0])
    assert [lock.fail("a") for _ in range(8)] == [0, 0, 0, 0, 1, 2, 4, 8]
    assert lock.seconds_left("a") == 8
    assert lock.seconds_left("b") == 0
    now[0] = 7.5
    assert lock.seconds_left("a") == 0.5
    now[0] = 8.5
    assert lock.seconds_left("a") == 0
    assert lock.fail("a") == 16
    for _ in range(30):
        longest = lock.fail("a")
    assert longest == 3600
    lock.succeed("a")
    assert lock.fail("a") == 0
    for n in range(20_050):
        lock.fail(f"other {n}")
    assert len(lock._failures) == 20_000


@pytest.mark.parametrize(
    ("token", "strong"),
    [
        ("a long enough token", False),  # 19 characters of any kind are 114 bits at most
        ("abcdefghijklmnopqrstuv", True),
        ("0123456789abcdef0123456789abcde", False),  # 31 hexadecimal digits
        ("0123456789abcdef0123456789abcdef", True),
        ("12345678901234567890123456789012345678", False),  # 38 digits
        ("a" * 60, False),
        ("ümlaut ümlaut ümlaut ümlaut", False),
    ],
)
def test_tokens_are_long_enough(token, strong):
    if strong:
        assert security.check_token_strength(token, "T") == token
    else:
        with pytest.raises(OptionError, match=r"T: a token of about \d+ bits, expected at least 128"):
            security.check_token_strength(token, "T")


def test_every_answer_has_the_headers(study):
    with study.client() as person:
        for path in ("/", "/study", "/admin", "/nowhere", "/static/study.css", "/health", "/admin?token=x"):
            answer = person.get(path)
            for name, value in HEADERS.items():
                assert answer.headers[name] == value, path
            assert "server" not in answer.headers or "uvicorn" in answer.headers["server"]
        policy = HEADERS["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy


def test_pages_have_no_inline_script_or_style(study):
    with study.admin() as admin, study.person("looker") as person:
        for answer in (
            admin.get("/admin"),
            admin.get("/admin/review"),
            look(person),
            person.get("/"),
        ):
            assert " style=" not in answer.text
            assert "<style" not in answer.text
            assert " onclick" not in answer.text
            assert "<script>" not in answer.text


def test_faults_are_logged_without_what_people_wrote(tmp_path, monkeypatch, caplog):
    with served(studies.write(tmp_path / "study")) as study, study.person("secret name") as person:
        person.post("/study", data=answered(page_of(person)))

        def broken(*arguments, **more):
            raise RuntimeError(f"fault with {arguments}")

        form = answered(page_of(person), q1="secret words")
        monkeypatch.setattr(study.store, "submit", broken)
        with caplog.at_level(logging.DEBUG):
            answer = person.post("/study", data=form)
        assert answer.status_code == 500
        assert "reload the page" in answer.text
    # The server has ended: the response is sent before the fault is logged.
    assert "RuntimeError in broken" in caplog.text
    assert "secret" not in caplog.text
    assert "fault with" not in caplog.text


def test_rates_fill_up_again():
    now = [0.0]
    rate = RateLimiter(60, 3, clock=lambda: now[0])
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]
    assert rate.allows("b")
    now[0] = 1.0
    assert [rate.allows("a") for _ in range(2)] == [True, False]
    for n in range(200):
        rate.allows(f"other {n}")
    now[0] = 10.0
    rate.allows("c")
    assert list(rate._buckets) == ["c"], "addresses are forgotten as soon as their buckets are full again"


def test_many_addresses_cost_no_time():
    """Once every request beyond 20,000 clients went through all of them."""
    rate = RateLimiter(60, 3, clock=lambda: 0.0)
    began = time.process_time()
    for n in range(60_000):
        rate.allows(f"client {n}")
    assert time.process_time() - began < 5
    assert len(rate._buckets) == 20_000
    assert [rate.allows("client 59999") for _ in range(3)] == [True, True, False], "the latest are remembered"


def test_addresses():
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff") == "2001:db8::/64"
    assert network_of("2001:db8:0:1::1") != network_of("2001:db8::1")
    assert network_of("::ffff:192.0.2.7") != network_of("::ffff:192.0.2.8")
    assert network_of("unix") == "unix"


def test_strange_cookies():
    assert cookies_of({"headers": [(b"cookie", b"a=1; b=2")]}) == {"a": "1", "b": "2"}
    assert cookies_of({"headers": [(b"cookie", b"a=1;b=2"), (b"cookie", b" a = 3")]}) == {"a": "3", "b": "2"}
    assert cookies_of({"headers": [(b"cookie", b'\xff\x00;;="')]}) == {"\xff\x00": "", "": '"'}


def test_cookies_that_take_long_to_unquote(study):
    """A request with 60 KB of backslashes once held the server for 7 s."""
    hostile = 'session="' + "\\" * 60_000 + '"'
    began = time.process_time()
    for path in ("/", "/study", "/admin"):
        with study.client() as client:
            assert client.get(path, headers={"cookie": hostile}).status_code in (200, 401, 403)
    assert time.process_time() - began < 1
