"""Facts that the figures depend on: cores, memory, versions, load of the machine. No names, no paths."""

from __future__ import annotations

import datetime
import os
import platform
from importlib.metadata import version
from pathlib import Path


def facts() -> dict[str, str]:
    """The facts by name."""
    return {
        "measured": f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}",
        "plainmark": version("plainmark"),
        "processor": _field("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "memory": f"{int((_field('/proc/meminfo', 'MemTotal') or '0').split()[0]) / 2**20:.0f} GB",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": version("numpy"),
        "load at the start": " ".join(f"{x:.1f}" for x in os.getloadavg()),
    }


def busy() -> bool:
    """Whether other programs are running."""
    return os.getloadavg()[0] > 0.5


def _field(path, name):
    try:
        rows = Path(path).read_text().splitlines()
    except OSError:
        return ""
    return next((row.partition(":")[2].strip() for row in rows if row.startswith(name)), "")
