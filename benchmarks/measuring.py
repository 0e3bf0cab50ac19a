"""The method of measurement: two programs do the same work alternately, in one process and one thread, and must agree.

    ratio = median over repeats of (CPU seconds of the reference implementation / CPU seconds of plainmark)

Each time is of one or more runs that together last at least `_LEAST` seconds. The preparation of a run is not timed. A busy
machine makes both sides slower, which affects the ratio little; the spread of the ratio is shown.
"""

from __future__ import annotations

import gc
import importlib
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from numpy.typing import ArrayLike

from .texts import Texts

IMPLEMENTATIONS = (
    "counters", "sacrebleu", "rouge_score", "textstat", "scipy", "kenlm", "bert_score", "sentence_transformers",
)  # fmt: skip
_LEAST = 0.02

Work = Callable[[], ArrayLike]


@dataclass(frozen=True)
class Case:
    """The same work done by plainmark and by a reference implementation; `ours()` and `theirs()` prepare it and return the
    function that is timed.
    """

    task: str
    size: str
    implementation: str
    package: str  # package of the reference implementation, for its version
    ours: Callable[[], Work]
    theirs: Callable[[], Work]
    tolerance: float = 1e-9  # largest difference of values that counts as agreement
    counted: str = ""  # the reason why instructions are not counted, if they are not

    @property
    def name(self) -> str:
        """Task and reference implementation."""
        return f"{self.task} | {self.implementation}"


@dataclass
class Row:
    """The measurements of a case."""

    task: str
    size: str
    implementation: str
    version: str
    difference: float  # largest difference of any value
    tolerance: float
    seconds: float  # median CPU time
    reference_seconds: float
    ratios: list[float]  # the reference implementation's seconds divided by plainmark's, one per repeat
    instructions: int | None = None
    reference_instructions: int | None = None
    counted_size: str = ""
    not_counted: str = ""

    @property
    def name(self) -> str:
        """Task and reference implementation."""
        return f"{self.task} | {self.implementation}"

    @property
    def agrees(self) -> bool:
        """Whether both programs give the same values."""
        return self.difference <= self.tolerance

    @property
    def ratio(self) -> float:
        """How many times less CPU time plainmark takes."""
        return statistics.median(self.ratios)

    @property
    def instruction_ratio(self) -> float | None:
        """How many times fewer instructions plainmark takes."""
        if not self.instructions or not self.reference_instructions:
            return None
        return self.reference_instructions / self.instructions


@dataclass(frozen=True)
class Figure:
    """A figure of plainmark alone."""

    what: str
    value: float
    unit: str
    digits: int = 2
    note: str = field(default="")


def cases(texts: Texts, names: Sequence[str] = IMPLEMENTATIONS) -> Iterator[Case]:
    """All cases of the implementations; a reference implementation that is not installed is an error, not a missing row."""
    for name in names:
        try:
            module = importlib.import_module(f"{__package__}.implementations.{name}")
        except ModuleNotFoundError as problem:
            raise SystemExit(
                f"{name}: {problem.name} is not installed; pip install '.[test,bench]', or make bench."
            ) from None
        yield from module.cases(texts)


def measure(case: Case, repeats: int = 5) -> Row:
    """Measure both sides alternately, after one run of each that yields its values and warms up."""
    values = [np.asarray(side()(), dtype=np.float64) for side in (case.ours, case.theirs)]
    times: list[tuple[float, float]] = []
    for i in range(repeats):
        if i % 2:
            theirs = seconds(case.theirs)
            times.append((seconds(case.ours), theirs))
        else:
            times.append((seconds(case.ours), seconds(case.theirs)))
    return Row(
        case.task,
        case.size,
        case.implementation,
        installed(case.package),
        difference(*values),
        case.tolerance,
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        [b / a for a, b in times],
        not_counted=case.counted,
    )


def seconds(side: Callable[[], Work]) -> float:
    """CPU seconds of one run."""
    spent, runs = 0.0, 0
    gc.disable()  # otherwise one side pays for the garbage of the other
    while spent < _LEAST:
        work = side()
        start = time.process_time()
        work()
        spent += time.process_time() - start
        runs += 1
    gc.enable()
    return spent / runs


def difference(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The largest difference; infinite if shapes differ or only one side is defined."""
    if ours.shape != theirs.shape or not (np.isfinite(ours) == np.isfinite(theirs)).all():
        return float("inf")
    return float(np.nanmax(np.abs(ours - theirs), initial=0.0))


def installed(package: str) -> str:
    """A package's version."""
    try:
        return version(package) if package else ""
    except PackageNotFoundError:
        return "?"
