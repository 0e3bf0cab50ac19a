"""Worker processes: a few, each with one job at a time, killed and replaced when a job takes too long.

A thread cannot be killed, and because of Python's global lock it would slow down the others. Requests that arrive while all
workers are busy wait in queue.py, for a bounded time.
"""

from __future__ import annotations

import logging
import math
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection

from anyio import CapacityLimiter, to_thread

from ...explanation import FAST
from . import jobs
from .cost import LARGE, TooMuchWorkError, estimated_seconds
from .jobs import JobResult
from .queue import FairQueue
from .settings import PlaygroundSettings

LOG = logging.getLogger("plainmark.web")

_MAX_MEMORY = 4 * 2**30  # address space of a worker, in bytes
_START_SECONDS = 60.0
_MAX_JOBS = 5000  # jobs after which a worker is replaced, so that the caches of libraries stay bounded
# Processor time after which a job that was expected to be small is restarted as a large one, and the time during which
# all jobs of its client count as large.
_SMALL_SECONDS = 1.0
_SURPRISE_SECONDS = 600.0
_TRACKED_CLIENTS = 10_000


class JobStoppedError(Exception):
    """A job took too long, or its worker crashed."""


class NotSmallError(BaseException):
    """A job took longer than a small one may; error handlers in the job itself do not catch it."""


class Worker:
    """One process. Its methods block; WorkerPool calls them in threads."""

    def __init__(self, aligner: str = FAST) -> None:
        self._aligner = aligner
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self._pipe, worker_end = context.Pipe()
        self._process = context.Process(target=_work, args=(worker_end, self._aligner), daemon=True)
        self._process.start()
        worker_end.close()
        self._ready = False
        self._jobs = 0

    def run(self, operation: str, body: bytes, seconds: float, *, small: bool = False) -> JobResult | None:
        """Run a job; None if it was expected to be small and is not. A worker that takes too long or crashes is replaced."""
        try:
            if not self._ready:
                self._receive(_START_SECONDS)
                self._ready = True
            self._pipe.send((operation, body, small))
            result = self._receive(seconds)
        except (EOFError, OSError):
            self._replace()
            raise JobStoppedError from None
        self._jobs += 1
        if self._jobs == _MAX_JOBS:
            self.close()
            self._start()
        return result

    def _receive(self, seconds: float) -> JobResult | None:
        if self._pipe.poll(seconds):
            result: JobResult | None = self._pipe.recv()
            return result
        self._replace()
        raise JobStoppedError

    def _replace(self) -> None:
        LOG.warning("a worker took too long or crashed and is replaced")
        self.close()
        self._start()

    def close(self) -> None:
        """Kill the process."""
        self._pipe.close()
        self._process.kill()
        self._process.join(10)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid or 0


class WorkerPool:
    """All workers, and the requests that are waiting for one."""

    def __init__(self, count: int, *, seconds: float, max_waiting: int, aligner: str = FAST) -> None:
        self._workers = [Worker(aligner) for _ in range(count)]
        self._queue: FairQueue[Worker] = FairQueue(self._workers, max_waiting=max_waiting)
        self._seconds = seconds
        self._threads = CapacityLimiter(count)
        self._surprises: dict[
            str, float
        ] = {}  # client -> time when one of its small jobs took long, the latest last

    @classmethod
    def start(cls, settings: PlaygroundSettings) -> WorkerPool:
        """Start the workers that the settings ask for."""
        return cls(
            settings.workers,
            seconds=settings.seconds,
            max_waiting=settings.max_waiting,
            aligner=settings.aligner,
        )

    @property
    def pids(self) -> list[int]:
        """The process ids."""
        return [worker.pid for worker in self._workers]

    async def run(self, operation: str, body: bytes, client: str = "") -> JobResult:
        """Run a job of a client on an idle worker."""
        seconds = estimated_seconds(operation, body)
        if seconds > self._seconds:
            raise TooMuchWorkError(seconds)
        surprise = self._surprises.get(client, -math.inf)
        if seconds <= LARGE and time.monotonic() - surprise > _SURPRISE_SECONDS:
            result = await self._run(operation, body, client, large=False)
            if result is not None:
                return result
            self._note_surprise(client)
        result = await self._run(operation, body, client, large=True)
        assert result is not None  # only small jobs are interrupted
        return result

    async def _run(self, operation: str, body: bytes, client: str, *, large: bool) -> JobResult | None:
        async with self._queue.slot(client, large=large, seconds=self._seconds) as worker:
            work = partial(worker.run, operation, body, self._seconds, small=not large)
            return await to_thread.run_sync(work, limiter=self._threads)

    def _note_surprise(self, client: str) -> None:
        """Treat all jobs of a client as large for a while, after a short text took long."""
        self._surprises.pop(client, None)
        if len(self._surprises) >= _TRACKED_CLIENTS:
            del self._surprises[next(iter(self._surprises))]
        self._surprises[client] = time.monotonic()

    def warm_up(self) -> None:
        """Wait until all workers have started."""
        deadline = time.monotonic() + _START_SECONDS
        for worker in self._workers:
            with suppress(JobStoppedError):
                worker.run("align", b"{}", max(deadline - time.monotonic(), 1))

    def close(self) -> None:
        """Kill all workers."""
        for worker in self._workers:
            worker.close()


def _work(pipe: Connection, aligner: str) -> None:
    """The main function of a worker; it ends when the other end of its pipe is closed."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C is sent to all processes; the server ends its workers itself
    with suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY, _MAX_MEMORY))
    jobs.prepare()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            operation, body, small = pipe.recv()
            result = None
            with suppress(NotSmallError), _limited(_SMALL_SECONDS if small else 0.0):
                result = jobs.perform(operation, body, aligner)
            pipe.send(result)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Interrupt a job that takes more processor time than this; 0 for no limit. Windows has no such timer."""

    def interrupt(*_: object) -> None:
        raise NotSmallError

    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
