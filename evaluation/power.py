"""Whether `plainmark study plan` keeps its promises: power as planned, and false alarms as often as the level says.

    python -m evaluation.power [--studies 2000] [--design N] [--seed N] [--out FILE]

For each design the plan is made first; then so many new studies are simulated, with other random numbers, at the number of
people that the plan gives for 80 % power, and as many without any difference. Power is after Holm's correction, as planned;
false alarms are those of a single contrast.
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
from plainmark.study.analysis.effects import permuted
from plainmark.study.power import Assumptions, Simulator, power
from plainmark.study.power_curve import TESTS, PowerPoint

PERMUTATIONS = 400

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


def false_alarms(simulator: Simulator, people: int, studies: int, rng: np.random.Generator) -> dict[str, int]:
    """How many studies without a difference find one, by test: the first contrast, uncorrected."""
    between = simulator.study.definition.design.kind == "between"
    alarms = dict.fromkeys([*TESTS, "permutation"], 0)
    for _ in range(studies):
        trials = simulator.draw(people, rng, null=True)
        p = [values[0] for values in simulator.p_values(people, trials.right, rng)]
        one, other = simulator.contrasts[0]
        p.append(permuted(trials, one, other, by_participant=between, rng=rng, permutations=PERMUTATIONS))
        for test, value in zip(alarms, p, strict=True):
            alarms[test] += value < 0.05
    return alarms


def main() -> None:
    """Print one row per design and test."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--design", type=int, help=f"only one: 0 to {len(DESIGNS) - 1}")
    parser.add_argument("--seed", type=int, default=0)
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
        planned = power(study, Assumptions(), seed=options.seed, clock=time.process_time)
        simulator = Simulator(study, planned.assumptions)
        rng = np.random.default_rng([options.seed, number, 7])
        runs: dict[int, PowerPoint] = {}
        people = {test: needed for test in TESTS if (needed := planned.needed[test][0.8])}
        for test, needed in people.items():
            if needed.people not in runs:
                runs[needed.people] = simulator.run(needed.people, options.studies, rng)
            row = {
                "design": name,
                "test": test,
                "people": needed.people,
                "people_interval": (needed.low, needed.high),
                "simulated": sum(p.studies for p in planned.points),
                "plan_seconds": round(planned.seconds, 1),
                "power": runs[needed.people].share(test),
                "power_interval": runs[needed.people].interval(test),
            }
            results.append(row)
            print(json.dumps(row), flush=True)
        alarms = false_alarms(simulator, max(runs), options.studies, rng)
        for test, count in alarms.items():
            row = {
                "design": name,
                "test": test,
                "people": max(runs),
                "false_alarms": count / options.studies,
                "false_alarms_interval": share_interval(count, options.studies, 0.95),
            }
            results.append(row)
            print(json.dumps(row), flush=True)
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
