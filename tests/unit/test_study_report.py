"""The page of a study, and the verbs of `plainmark study` with good and bad input."""

import json
import subprocess
import sys

import pytest

from plainmark.cli import main
from plainmark.report import study as page
from plainmark.study import open_store
from plainmark.study.analysis.analyse import analyse
from plainmark.study.analysis.responses import Response
from plainmark.study.planning import estimated_minutes, plan_of
from support import studies

EVIL = '</script><img src=x onerror="alert(1)">'


def test_nothing_that_people_or_files_say_becomes_markup(tmp_path):
    name = '<b onclick="x">'
    rows = [{**r, "id": f"{EVIL}{r['id']}"} for r in studies.items(conditions=(name, "hard"))]
    study = studies.write(
        tmp_path,
        studies.definition(title=EVIL, conditions=[name, "hard"], design={"per_participant": 2}),
        rows,
    )
    found = [
        Response(s, i.id, "q1", "r", v, "A") for i in study.items for s, v in ((name, "A"), ("hard", "UA"))
    ]
    text = page.render(analyse(study, found, resamples=50), people={"complete": 1}, flags=[(1, "late", EVIL)])
    assert EVIL not in text
    assert name not in text
    assert "&lt;b onclick=" in text
    assert "style=" not in text.split("</head>")[1]


@pytest.fixture
def folder(tmp_path):
    assert main(["study", "init", "reading-comprehension", str(tmp_path / "s")]) == 0
    return str(tmp_path / "s")


def test_from_init_to_report(folder, capsys, tmp_path):
    assert main(["study", "check", folder]) == 0
    assert "ready (pilot)" in capsys.readouterr().out
    assert main(["study", "plan", folder]) == 0
    out = capsys.readouterr().out
    assert "booklets           3  of 3 items; no person sees an item twice" in out
    assert main(["study", "plan", folder, "--format", "json", "--drop-out", "0"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["cells"], made["blocks"], made["people"], made["surplus"]) == (9, 3, 3, 0)
    assert main(["study", "report", folder]) == 2
    assert "nobody has answered yet" in capsys.readouterr().err
    assert main(["study", "purge", folder]) == 2
    assert "expected a participant, or --expired" in capsys.readouterr().err


def test_purge_from_the_command_line(tmp_path, capsys):
    study = studies.write(tmp_path / "s")
    with open_store(study) as store:
        store.begin(0.0)
        studies.walk(store, "ann")
    assert main(["study", "purge", str(tmp_path / "s"), "nobody"]) == 2
    assert (
        "no such participant in this study, under this study's key; nothing removed"
        in capsys.readouterr().err
    )
    assert main(["study", "purge", str(tmp_path / "s"), "ann"]) == 0
    assert capsys.readouterr().out == "removed: 1\n"
    assert main(["study", "purge", str(tmp_path / "s"), "--expired"]) == 0
    assert main(["study", "report", str(tmp_path / "s")]) == 2
    assert "no counted answers in mode pilot; --live reads those of mode live." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chek"], "no command 'study chek'. Did you mean 'check'? `plainmark study --help` lists all."),
        (["init", "nothing", "x"], "no template 'nothing'"),
        (["init", "rank-and-rate"], "no folder; expected plainmark study init rank-and-rate FOLDER"),
        (["check", "none"], "cannot be read"),
        (["import", "nothing", "x", "y"], "no format 'nothing' to import"),
        (["export"], "required: FOLDER"),
    ],
)
def test_mistakes_at_the_command_line(words, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["study", *words]) == 2
    assert message in capsys.readouterr().err


def test_help_of_the_group(capsys):
    assert main(["study"]) == 0
    out = capsys.readouterr().out
    for verb in ("init", "check", "plan", "import", "export", "report", "purge"):
        assert f"\n  {verb} " in out
    assert main(["study", "init"]) == 0
    assert "reading-comprehension\n" in capsys.readouterr().out


@pytest.mark.parametrize("absent", ["yaml", "sqlalchemy"])
def test_what_to_install_is_said(absent, tmp_path):
    studies.write(tmp_path / "s")
    code = f"import sys; sys.modules[{absent!r}] = None; from plainmark.cli import main; "
    for words in (["study"], ["study", "init"], ["--help"]):
        assert (
            subprocess.run(
                [sys.executable, "-c", code + f"sys.exit(main({words!r}))"], capture_output=True
            ).returncode
            == 0
        )
    command = code + f"sys.exit(main(['study', 'export', {str(tmp_path / 's')!r}]))"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'plainmark[study]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_a_plan_warns_of(tmp_path):
    study = studies.write(
        tmp_path,
        studies.definition(
            mode="live", conditions=["plain", "hard"], pages=studies.definition()["pages"][1:], recruit=None
        ),
    )
    said = " ".join(plan_of(study).warnings)
    for word in (
        "some conditions more than once",
        "set design.overlap",
        "no attention trials",
        "codes.complete is empty",
        "no consent page",
    ):
        assert word in said
    assert estimated_minutes(study) > 0.3


@pytest.mark.parametrize(
    ("template", "cells"),
    [
        ("reading-comprehension", "3 items x 3 conditions x 1"),
        ("readability-preference", "6 items x 3 pairs of conditions x 3"),
        ("rank-and-rate", "6 items x all conditions together x 3"),
    ],
)
def test_a_plan_says_what_is_shown_of_each_item(template, cells, tmp_path, capsys):
    assert main(["study", "init", template, str(tmp_path / "study")]) == 0
    assert main(["study", "plan", str(tmp_path / "study")]) == 0
    assert f"({cells})" in capsys.readouterr().out


def test_large_plans_are_estimated(tmp_path):
    study = studies.write(
        tmp_path, studies.definition(design={"per_participant": 3, "replicates": 100}), studies.items(12)
    )
    made = plan_of(study)
    assert (made.cells, made.blocks, made.runs) == (3600, 1200, 0)
    assert made.people == pytest.approx(1200 / 0.94, abs=1)
