"""The number of instructions of a case, which does not depend on other load on the machine.

They are counted by the processor's own counter if there is one (perf_event_open), else by valgrind's callgrind, on fewer
samples because it is about fifty times slower. A child process runs the cases and, before and after each, calls a function
of the C library that is not used otherwise; callgrind is told to write its count at these calls.

    python -m benchmarks.instructions IMPLEMENTATION [--data FOLDER] [--scale S]     the child
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from .measuring import Case, Row, cases
from .texts import DATA, ROOT, Texts

_MARK = "getsid"
_SCALE = 0.02
_NUMBER = {"x86_64": 298, "aarch64": 241}  # of perf_event_open
_HARDWARE, _SOFTWARE = 0, 1
_INSTRUCTIONS, _TASK_CLOCK = 1, 1
_EXCLUDE_KERNEL, _DISABLED, _INHERIT = 1 << 5, 1 << 0, 1 << 1
_ENABLE, _DISABLE, _RESET = 0x2400, 0x2401, 0x2403


class Counter:
    """The processor's count of this process's instructions, including its later threads."""

    def __init__(self, kind: int = _HARDWARE, what: int = _INSTRUCTIONS) -> None:
        number = _NUMBER.get(platform.machine())
        if number is None or not sys.platform.startswith("linux"):
            raise OSError("no counter is known for this machine")
        self._libc = ctypes.CDLL(None, use_errno=True)
        size = 112
        head = struct.pack("=IIQQQQQ", kind, size, what, 0, 0, 0, _EXCLUDE_KERNEL | _DISABLED | _INHERIT)
        asked = ctypes.create_string_buffer(head.ljust(size, b"\0"), size)
        self._file = self._libc.syscall(number, asked, 0, -1, -1, 0)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def count(self, work: Callable[[], object]) -> int:
        """The count of one run."""
        self._control(_RESET)
        self._control(_ENABLE)
        work()
        self._control(_DISABLE)
        return int(struct.unpack("=Q", os.read(self._file, 8))[0])

    def _control(self, what: int) -> None:
        if self._libc.ioctl(self._file, what, 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def available_counter() -> str:
    """The available instruction counter of this machine: processor, valgrind, or nothing."""
    try:
        if Counter().count(lambda: sum(range(1000))) > 1000:
            return "processor"
    except OSError:
        pass
    return "valgrind" if shutil.which("valgrind") else "nothing"


def explain(counter: str) -> str:
    """How instructions were counted, for the page."""
    return {
        "processor": "Instructions: the processor's own counter, one run each.",
        "valgrind": "Instructions: counted by valgrind's callgrind, one run each, on fewer samples (it is about fifty times slower; the JSON file says how many).",
        "nothing": "Instructions: not counted; this machine shows no counter, and valgrind is not installed"
        " (Debian: apt-get install valgrind).",
    }[counter]


def count(row: Row, case: Case) -> None:
    """Add the processor's counts to the row."""
    if row.not_counted:
        return
    counter = Counter()
    row.instructions, row.reference_instructions = (
        counter.count(side()) for side in (case.ours, case.theirs)
    )
    row.counted_size = case.size


def count_in_valgrind(rows: Sequence[Row], implementation: str, data: Path, scale: float = _SCALE) -> None:
    """Add the counts of all cases of a reference implementation to their rows."""
    if all(row.not_counted for row in rows):
        return
    child = ["-m", "benchmarks.instructions", implementation, "--data", str(data), "--scale", str(scale)]
    try:
        counts, printed = between_marks([sys.executable, *child])
    except subprocess.CalledProcessError:
        for row in rows:
            row.not_counted = row.not_counted or "failed under valgrind"
        return
    for i, (name, size) in enumerate(json.loads(printed.splitlines()[-1])):
        row = next(r for r in rows if r.name == name)
        row.instructions, row.reference_instructions = counts[2 * i], counts[2 * i + 1]
        row.counted_size = size


def between_marks(command: Sequence[str]) -> tuple[list[int], str]:
    """The instructions between each two marks that a program sets, and its output."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--tool=callgrind", f"--dump-before={_MARK}", f"--callgrind-out-file={folder}/out"]
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        done = subprocess.run(
            ["valgrind", *options, *command],
            capture_output=True,
            text=True,
            env=environment,
            cwd=ROOT,
            check=True,
        )
        # One file per mark; the first of each pair ends the work before it.
        files = sorted(Path(folder).glob("out.*"), key=lambda p: int(p.suffix[1:]))
        totals = [int(re.search(r"^totals: (\d+)", p.read_text("latin-1"), re.M)[1]) for p in files]
    return totals[1::2], done.stdout


def main() -> None:
    """The child process: run every case of a reference implementation once to warm up and once between marks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("implementation")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--scale", type=float, default=_SCALE)
    options = parser.parse_args()
    sizes = []
    for case in cases(Texts(options.data, options.scale), [options.implementation]):
        if case.counted:
            continue
        sizes.append((case.name, case.size))
        for side in (case.ours, case.theirs):
            side()()
            work = side()
            os.getsid(0)
            work()
            os.getsid(0)
    print(json.dumps(sizes))


if __name__ == "__main__":
    main()
