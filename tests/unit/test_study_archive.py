"""Codebook, participants, archive and its repetition; one id everywhere."""

import csv
import io
import json
import random
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import fields

import pytest

from plainmark.api.study_archive import archive, rerun
from plainmark.cli import main
from plainmark.errors import InputError, OptionError
from plainmark.study import archive as content
from plainmark.study import codebook, open_store
from plainmark.study.store.answer_rows import AnswerRow, PersonRow
from plainmark.study.store.flags import flags
from support import studies

SURVEY = {
    "kind": "survey",
    "questions": [
        {"id": "english", "type": "mcq", "text": "Your English?", "options": ["first language", "learnt"]},
        {"id": "age", "type": "count", "text": "How old are you?", "high": 120},
        {"id": "comment", "type": "text", "text": "Anything else?"},
    ],
}
ATTENTION = {
    "after": 1,
    "question": {"id": "look", "type": "mcq", "text": "Pick B.", "options": ["x", "y"], "key": "B"},
}


@pytest.fixture
def answered(tmp_path):
    """A study that fourteen people answered and one declined; bob failed the attention trial."""
    made = studies.definition(
        pages=[*studies.definition()["pages"][:2], SURVEY],
        design={"per_participant": 3, "replicates": 4, "seed": 1},
        checks={"attention": [ATTENTION], "on_failure": "flag", "minimum_seconds": 60},
        exclusions={"attention": True},
        analysis={"subgroups": ["english"]},
    )
    study = studies.write(tmp_path / "study", made, studies.items(6))

    rng = random.Random(3)

    def pick(person):
        def choose(asked):
            name = asked.question.id if asked.question else ""
            if name == "look":
                return studies.stored(asked, "A" if person == "bob" else "B")
            if name == "comment":
                return f"I am {person}, and I wrote this."
            if name == "q1":
                return studies.stored(asked, rng.choice("AAB"))
            return None

        return choose

    with open_store(study) as store:
        store.begin(0.0)
        names = ["ann", "bob", *(f"p{n}" for n in range(12))]
        for n, name in enumerate(names):
            studies.walk(store, name, 1000.0 * n, pick=pick(name))
        session = store.enrol("nobody", 90000.0)
        page = store.next_page(session.token, 90001.0)
        store.submit(session.token, page.token, {"consent": "no"}, 90002.0)
        ids = {name: store.id_of(name) for name in ("ann", "bob", "nobody")}
    return study, ids


def test_every_column_is_in_the_codebook(answered):
    assert list(codebook.ANSWERS) == [f.name for f in fields(AnswerRow)]
    assert set(codebook.PARTICIPANTS) == {f.name for f in fields(PersonRow)} | {"flags", "excluded"}


def test_a_codebook_says_what_answers_mean(answered, capsys, tmp_path):
    study, _ = answered
    book = codebook.codebook(study)
    asked = {q["id"]: q for q in book["questions"]}
    assert asked["english"]["answers"] == {"A": "first language", "B": "learnt"}
    assert asked["look"]["page"] == "attention"
    assert asked["look"]["key"] == "B"
    assert asked["age"]["scale"] == "0 to 120"
    assert asked["q1"]["answers"]["UA"] == "The text does not say."
    assert main(["study", "codebook", str(study.folder)]) == 0
    assert "| A | first language |" in capsys.readouterr().out
    assert main(["study", "codebook", str(study.folder), "-o", str(tmp_path / "c.json")]) == 0
    assert json.loads((tmp_path / "c.json").read_text("utf-8")) == book


def test_a_codebook_cannot_be_broken_by_texts(tmp_path):
    made = studies.definition(title="a | b <script>")
    text = codebook.as_markdown(studies.write(tmp_path, made))
    assert "a \\| b \\<script>" in text


def test_one_id_everywhere(answered, capsys):
    """The flagged participant of the dashboard is found in report, exports and archive, and can be purged by that id."""
    study, ids = answered
    with open_store(study) as store:
        assert ids["bob"] in {f.participant for f in flags(store) if f.kind == "attention"}
    assert main(["study", "export", str(study.folder), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    mine = [r for r in rows if r["participant"] == ids["bob"]]
    assert mine
    assert all("attention" in r["flags"] for r in mine)
    english = next(r for r in mine if r["question"] == "english")
    assert (english["value"], english["answer"]) == ("A", "first language")
    assert {r["answer"] for r in rows if r["page"] == "consent"} == {"I agree to take part", "I do not agree"}
    assert main(["study", "export", str(study.folder), "--format", "participants"]) == 0
    people = {r["participant"]: r for r in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert people[ids["bob"]]["excluded"] == "attention"
    assert people[ids["ann"]]["excluded"] == ""
    assert people[ids["nobody"]]["outcome"] == "no_consent"
    assert main(["study", "report", str(study.folder), "--resamples", "50"]) == 0
    assert ids["bob"] in capsys.readouterr().out
    assert main(["study", "purge", str(study.folder), ids["bob"]]) == 0
    capsys.readouterr()
    assert main(["study", "export", str(study.folder), "--format", "csv"]) == 0
    assert ids["bob"] not in capsys.readouterr().out


def test_an_archive_gives_the_same_figures_and_bytes(answered, tmp_path, capsys):
    study, ids = answered
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    for path in (first, second):
        assert main(["study", "archive", str(study.folder), "-o", str(path), "--resamples", "200"]) == 0
    assert "did not consent: 1" in capsys.readouterr().err
    assert first.read_bytes() == second.read_bytes()
    assert main(["study", "rerun", str(first)]) == 0
    assert re.match(r"The same: all \d\d+ figures", capsys.readouterr().out)
    with zipfile.ZipFile(first) as packed:
        packed.extractall(tmp_path / "open")
    folder = tmp_path / "open"
    assert main(["study", "rerun", str(folder)]) == 0
    assert not (folder / ".study-key").exists()
    assert not (folder / "answers.db").exists()
    text = (folder / "answers.csv").read_text("utf-8")
    assert "I wrote this" not in text  # what people wrote in the survey
    assert ids["nobody"] not in text  # who did not consent
    assert ids["ann"] in text
    assert "1970-01-01T" not in text  # when pages were opened
    done = subprocess.run([sys.executable, "analysis.py"], cwd=folder, capture_output=True, text=True)
    assert "The same: all" in done.stdout, done.stderr
    notebook = json.loads((folder / "analysis.ipynb").read_text("utf-8"))
    code = "\n".join(c["source"] for c in notebook["cells"] if c["cell_type"] == "code")
    compile(code, "notebook", "exec")
    assert study.digest in (folder / "analysis-plan.md").read_text("utf-8")
    assert "not a preregistration" in (folder / "README.md").read_text("utf-8")


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R")
def test_the_r_script_runs(answered, tmp_path):
    study, _ = answered
    folder = tmp_path / "open"
    assert main(["study", "archive", str(study.folder), "-o", f"{folder}/", "--resamples", "50"]) == 0
    done = subprocess.run(["Rscript", "analysis.R"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "lme4 is not installed" in done.stdout or "The same to three digits." in done.stdout


def test_a_changed_archive_is_noticed(answered, tmp_path, capsys):
    study, _ = answered
    folder = tmp_path / "open"
    assert main(["study", "archive", str(study.folder), "-o", f"{folder}/", "--resamples", "50"]) == 0
    answers = folder / "answers.csv"
    original = answers.read_text("utf-8")
    answers.write_text(original.replace(",True,", ",False,", 1), "utf-8")
    assert main(["study", "rerun", str(folder)]) == 2
    assert "answers.csv was changed" in capsys.readouterr().err

    def restate(text):
        answers.write_text(text, "utf-8")
        files = {p.name: p.read_bytes() for p in folder.iterdir()}
        (folder / content.SUMS).write_text(content.sums(files), "utf-8")

    lines = original.splitlines(keepends=True)
    restate("".join([*lines[:2], lines[2].replace(",True,", ",perhaps,", 1), *lines[3:]]))
    assert main(["study", "rerun", str(folder)]) == 2
    assert re.search(r"answers\.csv, line 3, \w+: found 'perhaps', expected", capsys.readouterr().err)
    rows = [line for line in lines[1:] if ",block," in line]  # the header has a column block, too
    restate("".join(line for line in lines if line not in rows[:2]))
    assert main(["study", "rerun", str(folder)]) == 1
    assert "figures differ" in capsys.readouterr().out


def test_hostile_archives(tmp_path):
    path = tmp_path / "bad.zip"
    path.write_bytes(b"PK\x03\x04 not a zip")
    with pytest.raises(InputError, match="not a zip file"):
        rerun(path)
    for name, problem in (("../outside", "leads out of the archive"), ("study.yaml", "no SHA256SUMS")):
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr(name, "x")
        with pytest.raises(InputError, match=problem):
            rerun(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for k in range(6):
            packed.writestr(f"f{k}", bytes(100 * 2**20))
    with pytest.raises(InputError, match="bytes unpacked"):
        rerun(path)
    files = {"results.json": b"[]", "study.yaml": b""}
    path.write_bytes(content.packed(files | {content.SUMS: content.sums(files).encode()}))
    with pytest.raises(InputError, match=r"results\.json is missing or not"):
        rerun(path)


def test_what_may_be_left_out(answered, tmp_path):
    study, _ = answered
    with pytest.raises(OptionError, match="no survey question 'wage'"):
        archive(study.folder, leave_out=["wage"], resamples=50)
    with pytest.raises(OptionError, match="english: exclusions or subgroups"):
        archive(study.folder, leave_out=["english"], resamples=50)
    made = archive(study.folder, leave_out=["age"], resamples=50)
    rows = list(csv.DictReader(io.StringIO(made.files["answers.csv"].decode())))
    assert {r["answer"] for r in rows if r["question"] == "age"} == {content.LEFT_OUT}


def test_a_preregistration_of_another_definition_is_noted(answered, tmp_path):
    study, _ = answered
    plan = tmp_path / "plan.md"
    plan.write_text(f"hash {study.digest}")
    assert "does not name" not in " ".join(archive(study.folder, preregistration=plan, resamples=50).notes)
    plan.write_text("another")
    made = archive(study.folder, preregistration=plan, resamples=50)
    assert "does not name this definition's hash" in made.notes[0]
    assert made.files["preregistration.md"] == b"another"
