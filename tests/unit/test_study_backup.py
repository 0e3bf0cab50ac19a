"""Backups, and databases of the first version: nothing is lost on the way."""

import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from plainmark.study import load, open_store
from plainmark.study.store import monitoring
from plainmark.study.store.answer_rows import answer_rows
from plainmark.study.store.tables import metadata
from support import studies
from support.study_server import answered, finish, page_of, served

FIRST = Path(__file__).parents[1] / "golden" / "study_first_schema.sql"


def plainmark(*words):
    """The command `plainmark study` in a process of its own, as beside a running server."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "plainmark", "study", *words],
        capture_output=True,
        text=True,
        check=False,
    )


def contents(store):
    return store.database.read(
        lambda c: {t.name: sorted(tuple(r) for r in c.execute(select(t))) for t in metadata.sorted_tables}
    )


@pytest.mark.parametrize("origin", ["sqlite", "postgresql"])
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_backup_is_restored_as_it_was(tmp_path, request, origin, target):
    """Taken from a running study by the command, and restored into either database; people go on there."""
    urls = [
        request.getfixturevalue("postgresql").database() if kind == "postgresql" else ""
        for kind in (origin, target)
    ]
    words = [["--database", url] if url else [] for url in urls]
    with served(studies.write(tmp_path / "study"), urls[0]) as study:
        with study.person("ann") as ann:
            finish(ann)
        with study.person("bob") as bob:
            for _ in range(2):
                bob.post("/study", data=answered(page_of(bob)))
            done = plainmark("backup", str(tmp_path / "study"), str(tmp_path / "b.db"), *words[0])
            assert done.returncode == 0, done.stderr
            assert "2 participants, 7 answers" in done.stdout
            before = contents(study.store)
            cookies = bob.cookies
    shutil.copytree(tmp_path / "study", tmp_path / "again", ignore=shutil.ignore_patterns("answers.db*"))
    restore = ["restore", str(tmp_path / "again"), str(tmp_path / "b.db"), *words[1]]
    assert plainmark(*restore).returncode == 0
    with open_store(load(tmp_path / "again"), urls[1]) as store:
        assert contents(store) == before
    again = plainmark(*restore)
    assert again.returncode == 2
    assert "expected an empty database" in again.stderr
    with served(load(tmp_path / "again"), urls[1]) as study, study.client(cookies=cookies) as bob:
        assert "Thank you!" in finish(bob).text
        with study.person("someone new") as new:
            assert "Thank you!" in finish(new).text, "new rows find free ids"


def test_backups_that_cannot_be(tmp_path):
    study = studies.write(tmp_path / "study")
    with open_store(study) as store:
        store.begin(0.0)

    def said(*words):
        done = plainmark(*words)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        return done.stderr

    folder, file = str(tmp_path / "study"), tmp_path / "b.db"
    assert "cannot write here" in said("backup", folder, str(tmp_path / "nowhere" / "b.db"))
    file.write_text("mine")
    assert "exists already" in said("backup", folder, str(file))
    assert file.read_text() == "mine"
    assert "not a backup" in said("restore", folder, str(file))
    assert "cannot read it" in said("restore", folder, str(tmp_path / "nothing.db"))
    with served(studies.write(tmp_path / "other")):
        assert "another server" in said("restore", str(tmp_path / "other"), str(file))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b.db", "other", "study"], "nothing half-written"


def first_database(folder):
    """The database that the first version made of the tiny study: one person has finished, one is in the middle."""
    studies.write(folder)
    (folder / ".study-key").write_text("k" * 64, "ascii")
    (folder / ".study-key").chmod(0o600)
    with closing(sqlite3.connect(folder / "answers.db")) as connection:
        connection.executescript(FIRST.read_text("utf-8"))
    return load(folder)


def test_a_database_of_the_first_schema_is_upgraded(tmp_path):
    study = first_database(tmp_path / "study")
    with open_store(study) as store:
        assert store.database.intact()
        rows = answer_rows(store)
        assert [(r.page, r.item, r.value) for r in rows if r.participant == store.id_of("ann")] == [
            ("consent", "", "yes"),
            ("block", "i0", "B"),
            ("block", "i4", "B"),
            ("block", "i1", "B"),
            ("survey", "", "1"),
        ]
        progress = monitoring.progress(store, 100.0)
        assert (progress.done, progress.people["complete"], progress.people["working"]) == (4, 1, 1)
        token = store.enrol("bob", 101.0).token
    with served(study) as running, running.client(cookies={"study-tiny": token}) as bob:
        assert "Thank you!" in finish(bob).text, "a session of the first version goes on"
    with open_store(study) as store:
        assert monitoring.progress(store, time.time()).people["complete"] == 2


def test_a_backup_of_the_first_schema_is_restored(tmp_path):
    first_database(tmp_path / "old")
    studies.write(tmp_path / "new")
    shutil.copyfile(tmp_path / "old" / ".study-key", tmp_path / "new" / ".study-key")
    (tmp_path / "new" / ".study-key").chmod(0o600)
    old = str(tmp_path / "old" / "answers.db")
    assert plainmark("restore", str(tmp_path / "new"), old).returncode == 0
    with open_store(load(tmp_path / "new")) as store:
        assert monitoring.progress(store, 100.0).people["complete"] == 1
