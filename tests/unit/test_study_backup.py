"""Backups: nothing is lost on the way, and who withdrew does not come back."""

import json
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, Event

import pytest
from sqlalchemy import select

from plainmark.study import load, open_store
from plainmark.study.store import backup as backups
from plainmark.study.store import import_export, monitoring, removal
from plainmark.study.store.tables import audit, metadata
from plainmark.web.simulation.comparison import compare
from plainmark.web.simulation.participants import PageParser, SimulationLog, Submission, simulated_id
from support import studies
from support.study_server import answered, finish, look, page_of, served


def plainmark(*words):
    """The command `plainmark study` in a process of its own, as beside a running server."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "plainmark", "study", *words],
        capture_output=True,
        text=True,
        check=False,
    )


def contents(store):
    """All rows but those of the log and of the list of backups, which say that a backup was made and restored."""
    tables = [t for t in metadata.sorted_tables if t.name not in ("audit", "backups")]
    return store.database.read(
        lambda c: {t.name: sorted(tuple(r) for r in c.execute(select(t))) for t in tables}
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


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_backups_while_people_answer(tmp_path, request, database):
    """Eight people answer without a pause; each restored backup has all that was acknowledged before it began.

    One of them withdraws afterwards, and is in no restored backup.
    """
    server = request.getfixturevalue("postgresql") if database == "postgresql" else None
    urls = [server.database() if server else "" for _ in range(4)]
    made = studies.definition(design={"per_participant": 20, "replicates": 3})
    acknowledged, counts = [], []
    everyone, backed_up = Barrier(8), Event()

    def take_part(number):
        with study.person(simulated_id(number)) as person:
            for sent in count():
                page = PageParser(look(person).text)
                if "page" not in page.hidden:
                    return
                if sent == 20:
                    backed_up.wait(60)  # people are at work until the last backup is complete
                form = answered(page)
                assert person.post("/study", data=form).status_code == 303
                acknowledged.append(Submission(number, page.hidden["page"], form))
                if page.hidden["page"] == "start":
                    everyone.wait(60)  # nobody is done before another one has begun

    with (
        served(studies.write(tmp_path / "study", made, studies.items(24)), urls[0]) as study,
        open_store(load(tmp_path / "study"), urls[0]) as beside,
        ThreadPoolExecutor(8) as pool,
    ):
        people = [pool.submit(take_part, number) for number in range(8)]
        try:
            for number in range(3):
                while len(acknowledged) < 8 + 4 * number:
                    time.sleep(0.002)
                counts.append(len(acknowledged))
                backups.backup(beside, tmp_path / f"{number}.db", time.time())
            assert counts[0] < len(acknowledged) < 8 * 22, (
                "people answered during the first backup, and later"
            )
        finally:
            backed_up.set()
        for person in people:
            person.result()
        gone = beside.id_of(simulated_id(0))
        token = beside.enrol(simulated_id(0), time.time()).token
        assert removal.withdraw(beside, removal.code_of(beside, token), time.time())
        assert [e.removed for e in backups.entries(beside)] == [1, 1, 1]
    for number, before in enumerate(counts):
        folder = tmp_path / f"again {number}"
        shutil.copytree(tmp_path / "study", folder, ignore=shutil.ignore_patterns("answers.db*"))
        with open_store(load(folder), urls[number + 1]) as store:
            assert backups.restore(tmp_path / f"{number}.db", store, time.time())["left out"] == 1
            others = [s for s in acknowledged[:before] if s.participant != 0]
            found = compare(8, store, SimulationLog(acknowledged=others), (0, 0), 1.0)
            assert found.safe, found
            assert found.stored == len(others)
            assert gone not in import_export.as_text(store, "jsonl")[0]


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


@pytest.fixture(params=["sqlite", "postgresql"])
def urls(request):
    """The addresses of two databases of one kind; empty: the SQLite file of the folder."""
    server = request.getfixturevalue("postgresql") if request.param == "postgresql" else None
    return [server.database() if server else "" for _ in range(2)]


def test_who_withdrew_is_not_brought_back(tmp_path, urls):
    """A backup, then a withdrawal; the backup is restored into a lost database, and the person stays away."""
    study = studies.write(tmp_path / "study")
    file = tmp_path / "old.db"
    with open_store(study, urls[0]) as store:
        store.begin(0.0)
        for number, name in enumerate(("ann", "bob", "cleo")):
            studies.walk(store, name, 100.0 * number)
        backups.backup(store, file, 500.0, actor="eve")
        gone, session = store.id_of("bob"), store.enrol("bob", 600.0)
        assert gone in str(store.database.read(lambda c: c.execute(select(metadata.tables["backups"])).all()))
        assert [(e.people, e.removed) for e in backups.entries(store)] == [(3, 0)]
        assert removal.withdraw(store, removal.code_of(store, session.token), 700.0)
        everything = store.database.read(
            lambda c: repr([list(c.execute(select(t))) for t in metadata.sorted_tables])
        )
        assert gone not in everything
        assert store.hash_of("bob") not in everything
        assert gone not in import_export.as_text(store, "jsonl")[0]
        assert [(e.people, e.removed) for e in backups.entries(store)] == [(2, 1)]
        assert store.enrol("bob", 800.0).outcome == "withdrawn", "and cannot begin again"
    listed = (study.folder / removal.FILE).read_text("ascii")
    assert gone not in listed, "what is kept fits no export without the key"
    (study.folder / "answers.db").unlink(missing_ok=True)  # the database is lost; the folder is not
    with open_store(study, urls[1]) as store:
        counts = backups.restore(file, store, 900.0)
        assert (counts["participants"], counts["left out"]) == (2, 1)
        assert monitoring.progress(store, 900.0).done == 6
        rows = import_export.as_text(store, "jsonl")[0]
        assert gone not in rows
        assert {json.loads(r)["participant"] for r in rows.splitlines()} == {
            store.id_of("ann"),
            store.id_of("cleo"),
        }
        assert store.enrol("bob", 1000.0).outcome == "withdrawn"
        actions = [(e.action, e.actor) for e in monitoring.audit_log(store)]
        assert actions[0] == ("restore", "")


def test_a_file_that_was_copied_by_hand(tmp_path):
    """Not `study restore` but cp: when the study begins, who withdrew is removed again."""
    study = studies.write(tmp_path / "study")
    with open_store(study) as store:
        store.begin(0.0)
        studies.walk(store, "ann")
        studies.walk(store, "bob", 100.0)
        backups.backup(store, tmp_path / "old.db", 500.0)
        assert removal.purge(store, "bob", 600.0, actor="eve") == 1
    for path in study.folder.glob("answers.db*"):
        path.unlink()
    shutil.copyfile(tmp_path / "old.db", study.folder / "answers.db")
    with open_store(study) as store:
        store.begin(700.0)
        assert store.id_of("bob") not in import_export.as_text(store, "jsonl")[0]
        assert store.id_of("ann") in import_export.as_text(store, "jsonl")[0]
        assert monitoring.audit_log(store)[0].detail == "1 who had withdrawn removed again"


def test_backups_are_cleaned(tmp_path):
    secret = "ZEBRA-QUINCE-7731"
    survey = {"kind": "survey", "questions": [{"id": "note", "type": "text", "text": "?"}]}
    study = studies.write(
        tmp_path / "study", studies.definition(pages=[*studies.definition()["pages"], survey])
    )
    with open_store(study) as store:
        store.begin(0.0)
        studies.walk(store, "ann", pick=lambda q: secret if q.type == "text" else None)
        studies.walk(store, "bob", 100.0)
        backups.backup(store, tmp_path / "one.db", 500.0)
        backups.backup(store, tmp_path / "two.db", 501.0)
        removal.purge(store, "ann", 600.0)
        (tmp_path / "two.db").unlink()
    assert secret in (tmp_path / "one.db").read_bytes().decode("latin-1")
    done = plainmark("backup", str(study.folder), "--clean")
    assert done.stdout.splitlines() == [
        f"{tmp_path / 'one.db'}: 1 removed",
        f"{tmp_path / 'two.db'}: not found; delete it wherever it is",
    ]
    left = b"".join(p.read_bytes() for p in tmp_path.glob("one.db*")).decode("latin-1")
    assert secret not in left
    listed = json.loads(plainmark("backup", str(study.folder), "--format", "json").stdout)
    assert [(e["people"], e["removed"]) for e in listed] == [(1, 1), (1, 0)]
    said = plainmark("backup", str(study.folder), str(tmp_path / "x.db"), "--clean")
    assert (said.returncode, said.stderr.count("\n")) == (2, 1)


def test_codes_of_others(tmp_path):
    with open_store(studies.write(tmp_path / "study")) as store:
        store.begin(0.0)
        studies.walk(store, "ann")
        studies.walk(store, "bob", 100.0)
        code = removal.code_of(store, store.enrol("ann", 200.0).token)
        other = removal.code_of(store, store.enrol("bob", 200.0).token)
        assert len(code.replace("-", "")) == 28
        for wrong in ("", "x", code[:-1], code[:14] + other[14:], store.id_of("ann"), "é" * 5000):
            assert not removal.withdraw(store, wrong, 300.0)
        assert removal.code_of(store, "nobody's token") == ""
        assert removal.withdraw(store, code.upper().replace("-", " "), 400.0)
        assert not removal.withdraw(store, code, 500.0)
        last = monitoring.audit_log(store)[0]
        assert (last.actor, last.action, last.detail) == ("participant", "withdrawal", "1 removed")
        assert store.database.read(lambda c: c.execute(select(audit)).all())
