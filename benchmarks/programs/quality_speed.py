"""CPU time, time and memory of the metric quality beside BERTScore with minilm, on the same sentence pairs.

    python -m benchmarks quality_speed [--samples 1000] [--repeats 3] [--threads 2]

Each metric scores the pairs in a new process, after its model has been loaded, one metric after another in every repeat;
the ratios are those of one repeat. CPU time is that of all threads, memory the peak of the process. No pair occurs twice.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

from ..texts import DATA

METRICS = ("bertscore", "quality", "quality(encoder='none')")
_PROGRAM = """
import json, os, sys, time
from pathlib import Path
from benchmarks.texts import Texts
from plainmark import models
from plainmark.data import Corpus
from plainmark.metric import metric

name, data, samples, threads = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
measured = metric(name)
corpus = Texts(data).corpus(samples, references=1)
with models.using(threads=threads, cache=None):
    measured.score(Corpus(["He ran home and slept."], ["He ran home."], [["He went home."]]))
    before, start = os.times(), time.perf_counter()
    value = measured.score(corpus).value
    wall, after = time.perf_counter() - start, os.times()
memory = [line for line in open("/proc/self/status") if line.startswith("VmHWM")][0].split()[1]
print(json.dumps([after[0] + after[1] - before[0] - before[1], wall, int(memory) / 1024, value]))
"""


def measured(name, options):
    """Seconds of CPU time, seconds, megabytes and the score."""
    numbers = [str(options.samples), str(options.threads)]
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _PROGRAM, name, str(options.data), *numbers],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder with asset/ and outputs/ (else examples)"
    )
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    repeats = []
    for _ in range(options.repeats):
        repeats.append([measured(name, options) for name in METRICS])
        for name, (cpu, wall, memory, value) in zip(METRICS, repeats[-1], strict=True):
            print(f"{name:24} {cpu:6.1f} s CPU {wall:6.1f} s {memory:6.0f} MB  score {value:.3f}", flush=True)
    for k, name in enumerate(METRICS[1:], 1):
        cpu, wall = (statistics.median(own[k][part] / own[0][part] for own in repeats) for part in (0, 1))
        print(f"{name} takes {cpu:.2f} times the CPU time of {METRICS[0]} and {wall:.2f} times the time")
