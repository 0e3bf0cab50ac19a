"""The README is true: its commands run, print what it shows, and its figures are those of the pages it links to."""

import re
import tomllib
import zlib
from pathlib import Path

import pytest

import plainmark as pm
from conftest import ROOT
from plainmark.cli.list import facts
from support.pages import blocks, check_command, commands
from support.requirements import SHARED

TEXT = (ROOT / "README.md").read_text("utf-8")
BLOCKS = blocks(TEXT)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

# Commands that are not run, and why.
NOT_RUN = {
    "pip install .": "builds the package; `make wheel` installs it into an empty environment",
    "pip install git+REPOSITORY": "REPOSITORY stands for an address",
    "pip install plainmark": "the package is not published yet",
    "plainmark datasets get onestopqa": "downloads; tests/unit/test_cli_datasets.py tests it without a network",
}
NEEDS_DATA = {"plainmark correlate -d onestopqa -m sari,bleu"}


COMMANDS = list(commands(TEXT))


def test_only_blocks_that_are_checked():
    """Python blocks are run by test_docs.py; an indented block would be missed by both."""
    assert {language for language, _ in BLOCKS} <= {"sh", "console", "python"}
    assert not re.search(
        r"^ {4}\S", re.sub(r"^```.*?^```$", "", TEXT, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )


def test_every_exception_is_in_the_readme():
    assert {command for command, _ in COMMANDS} >= NOT_RUN.keys() | NEEDS_DATA


RUN = [
    pytest.param(command, output, id=command, marks=[pytest.mark.data] if command in NEEDS_DATA else [])
    for command, output in COMMANDS
    if command not in NOT_RUN
]


@pytest.mark.parametrize(("command", "expected"), RUN)
def test_commands_run_and_print_what_is_shown(command, expected, tmp_path, monkeypatch):
    if command in NEEDS_DATA:
        monkeypatch.setenv("PLAINMARK_DATA", str(SHARED / "data"))
    check_command(command, expected, tmp_path)


def test_length():
    assert len(TEXT.split()) <= 900


def test_pictures_are_small_files():
    paths = re.findall(r'(?:src|srcset)="([^"]+)"', TEXT)
    assert {Path(p).name for p in paths} == {"report-light.png", "report-dark.png"}
    for path in paths:
        content = (ROOT / path).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) < 200_000


def table(text, heading):
    """The rows of the table whose first column has this heading, as dictionaries."""
    lines = iter(text.splitlines())
    names = next(cells for cells in map(split_row, lines) if cells and cells[0] == heading)
    next(lines)
    rows = []
    for line in lines:
        cells = split_row(line)
        if not cells:
            break
        rows.append(dict(zip(names, cells, strict=True)))
    return rows


def split_row(line):
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []


def test_speed_is_as_measured():
    measured = {
        row["task"]: row for row in table((ROOT / "docs" / "benchmarks.md").read_text("utf-8"), "task")
    }
    rows = table(TEXT, "task")
    assert len(rows) == 5
    for row in rows:
        assert row.items() <= measured[row["task"]].items()
    assert f"all {len(measured)} tasks" in TEXT
    slower = [task for task, row in measured.items() if float(row["speed-up"].rstrip("×")) < 1]
    assert slower == ["Kendall's tau and its p"]
    assert "slower than the reference in one of them: Kendall's tau" in TEXT


def test_extras_and_licence_are_those_of_the_package():
    extras = {name.strip("`") for row in table(TEXT, "extra") for name in row["extra"].split(", ")} - {"none"}
    for_developers = {"test", "test-all", "bench"}
    assert extras == PROJECT["optional-dependencies"].keys() - for_developers
    assert PROJECT["license"] in " ".join(TEXT.split())


def test_the_size_of_the_download():
    """The package as a wheel would compress it, and the other wheels that `pip install plainmark` downloads."""
    files = (f for f in (ROOT / "src" / "plainmark").rglob("*") if f.is_file())
    content = (f.read_bytes() for f in files if f.suffix != ".so" and "__pycache__" not in f.parts)
    package = sum(len(zlib.compress(data)) for data in content) / 1e6
    others = 17  # numpy 2.4, Jinja2 and MarkupSafe for Linux
    (stated,) = [float(row["MB"]) for row in table(TEXT, "extra") if row["extra"] == "none"]
    assert abs(stated - others - package) < 3


def test_one_question_one_command():
    questions = re.findall(r"^\*\*(.+\?)\*\*", TEXT, re.MULTILINE)
    assert len(questions) == 5
    answers = TEXT.partition(f"**{questions[0]}**")[2].partition("\n## ")[0]
    assert [len(content.splitlines()) for _, content in blocks(answers)] == [
        1,
        1,
        1,
        2,
        1,
    ]  # one of them downloads


def test_the_alternatives_table_counts_our_variants_and_dependencies():
    ours = {row[""]: row["plainmark"] for row in table(TEXT, "")}
    assert ours["direct dependencies"] == str(len(PROJECT["dependencies"]))
    (variant,) = [o for o in facts(pm.METRICS.find("sari"))["options"] if o["name"] == "variant"]
    assert ours["SARI versions"] == {7: "seven"}[variant["type"].count("'") // 2]
