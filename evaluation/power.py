"""Whether `plainmark study plan` keeps its promises: power as planned, and false alarms as often as the level says.

    python -m evaluation.power [--studies 500] [--design N] [--out FILE]

For each design the plan is made first; then so many new studies are simulated, with other random numbers, at the number of
people that the plan gives for 80 % power, with the difference and without any.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from plainmark.distributions import share_interval
from plainmark.study import load
from plainmark.study.power import Assumptions, Power, PowerPoint, Simulator, power

# name: items, conditions, items per person, kind of design, questions per item
DESIGNS = {
    "within, 2 conditions": (24, 2, 6, "within", 2),
    "within, 3 conditions": (60, 3, 6, "within", 3),
    "between, 2 conditions": (24, 2, 6, "between", 2),
}


def write_study(folder: Path, items: int, conditions: int, each: int, kind: str, questions: int) -> None:
    """A definition with empty texts: the simulation reads none."""
    names = [f"condition {k + 1}" for k in range(conditions)]
    asked = [
        {"id": f"q{k}", "type": "mcq", "text": "?", "options": ["a", "b"], "key": "A"}
        for k in range(questions)
    ]
    definition = {
        "id": "simulated",
        "title": "simulated",
        "items": "items.jsonl",
        "conditions": names,
        "design": {"kind": kind, "per_participant": each},
        "pages": [{"kind": "block", "questions": asked}],
    }
    (folder / "study.yaml").write_text(json.dumps(definition), "utf-8")
    rows = ({"id": f"i{k}", "texts": dict.fromkeys(names, "text")} for k in range(items))
    (folder / "items.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")


def main() -> None:
    """Print one row per design and test."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--studies", type=int, default=500)
    parser.add_argument("--design", type=int, help=f"only one: 0 to {len(DESIGNS) - 1}")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    results = []
    for number, (name, design) in enumerate(DESIGNS.items()):
        if options.design not in (None, number):
            continue
        with tempfile.TemporaryDirectory() as folder:
            write_study(Path(folder), *design)
            study = load(folder)
        # CPU time, so that other work on the machine does not shorten the plan.
        planned: Power = power(study, Assumptions(), seed=number, clock=time.process_time)
        simulator = Simulator(study, planned.assumptions)
        rng = np.random.default_rng([number, 7])
        runs: dict[int, tuple[PowerPoint, PowerPoint]] = {}
        for test in ("model", "bootstrap"):
            people = planned.needed[test][0.8]
            if people is None:
                continue
            began = time.process_time()
            if people not in runs:
                runs[people] = (
                    simulator.run(people, options.studies, rng),
                    simulator.run(people, options.studies, rng, null=True),
                )
            found, alarms = runs[people]
            row = {
                "design": name,
                "test": test,
                "people": people,
                "plan_seconds": round(planned.seconds, 1),
                "power": found.share(test),
                "power_interval": share_interval(getattr(found, test), found.studies, 0.95),
                "false_alarms": alarms.share(test),
                "false_alarms_interval": share_interval(getattr(alarms, test), alarms.studies, 0.95),
                "seconds": round(time.process_time() - began, 1),
            }
            results.append(row)
            print(json.dumps(row), flush=True)
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
