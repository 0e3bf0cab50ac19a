"""Scores of several systems by several metrics, on any engine.

Statistics are added in the order of the samples wherever they were computed, so that every engine gives
bit-identical results. Only sums are sent, so that memory does not grow with the files. Results of a cluster
are checked: its workers must read the files that the client saw and run the same code.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

import numpy as np

from . import identity, kernels
from .cautions import Observed, observe
from .engine import Engine
from .errors import EngineError, InputError
from .files import absolute, is_remote
from .identity import __version__
from .languages.choice import Choice, choose
from .metric import Floats, Metric, Score, Total, join_counts
from .reading import SampleBlock, read_blocks, system_names

_ANY = Choice()


@dataclass(frozen=True)
class Shard:
    """Files that hold a part of every system's samples; the worker that scores it reads them."""

    outputs: tuple[str, ...]
    source: str | None = None
    references: tuple[str, ...] = ()
    fields: Mapping[str, str] | None = None
    names: tuple[str, ...] = ()  # names of the systems, if they differ from those of the files
    seen: tuple[tuple[str, str], ...] = ()  # files and their digests, for workers that read them elsewhere

    def absolute(self) -> Shard:
        """The same shard for a process that works in another folder, with the digests of its current files."""
        outputs, references = tuple(map(absolute, self.outputs)), tuple(map(absolute, self.references))
        source = None if self.source is None else absolute(self.source)
        local = [p for p in (*outputs, source, *references) if p is not None and not is_remote(p)]
        seen = tuple((path, identity.digest(path)) for path in dict.fromkeys(local))
        names = self.names or tuple(system_names(self.outputs))
        return replace(self, outputs=outputs, source=source, references=references, names=names, seen=seen)

    def blocks(self) -> Iterator[SampleBlock]:
        """The blocks of its files, which must not have changed."""
        for path, digest in self.seen:
            if identity.digest(path) != digest:
                raise InputError(f"{path}: the worker sees another file here than the client, or none.")
        return read_blocks(
            self.outputs, source=self.source, references=self.references, fields=self.fields, names=self.names
        )


@dataclass
class SystemScores:
    """Scores [system][metric], the number of samples, and why shards could not be read."""

    scores: list[list[Score]]
    samples: int
    failures: dict[str, str]
    observed: list[Observed]  # counts of each system's texts
    metrics: list[Metric]  # the metrics as they were computed, for the language of the texts
    language: Choice


def score(
    shards: Sequence[Shard],
    metrics: Sequence[Metric],
    runner: Engine,
    *,
    language: Choice = _ANY,
    progress: Callable[[int], None] | None = None,
    each: Callable[[list[str], list[list[Floats]]], None] | None = None,
) -> SystemScores:
    """The scores of every system by every metric; `each` gets the samples' own scores, in order.

    The metrics are adapted to `language`, or to the language of the first texts if it can be detected.
    Several shards are distributed to the workers; those that cannot be read are left out and named. If there
    is one shard, its blocks are distributed, and an unreadable one is an error.
    """
    total: list[list[Total]] | None = None
    counts: list[list[str]] = []
    samples = 0
    failures: dict[str, str] = {}
    observed: list[Observed] = []
    tasks: Iterable[Shard | SampleBlock] = shards if len(shards) > 1 else shards[0].blocks()
    tasks, language = _with_language(tasks, language)
    metrics = [metric.in_language(language) for metric in metrics]
    if runner.elsewhere:
        tasks = (task.absolute() for task in tasks)
    code = _code(metrics)
    for done in runner.map(_ScoreTask(tuple(metrics), each is not None, language.code), tasks):
        _check_code(code, getattr(done, "code", ()))
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
    return SystemScores(scores, samples, failures, observed, list(metrics), language)


def _with_language(
    tasks: Iterable[Shard | SampleBlock], language: Choice
) -> tuple[Iterable[Shard | SampleBlock], Choice]:
    """The tasks, and the given language or that of the first texts."""
    if language.code:
        return tasks, language
    rest = iter(tasks)
    first = next(rest, None)
    if first is None:
        return [], language
    try:
        block = next(iter(first.blocks())) if isinstance(first, Shard) else first
        language = choose(block.read())
    except InputError:
        pass  # scoring it reports the error
    return chain([first], rest), language


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
    code: tuple[str, ...] = ()  # identification of the code that computed it
    observed: list[Observed] = field(default_factory=list)  # counts of each system


@dataclass(frozen=True)
class _ScoreTask:
    """Scores a shard or a block, in whichever process it runs."""

    metrics: tuple[Metric, ...]
    rows: bool
    language: str = ""

    def __call__(self, task: Shard | SampleBlock) -> _Result:
        name = task.outputs[0] if isinstance(task, Shard) else task.names[0]
        with _recorded_warnings() as notes:
            try:
                done = self._score_blocks(name, task.blocks() if isinstance(task, Shard) else [task])
            except InputError as problem:
                done = _Result(name, [], [], 0, [], [], [], str(problem))
        done.code = _code(self.metrics)
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
        assert total is not None  # empty files have been rejected already
        return total

    def _score_block(self, name: str, block: SampleBlock) -> _Result:
        corpora = block.read()
        for corpus in corpora:
            corpus.language = self.language
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
        english = self.language != "en" and any(m.spoken() == ("en",) for m in self.metrics)
        observed = [observe(c, language=english) for c in corpora]
        counts = [c.reference_count for c in corpora]
        return _Result(name, totals, counts, block.size, ids, rows, [], observed=observed)


def _code(metrics: Sequence[Metric]) -> tuple[str, ...]:
    """The code that computes scores in this process: the installation, the metrics and the files that they read."""
    installed = f"plainmark {__version__} (code {identity.package_digest()}, kernels {kernels.SOURCE})"
    return (installed, *(metric.signature() for metric in metrics))


def _check_code(expected: tuple[str, ...], code: tuple[str, ...]) -> None:
    if code == expected:
        return
    ours, theirs = next(
        pair for pair in zip_longest(expected, code, fillvalue="an older version") if len(set(pair)) > 1
    )
    raise EngineError(
        f"a worker computes with {theirs}, but this process has {ours}; install the same version and files on both."
    )


def _observed(a: list[Observed], b: list[Observed]) -> list[Observed]:
    return [x + y for x, y in zip(a, b, strict=True)] if a else b


def _added(a: list[list[Total]], b: list[list[Total]]) -> list[list[Total]]:
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


@contextmanager
def _recorded_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Records warnings, to be repeated by the process that started the work; only a main thread can record them."""
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        yield notes
