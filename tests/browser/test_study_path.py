"""The whole path of a study in Chromium: pilot, live on two servers that crash, withdrawal, payment, report, archive, re-run."""

import json
import subprocess
import sys
import zipfile
from contextlib import contextmanager

import pytest
from playwright.sync_api import Error as BrowserError

from plainmark.cli import main
from plainmark.study import open_store
from plainmark.study.keys import study_key
from plainmark.study.store import monitoring
from plainmark.study.store.answer_rows import answer_rows
from plainmark.web.simulation.server import ServerProcess
from plainmark.web.study.settings import Secrets
from support import studies

CODES = {"complete": "C7Q2ZK1A", "full": "C0FF11ZZ", "no_consent": "CN0T99XX", "failed_checks": "CF4IL123"}
CONSENT = """We study how people read. It takes **ten minutes**.

- You may stop at any time.
- [What happens to your answers](https://example.org/privacy)"""


def definition():
    first, block, survey = studies.definition()["pages"]
    attention = {
        "after": 1,
        "text": "This sentence asks you to choose the last answer.",
        "question": {
            "id": "last",
            "type": "mcq",
            "text": "Which answer does the text ask for?",
            "options": ["the first", "the second", "the third", "the last"],
            "key": "D",
            "shuffle": False,
        },
    }
    return studies.definition(
        mode="pilot",
        pages=[{**first, "title": "Welcome", "text": CONSENT}, block, survey],
        checks={"attention": [attention], "on_failure": "flag"},
        exclusions={"attention": True, "incomplete": True},
        analysis={"baseline": "plain"},
        recruit={"codes": CODES},
    )


@contextmanager
def two_servers(folder, url):
    servers = [ServerProcess(folder, url, mode="live") for _ in range(2)]
    try:
        for server in servers:
            server.start()
        yield servers
    finally:
        for server in servers:
            server.stop()


class Person:
    """Someone with a browser, who knows both servers."""

    def __init__(self, browser, servers, name, careful=True):
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page, self.servers, self.name, self.careful = self.context.new_page(), servers, name, careful

    def open(self, number, path="/study"):
        self.page.goto(f"http://127.0.0.1:{self.servers[number].port}{path}")

    def arrive(self, number=0):
        self.open(number, f"/?PROLIFIC_PID={self.name}")

    def answer(self):
        """Answer the page that is shown; False if there is none."""
        if not self.page.locator("form[data-page]").count():
            return False
        for box in self.page.locator("input[type=number]").all():
            box.fill("30")
        asked = self.page.get_by_text("Which answer does the text ask for?").count()
        radios = self.page.locator("input[type=radio]")
        if radios.count():
            radios.nth(radios.count() - 1 if asked and self.careful else 0).check()
        with self.page.expect_navigation():
            self.page.locator("button.go").click()
        return True

    def finish(self):
        for _ in range(20):
            if not self.answer():
                return self.page.locator("h1").inner_text()
        raise AssertionError("the study does not end")


def told(capsys, *words):
    """What a command of `plainmark study` prints as JSON."""
    capsys.readouterr()
    assert main(["study", *map(str, words), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def simulate_pilot(folder, kept, capsys):
    """Simulated participants and a crash before anyone comes; their answers are reported as those of people will be."""
    pilot = told(capsys, "simulate", folder, "-n", 12, "--crashes", 1, "--ramp", 1, "--think", 0, 0.1, "--careless", 0.8, "--keep", kept)  # fmt: skip
    assert (pilot["lost"], pilot["duplicated"], pilot["crashes"]) == (0, 0, 1)
    tables = {t["table"]: t["rows"] for t in told(capsys, "report", kept, "--resamples", 200)}
    assert {row[0] for row in tables["Excluded participants"]}, (
        "careless participants fail the attention trial"
    )


def test_the_whole_path(browser, postgresql, tmp_path, capsys):
    study = studies.write(tmp_path / "study", definition(), studies.items(9))
    folder, url = study.folder, postgresql.database()
    simulate_pilot(folder, tmp_path / "pilot", capsys)
    with two_servers(folder, url) as servers:
        ann, bob, cleo = (
            Person(browser, servers, "ann"),
            Person(browser, servers, "bob", careful=False),
            Person(browser, servers, "cleo"),
        )
        ann.arrive(0)
        assert ann.page.locator(".intro strong").inner_text() == "ten minutes"
        assert ann.page.locator(".intro a").get_attribute("rel") == "noopener noreferrer"
        ann.answer()
        ann.answer()
        text = ann.page.locator("[data-text]").inner_text()
        servers[0].crash()
        with pytest.raises(BrowserError, match="ERR_CONNECTION_REFUSED"):
            ann.answer()  # sent to a server that is gone
        ann.page = ann.context.new_page()
        ann.open(1)  # the proxy sends her to the other server; her cookie is known there
        assert ann.page.locator("[data-text]").inner_text() == text, (
            "what was not acknowledged is asked again"
        )
        assert ann.finish() == "Thank you!"
        assert "cc=C7Q2ZK1A" in ann.page.locator("a.go").get_attribute("href")
        servers[0].start()
        bob.arrive(1)
        bob.answer()
        servers[1].crash()
        bob.open(0)
        assert bob.finish() == "You have reached the end"
        servers[1].start()
        # cleo finishes and then withdraws with the link at the foot of the page, on the other server.
        cleo.arrive(0)
        assert cleo.finish() == "Thank you!"
        code = cleo.page.locator(".note code").last.inner_text()
        cleo.open(1, "/withdraw")
        assert cleo.page.locator("#code").input_value() == code
        with cleo.page.expect_navigation():
            cleo.page.locator("button.go").click()
        assert cleo.page.locator("h1").inner_text() == "You have withdrawn"
        with open_store(study.in_mode("live"), url) as store:
            gone = store.id_of("cleo")
            rows = answer_rows(store)
            assert {r.participant for r in rows} == {store.id_of("ann"), store.id_of("bob")}
            assert len(rows) == 2 * 6, "each page once, none lost"
            assert monitoring.progress(store, 0.0).people["complete"] == 1
        admin = Person(browser, servers, "admin")
        token = Secrets.derive(study_key(folder), "tiny").admin_token
        admin.open(0, f"/admin?token={token}")
        assert "of 27" in admin.page.locator(".wide-tile").inner_text()
        admin.open(1, "/admin/payments")
        decisions = admin.page.locator(".decision").all_inner_texts()
        assert sorted(decisions) == ["accept", "reject"]
        admin.open(1, "/admin/audit")
        assert "withdrawal" in admin.page.locator("main").inner_text()
        assert gone not in admin.page.content()
        for person in (ann, bob, cleo, admin):
            person.context.close()
    live = ["--database", url, "--live", "--resamples", "200"]
    report = tmp_path / "report.html"
    assert main(["study", "report", str(folder), *live, "-o", str(report)]) == 0
    text = report.read_text("utf-8")
    assert "1 of 2 participants are excluded; 1 are analysed." in text
    assert gone not in text
    archive = tmp_path / "archive.zip"
    assert main(["study", "archive", str(folder), *live, "-o", str(archive)]) == 0
    again = told(capsys, "rerun", archive)
    assert again["same"]
    assert again["figures"] > 50
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path / "open")
    done = subprocess.run(
        [sys.executable, "analysis.py"], cwd=tmp_path / "open", capture_output=True, text=True, check=False
    )
    assert "1 people are excluded by the rules of the definition" in done.stdout, done.stderr
    assert f"The same: all {again['figures']} figures" in done.stdout, done.stderr


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_new_pages_fit(browser, tmp_path, scheme, width):
    """Consent, withdrawal, end, payment and log are no wider than the screen."""
    from support.study_server import TOKEN, served

    made = definition() | {"mode": "pilot", "privacy": {"contact": "study@example.org"}}
    with served(studies.write(tmp_path / "study", made, studies.items(9))) as study:
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page = context.new_page()
        page.goto(f"{study.url}/?PROLIFIC_PID=ann")
        shots = {"consent": page.screenshot(full_page=True)}
        person = Person.__new__(Person)
        person.page, person.careful = page, True
        person.finish()
        shots["end"] = page.screenshot(full_page=True)
        for name, path in {
            "withdraw": "/withdraw",
            "dashboard": f"/admin?token={TOKEN}",
            "payments": "/admin/payments",
            "audit": "/admin/audit",
        }.items():
            page.goto(study.url + path)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (name, wide)
            shots[name] = page.screenshot(full_page=True)
        context.close()
    for name, image in shots.items():
        (tmp_path / f"{name}-{width}-{scheme}.png").write_bytes(image)
