"""A study tried before people come: robots through its real pages, a server that is killed, and what is left of it all.

The study's own answers are never touched: a simulation works in a folder of its own with an SQLite file, or in a schema of
its own on a PostgreSQL server, and removes either at its end. It speaks to 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, create_engine, func, select, text
from sqlalchemy.engine import make_url

from ..errors import OptionError, StoreError
from ..study import Study, load, open_store
from ..study.identity import VARIABLE
from ..study.loading import key_of
from ..study.pages import read_form
from ..study.steps import page_of
from ..study.store import Store
from ..study.tables import answers, assignments, cells, pages, resubmissions
from .robots import Diary, Habits, Robot, Sent
from .visitor import Visitor

MOST_PEOPLE = 5000
MOST_KILLS = 500
_START = 60.0  # seconds that a server may take to come up


@dataclass(frozen=True)
class Simulation:
    """What `study simulate` was told."""

    folder: str
    people: int = 200
    habits: Habits = field(default_factory=Habits)
    kills: int = 0
    ramp: float = 5.0  # seconds over which people arrive
    database: str = ""
    seed: int = 0
    minutes: float = 60.0  # after which it gives up

    def __post_init__(self) -> None:
        if not 1 <= self.people <= MOST_PEOPLE:
            raise OptionError(f"-n {self.people}: expected 1 to {MOST_PEOPLE} people.")
        if not 0 <= self.kills <= MOST_KILLS:
            raise OptionError(f"--kills {self.kills}: expected 0 to {MOST_KILLS}.")
        for name in ("drop_out", "two_tabs", "double_submit", "careless"):
            if not 0 <= getattr(self.habits, name) <= 1:
                raise OptionError(
                    f"--{name.replace('_', '-')} {getattr(self.habits, name):g}: expected a share from 0 to 1."
                )
        low, high = self.habits.think
        if not 0 <= low <= high <= 600:
            raise OptionError(
                f"--think {low:g} {high:g}: expected two times up to 600 seconds, the smaller first."
            )


@dataclass(frozen=True)
class Outcome:
    """What came of a simulation. Nothing is lost if lost, different, duplicated and doubled are 0 and intact is true."""

    people: int
    ends: dict[str, int]
    submits: int  # sent, repetitions included
    acknowledged: int  # pages that someone was told are stored
    stored: int  # of these, found in the database, each answer once, as it was sent
    lost: int
    different: int  # what the database has is none of what was sent
    duplicated: int  # answers there twice
    doubled_cells: int  # cells with two live answers, or an item that one person saw twice
    second_words: int  # other answers to a page that was taken, kept aside
    second_words_lost: int
    kills: int
    intact: bool
    invalid: int
    refused: dict[str, int]
    submit_p50: float  # milliseconds, of submits that no kill came between
    submit_p95: float
    submit_p99: float
    submit_max: float
    interrupted: int  # submits that a kill came between; sent again until acknowledged
    interrupted_max: float
    page_p50: float
    page_p95: float
    seconds: float
    answers: int
    cells_done: int
    cells: int
    database: str

    @property
    def safe(self) -> bool:
        """Whether nothing was lost, doubled or damaged."""
        return self.intact and not (
            self.lost or self.different or self.duplicated or self.doubled_cells or self.second_words_lost
        )


def simulate(simulation: Simulation) -> Outcome:
    """Run robots and kills, then compare what they were told with what is stored."""
    study = load(simulation.folder)
    with _apart(study, simulation.database) as (folder, url):
        server = Server(folder, url)
        diary = Diary()
        began = time.monotonic()
        with _ended_in_order():
            try:
                server.start()
                _wait_for(_run(simulation, study, server, diary))
            finally:
                server.stop()
        took = time.monotonic() - began
        with open_store(load(folder), url, create=False) as store:
            return _compare(simulation, store, diary, server.kills, took)


def _wait_for(run: Coroutine[Any, Any, None]) -> None:
    """Run it to its end, also for a caller such as a notebook that is inside an event loop already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(run)
    else:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, run).result()


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Whoever ends a simulation ends its server too; only a program's main thread hears of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(*_: object) -> None:
        raise SystemExit(143)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Server:
    """The real server as a process of its own."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url, self.port = folder, url, _free_port()
        self.kills = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [
            sys.executable,
            "-m",
            "plainmark",
            "study",
            "serve",
            str(self.folder),
            "--port",
            str(self.port),
        ]
        command += ["--database", self.url] if self.url else []
        command += ["--requests-per-minute", "100000000"]
        self._log = (self.folder / "server.log").open("ab")
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self._log)  # noqa: S603
        deadline = time.monotonic() + _START
        while not self._is_up():
            if self._process.poll() is not None or time.monotonic() > deadline:
                said = (self.folder / "server.log").read_text("utf-8", "replace").strip().splitlines()
                raise StoreError(f"the server did not start. {said[-1] if said else ''}".strip())
            time.sleep(0.05)

    def _is_up(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def kill(self) -> None:
        """As a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._log.close()
        self.kills += 1

    def stop(self) -> None:
        """End it in good order, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process is not None:
            self._log.close()


async def _run(simulation: Simulation, study: Study, server: Server, diary: Diary) -> None:
    parameter = study.definition.recruit.parameters.participant
    attention = {
        a.question.id: dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", a.question.options, strict=False)).get(
            key_of(a.question, None), ""
        )
        for a in study.definition.checks.attention
    }
    seeds = np.random.SeedSequence(simulation.seed).spawn(simulation.people + 1)
    arrivals = np.sort(np.random.default_rng(seeds[-1]).uniform(0, simulation.ramp, simulation.people))

    async def one(number: int) -> None:
        await asyncio.sleep(float(arrivals[number]))
        visitor = Visitor(server.port)
        rng = np.random.default_rng(seeds[number])
        try:
            await Robot(
                number, visitor, simulation.habits, diary, rng, parameter=parameter, attention=attention
            ).live()
        finally:
            visitor.close()

    robots = asyncio.gather(*(one(n) for n in range(simulation.people)))
    killer = asyncio.create_task(_kill(simulation, server, diary, robots, seeds[-1]))
    try:
        await asyncio.wait_for(robots, 60 * simulation.minutes)
    except TimeoutError:
        raise StoreError(f"the simulation did not end in {simulation.minutes:g} minutes.") from None
    finally:
        killer.cancel()
        await asyncio.gather(killer, return_exceptions=True)


async def _kill(
    simulation: Simulation,
    server: Server,
    diary: Diary,
    robots: asyncio.Future[Any],
    seed: np.random.SeedSequence,
) -> None:
    """Kill the server when so many submits have been made, at random counts while people are at work."""
    if not simulation.kills:
        return
    rng = np.random.default_rng(seed)
    # A person submits some six pages at least; the last kill must find people at work.
    due = np.sort(rng.uniform(0.02, 0.8, simulation.kills)) * 5 * simulation.people
    for count in due:
        while diary.submits < count:
            await asyncio.sleep(0.002)
        await asyncio.sleep(float(rng.uniform(0, 0.05)))
        if robots.done():
            return
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)


def _compare(simulation: Simulation, store: Store, diary: Diary, kills: int, took: float) -> Outcome:
    told: dict[str, list[Sent]] = {}
    for sent in diary.acknowledged:
        told.setdefault(sent.page, []).append(sent)

    def work(connection: Connection) -> dict[str, int]:
        found = {r.token: r for r in connection.execute(select(pages))}
        kept: dict[int, list[Any]] = {}
        for r in connection.execute(select(answers)):
            kept.setdefault(r.page_id, []).append(r)
        aside: dict[int, list[dict[str, str]]] = {}
        for r in connection.execute(select(resubmissions)):
            aside.setdefault(r.page_id, []).append(json.loads(r.payload))
        count = dict.fromkeys(("stored", "lost", "different", "duplicated", "second", "second_lost"), 0)
        for token, forms in told.items():
            row = found.get(token)
            if row is None or row.submitted is None:
                count["lost"] += 1
                continue
            page = page_of(store.study, connection, row)
            meant = [{a.question: a.value for a in read_form(page, s.form)[0]} for s in forms]
            rows = kept.get(row.id, [])
            stored = {r.question: r.value for r in rows}
            count["duplicated"] += len(rows) - len(stored)
            if stored not in meant:
                count["lost" if not stored else "different"] += 1
                continue
            count["stored"] += 1
            others = {json.dumps(m, sort_keys=True) for m in meant if m != stored}
            put_aside = {json.dumps(m, sort_keys=True) for m in aside.get(row.id, [])}
            count["second"] += len(others)
            count["second_lost"] += len(others - put_aside)
        return count

    count = store.database.read(work)

    def doubled(connection: Connection) -> int:
        live = assignments.c.state.in_(("leased", "done"))
        twice = (
            select(assignments.c.cell_id).where(live).group_by(assignments.c.cell_id).having(func.count() > 1)
        )
        seen = (
            select(assignments.c.participant_id)
            .group_by(assignments.c.participant_id, assignments.c.item)
            .having(func.count() > 1)
        )
        return len(connection.execute(twice).all()) + len(connection.execute(seen).all())

    def totals(connection: Connection) -> tuple[int, int, int]:
        mine = cells.c.surplus.is_(False)
        return (
            connection.execute(select(func.count()).select_from(answers)).scalar_one(),
            connection.execute(
                select(func.count()).select_from(cells).where(mine, cells.c.state == "done")
            ).scalar_one(),
            connection.execute(select(func.count()).select_from(cells).where(mine)).scalar_one(),
        )

    everything, done, wanted = store.database.read(totals)
    return Outcome(
        people=simulation.people,
        ends=dict(sorted(diary.ends.items())),
        submits=diary.submits,
        acknowledged=len(told),
        stored=count["stored"],
        lost=count["lost"],
        different=count["different"],
        duplicated=count["duplicated"],
        doubled_cells=store.database.read(doubled),
        second_words=count["second"],
        second_words_lost=count["second_lost"],
        kills=kills,
        intact=store.database.intact(),
        invalid=diary.invalid,
        refused=dict(sorted(diary.refused.items())),
        submit_p50=_milliseconds(diary.seconds, 50),
        submit_p95=_milliseconds(diary.seconds, 95),
        submit_p99=_milliseconds(diary.seconds, 99),
        submit_max=_milliseconds(diary.seconds, 100),
        interrupted=len(diary.interrupted),
        interrupted_max=_milliseconds(diary.interrupted, 100),
        page_p50=_milliseconds(diary.pages, 50),
        page_p95=_milliseconds(diary.pages, 95),
        seconds=round(took, 1),
        answers=everything,
        cells_done=done,
        cells=wanted,
        database="SQLite" if store.database.path else "PostgreSQL",
    )


def _milliseconds(seconds: list[float], percentile: float) -> float:
    return round(1000 * float(np.percentile(seconds, percentile)), 1) if seconds else float("nan")


@contextmanager
def _apart(study: Study, url: str) -> Iterator[tuple[Path, str]]:
    """A copy of the study and a database that is nobody's; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="plainmark-simulation-") as made:
        folder = Path(made) / "study"
        definition = study.definition
        folder.mkdir(mode=0o700)
        for name in {"study.yaml", definition.items, *definition.texts.values()}:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(study.folder / name, target)
        before = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = secrets.token_hex(16)
        try:
            if not url:
                yield folder, ""
            else:
                with _schema(url) as own:
                    yield folder, own
        finally:
            if before is None:
                del os.environ[VARIABLE]
            else:
                os.environ[VARIABLE] = before


@contextmanager
def _schema(url: str) -> Iterator[str]:
    """A schema of one's own on a PostgreSQL server."""
    parsed = make_url(url)
    if parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise OptionError(
            "--database: a simulation makes an SQLite file itself; expected postgresql://user@host/name."
        )
    name = f"simulation_{secrets.token_hex(6)}"
    engine = create_engine(parsed.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
        own = parsed.set(drivername="postgresql").update_query_dict({"options": f"-csearch_path={name}"})
        try:
            yield own.render_as_string(hide_password=False)
        finally:
            with engine.connect() as connection:
                connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    finally:
        engine.dispose()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data; what could not be measured is null."""
    return {k: None if v != v else v for k, v in asdict(replace(outcome)).items()} | {"safe": outcome.safe}
