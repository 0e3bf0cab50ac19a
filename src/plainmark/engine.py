"""Engines, which run work: in the current process, in several processes of this machine, or on a Dask cluster.

map(function, tasks)  -> results in the order of the tasks, with a limited number submitted at any time

"""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import TracebackType
from typing import Any, Self, TypeVar

from .errors import EngineError, MissingResourceError, OptionError

T = TypeVar("T")
R = TypeVar("R")
_AHEAD = 3  # tasks submitted per worker: one runs, the others are queued
_RESTARTS = 3
_SECONDS = 10.0  # seconds to wait for a cluster's scheduler, and for workers before a notice
_MINUTE = 60.0  # seconds until that notice
_STEP = 1.0  # seconds between two checks of the cluster
_SCHEDULER_GONE = "the cluster's scheduler is gone; start it again, and then this command."
_WORKERS_GONE = "the cluster has had no workers for %d s; waiting until one joins (Ctrl-C to give up)."
_LOG = logging.getLogger(__name__)


class Engine(ABC):
    """Runs tasks. Functions and tasks must be picklable, because another process may run them."""

    elsewhere = False  # whether workers have their own folder and installation

    @abstractmethod
    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The results, in the order of the tasks."""

    def close(self) -> None:  # noqa: B027 - the current process has no workers
        """Release the workers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Local(Engine):
    """Run tasks in the current process."""

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        return map(function, tasks)


class Processes(Engine):
    """Run tasks in several processes of this machine; a killed process is replaced and its tasks are repeated."""

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise OptionError(f"--workers {workers}: expected 1 or more.")
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        waiting: deque[tuple[T, Future[R]]] = deque()
        left = iter(tasks)
        restarts = 0
        pool = self._open(function)
        while True:
            try:
                while len(waiting) < _AHEAD * self.workers and (task := next(left, _END)) is not _END:
                    waiting.append((task, Future()))  # has an effect even if the pool is already broken
                    waiting[-1] = task, pool.submit(_do, task)
                if not waiting:
                    return
                result = waiting[0][1].result()
            except BrokenProcessPool:
                restarts += 1
                if restarts > _RESTARTS:
                    raise EngineError(
                        f"worker processes ended {restarts} times (is there enough memory?); try fewer --workers."
                    ) from None
                pool = self._open(function)
                waiting = deque((task, pool.submit(_do, task)) for task, _ in waiting)
                continue
            waiting.popleft()
            yield result

    def _open(self, function: Callable[[T], R]) -> ProcessPoolExecutor:
        """Start new workers, each of which receives the function once."""
        self.close()
        self._pool = ProcessPoolExecutor(
            self.workers,
            mp_context=get_context("spawn"),
            initializer=_begin,
            initargs=(os.getpid(), function),
        )
        return self._pool

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown(wait=True, cancel_futures=True)


class Dask(Engine):
    """Run tasks on a Dask cluster whose workers have plainmark installed and see the files under the same names."""

    elsewhere = True

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise MissingResourceError(
                "--engine needs Dask: pip install 'plainmark[dask]', here and on the workers."
            ) from None
        why = ""
        # One line replaces the dozens that Dask logs about a lost cluster.
        names = [
            name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "asyncio"))
        ]
        self._silenced = [log for log in map(logging.getLogger, names) if not log.disabled]
        for log in self._silenced:
            log.disabled = True
        try:
            self._client = Client(address, timeout=_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as problem:
            why = str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__
        if why:
            self._restore_logs()
            # Collected now: if this client were collected while another one starts, it would wait for that
            # one's lock for ever.
            gc.collect()
            raise OptionError(
                f"--engine {address[:100]}: no scheduler answers there ({why}). Start one with: dask scheduler"
            )

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        waiting: deque[Any] = deque()
        left = iter(tasks)
        try:
            while True:
                while len(waiting) < _AHEAD * self._workers() and (task := next(left, _END)) is not _END:
                    waiting.append(self._client.submit(function, task, pure=False, retries=_RESTARTS))
                if not waiting:
                    return
                yield self._result(waiting[0])
                waiting.popleft()
        except KilledWorker as problem:
            raise EngineError(f"the cluster gave up: {str(problem).splitlines()[0][:200]}") from None
        except (FutureCancelledError, OSError):
            raise EngineError(_SCHEDULER_GONE) from None
        finally:
            for future in waiting:
                future.cancel()

    def _result(self, future: Any) -> Any:
        """The result of a task, as soon as it is available; prints a notice when no worker is left."""
        since, said = time.monotonic(), 0
        while True:
            try:
                return future.result(timeout=_STEP)
            except TimeoutError:
                if self._client.status != "running":
                    raise EngineError(_SCHEDULER_GONE) from None
            if any(self._client.nthreads().values()):
                since, said = time.monotonic(), 0
            elif time.monotonic() - since >= _SECONDS + said * _MINUTE:
                said += 1
                _LOG.warning(_WORKERS_GONE, int(time.monotonic() - since))

    def _workers(self) -> int:
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads)

    def close(self) -> None:
        self._client.close()
        gc.collect()  # requests that were never answered are logged when they are collected
        self._restore_logs()

    def _restore_logs(self) -> None:
        for log in self._silenced:
            log.disabled = False


_END: Any = object()


def engine(workers: int = 1, address: str = "") -> Engine:
    """The engine for a number of workers, or for the address of a cluster's scheduler."""
    if address:
        if workers > 1:
            raise OptionError("--workers and --engine: expected one of them; a cluster has its own workers.")
        return Dask(address)
    return Local() if workers == 1 else Processes(workers)


_function: Callable[[Any], Any]  # functions that worker processes run


def _begin(parent: int, function: Callable[[Any], Any]) -> None:
    global _function
    _function = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _do(task: Any) -> Any:
    return _function(task)


def _watch(parent: int) -> None:
    """End a worker process after its parent has been killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
