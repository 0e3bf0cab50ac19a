"""Calls compiled functions many times with invalid arguments, and counts the crashes.

    python -m benchmarks.hostile_calls --calls 2000000 --processes 2

Each process replaces some arguments of the valid examples in tests/unit/test_kernels_hostile.py and makes the calls. Each
call is recorded before it is made, so that a crash can be attributed to it. The exit code is 1 if there was a crash.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
NUMBERS = (0, 1, -1, 2, 3, 7, 20, 99, 2**31 - 1, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63), 2**70)
REALS = (0.0, 1.0, -1.5, float("nan"), float("inf"), float("-inf"), 1e308, 5e-324)
TEXTS = ("", "a", "don't", "\udc80", "'s" * 50, "-" * 99, "&quot;,.\n", "\u0130\u03a3\u00df", "x" * 3000)


def changed(rng: random.Random, value, np, kinds):
    """A replacement for a valid argument."""
    if rng.random() < 0.08:
        return rng.choice([None, "x", b"", 3, 2.5, [], {}, (), object(), np.zeros((2, 2)), np.array(["a"])])
    if isinstance(value, np.ndarray):
        return _array(rng, value, np)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice(NUMBERS)
    if isinstance(value, float):
        return rng.choice(REALS)
    if isinstance(value, str):
        return rng.choice(TEXTS)
    if isinstance(value, list):
        return [rng.choice(TEXTS) for _ in range(rng.randrange(5))]
    if isinstance(value, bytes):
        data = bytearray(value[: rng.choice((len(value), rng.randrange(len(value) + 1)))])
        for _ in range(rng.randrange(1, 5)):
            if data:
                data[rng.randrange(len(data))] = rng.choice((0, 1, 2, 3, 127, 128, 255, rng.randrange(256)))
        return bytes(data)
    if isinstance(value, tuple):
        return tuple(changed(rng, v, np, kinds) if rng.random() < 0.3 else v for v in value)
    kind = rng.choice(kinds)
    return kind.__new__(kind)


def _array(rng, value, np):
    values, way = value.copy(), rng.randrange(5)
    if way <= 1 and len(values):
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(values))
            if values.dtype.kind == "f":
                values[at] = rng.choice(REALS)
            else:
                bounds = np.iinfo(values.dtype)
                values[at] = min(max(rng.choice(NUMBERS), int(bounds.min)), int(bounds.max))
        return values
    if way == 2:
        return values[: rng.randrange(len(values) + 1)].copy()
    if way == 3:
        return np.concatenate([values, values[: rng.randrange(4)]])
    return np.zeros(
        rng.randrange(6), rng.choice([np.int64, np.int32, np.uint64, np.uint32, np.float64, np.uint8])
    )


def attack(seed: int, calls: int, log: Path) -> None:
    """Make the calls in this process."""
    import faulthandler

    import numpy as np

    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "unit")]
    import test_kernels_hostile as hostile

    faulthandler.enable()
    rng, kinds = random.Random(seed), [hostile._native.LanguageModel, hostile._native.Grammar]
    examples = hostile.examples()
    names = list(examples)
    functions = {name: hostile.function(name) for name in names}
    # Mapped into memory: the record survives the process, and writing it needs no system call.
    page = np.memmap(log, np.uint8, "w+", shape=(1 << 16,))
    with np.errstate(all="ignore"):
        for number in range(calls):
            name = names[number % len(names)]
            arguments = list(examples[name])
            for at in rng.sample(range(len(arguments)), min(len(arguments), rng.randrange(1, 4))):
                arguments[at] = changed(rng, arguments[at], np, kinds)
            text = f"{number} {name}{tuple(arguments)!r}".encode("utf-8", "replace")[: 1 << 16]
            page[: len(text)] = np.frombuffer(text, np.uint8)
            page[len(text) :][:1] = 0
            with suppress(*hostile.ALLOWED):
                functions[name](*arguments)
    print(f"{calls} calls done")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2_000_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.log:
        attack(options.seed, options.calls, options.log)
        return 0
    start, crashes = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        share = -(-options.calls // options.processes)
        logs = [Path(folder, str(k)) for k in range(options.processes)]
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.hostile_calls", "--calls", str(share)]
        children = [
            subprocess.Popen([*command, "--seed", str(options.seed + k), "--log", str(log)], cwd=ROOT)
            for k, log in enumerate(logs)
        ]
        for child, log in zip(children, logs, strict=True):
            if child.wait():
                crashes += 1
                print(
                    f"crash ({child.returncode}): {log.read_bytes().partition(bytes(1))[0].decode('utf-8', 'replace')[:3000]}"
                )
    print(f"{share * options.processes:,} hostile calls, {crashes} crashes, {time.monotonic() - start:.0f} s")
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
