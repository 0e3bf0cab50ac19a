"""Where work runs: in this process, in several of this machine, on a Dask cluster.

    map(function, tasks)  -> results in the order of the tasks, a few of them under way at any time

Statistics are added in the order of the samples wherever they were computed, so every engine gives the same bits, and only
sums travel: memory does not grow with the files.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np

from .errors import EngineError, InputError, MissingResourceError, OptionError
from .metric import Floats, Metric, Score, add_up, join_counts
from .reading import Block, read_blocks

T = TypeVar("T")
R = TypeVar("R")
_AHEAD = 3  # tasks under way for each worker: one at work, the others waiting at its door
_RESTARTS = 3
_SECONDS = 10.0  # to wait for a cluster


class Engine(ABC):
    """Does tasks somewhere. Functions and tasks must be such that another process can have them."""

    @abstractmethod
    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Results in the order of the tasks."""

    def close(self) -> None:  # noqa: B027 - this process has nobody to let go
        """Let the workers go."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Local(Engine):
    """This process."""

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        return map(function, tasks)


class Processes(Engine):
    """Several processes of this machine. One that is killed is replaced, and what it was doing is done again."""

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
                    waiting.append((task, pool.submit(_do, task)))
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
        """New workers, each of which is given the function once."""
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
    """A Dask cluster, whose workers must have plainmark and see the files under the same names."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise MissingResourceError(
                "--engine needs Dask: pip install 'plainmark[dask]', here and on the workers."
            ) from None
        why = ""
        try:
            self._client = Client(address, timeout=_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as problem:
            why = str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__
        if why:
            # Now, and not while another client starts: the end of this one would wait for that one's lock for ever.
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
                yield waiting[0].result()
                waiting.popleft()
        except (KilledWorker, FutureCancelledError, OSError) as problem:
            raise EngineError(f"the cluster gave up: {str(problem).splitlines()[0][:200]}") from None
        finally:
            for future in waiting:
                future.cancel()

    def _workers(self) -> int:
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads)

    def close(self) -> None:
        self._client.close()


_END: Any = object()


def engine(workers: int = 1, address: str = "") -> Engine:
    """The engine that was asked for."""
    if address:
        if workers > 1:
            raise OptionError("--workers and --engine: expected one of them; a cluster has its own workers.")
        return Dask(address)
    return Local() if workers == 1 else Processes(workers)


_function: Callable[[Any], Any]  # of a worker process


def _begin(parent: int, function: Callable[[Any], Any]) -> None:
    global _function
    _function = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _do(task: Any) -> Any:
    return _function(task)


def _watch(parent: int) -> None:
    """A worker whose parent was killed has nobody to work for."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


@dataclass(frozen=True)
class Shard:
    """Files that hold a part of every system's samples; whoever works on it reads it."""

    outputs: tuple[str, ...]
    source: str | None = None
    references: tuple[str, ...] = ()
    fields: Mapping[str, str] | None = None
    names: tuple[str, ...] = ()  # of the systems, if not those of the files

    def blocks(self) -> Iterator[Block]:
        """Its blocks."""
        return read_blocks(
            self.outputs, source=self.source, references=self.references, fields=self.fields, names=self.names
        )


@dataclass
class SystemScores:
    """SystemScores [system][metric], of how many samples, and the shards that could not be read with the reason."""

    scores: list[list[Score]]
    samples: int
    failures: dict[str, str]


def score(
    shards: Sequence[Shard],
    metrics: Sequence[Metric],
    where: Engine,
    *,
    progress: Callable[[int], None] | None = None,
    each: Callable[[list[str], list[list[Floats]]], None] | None = None,
) -> SystemScores:
    """The scores of every system by every metric; `each` gets the samples' own scores, in order.

    Several shards are shared among the workers; those that cannot be read are left out and named. Of a single one the
    blocks are shared, and what cannot be read is an error.
    """
    total: list[list[Floats]] | None = None
    counts: list[list[str]] = []
    samples = 0
    failures: dict[str, str] = {}
    tasks: Iterable[Shard | Block] = shards if len(shards) > 1 else shards[0].blocks()
    for done in where.map(_Work(tuple(metrics), each is not None), tasks):
        for category, message in done.notes:
            warnings.warn(message, category, stacklevel=2)
        if done.problem:
            if len(shards) == 1:
                raise InputError(done.problem)
            failures[done.name] = done.problem
            continue
        total = done.sums if total is None else _added(total, done.sums)
        counts.append(done.counts)
        samples += done.size
        if each:
            each(done.ids, done.rows)
        if progress:
            progress(samples)
    if total is None:
        raise InputError(f"no shard can be read; the first: {next(iter(failures.values()))}")
    references = [join_counts(of_system) for of_system in zip(*counts, strict=True)]
    scores = [
        [m.score_of(t, count) for m, t in zip(metrics, row, strict=True)]
        for row, count in zip(total, references, strict=True)
    ]
    return SystemScores(scores, samples, failures)


@dataclass
class _Done:
    name: str
    sums: list[list[Floats]]  # [system][metric]
    counts: list[str]  # references of each system
    size: int
    ids: list[str]  # and the samples' own scores [system][metric], if they were asked for
    rows: list[list[Floats]]
    notes: list[tuple[type[Warning], str]]
    problem: str = ""


@dataclass(frozen=True)
class _Work:
    """What is done with a shard or a block, wherever that is."""

    metrics: tuple[Metric, ...]
    rows: bool

    def __call__(self, task: Shard | Block) -> _Done:
        name = task.outputs[0] if isinstance(task, Shard) else task.names[0]
        with _caught() as notes:
            try:
                done = self._of(name, task.blocks() if isinstance(task, Shard) else [task])
            except InputError as problem:
                done = _Done(name, [], [], 0, [], [], [], str(problem))
        done.notes = list(dict.fromkeys((w.category, str(w.message)) for w in notes))
        return done

    def _of(self, name: str, blocks: Iterable[Block]) -> _Done:
        found: _Done | None = None
        for block in blocks:
            one = self._block(name, block)
            if found is None:
                found = one
                continue
            found.sums = _added(found.sums, one.sums)
            found.counts = [join_counts(pair) for pair in zip(found.counts, one.counts, strict=True)]
            found.size += one.size
            found.ids += one.ids
            found.rows = [
                [np.concatenate(pair) for pair in zip(p, q, strict=True)]
                for p, q in zip(found.rows, one.rows, strict=True)
            ]
        assert found is not None  # what is empty was refused
        return found

    def _block(self, name: str, block: Block) -> _Done:
        corpora = block.read()
        for metric in self.metrics:
            for corpus in corpora:
                metric.check(corpus)
        sums = [[add_up(m.stats(c)) for m in self.metrics] for c in corpora]
        rows = [[m.sample_scores(c) for m in self.metrics] for c in corpora] if self.rows else []
        ids = list(corpora[0].ids) if self.rows else []
        return _Done(name, sums, [c.reference_count for c in corpora], block.size, ids, rows, [])


def _added(a: list[list[Floats]], b: list[list[Floats]]) -> list[list[Floats]]:
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


@contextmanager
def _caught() -> Iterator[list[warnings.WarningMessage]]:
    """Warnings, to be said where the work was asked for; threads cannot have their own."""
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        yield notes
