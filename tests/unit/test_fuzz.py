"""Readers of files that others have written, fed with damaged ones: an error of plainmark's, or a result.

`make fuzz` does the same for as long as it is told, guided by coverage; here it is bounded by a number of executions.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support import fuzz_targets

ROOT = Path(__file__).parents[2]
TARGETS = fuzz_targets._targets()


def mutated(example, rng):
    """The example with bytes replaced, removed, repeated or cut off."""
    data = bytearray(example)
    for _ in range(rng.integers(1, 5)):
        at = int(rng.integers(0, len(data) + 1))
        size = int(rng.integers(1, 9))
        way = rng.integers(5)
        if way == 0:
            data[at : at + 1] = rng.bytes(1)
        elif way == 1:
            del data[at : at + size]
        elif way == 2:
            data[at:at] = data[at : at + size] * 2
        elif way == 3:
            data[at : at + size] = b"\xff" * size
        else:
            data = data[: max(at, 1)]
    return bytes(data)


@pytest.mark.parametrize("name", TARGETS[0])
def test_damaged_files(name):
    rng = np.random.default_rng(list(name.encode()))
    example = TARGETS[0][name][1]
    TARGETS[0][name][0](example)  # the example itself is fine
    for _ in range(300):
        fuzz_targets.run(name, mutated(example, rng), TARGETS)


@pytest.mark.atheris
@pytest.mark.parametrize("name", TARGETS[0])
def test_guided_by_coverage(name, tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    command = [sys.executable, "-m", "support.fuzz_targets", name, "-runs=500", "-seed=1", "-max_len=4096"]
    child = subprocess.run(
        [*command, f"-artifact_prefix={tmp_path}/", str(corpus)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT / "tests",
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert child.returncode == 0, child.stderr[-3000:]
    assert "Done 500" in child.stderr
    assert int(re.search(r"cov: (\d+)", child.stderr)[1]) > 0, "nothing was instrumented"


@pytest.mark.clang
def test_compiled_code_guided_by_coverage(tmp_path):
    """A bounded run of the fuzzer that `make fuzz` builds; compiled here only if it is not there."""
    child = subprocess.run(
        ["make", "--silent", "fuzz-native", "FUZZ_OPTIONS=-runs=3000 -seed=1 -print_final_stats=1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=570,
    )
    assert child.returncode == 0, child.stderr[-3000:]
    assert int(re.search(r"number_of_executed_units: (\d+)", child.stderr)[1]) >= 3000


@pytest.mark.clang
def test_threads_under_thread_sanitizer():
    child = subprocess.run(
        ["make", "--silent", "sanitize-threads", "CXX=clang++"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert child.returncode == 0, child.stderr[-3000:]
    assert "threads agree" in child.stdout
    assert "ThreadSanitizer" not in child.stderr
