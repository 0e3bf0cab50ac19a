"""Data loss and response times of submissions: 500 simulated participants who read for 5 to 20 s, with 20 crashes.

    python -m benchmarks study [sqlite|postgresql|both] [--runs NAMES] [--ramp SECONDS] [more options of `study simulate`]

The study is of the published size: 60 passages in 11 conditions with 3 questions each, 6 passages per person, here 5 people
for each. The runs: `calm` has no crashes, for the times; `crashes` has 20; `intruder` has 20, and an intruder who sends 50
requests per second to occupy places. SQLite has one server, PostgreSQL two; it is started in a folder of its own. The load
average before and after is printed, because times on a busy machine are not informative. The exit code is 1 if a run lost
anything or had fewer crashes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

import yaml

from ..texts import ROOT

sys.path.insert(0, str(ROOT / "tests"))
from plainmark.study import templates
from support import postgres

PEOPLE = [
    "-n",
    "500",
    "--two-tabs",
    "0.3",
    "--double-submit",
    "0.2",
    "--drop-out",
    "0.12",
    "--think",
    "5",
    "20",
]
RUNS = {
    "calm": ["--crashes", "0"],
    "crashes": ["--crashes", "20"],
    "intruder": ["--crashes", "20", "--intruder", "50"],
}
WORDS = (
    "the water of a river brings sand and stones to places where people build houses near old trees".split()
)


def passage(seed, length):
    return " ".join(WORDS[(seed * 7 + i * (1 + seed % 5)) % len(WORDS)] for i in range(length)) + "."


def make(folder):
    """A reading-comprehension study from the template, with as many passages as the published study."""
    templates.copy("reading-comprehension", str(folder))
    definition = yaml.safe_load((folder / "study.yaml").read_text("utf-8"))
    conditions = [f"system{n}" for n in range(11)]
    definition["conditions"] = conditions
    definition["design"] |= {"per_participant": 6, "replicates": 5}
    (folder / "study.yaml").write_text(yaml.safe_dump(definition, sort_keys=False), "utf-8")
    with (folder / "items.jsonl").open("w", encoding="utf-8") as file:
        for n in range(60):
            asked = {f"question_{q}": passage(n + q, 9) for q in (1, 2, 3)}
            options = {
                f"options_{q}": [f"{o}: {passage(n + q + i, 5)}" for i, o in enumerate("abcd")]
                for q in (1, 2, 3)
            }
            texts = {c: passage(n * 11 + i, 110) for i, c in enumerate(conditions)}
            print(json.dumps({"id": f"passage {n}", "texts": texts, **asked, **options}), file=file)


def load():
    return " ".join(f"{x:.2f}" for x in os.getloadavg())


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks study",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("database", nargs="?", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument(
        "--ramp", default="20", help="seconds until all participants have arrived (default: 20)"
    )
    parser.add_argument(
        "--runs", default=",".join(RUNS), help=f"which, separated by commas (default: {','.join(RUNS)})"
    )
    options, more = parser.parse_known_args(arguments)
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        make(folder := Path(temporary, "study"))
        for name in ("sqlite", "postgresql") if options.database == "both" else (options.database,):
            with postgres.server() if name == "postgresql" else nullcontext() as server:
                address = ["--database", server.database(), "--servers", "2"] if server else []
                for run in options.runs.split(","):
                    words = [
                        "study",
                        "simulate",
                        str(folder),
                        *PEOPLE,
                        "--ramp",
                        options.ramp,
                        *RUNS[run],
                        *address,
                        *more,
                    ]
                    print(f"$ plainmark {' '.join(words[:2])} STUDY {' '.join(words[3:])}", flush=True)
                    before = load()
                    done = subprocess.run([sys.executable, "-m", "plainmark", *words], check=False)
                    failed += done.returncode != 0
                    print(f"load average {before} before, {load()} after\n", flush=True)
    return 1 if failed else 0
