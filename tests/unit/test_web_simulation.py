"""Simulated participants and crashes: nothing acknowledged is lost, and a loss would be noticed."""

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, delete, select, text, update

from plainmark import cli
from plainmark.errors import StoreError
from plainmark.study import open_store, templates
from plainmark.study.definition.loading import load
from plainmark.study.store.answer_rows import answer_rows
from plainmark.study.store.tables import answers, pages
from plainmark.web.simulation.comparison import compare
from plainmark.web.simulation.crashes import CrashPlan
from plainmark.web.simulation.participants import (
    Behaviour,
    PageParser,
    SimulationLog,
    Submission,
    fill,
    rewritten,
    simulated_id,
)
from plainmark.web.simulation.server import ServerProcess, isolated_copy
from plainmark.web.simulation.simulate import SimulationOptions, simulate
from support import studies
from support.study_server import answered, look, page_of, served


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_nothing_is_lost(tmp_path, database, request):
    """A smaller form of what is measured with 500 participants and 20 crashes."""
    url = request.getfixturevalue("postgresql").database() if database == "postgresql" else ""
    study = studies.definition(design={"per_participant": 3, "replicates": 5})
    studies.write(tmp_path / "study", study, studies.items(8))
    done = simulate(
        SimulationOptions(
            str(tmp_path / "study"),
            participants=20,
            crashes=2,
            ramp=1.0,
            behaviour=Behaviour(0.12, 0.3, 0.3, think=(0.0, 0.2)),
            database=url,
            seed=1,
            minutes=4,
        )
    )
    assert done.safe, done
    assert done.intact
    assert (done.crashes, done.complete) == (2, True)
    assert done.stored == done.acknowledged >= 70
    assert (done.lost, done.different, done.duplicated, done.duplicated_cells) == (0, 0, 0, 0)
    assert done.conflicting > 0, "two tabs sent different words"
    assert done.invalid == 0
    assert sum(done.ends.values()) == 20
    assert done.ends["Thank you!"] > 10
    assert done.submit_p50 > 0
    assert not (tmp_path / "study" / "answers.db").exists(), "the study's own answers are not touched"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a whole network of loopback addresses")
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_an_intruder_takes_nothing(tmp_path, database, request):
    """All real participants finish while a stranger who knows their ids tries to take their places; two servers."""
    url = request.getfixturevalue("postgresql").database() if database == "postgresql" else ""
    studies.write(tmp_path / "study", studies.definition(), studies.items(6))  # six places
    done = simulate(
        SimulationOptions(
            str(tmp_path / "study"),
            participants=6,
            crashes=2,
            ramp=2.0,
            behaviour=Behaviour(0.0, 0.3, 0.3, think=(0.1, 0.5)),
            database=url,
            servers=2 if url else 1,
            intruder=50,
            minutes=4,
        )
    )
    assert done.safe, done
    assert done.ends == {"Thank you!": 6}
    assert done.strangers == 0
    assert sum(done.intruder.values()) > 50
    assert "GET 403" in done.intruder


def test_crashes_are_spread_over_the_work():
    """Ten participants with ten pages each: five crashes, one for each part of the work from 2 to 75 %."""

    async def run():
        plan, sent, crashed = CrashPlan(5, 10, 10, np.random.default_rng(0)), [0], []

        async def participant(number):
            for page in range(10):
                await plan.may_send()
                await asyncio.sleep(0)
                sent[0] += 1
                plan.advance(number, (page + 1) / 10)

        async def crasher():
            while await plan.next():
                crashed.append(sent[0])
                await asyncio.sleep(0.01)

        crashes = asyncio.create_task(crasher())
        await asyncio.gather(*(participant(n) for n in range(10)))
        plan.end()
        await crashes
        return crashed

    with ThreadPoolExecutor(1) as thread:  # Playwright's loop runs in the main thread of a whole run
        crashed = thread.submit(lambda: asyncio.run(run())).result()
    assert len(crashed) == 5
    assert crashed == sorted(set(crashed)), "someone was served between two crashes"


def test_a_simulation_with_too_few_crashes_fails(tmp_path, capsys):
    """One participant answers five pages: there is no room for fifty crashes."""
    study = studies.write(tmp_path / "study")
    words = ["-n", "1", "--ramp", "0", "--think", "0", "0", "--drop-out", "0", "--crashes", "50"]
    assert cli.main(["study", "simulate", str(study.folder), *words]) == 1
    told = capsys.readouterr().out
    happened = int(re.search(r"ONLY (\d) OF 50 CRASHES HAPPENED", told)[1])
    assert 1 <= happened < 6
    assert "Nothing was lost." in told


def test_a_server_that_does_not_start_again_ends_the_simulation(tmp_path, monkeypatch):
    start = ServerProcess.start

    def start_once(server):
        if server.crashes:
            raise StoreError("the server did not start.")
        start(server)

    monkeypatch.setattr(ServerProcess, "start", start_once)
    study = studies.write(tmp_path / "study")
    options = SimulationOptions(str(study.folder), participants=3, crashes=1, ramp=0.0)
    with pytest.raises(StoreError, match="the server did not start"):
        simulate(options)


def test_a_loss_is_seen(tmp_path):
    with served(studies.write(tmp_path / "study")) as study, study.person(simulated_id(0)) as person:
        told = []
        for _ in range(5):
            page = page_of(person)
            form = answered(page)
            person.post("/study", data=form)
            told.append(Submission(0, page.hidden["page"], form))
        told.append(Submission(0, told[1].page, {**told[1].form, "q1": "2"}))

        def compared(sent):
            return compare(1, study.store, SimulationLog(acknowledged=sent), (0, 0), 1.0)

        fine = compared(told[:5])
        assert fine.safe
        assert (fine.acknowledged, fine.stored, fine.answers, fine.cells_done) == (5, 5, 5, 3)
        assert np.isnan(fine.submit_p95)
        never_sent = compared(told)
        assert (never_sent.safe, never_sent.conflicting, never_sent.conflicting_lost) == (False, 1, 1)
        assert compared([*told[:5], Submission(0, "no such page", {})]).lost == 1

        def damage(connection):
            tokens = {r.token: r.id for r in connection.execute(select(pages))}
            connection.execute(delete(answers).where(answers.c.page_id == tokens[told[1].page]))
            connection.execute(
                update(answers).where(answers.c.page_id == tokens[told[2].page]).values(value="?")
            )

        study.store.database.write(damage)
        broken = compared(told[:5])
        assert (broken.safe, broken.lost, broken.different, broken.stored) == (False, 1, 1, 3)


@pytest.mark.parametrize("name", templates.names())
def test_simulated_participants_finish_every_template(tmp_path, name):
    templates.copy(name, str(tmp_path / "study"))
    with served(load(tmp_path / "study")) as study, study.person() as person:
        rng = np.random.default_rng(0)
        for _ in range(40):
            page = PageParser(look(person).text)
            if "page" not in page.hidden:
                break
            sent = person.post("/study", data={**page.hidden, **fill(page, rng, ["Until the spring"])})
            assert sent.status_code == 303, sent.text
        later = study.store.study.definition.sessions
        assert page.heading == ("Part 2 opens in 24 hours" if later else "Thank you!")


def test_who_ends_a_simulation_ends_its_server(tmp_path):
    studies.write(tmp_path / "study")
    words = [
        sys.executable,
        "-m",
        "plainmark",
        "study",
        "simulate",
        str(tmp_path / "study"),
        "--think",
        "60",
        "60",
    ]
    process = subprocess.Popen(words, env={**os.environ, "TMPDIR": str(tmp_path)})
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("plainmark-simulation-*/study/answers.db")):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(1.0)
    process.terminate()
    assert process.wait(60) == 143
    assert list(tmp_path.glob("plainmark-simulation-*")) == []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            assert str(tmp_path).encode() not in command.read_bytes()


def test_the_verb(tmp_path, capsys):
    studies.write(tmp_path / "study")
    words = [
        "study",
        "simulate",
        str(tmp_path / "study"),
        "-n",
        "3",
        "--think",
        "0",
        "0",
        "--ramp",
        "0",
        "--drop-out",
        "0",
    ]
    assert cli.main([*words, "--format", "json", "--keep", str(tmp_path / "kept")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["safe"]
    assert found["lost"] == 0
    assert found["stored"] == found["acknowledged"] == 15
    assert found["cells_done"] == 9
    with open_store(load(tmp_path / "kept"), create=False) as kept:
        assert len(answer_rows(kept)) == found["answers"]
    assert cli.main([*words, "--keep", str(tmp_path / "kept")]) == 2
    assert "expected a folder that does not exist yet" in capsys.readouterr().err
    with pytest.raises(Exception, match="no such database"):
        open_store(load(tmp_path / "study"), create=False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-n", "0"], "expected 1 to 5000 participants"),
        (["-n", "5001"], "expected 1 to 5000 participants"),
        (["--crashes", "501"], "expected 0 to 500"),
        (["--servers", "2"], "expected 1, or up to 8 with --database"),
        (["--intruder", "-1"], "expected 0 to 1000 requests per second"),
        (["--drop-out", "2"], "--drop-out 2: expected a share"),
        (["--two-tabs", "-1"], "--two-tabs -1: expected a share"),
        (["--think", "5", "2"], "the smaller first"),
        (["--keep", "kept", "--database", "postgresql://x"], "only an SQLite file is kept"),
        (["--database", "nonsense"], "expected postgresql://user@host/name"),
        (
            ["--database", "postgresql://me:secret@127.0.0.1:1/x"],
            "postgresql://me:***@127.0.0.1:1/x: cannot create a schema (",
        ),
        (["--database", "sqlite:///x.db"], "a simulation makes an SQLite file itself"),
    ],
)
def test_bad_options(tmp_path, capsys, words, said):
    studies.write(tmp_path / "study")
    assert cli.main(["study", "simulate", str(tmp_path / "study"), *words]) == 2
    assert said in capsys.readouterr().err


def test_rewritings_of_simulated_participants():
    assert rewritten("One two three. Four five six!") == "Four five six and One two three"


def test_a_database_server_that_was_restarted_is_left_clean(tmp_path, postgresql):
    """What is held open over a restart is dead afterwards; the schema must go all the same."""
    study = studies.write(tmp_path / "study")
    url = postgresql.database()
    with isolated_copy(study, url) as (folder, own):
        assert load(folder).digest == study.digest
        with open_store(study, own) as store:
            store.begin(0.0)
        postgresql.stop()
        postgresql.start()
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        names = connection.execute(text("SELECT schema_name FROM information_schema.schemata")).scalars()
        assert not [n for n in names if n.startswith("simulation")]
    engine.dispose()
