"""A Dask cluster on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

SECONDS = 60.0  # seconds to wait for it


@contextmanager
def cluster(
    folder: Path, workers: int = 2, variables: Mapping[str, str] | None = None
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]], subprocess.Popen[bytes]]]:
    """The address, the worker processes and the scheduler process; `variables` are added to their environment."""
    file = folder / "scheduler.json"
    environment = {**os.environ, "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False", **(variables or {})}
    started = []
    with (folder / "cluster.log").open("wb") as log:

        def start(*words):
            command = [sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:], "--no-dashboard"]
            started.append(subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log))

        try:
            start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
            _wait(lambda: file.exists() and file.read_text().strip(), "scheduler")
            address = json.loads(file.read_text())["address"]
            for _ in range(workers):
                start(
                    "dask_worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder)
                )
            _registered(address, workers)
            yield address, started[1:], started[0]
        finally:
            for process in started:
                process.kill()
                process.wait()


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    """CPU seconds that a running process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _registered(address, workers):
    from distributed import Client

    with Client(address, timeout=SECONDS, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=SECONDS)


def _wait(ready, what):
    deadline = time.monotonic() + SECONDS
    while not ready():
        if time.monotonic() > deadline:
            raise SystemExit(f"Dask's {what} did not start within {SECONDS:.0f} s.")
        time.sleep(0.1)
