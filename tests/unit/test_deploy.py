"""The files of deploy/: Caddy and systemd read them; Caddy runs before two real servers on one PostgreSQL database."""

import json
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml

from plainmark.cli.study import serve
from plainmark.study import open_store
from plainmark.study.store.answer_rows import answer_rows
from plainmark.web.simulation.server import ServerProcess
from support import caddy, studies
from support.requirements import ROOT
from support.study_server import answered, finish, page_of

DEPLOY = ROOT / "deploy"
VALUES = {
    "STUDY_HOST": "study.example.org",
    "STUDY_FOLDER": "/srv/my-study",
    "STUDY_KEY": "k" * 32,
    "ADMIN_TOKEN": "t0ken-abcdefghijklmnop-1234",
    "DATABASE_PASSWORD": "secret",
}


def composed():
    """The compose file with its variables replaced as compose does."""

    def value(match):
        name, _, default = match[1].partition(":-")
        return VALUES.get(name.partition(":?")[0], default)

    text = re.sub(r"\$\{([^}]+)\}", value, (DEPLOY / "compose.yaml").read_text("utf-8"))
    return yaml.safe_load(text)


def parse_serve(words):
    import argparse

    parser = argparse.ArgumentParser(exit_on_error=False)
    serve.add_arguments(parser)
    return parser.parse_args([str(w) for w in words])


def test_two_servers_one_database_and_a_proxy():
    made = composed()
    services = made["services"]
    assert set(services) == {"study-1", "study-2", "database", "proxy", "backup", "backup-now"}
    assert services["study-1"] == services["study-2"]
    verb, *words = services["study-1"]["command"]
    assert verb == "serve"
    options = parse_serve(words)
    assert options.database == "postgresql://study:secret@database/study"
    assert (options.public_url, options.log, options.mode) == ("https://study.example.org", "json", "pilot")
    assert options.trusted_proxies == [made["networks"]["inside"]["ipam"]["config"][0]["subnet"]]
    assert [p for s in services.values() for p in s.get("ports", [])] == services["proxy"]["ports"], (
        "only the proxy is reached from outside"
    )
    named = {v.split(":")[0] for s in services.values() for v in s["volumes"] if not v.startswith((".", "/"))}
    assert named == set(made["volumes"])
    for name in ("backup", "backup-now"):
        command = services[name]["command"][0]
        assert "plainmark study backup /study" in command
        assert services[name]["environment"]["PLAINMARK_STUDY_KEY"] == VALUES["STUDY_KEY"]


def test_every_variable_is_in_the_example():
    used = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text("utf-8")))
    given = set(re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text("utf-8"), re.MULTILINE))
    assert used - {"BACKUP_DAYS"} == given


def test_the_proxy_knows_the_servers():
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert "{$STUDY_SERVERS:study-1:8000 study-2:8000}" in text
    assert "health_uri /health" in text
    assert text.count("{") == text.count("}")


@pytest.mark.caddy
def test_caddy_takes_the_file(tmp_path):
    done = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", str(caddy.CADDYFILE)],
        env=caddy.environment(tmp_path, ["127.0.0.1:1"]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"level":"warn"' not in done.stderr


class Echo(BaseHTTPRequestHandler):
    """A server that answers with the headers of the request."""

    def do_GET(self):
        body = json.dumps({k.lower(): v for k, v in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.mark.caddy
def test_the_proxy_says_who_asks_and_nobody_else(tmp_path):
    """A client cannot choose the address that limits are counted by."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as echo:
        threading.Thread(target=echo.serve_forever, daemon=True).start()
        (port,) = caddy.free_ports(1)
        with caddy.proxy(tmp_path, [f"127.0.0.1:{echo.server_port}"], port) as client, client() as person:
            forged = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "http"}
            headers = person.get("/", headers=forged).json()
            assert headers["x-forwarded-for"] == "127.0.0.1"
            assert headers["x-forwarded-proto"] == "https"
        echo.shutdown()


@pytest.mark.caddy
def test_two_servers_behind_the_proxy(tmp_path, postgresql):
    """Someone takes part while the servers are killed one after the other; Caddy leaves out the one that is dead."""
    study = studies.write(tmp_path / "study", studies.definition(), studies.items(9))
    (port,) = caddy.free_ports(1)
    url = postgresql.database()
    servers = [ServerProcess(study.folder, url, public_url=f"https://localhost:{port}") for _ in range(2)]
    try:
        for server in servers:
            server.start()
        addresses = [f"127.0.0.1:{s.port}" for s in servers]
        with caddy.proxy(tmp_path, addresses, port) as client, client() as ann:
            ann.link = "/?PROLIFIC_PID=ann"
            assert page_of(ann).controls.keys() == {"consent"}
            sent = ann.post("/study", data=answered(page_of(ann)))
            assert sent.status_code == 303
            assert "Secure" in sent.headers["set-cookie"]
            too_large = ann.post("/study", data={"page": "x", "csrf": "x" * 1_100_000})
            assert too_large.status_code == 413
            assert "more than the study takes at once" in too_large.text
            for dead in servers:
                dead.crash()
                form, statuses = answered(page_of(ann)), [0]
                until = time.monotonic() + 30
                while statuses[-1] != 303 and time.monotonic() < until:  # as someone does who presses reload
                    statuses.append(ann.post("/study", data=form).status_code)
                assert set(statuses[1:-1]) <= {502, 503}, "an old Caddy, until its next check"
                time.sleep(2)
                assert {ann.post("/study", data=form).status_code for _ in range(20)} == {303}
                dead.start()
                time.sleep(2)
            assert "Thank you!" in finish(ann).text
    finally:
        for server in servers:
            server.stop()
    with open_store(study, url) as store:
        assert len(answer_rows(store)) == 5, "consent, three trials, survey: each once"


def test_the_image_starts_the_server():
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    entry = yaml.safe_load(re.search(r"^ENTRYPOINT (.*)$", text, re.MULTILINE)[1])
    command = yaml.safe_load(re.search(r"^CMD (.*)$", text, re.MULTILINE)[1])
    assert entry == ["plainmark", "study"]
    assert command[0] == "serve"
    assert parse_serve(command[1:]).log == "json"
    assert re.search(r"^USER study$", text, re.MULTILINE)
    check = yaml.safe_load(re.search(r"^HEALTHCHECK .* CMD (.*)$", text, re.MULTILINE)[1])
    compile(check[2], "healthcheck", "exec")


@pytest.mark.systemd
def test_the_unit_of_systemd(tmp_path):
    text = (DEPLOY / "plainmark-study.service").read_text("utf-8")
    words = re.search(r"^ExecStart=\S+ study serve (.*) \$STUDY_OPTIONS$", text, re.MULTILINE)[1].split()
    assert parse_serve([*words, "--pilot"]).public_url == "https://study.example.org"
    (tmp_path / "plainmark-study.service").write_text(
        text.replace("/opt/plainmark/bin/plainmark", "/bin/true")
    )
    done = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / "plainmark-study.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
