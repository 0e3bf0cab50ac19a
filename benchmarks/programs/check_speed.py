"""CPU time of `plainmark check` on one megabyte of real text, beside another installation in the same run.

    python -m benchmarks check_speed DATA [--beside OTHER/.venv/bin/python] [--size BYTES]

The text is made of health texts (Cochrane), encyclopedia articles (SWiPE) and news (OneStopQA), a third each. Each program
runs in a process of its own with the default rules, including starting and loading; CPU time is that of all threads. With
--beside the other interpreter's plainmark checks the same file directly after, and the findings of both must be equal.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from itertools import accumulate, takewhile
from pathlib import Path

MEGABYTE = 1_000_000
_PROGRAM = "import sys; from plainmark.cli import main; sys.exit(main(['check', sys.argv[1], '-q', '--format', 'text']))"


def texts(data):
    """The texts by kind."""
    cochrane = [
        line.strip()
        for name in ("val.source", "val.target", "test.source", "test.target")
        for line in (data / "cochrane" / name).read_text("utf-8").splitlines()
    ]
    swipe = json.loads((data / "swipe" / "swipe_val.json").read_text("utf-8"))
    onestop = json.loads((data / "onestop-qa" / "onestop_qa.json").read_text("utf-8"))["data"]
    return [
        cochrane,
        [row[side] for row in swipe for side in ("r_content", "s_content")],
        [p[level]["context"] for level in ("Adv", "Int", "Ele") for a in onestop for p in a["paragraphs"]],
    ]


def mixed(data, size):
    """A text with about that many characters, a third of each kind."""
    parts = []
    for kind in texts(data):
        sizes = accumulate(len(t) + 2 for t in kind)
        parts += [t for t, _ in zip(kind, takewhile(lambda n: n <= size / 3, sizes), strict=False)]
    return "\n\n".join(parts)


def measured(python, path):
    """Seconds of CPU time and a digest of the findings, measured with another interpreter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [python, "-c", _PROGRAM, path.name],
        cwd=path.parent,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, run.stdout.count(b"\n"), hashlib.sha256(run.stdout).hexdigest()


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="folder with the data sets")
    parser.add_argument("--beside", help="the Python of another installation")
    parser.add_argument("--size", type=int, default=MEGABYTE, help="characters of the text")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text.txt")
        path.write_text(mixed(options.data, options.size), "utf-8")
        seconds, findings, digest = measured(sys.executable, path)
        line = f"{path.stat().st_size:,} bytes, {findings:,} findings: {seconds:.1f} s of CPU time"
        status = 0
        if options.beside:
            other, _, other_digest = measured(options.beside, path)
            status = int(digest != other_digest)
            line += f"; the other {other:.1f} s, {other / seconds:.2f} times; findings {'DIFFER' if status else 'equal'}"
    print(line, flush=True)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
