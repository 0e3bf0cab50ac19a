"""The files of deploy/: read as the programs that use them would, as far as that goes without them."""

import re
import shutil
import subprocess

import pytest
import yaml

from plainmark.cli.study import serve
from support.requirements import ROOT

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
    assert re.search(r"reverse_proxy study-1:8000 study-2:8000 \{", text)
    assert "health_uri /health" in text
    assert text.count("{") == text.count("}")


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


def test_the_unit_of_systemd(tmp_path):
    text = (DEPLOY / "plainmark-study.service").read_text("utf-8")
    words = re.search(r"^ExecStart=\S+ study serve (.*) \$STUDY_OPTIONS$", text, re.MULTILINE)[1].split()
    assert parse_serve([*words, "--pilot"]).public_url == "https://study.example.org"
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not on this machine")
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
