"""The growth of time and memory: SARI and BLEU of 1,000 to 1,000,000 samples with 2 references.

In one process, in two workers, and on a Dask cluster of two worker processes, one of which is killed during the run. Times
are those of the whole command, including the start of Python; memory is the peak of the command's own process. All runs
must print the same bytes.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .cluster import cluster, cpu_seconds
from .texts import Texts, read

SIZES = (1000, 10_000, 100_000, 1_000_000)
ENGINES = ("one process", "two workers", "Dask, one killed")
# The peak is read inside the child, because the getrusage of children counts this process's own pages.
_CHILD = (
    "import sys; from plainmark.cli import main; code = main(sys.argv[1:]);"
    "print([l for l in open('/proc/self/status') if l.startswith('VmHWM')][0].split()[1], file=sys.stderr);"
    "sys.exit(code)"
)


@dataclass
class Run:
    """One command."""

    samples: int
    engine: str
    seconds: float
    cpu_seconds: float  # CPU time of the command and its own workers; those of a cluster are not included
    megabytes: float  # peak of the command's process
    same: bool = True  # whether the output equals that of one process, byte for byte
    note: str = ""


def measure(texts: Texts, sizes: Sequence[int] = SIZES, *, dask: bool = True) -> Iterator[Run]:
    """All engines at every size; the cluster only from 100,000 samples on."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            path = write(folder, texts, size)
            first, expected = run(path, ENGINES[0], ["--workers", "1"])
            yield first
            second, printed = run(path, ENGINES[1], ["--workers", "2"])
            second.same = printed == expected
            yield second
            if dask and (size >= 100_000 or size == max(sizes)):
                third, printed = run_on_cluster(folder, path, first.cpu_seconds)
                third.same = printed == expected
                yield third


def write(folder: Path, texts: Texts, samples: int) -> Path:
    """Write one JSON line per sample."""
    rows = read(texts.data)
    path = folder / f"{samples}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for i in range(samples):
            source, output, references = rows[i % len(rows)]
            row = {
                "source": f"{source} x{i}",
                "output": f"{output} x{i}",
                "references": [f"{r} x{i}" for r in references[:2]],
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def run(path: Path, engine: str, words: Sequence[str]) -> tuple[Run, str]:
    """The time and memory of a command, and its output."""
    before, start = _used(), time.perf_counter()
    out, err = _start(path, words).communicate()
    wall = time.perf_counter() - start
    return Run(int(path.stem), engine, wall, _used() - before, int(err.split()[-1]) / 1024), out


def run_on_cluster(folder: Path, path: Path, expected: float) -> tuple[Run, str]:
    """The same on two workers, one of which is killed when it has done about a sixth of the work."""
    with cluster(folder) as (address, workers, _):
        before, start = _used(), time.perf_counter()
        idle = cpu_seconds(workers[0])
        command = _start(path, ["--engine", address])
        while command.poll() is None and cpu_seconds(workers[0]) - idle < expected / 6:
            time.sleep(0.01)
        killed = time.perf_counter() - start
        alive = command.poll() is None
        workers[0].kill()
        workers[0].wait()
        out, err = command.communicate()
        wall = time.perf_counter() - start
        used = _used() - before  # it includes the killed worker's; a cluster's CPU time is not comparable
    note = (
        f"killed after {killed:.1f} of {wall:.1f} s"
        if alive
        else "the run ended before the worker was killed"
    )
    return Run(int(path.stem), ENGINES[2], wall, used, int(err.split()[-1]) / 1024, note=note), out


def slope(runs: Sequence[Run]) -> float:
    """The exponent of growth between the two largest sizes of one engine: 1 is linear."""
    a, b = sorted(runs, key=lambda r: r.samples)[-2:]
    return math.log(b.seconds / a.seconds) / math.log(b.samples / a.samples)


def _start(path, words):
    command = [
        sys.executable,
        "-c",
        _CHILD,
        "score",
        str(path),
        "-m",
        "sari",
        "-m",
        "bleu",
        "--format",
        "json",
        "-q",
    ]
    return subprocess.Popen([*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _used():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
