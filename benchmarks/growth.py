"""How time and memory grow: SARI and BLEU of 1,000 to 1,000,000 samples with 2 references, in one process and in several.

    python benchmarks/growth.py [--data FOLDER] [--sizes 1000,10000,100000,1000000] [--workers 1,2]

The texts are ASSET's test set and the output of ACCESS again and again, each line made distinct. Memory is the peak of the
command's own process; times are those of the whole command, with the start of Python in them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The peak is read inside the child: what getrusage says of children counts this process's own pages.
CHILD = (
    "import sys; from plainmark.cli import main; code = main(sys.argv[1:]);"
    "print([l for l in open('/proc/self/status') if l.startswith('VmHWM')][0].split()[1], file=sys.stderr); sys.exit(code)"
)


def lines(path):
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def write(folder, data, samples):
    """One JSON line a sample."""
    sources, outputs = lines(data / "asset/asset.test.orig"), lines(data / "outputs/ACCESS")
    references = [lines(data / f"asset/asset.test.simp.{i}") for i in range(2)]
    path = Path(folder) / f"{samples}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for i in range(samples):
            k = i % len(sources)
            row = {
                "source": f"{sources[k]} x{i}",
                "output": f"{outputs[k]} x{i}",
                "references": [f"{r[k]} x{i}" for r in references],
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def measure(path, workers):
    """Seconds, CPU seconds, MB of the parent, and what was printed."""
    command = [sys.executable, "-c", CHILD, "score", str(path), "-m", "sari", "-m", "bleu", "--json", "-q"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run([*command, "--workers", str(workers)], check=True, capture_output=True, text=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, int(done.stderr.split()[-1]) / 1024, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--sizes", default="1000,10000,100000,1000000")
    parser.add_argument("--workers", default="1,2")
    options = parser.parse_args()
    workers = [int(w) for w in options.workers.split(",")]
    print(
        f"{os.cpu_count()} cores\n\n| samples | workers | seconds | CPU seconds | MB | microseconds of CPU a sample |"
    )
    print("|---:|---:|---:|---:|---:|---:|")
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, options.data, size)
            results = []
            for n in workers:
                wall, cpu, memory, printed = measure(path, n)
                results.append((wall, printed))
                print(
                    f"| {size:,} | {n} | {wall:.2f} | {cpu:.2f} | {memory:.0f} | {1e6 * cpu / size:.1f} |",
                    flush=True,
                )
            assert len({printed for _, printed in results}) == 1, "the numbers differ"
    if len(results) > 1:
        print(
            f"\n{workers[-1]} workers: {results[0][0] / results[-1][0]:.2f} times as fast as {workers[0]}; same bits."
        )


if __name__ == "__main__":
    main()
