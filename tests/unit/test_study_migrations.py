"""Databases of older and newer tables: older ones are upgraded with everything in them, newer ones refused."""

import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from plainmark.cli import main
from plainmark.study import load, open_store
from plainmark.study.store import backup, monitoring, removal
from plainmark.study.store.answer_rows import answer_rows
from support import studies
from support.study_server import finish, served

GOLDEN = Path(__file__).parents[1] / "golden"
FIRST = GOLDEN / "study_first_schema.sql"


def with_key(study):
    """The study with the key under which the databases of golden/ were made."""
    (study.folder / ".study-key").write_text("k" * 64, "ascii")
    (study.folder / ".study-key").chmod(0o600)
    return study


def first_database(folder):
    """The database that the first version made of the tiny study: one person has finished, one is in the middle."""
    with_key(studies.write(folder))
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
    assert main(["study", "restore", str(tmp_path / "new"), old]) == 0
    with open_store(load(tmp_path / "new")) as store:
        assert monitoring.progress(store, 100.0).people["complete"] == 1


SECOND_PAGES = [
    *studies.definition()["pages"],
    {"kind": "survey", "questions": [{"id": "note", "type": "text", "text": "What did you think?"}]},
]
SECOND_CHECKS = {
    "attention": [
        {
            "after": 1,
            "question": {
                "id": "see",
                "type": "mcq",
                "text": "Choose the first.",
                "options": ["first", "second"],
                "key": "A",
            },
        }
    ],
    "on_failure": "flag",
    "allowed_failures": 1,
}


@pytest.fixture(params=["sqlite", "postgresql"])
def second(tmp_path, request):
    """A study and the address of its database, as version 0002 of the tables left it."""
    study = with_key(
        studies.write(tmp_path / "study", studies.definition(pages=SECOND_PAGES, checks=SECOND_CHECKS))
    )
    script = (GOLDEN / f"study_schema_0002_{request.param}.sql").read_text("utf-8")
    if request.param == "sqlite":
        with closing(sqlite3.connect(study.folder / "answers.db")) as connection:
            connection.executescript(script)
        return study, ""
    url = request.getfixturevalue("postgresql").database()
    with psycopg.connect(url) as connection:
        connection.execute(script)
    return study, url


def test_a_database_of_schema_0002_is_upgraded(second, tmp_path):
    study, url = second
    with open_store(study, url) as store:
        assert store.database.intact()
        store.begin(3000.0)  # the same revision: nothing changed
        rows = answer_rows(store)
        ann = [r for r in rows if r.participant == store.id_of("ann")]
        assert [(r.page, r.item, r.question, r.value) for r in ann] == [
            ("consent", "", "consent", "yes"),
            ("block", "i0", "q1", "B"),
            ("attention", "", "see", "A"),
            ("block", "i4", "q1", "B"),
            ("block", "i1", "q1", "A"),
            ("survey", "", "age", "1"),
            ("survey", "", "note", "Grüße, “easy” enough\nand a second line"),
        ]
        set_aside = store.database.read(lambda c: c.execute(text("SELECT payload FROM resubmissions")).all())
        assert set_aside == [('{"q1": "C"}',)]
        assert {(r.device, r.viewport, r.client_seconds) for r in ann} == {("phone", "390x840", 4.25)}
        progress = monitoring.progress(store, 2100.0)
        people = {k: v for k, v in progress.people.items() if v}
        assert people == {"complete": 2, "no_consent": 1, "working": 1}
        log = monitoring.audit_log(store)
        assert [e.action for e in log] == ["export", "resume", "pause", "review", "review"]
        assert {e.actor for e in log} == {""}
        # What the newer tables are for works at once.
        assert backup.backup(store, tmp_path / "b.db", 3001.0)["answers"] == 18
        dan = store.enrol("dan", 3002.0)
        assert removal.withdraw(store, removal.code_of(store, dan.token), 3003.0)
        token = store.enrol("bob", time.time()).token
    with served(study, url) as running, running.client(cookies={"study-tiny": token}) as bob:
        assert "Thank you!" in finish(bob).text, "a session of the older version goes on"
    with open_store(study, url) as store:
        assert monitoring.progress(store, time.time()).people["complete"] == 2


def test_a_newer_database_is_refused(second, capsys):
    study, url = second
    with open_store(study, url) as store, store.database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    words = ["--database", url] if url else []
    assert main(["study", "serve", str(study.folder), "--port", "0", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "its tables are of version 9999, this one knows them up to 00" in said


FOURTH_PAGES = [
    studies.definition()["pages"][0],
    {
        "kind": "block",
        "show": "text",
        "reading": "first",
        "one_per_screen": "always",
        "questions": [studies.MCQ, {"id": "ease", "type": "likert", "text": "How easy?"}],
    },
    studies.definition()["pages"][2],
]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_database_of_schema_0004_is_upgraded(tmp_path, request, kind):
    study = with_key(studies.write(tmp_path / "study", studies.definition(pages=FOURTH_PAGES)))
    script = (GOLDEN / f"study_schema_0004_{kind}.sql").read_text("utf-8")
    if kind == "sqlite":
        url = ""
        with closing(sqlite3.connect(study.folder / "answers.db")) as connection:
            connection.executescript(script)
    else:
        url = request.getfixturevalue("postgresql").database()
        with psycopg.connect(url) as connection:
            connection.execute(script)
    with open_store(study, url) as store:
        assert store.database.intact()
        store.begin(3000.0)  # the same revision: nothing changed
        rows = answer_rows(store)
        assert {(r.block, r.session) for r in rows} == {("", 1)}
        ann = [(r.page, r.question) for r in rows if r.participant == store.id_of("ann")]
        assert ann == [("consent", "consent"), *[("block", "q1"), ("block", "ease")] * 3, ("survey", "age")]
        people = {k: v for k, v in monitoring.progress(store, 2100.0).people.items() if v}
        assert people == {"complete": 2, "no_consent": 1, "working": 1}
        # A cell can be in two blocks now, and references to cells hold.
        with pytest.raises(IntegrityError), store.database.engine.begin() as connection:
            connection.execute(text("DELETE FROM cells"))
        bob = store.enrol("bob", time.time())
        page = store.next_page(bob.token, time.time())
        assert (page.step, dict(page.typed)) == ("ease", {"q1": "1"}), "where he was, with his draft"
    with served(study, url) as running, running.client(cookies={"study-tiny": bob.token}) as client:
        assert "Thank you!" in finish(client).text
    studies.write(study.folder, studies.definition(pages=FOURTH_PAGES, sessions=[LATER]))
    with open_store(load(study.folder), url) as store:
        store.begin(time.time(), new_revision=True)
        where = store.next_page(store.enrol("ann", 1200.0).token, 1200.0 + 30 * 3600)
        assert where.title == "", "who finished before the upgrade may come back"


LATER = {
    "opens": 1,
    "pages": [{"kind": "recall", "questions": [{"id": "sure", "type": "likert", "text": "How sure?"}]}],
}
