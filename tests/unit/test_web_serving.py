"""Starting a server: what it prints, and what it refuses before it listens."""

import io
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from plainmark import cli
from plainmark.errors import OptionError
from plainmark.study import open_store
from plainmark.study.keys import study_key
from plainmark.web.server import listen
from plainmark.web.simulation.participants import PageParser
from plainmark.web.study import serving as web_serving
from plainmark.web.study.serving import StudyLinks, StudyServeOptions, check
from plainmark.web.study.settings import Secrets, StudySettings
from support import studies
from support.study_server import KEYS, answered, page_of, served


def complaint(capsys, *words):
    assert cli.main(["study", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


@pytest.fixture
def folder(tmp_path):
    studies.write(tmp_path / "study")
    return str(tmp_path / "study")


def test_several_workers_on_sqlite(capsys, folder):
    assert "SQLite serves one worker" in complaint(capsys, "serve", folder, "--workers", "2")
    assert "SQLite serves one" in complaint(
        capsys, "serve", folder, "--workers", "2", "--database", f"sqlite:///{folder}/a.db"
    )
    check(StudyServeOptions(folder, "postgresql://somewhere/db", workers=4))


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--workers", "0", "expected 1 or more"),
        ("--port", "70000", "expected 0 to 65535"),
        ("--requests-per-minute", "0", "expected 10 or more"),
        ("--starts-per-hour", "0", "expected 1 or more"),
        ("--trusted-proxy", "proxy.example.org", "expected an address such as 10.0.0.5"),
        ("--ids", "no such file", "cannot read it (No such file or directory)"),
        ("--public-url", "study.example.org", "expected an address such as https://"),
        ("--public-url", "https://x/?a=1", "expected an address such as https://"),
        ("--host", "no such host", "no such address"),
        ("--database", "mysql://x", "expected sqlite or postgresql"),
    ],
)
def test_options_are_checked(capsys, folder, option, value, words):
    assert words in complaint(capsys, "serve", folder, option, value)


def test_a_taken_port(capsys, folder):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert "Choose another --port" in complaint(capsys, "serve", folder, "--port", port)


def test_a_second_server_on_one_file(capsys, tmp_path, folder):
    with served(studies.write(tmp_path / "study")):
        assert "another server already works on this file" in complaint(
            capsys, "serve", folder, "--port", "0"
        )


def test_a_server_leaves_the_log_handlers_of_the_process_open(tmp_path):
    """Some packages close the stream of a handler with it, which may be standard error of the whole process."""

    class Closing(logging.StreamHandler):
        def close(self):
            self.stream.close()
            super().close()

    stream = io.StringIO()
    handler = Closing(stream)
    with served(studies.write(tmp_path / "study")):
        assert not stream.closed
    handler.close()


def test_a_changed_definition(capsys, tmp_path, folder):
    with served(studies.write(tmp_path / "study")) as study, study.person() as person:
        person.post("/study", data=answered(page_of(person)))
    studies.write(tmp_path / "study", studies.definition(title="Another title"))
    assert "--new-revision" in complaint(capsys, "serve", folder, "--port", "0")


def test_a_short_admin_token(capsys, folder, monkeypatch):
    monkeypatch.setenv("PLAINMARK_ADMIN_TOKEN", "short")
    assert "PLAINMARK_ADMIN_TOKEN: a token of about" in complaint(capsys, "serve", folder, "--port", "0")
    monkeypatch.setenv("PLAINMARK_ADMIN_TOKEN", "a token that is long enough")
    assert Secrets.derive(b"k" * 32, "x").admin_token == "a token that is long enough"


def test_secrets_follow_from_the_key():
    one, same, other = (Secrets.derive(k * 32, s) for k, s in ((b"k", "a"), (b"k", "a"), (b"k", "b")))
    assert one == same != other
    assert one.admin_token not in (one.admin_cookie, one.form_key.decode())


def test_links(tmp_path):
    study = studies.write(tmp_path / "study")
    links = StudyLinks.make(study, StudySettings("https://study.example.org"), KEYS)
    assert links.recruiter == (
        "https://study.example.org/?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert links.admin == f"https://study.example.org/admin?token={KEYS.admin_token}"


def test_signed_links_of_the_command_line(capsys, folder, tmp_path, monkeypatch):
    ids = tmp_path / "ids.txt"
    ids.write_text("bob\n\n ann \n", "utf-8")
    assert cli.main(["study", "links", folder, str(ids), "--public-url", "https://x.example"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [external for external, _ in rows] == ["ann", "bob"]
    secrets = Secrets.derive(study_key(folder), "tiny")
    for external, link in rows:
        query = httpx.URL(link).params
        assert query["PROLIFIC_PID"] == external
        assert secrets.is_signature(external, query["sig"])
        assert not secrets.is_signature(external + "x", query["sig"])
    monkeypatch.setenv("PLAINMARK_LINK_KEY", "another secret of the recruiter")
    assert not secrets.is_signature("ann", httpx.URL(rows[0][1]).params["sig"])
    monkeypatch.setenv("PLAINMARK_LINK_KEY", "short")
    assert "PLAINMARK_LINK_KEY: 5 characters" in complaint(capsys, "links", folder, str(ids))
    ids.write_text("\n", "utf-8")
    assert "no ids in it" in complaint(capsys, "links", folder, str(ids))


def test_a_given_admin_token_is_not_printed(tmp_path, monkeypatch):
    """What a server prints is in the logs of its container."""
    study, serving = studies.write(tmp_path / "study"), StudyServeOptions(str(tmp_path / "study"))
    for given in (False, True):
        if given:
            monkeypatch.setenv("PLAINMARK_ADMIN_TOKEN", KEYS.admin_token)
        with open_store(study) as store:
            lines = "\n".join(web_serving.greeting(serving, study, store, serving.settings(80), KEYS))
        assert (KEYS.admin_token in lines) is not given
        assert "/admin?token=" in lines


def test_what_is_printed(tmp_path):
    study = studies.write(tmp_path / "study", studies.definition(recruit={"required": True}))
    with open_store(study) as store:
        serving = StudyServeOptions(str(tmp_path / "study"), host="0.0.0.0")
        lines = "\n".join(web_serving.greeting(serving, study, store, serving.settings(80), KEYS))
    assert "without https" in lines
    assert "only by the recruiter's link" in lines
    signed = StudyServeOptions(str(tmp_path / "study"), signed_links=True)
    with open_store(study) as store:
        lines = "\n".join(web_serving.greeting(signed, study, store, signed.settings(80), KEYS))
    assert "only by signed links" in lines
    with pytest.raises(OptionError, match="cannot listen here"):
        listen("192.0.2.1", 0)


def test_mode_of_the_command_line(folder):
    assert StudyServeOptions(folder).load().definition.mode == "pilot"
    assert StudyServeOptions(folder, mode="live").load().definition.mode == "live"


def start(folder, *words, environment=None):
    process = subprocess.Popen(
        [sys.executable, "-m", "plainmark", "study", "serve", folder, "--port", "0", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    said = []
    for line in process.stdout:
        said.append(line)
        if line.startswith("Stop"):
            break
    return process, said


def test_a_server_from_the_command_line(folder):
    process, said = start(folder, "--live", "--without-code", "all")
    try:
        assert said[0].startswith("tiny (live), answers in ")
        link = said[1].split()[1]
        admin = said[3].split()[1]
        with httpx.Client(base_url=link, timeout=60) as person:
            first = PageParser(person.get("/", params={"PROLIFIC_PID": "a very secret id"}).text)
            assert person.post("/study", data=answered(first)).status_code == 303
            assert person.post("/study", data=answered(page_of(person))).status_code == 303
            entered = person.get(admin)
            assert entered.status_code == 303
            assert person.get("/admin").status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
        rest, errors = process.communicate(timeout=60)
    assert "secret" not in rest + errors
    assert errors == ""
    assert process.returncode == 143
    assert not Path(folder, "answers.db-wal").exists(), "all is in the file itself, for a copy"


def test_several_workers_on_postgresql(folder, postgresql):
    process, said = start(folder, "--workers", "2", "--database", postgresql.database())
    try:
        assert said, process.stderr.read()
        with httpx.Client(base_url=said[1].split()[1], timeout=60) as person:
            for _ in range(300):
                try:
                    person.get("/health")
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            first = PageParser(person.get("/", params={"PROLIFIC_PID": "someone"}).text)
            assert person.post("/study", data=answered(first)).status_code == 303
            for _ in range(4):
                assert person.post("/study", data=answered(page_of(person))).status_code == 303
            assert "Thank you!" in person.get("/study").text
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
