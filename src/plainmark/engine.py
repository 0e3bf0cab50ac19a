"""Where work runs: in the current process, in several processes of this machine, or on a Dask cluster.

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
from dataclasses import dataclass, field
from multiprocessing import get_context
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np

from .cautions import Observed, observe
from .errors import EngineError, InputError, MissingResourceError, OptionError
from .metric import Floats, Metric, Score, Total, join_counts
from .reading import SampleBlock, read_blocks

T = TypeVar("T")
R = TypeVar("R")
_AHEAD = 3  # tasks submitted per worker: one running, the others queued
_RESTARTS = 3
_SECONDS = 10.0  # to wait for a cluster's scheduler


class Engine(ABC):
    """Runs tasks. Functions and tasks must be picklable, because another process may run them."""

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
            # Collected now: if this client ended while another one starts, it would wait for that one's lock for ever.
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
    """The engine for a number of workers, or for the address of a cluster's scheduler."""
    if address:
        if workers > 1:
            raise OptionError("--workers and --engine: expected one of them; a cluster has its own workers.")
        return Dask(address)
    return Local() if workers == 1 else Processes(workers)


_function: Callable[[Any], Any]  # what a worker process runs


def _begin(parent: int, function: Callable[[Any], Any]) -> None:
    global _function
    _function = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _do(task: Any) -> Any:
    return _function(task)


def _watch(parent: int) -> None:
    """End a worker process whose parent has been killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


@dataclass(frozen=True)
class Shard:
    """Files that hold a part of every system's samples; the worker that scores it reads them."""

    outputs: tuple[str, ...]
    source: str | None = None
    references: tuple[str, ...] = ()
    fields: Mapping[str, str] | None = None
    names: tuple[str, ...] = ()  # of the systems, if not those of the files

    def blocks(self) -> Iterator[SampleBlock]:
        """The blocks of its files."""
        return read_blocks(
            self.outputs, source=self.source, references=self.references, fields=self.fields, names=self.names
        )


@dataclass
class SystemScores:
    """Scores [system][metric], the number of samples, and why shards could not be read."""

    scores: list[list[Score]]
    samples: int
    failures: dict[str, str]
    observed: list[Observed]  # of each system's texts


def score(
    shards: Sequence[Shard],
    metrics: Sequence[Metric],
    runner: Engine,
    *,
    progress: Callable[[int], None] | None = None,
    each: Callable[[list[str], list[list[Floats]]], None] | None = None,
) -> SystemScores:
    """The scores of every system by every metric; `each` gets the samples' own scores, in order.

    Several shards are shared among the workers; those that cannot be read are left out and named. Of a single one the
    blocks are shared, and what cannot be read is an error.
    """
    total: list[list[Total]] | None = None
    counts: list[list[str]] = []
    samples = 0
    failures: dict[str, str] = {}
    observed: list[Observed] = []
    tasks: Iterable[Shard | SampleBlock] = shards if len(shards) > 1 else shards[0].blocks()
    for done in runner.map(_ScoreTask(tuple(metrics), each is not None), tasks):
        for category, message in done.notes:
            warnings.warn(message, category, stacklevel=2)
        if done.problem:
            if len(shards) == 1:
                raise InputError(done.problem)
            failures[done.name] = done.problem
            continue
        total = done.totals if total is None else _added(total, done.totals)
        observed = _observed(observed, done.observed)
        counts.append(done.counts)
        samples += done.size
        if each:
            each(done.ids, done.rows)
        if progress:
            progress(samples)
    if total is None:
        raise InputError(f"no shard can be read; the first: {next(iter(failures.values()))}")
    references = [join_counts(shard_counts) for shard_counts in zip(*counts, strict=True)]
    scores = [
        [m.score_of(t, count) for m, t in zip(metrics, row, strict=True)]
        for row, count in zip(total, references, strict=True)
    ]
    return SystemScores(scores, samples, failures, observed)


@dataclass
class _Result:
    name: str
    totals: list[list[Total]]  # [system][metric]
    counts: list[str]  # references of each system
    size: int
    ids: list[str]  # with `rows`, the scores of each sample [system][metric]; else empty
    rows: list[list[Floats]]
    notes: list[tuple[type[Warning], str]]
    problem: str = ""
    observed: list[Observed] = field(default_factory=list)  # of each system


@dataclass(frozen=True)
class _ScoreTask:
    """Scores a shard or a block, in whichever process it runs."""

    metrics: tuple[Metric, ...]
    rows: bool

    def __call__(self, task: Shard | SampleBlock) -> _Result:
        name = task.outputs[0] if isinstance(task, Shard) else task.names[0]
        with _recorded_warnings() as notes:
            try:
                done = self._score_blocks(name, task.blocks() if isinstance(task, Shard) else [task])
            except InputError as problem:
                done = _Result(name, [], [], 0, [], [], [], str(problem))
        done.notes = list(dict.fromkeys((w.category, str(w.message)) for w in notes))
        return done

    def _score_blocks(self, name: str, blocks: Iterable[SampleBlock]) -> _Result:
        total: _Result | None = None
        for block in blocks:
            part = self._score_block(name, block)
            if total is None:
                total = part
                continue
            total.totals = _added(total.totals, part.totals)
            total.observed = _observed(total.observed, part.observed)
            total.counts = [join_counts(pair) for pair in zip(total.counts, part.counts, strict=True)]
            total.size += part.size
            total.ids += part.ids
            total.rows = [
                [np.concatenate(pair) for pair in zip(p, q, strict=True)]
                for p, q in zip(total.rows, part.rows, strict=True)
            ]
        assert total is not None  # empty files were refused before
        return total

    def _score_block(self, name: str, block: SampleBlock) -> _Result:
        corpora = block.read()
        for metric in self.metrics:
            for corpus in corpora:
                metric.check(corpus)
        stats = [[m.stats(c) for m in self.metrics] for c in corpora]
        totals = [[m.total(s) for m, s in zip(self.metrics, row, strict=True)] for row in stats]
        rows = [
            [m.sample_scores(c, s) for m, s in zip(self.metrics, row, strict=True)]
            for c, row in zip(corpora, stats, strict=True)
            if self.rows
        ]
        ids = list(corpora[0].ids) if self.rows else []
        english = any(m.english_only for m in self.metrics)
        observed = [observe(c, language=english) for c in corpora]
        counts = [c.reference_count for c in corpora]
        return _Result(name, totals, counts, block.size, ids, rows, [], observed=observed)


def _observed(a: list[Observed], b: list[Observed]) -> list[Observed]:
    return [x + y for x, y in zip(a, b, strict=True)] if a else b


def _added(a: list[list[Total]], b: list[list[Total]]) -> list[list[Total]]:
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


@contextmanager
def _recorded_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Warnings to be repeated by the process that started the work; only a main thread can record them."""
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        yield notes
