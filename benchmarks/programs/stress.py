"""How long a stress test takes: 749 abstracts x 11 perturbations x 10 levels x SARI, BLEU, ROUGE, killed halfway and resumed.

    PLAINMARK_DATA=PATH/TO/data python -m benchmarks stress [--workers 2]

Prints wall and CPU seconds of perturbing and scoring, of all processes, and whether the killed and resumed run has the same
files as the whole one.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMAND = [
    "stress", "-d", "plaba", "-m", "sari", "-m", "bleu", "-m", "rouge", "--seed", "1", "--seeds", "1", "-q",
    "--workers",
]  # fmt: skip


def start(folder, workers):
    words = [sys.executable, "-m", "plainmark", *COMMAND, workers, "--folder", str(folder)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True)


def finished_well(process):
    if code := process.wait():
        sys.exit(f"the stress test ended with code {code}")


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def files(folder):
    return {
        p.relative_to(folder): p.read_bytes() for p in folder.rglob("*.json*") if not p.name.startswith(".")
    }


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks stress",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--workers", default="2", help="processes")
    workers = parser.parse_args(arguments).workers
    with tempfile.TemporaryDirectory() as temporary:
        whole, cut = Path(temporary, "whole"), Path(temporary, "cut")
        began, used = time.time(), cpu()
        finished_well(start(whole, workers))
        texts = sum(path.read_bytes().count(b"\n") for path in (whole / "texts").iterdir())
        print(
            f"{texts:,} texts, {workers} processes: {time.time() - began:.0f} s wall, {cpu() - used:.0f} s CPU"
        )
        units = len(list((whole / "texts").iterdir()))
        process = start(cut, workers)
        while len(list((cut / "texts").glob("*.jsonl"))) < units // 2:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        finished = len(list((cut / "texts").glob("*.jsonl")))
        began, used = time.time(), cpu()
        finished_well(start(cut, workers))
        print(
            f"killed with {finished} of {units} units done; resumed in {time.time() - began:.0f} s wall, {cpu() - used:.0f} s CPU"
        )
        print("the same files:", files(whole) == files(cut))
