"""Trying a study before people come: simulated participants on its real pages, and a server that crashes meanwhile.

The study's own answers are never touched: a simulation works in a temporary folder with an SQLite file, or in a temporary
schema on a PostgreSQL server, and removes either at its end (the folder can be kept). It contacts 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Any

import numpy as np

from ...errors import OptionError, StoreError
from ...study import load, open_store
from ...study.definition.items import key_of, options_of
from ...study.definition.loading import Study
from ...study.definition.questions import letter
from ...study.keys import study_key
from ..study.serving import clean_exit_on_sigterm, signed_link
from ..study.settings import StudySettings
from .client import BrowserClient
from .comparison import SimulationResult, compare
from .crashes import CrashPlan
from .intruder import Intruder
from .participants import Behaviour, SimulatedParticipant, SimulationLog, simulated_id
from .server import ServerProcess, isolated_copy

MAX_PARTICIPANTS = 5000
MAX_CRASHES = 500


@dataclass(frozen=True)
class SimulationOptions:
    """The options of `study simulate`."""

    folder: str
    participants: int = 200
    behaviour: Behaviour = field(default_factory=Behaviour)
    crashes: int = 0
    ramp: float = 5.0  # seconds over which participants arrive
    database: str = ""
    servers: int = 1  # on the same database
    intruder: float = 0.0  # requests per second of a stranger
    keep: str = ""  # a new folder for the copy with its answers
    seed: int = 0
    minutes: float = 60.0  # time limit

    def __post_init__(self) -> None:
        if not 1 <= self.participants <= MAX_PARTICIPANTS:
            raise OptionError(f"-n {self.participants}: expected 1 to {MAX_PARTICIPANTS} participants.")
        if not 0 <= self.crashes <= MAX_CRASHES:
            raise OptionError(f"--crashes {self.crashes}: expected 0 to {MAX_CRASHES}.")
        if not 1 <= self.servers <= 8 or (self.servers > 1 and not self.database):
            raise OptionError(
                f"--servers {self.servers}: expected 1, or up to 8 with --database postgresql://..."
            )
        if not 0 <= self.intruder <= 1000:
            raise OptionError(f"--intruder {self.intruder:g}: expected 0 to 1000 requests per second.")
        if self.intruder and sys.platform != "linux":
            raise OptionError("--intruder: only Linux lets a program come from several loopback addresses.")
        for name in ("drop_out", "two_tabs", "double_submit", "careless"):
            if not 0 <= getattr(self.behaviour, name) <= 1:
                raise OptionError(
                    f"--{name.replace('_', '-')} {getattr(self.behaviour, name):g}: expected a share from 0 to 1."
                )
        low, high = self.behaviour.think
        if not 0 <= low <= high <= 600:
            raise OptionError(
                f"--think {low:g} {high:g}: expected two numbers of seconds up to 600, the smaller first."
            )


def simulate(options: SimulationOptions) -> SimulationResult:
    """Run participants and crashes, then compare what was acknowledged with what is stored."""
    study = load(options.folder)
    with isolated_copy(study, options.database, options.keep) as (folder, url):
        servers = [ServerProcess(folder, url, guarded=bool(options.intruder)) for _ in range(options.servers)]
        log = SimulationLog()
        start = time.monotonic()
        with clean_exit_on_sigterm():
            try:
                clients: dict[int, BrowserClient] = {}
                _session(options, study, servers, log, clients)
                for number, later in enumerate(study.definition.sessions, 2):
                    for server in servers:
                        server.stop()
                        server.ahead += later.opens + 0.1  # everyone finished the session before by then
                    _session(options, study, servers, log, clients, number)
            finally:
                for server in servers:
                    server.stop()
        seconds = time.monotonic() - start
        crashes = sum(server.crashes for server in servers)
        with open_store(load(folder), url, create=False) as store:
            return compare(options.participants, store, log, (crashes, options.crashes), seconds)


def _session(
    options: SimulationOptions,
    study: Study,
    servers: Sequence[ServerProcess],
    log: SimulationLog,
    clients: dict[int, BrowserClient],
    number: int = 1,
) -> None:
    """Start the servers and run one session to its end; crashes belong to the first."""
    for server in servers:
        server.start()
    options = options if number == 1 else replace(options, crashes=0, seed=options.seed + number)
    _run_to_end(_run(options, study, servers, log, clients, number))


def _run_to_end(run: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, also for a caller such as a notebook that has a running event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(run)
    else:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, run).result()


async def _run(
    options: SimulationOptions,
    study: Study,
    servers: Sequence[ServerProcess],
    log: SimulationLog,
    clients: dict[int, BrowserClient],
    session: int,
) -> None:
    parameter = study.definition.recruit.parameters.participant
    ports = [server.port for server in servers]
    settings, key = StudySettings(), study_key(study.folder)
    attention = {
        a.question.id: {letter(i): option for i, option in enumerate(options_of(a.question, None))}.get(
            key_of(a.question, None), ""
        )
        for a in study.definition.checks.attention
    }
    seeds = np.random.SeedSequence(options.seed).spawn(options.participants + 1)
    common = np.random.default_rng(seeds[-1])
    arrivals = np.sort(common.uniform(0, options.ramp, options.participants))
    plan = CrashPlan(
        options.crashes,
        options.participants,
        len(study.definition.pages)
        - len(study.definition.blocks)
        + study.definition.per_participant
        + len(study.definition.checks.attention),
        common,
    )

    async def participate(number: int) -> None:
        await asyncio.sleep(float(arrivals[number]))
        address = f"127.1.{number // 250}.{number % 250 + 1}" if options.intruder else ""
        rng = np.random.default_rng(seeds[number])
        if session > 1 and (number not in clients or rng.random() < options.behaviour.drop_out):
            log.end(f"did not come back for session {session}")
            return
        client = clients.pop(number, None) or BrowserClient(ports[number % len(ports)], address)
        link = signed_link(study, settings, key, simulated_id(number)).removeprefix(settings.public_url)
        try:
            finished = await SimulatedParticipant(
                number,
                client,
                options.behaviour,
                log,
                rng,
                link=link,
                attention=attention,
                plan=plan,
                ports=ports,
            ).run()
            if finished:
                clients[number] = client
        finally:
            client.close()

    everyone = asyncio.gather(*(participate(n) for n in range(options.participants)))
    crasher = asyncio.create_task(_crash_servers(servers, plan))
    stranger = Intruder(
        ports, options.intruder, parameter, options.participants, np.random.default_rng(options.seed)
    )
    attack = asyncio.create_task(stranger.run()) if options.intruder else None
    everyone.add_done_callback(lambda _: plan.end())
    try:
        done, pending = await asyncio.wait(
            (everyone, crasher), timeout=60 * options.minutes, return_when=asyncio.FIRST_EXCEPTION
        )
        for task in done:
            task.result()  # a server that does not start again ends the simulation
        if pending:
            raise StoreError(f"the simulation did not end in {options.minutes:g} minutes.")
    finally:
        tasks = [task for task in (everyone, crasher, attack) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        log.intruder = dict(sorted(stranger.responses.items()))
        log.stolen_sessions = stranger.sessions


async def _crash_servers(servers: Sequence[ServerProcess], plan: CrashPlan) -> None:
    """Crash one server after the other and start it again, whenever the plan says so."""
    for server in cycle(servers):
        if not await plan.next():
            return
        await asyncio.to_thread(server.crash)
        await asyncio.to_thread(server.start)
