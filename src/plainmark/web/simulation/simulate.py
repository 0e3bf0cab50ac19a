"""A study tried before people come: robots through its real pages, a server that is killed, and what is left of it all.

The study's own answers are never touched: a simulation works in a folder of its own with an SQLite file, or in a schema of
its own on a PostgreSQL server, and removes either at its end (the folder can be kept). It speaks to 127.0.0.1 only.
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
from ...study import Study, load, open_store
from ...study.definition.loading import key_of, options_of
from ...study.definition.questions import letter
from ..study.serving import ended_in_order
from .client import Visitor
from .comparison import Outcome, compare
from .participants import Diary, Habits, Robot
from .server import Server, apart

MOST_PEOPLE = 5000
MOST_KILLS = 500


@dataclass(frozen=True)
class Simulation:
    """What `study simulate` was told."""

    folder: str
    people: int = 200
    habits: Habits = field(default_factory=Habits)
    kills: int = 0
    ramp: float = 5.0  # seconds over which people arrive
    database: str = ""
    keep: str = ""  # a new folder for the copy with its answers
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


def simulate(simulation: Simulation) -> Outcome:
    """Run robots and kills, then compare what they were told with what is stored."""
    study = load(simulation.folder)
    with apart(study, simulation.database, simulation.keep) as (folder, url):
        server = Server(folder, url)
        diary = Diary()
        began = time.monotonic()
        with ended_in_order():
            try:
                server.start()
                _wait_for(_run(simulation, study, server, diary))
            finally:
                server.stop()
        took = time.monotonic() - began
        with open_store(load(folder), url, create=False) as store:
            return compare(simulation.people, store, diary, server.kills, took)


def _wait_for(run: Coroutine[Any, Any, None]) -> None:
    """Run it to its end, also for a caller such as a notebook that is inside an event loop already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(run)
    else:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, run).result()


async def _run(simulation: Simulation, study: Study, server: Server, diary: Diary) -> None:
    parameter = study.definition.recruit.parameters.participant
    attention = {
        a.question.id: {letter(i): option for i, option in enumerate(options_of(a.question, None))}.get(
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
