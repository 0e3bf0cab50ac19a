"""Processes that do the work: a few, each one job at a time, ended and started again when a job takes too long.

A thread cannot be ended, so a long text would keep it; and Python's lock would keep everyone else. Who comes while all are
busy waits in a queue of bounded length, and not for ever.
"""

from __future__ import annotations

import logging
import signal
import time
from asyncio import Queue
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

from anyio import CapacityLimiter, fail_after, to_thread

from ...explanation import FAST
from . import jobs

LOG = logging.getLogger("plainmark.web")

_MEMORY = 4 * 2**30  # bytes of address space of a worker
_STARTING = 60.0  # seconds
_JOBS = 5000  # after which a worker is replaced: what libraries remember of words stays bounded


class BusyError(Exception):
    """Too many wait already, or one waited too long."""


class SlowError(Exception):
    """The work took longer than it may."""


class Worker:
    """One process. Its methods block; Workers calls them in threads."""

    def __init__(self, aligner: str = FAST) -> None:
        self._aligner = aligner
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._aligner), daemon=True)
        self._process.start()
        theirs.close()
        self._ready = False
        self._done = 0

    def do(self, job: bytes, seconds: float) -> bytes:
        """The answer to a job; a worker that takes too long, or ends, is replaced."""
        try:
            if not self._ready:
                self._receive(_STARTING)
                self._ready = True
            self._pipe.send_bytes(job)
            answer = self._receive(seconds)
        except (EOFError, OSError):
            self._replace()
            raise SlowError from None
        self._done += 1
        if self._done == _JOBS:
            self.close()
            self._start()
        return answer

    def _receive(self, seconds: float) -> bytes:
        if self._pipe.poll(seconds):
            return self._pipe.recv_bytes()
        self._replace()
        raise SlowError

    def _replace(self) -> None:
        LOG.warning("a worker took too long or ended; another one takes its place")
        self.close()
        self._start()

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.kill()
        self._process.join(10)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid or 0


class Workers:
    """All processes, and the queue before them."""

    def __init__(self, count: int, *, seconds: float, waiting: int, aligner: str = FAST) -> None:
        self._all = [Worker(aligner) for _ in range(count)]
        self._free: Queue[Worker] = Queue()
        for worker in self._all:
            self._free.put_nowait(worker)
        self._seconds, self._most = seconds, waiting
        self._waiting = 0
        self._threads = CapacityLimiter(count)

    @property
    def pids(self) -> list[int]:
        """The process ids."""
        return [worker.pid for worker in self._all]

    async def do(self, kind: str, body: bytes) -> jobs.Answer:
        """The answer to a job of a kind."""
        if self._waiting >= self._most:
            raise BusyError
        self._waiting += 1
        try:
            with fail_after(self._seconds):
                worker = await self._free.get()
        except TimeoutError:
            raise BusyError from None
        finally:
            self._waiting -= 1
        try:
            job = kind.encode() + b"\n" + body
            return jobs.Answer.unpack(
                await to_thread.run_sync(worker.do, job, self._seconds, limiter=self._threads)
            )
        finally:
            self._free.put_nowait(worker)

    def warm(self) -> None:
        """Wait until all have started."""
        deadline = time.monotonic() + _STARTING
        for worker in self._all:
            with suppress(SlowError):
                worker.do(b"align\n{}", max(deadline - time.monotonic(), 1))

    def close(self) -> None:
        """End all."""
        for worker in self._all:
            worker.close()


def _work(pipe: Connection, aligner: str) -> None:
    """The life of a worker; it ends when the other end of its pipe is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the server ends its workers
    with suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    jobs.begin()
    with suppress(EOFError, OSError):
        pipe.send_bytes(b"")
        while True:
            job = pipe.recv_bytes()
            try:
                answer = jobs.perform(job, aligner)
            except Exception as problem:  # its message may hold what a person wrote
                LOG.error("%s in a worker", type(problem).__name__)
                answer = jobs.problem(500, "Something went wrong here. Other texts may work.")
            pipe.send_bytes(answer.pack())
