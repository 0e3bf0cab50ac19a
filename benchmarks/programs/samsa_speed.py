"""CPU time of SAMSA: 359 samples of ASSET and 100 documents, beside another installation in the same run.

    python -m benchmarks samsa_speed DATA [--beside OTHER/.venv/bin/python]

Each text set is scored once in a new process, after models have been loaded; CPU time is that of all threads. With --beside
the other interpreter's plainmark scores the same texts directly after, and the values of both must be equal.
"""

import argparse
import json
import subprocess
import sys

SETS = {"asset": 359, "dwiki": 100}
_PROGRAM = """
import json, os, sys
from plainmark.data import Corpus
from plainmark.datasets import dataset
from plainmark.metric import metric

name, size = sys.argv[1], int(sys.argv[2])
samsa = metric("samsa")
samsa.score(Corpus(["He ran home and slept."], ["He ran home."]))
corpus = next(iter(dataset(name).corpora().values()))[:size]
before = os.times()
values = samsa.sample_scores(corpus)
after = os.times()
print(json.dumps([after[0] + after[1] - before[0] - before[1], list(map(str, values))]))
"""


def measured(python, name, data):
    """Seconds of CPU time and the values, measured with another interpreter."""
    run = subprocess.run(
        [python, "-c", _PROGRAM, name, str(SETS[name])],
        env={"PLAINMARK_DATA": data},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", help="folder with the data sets")
    parser.add_argument("--beside", help="the Python of another installation")
    options = parser.parse_args(arguments)
    status = 0
    for name, size in SETS.items():
        seconds, values = measured(sys.executable, name, options.data)
        line = f"{name}: {size} samples, {seconds:.1f} s"
        if options.beside:
            other, other_values = measured(options.beside, name, options.data)
            same = values == other_values
            status |= not same
            line += f"; the other {other:.1f} s, {other / seconds:.1f} times; values {'equal' if same else 'DIFFER'}"
        print(line, flush=True)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
