"""Trying a study before people come: simulated participants on its real pages, and a server that crashes meanwhile.

The study's own answers are never touched: a simulation works in a temporary folder with an SQLite file, or in a temporary
schema on a PostgreSQL server, and removes either at its end (the folder can be kept). It contacts 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import OptionError, StoreError
from ...study import load, open_store
from ...study.definition.items import key_of, options_of
from ...study.definition.loading import Study
from ...study.definition.questions import letter
from ..study.serving import clean_exit_on_sigterm
from .client import BrowserClient
from .comparison import SimulationResult, compare
from .participants import Behaviour, SimulatedParticipant, SimulationLog
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
    keep: str = ""  # a new folder for the copy with its answers
    seed: int = 0
    minutes: float = 60.0  # time limit

    def __post_init__(self) -> None:
        if not 1 <= self.participants <= MAX_PARTICIPANTS:
            raise OptionError(f"-n {self.participants}: expected 1 to {MAX_PARTICIPANTS} participants.")
        if not 0 <= self.crashes <= MAX_CRASHES:
            raise OptionError(f"--crashes {self.crashes}: expected 0 to {MAX_CRASHES}.")
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
        server = ServerProcess(folder, url)
        log = SimulationLog()
        start = time.monotonic()
        with clean_exit_on_sigterm():
            try:
                server.start()
                _run_to_end(_run(options, study, server, log))
            finally:
                server.stop()
        seconds = time.monotonic() - start
        with open_store(load(folder), url, create=False) as store:
            return compare(options.participants, store, log, server.crashes, seconds)


def _run_to_end(run: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, also for a caller such as a notebook that has a running event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(run)
    else:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, run).result()


async def _run(options: SimulationOptions, study: Study, server: ServerProcess, log: SimulationLog) -> None:
    parameter = study.definition.recruit.parameters.participant
    attention = {
        a.question.id: {letter(i): option for i, option in enumerate(options_of(a.question, None))}.get(
            key_of(a.question, None), ""
        )
        for a in study.definition.checks.attention
    }
    seeds = np.random.SeedSequence(options.seed).spawn(options.participants + 1)
    arrivals = np.sort(np.random.default_rng(seeds[-1]).uniform(0, options.ramp, options.participants))

    async def participate(number: int) -> None:
        await asyncio.sleep(float(arrivals[number]))
        client = BrowserClient(server.port)
        rng = np.random.default_rng(seeds[number])
        try:
            await SimulatedParticipant(
                number, client, options.behaviour, log, rng, parameter=parameter, attention=attention
            ).run()
        finally:
            client.close()

    everyone = asyncio.gather(*(participate(n) for n in range(options.participants)))
    crasher = asyncio.create_task(_crash_server(options, server, log, everyone, seeds[-1]))
    try:
        await asyncio.wait_for(everyone, 60 * options.minutes)
    except TimeoutError:
        raise StoreError(f"the simulation did not end in {options.minutes:g} minutes.") from None
    finally:
        crasher.cancel()
        await asyncio.gather(crasher, return_exceptions=True)


async def _crash_server(
    options: SimulationOptions,
    server: ServerProcess,
    log: SimulationLog,
    everyone: asyncio.Future[Any],
    seed: np.random.SeedSequence,
) -> None:
    """Crash the server at random numbers of submits, while participants are at work."""
    if not options.crashes:
        return
    rng = np.random.default_rng(seed)
    # A participant submits at least six pages or so; the last crash must find someone at work.
    due = np.sort(rng.uniform(0.02, 0.8, options.crashes)) * 5 * options.participants
    for count in due:
        while log.submits < count:
            await asyncio.sleep(0.002)
        await asyncio.sleep(float(rng.uniform(0, 0.05)))
        if everyone.done():
            return
        await asyncio.to_thread(server.crash)
        await asyncio.to_thread(server.start)
