"""Speed beside reference implementations, growth curves and other figures in one run: one page, and the same as JSON.

python -m benchmarks                      about 20 minutes: up to 1,000,000 samples, instructions counted
python -m benchmarks --quick              about 2 minutes: small sizes, up to 10,000 samples, no instructions
python -m benchmarks --only speed growth  a part of it
python -m benchmarks PROGRAM ...          one of the longer programs below; PROGRAM --help shows its options
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

from . import growth, instructions, machine
from .measuring import IMPLEMENTATIONS, cases, measure
from .page import Results, figures_table, growth_table, page, speed_table
from .programs import programs
from .texts import DATA, Texts

PARTS = ("speed", "growth", "figures")
FIGURES = ("starting", "systems", "meta", "simplifier", "language_model")


def main(arguments: list[str] | None = None) -> int:
    """Measure, print and write; 1 if values differ."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and not words[0].startswith("-"):
        return run_program(words[0], words[1:])
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="programs:\n" + "\n".join(f"  {name:20} {about}" for name, about in programs().items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder with asset/ and outputs/ (else examples)"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, no instructions")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to measure")
    parser.add_argument(
        "--implementations",
        nargs="+",
        choices=IMPLEMENTATIONS,
        default=IMPLEMENTATIONS,
        help="implementations to measure",
    )
    parser.add_argument("--sizes", nargs="+", type=int, help="numbers of samples of the growth curves")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("benchmarks.html"), help="the page (JSON beside)"
    )
    options = parser.parse_args(words)
    texts = Texts(options.data, 0.1 if options.quick else 1.0)
    counter = "nothing" if options.quick else instructions.available_counter()
    counting = "Instructions: not counted in a quick run." if options.quick else instructions.explain(counter)
    results = Results(machine.facts(), texts.name, counting, machine.busy())
    if "speed" in options.only:
        measure_speed(results, texts, options.implementations, counter, repeats=3 if options.quick else 5)
    if "growth" in options.only:
        sizes = options.sizes or (growth.SIZES[:2] if options.quick else growth.SIZES)
        for run in growth.measure(texts, sizes):
            results.runs.append(run)
            _say(f"{run.samples:,} samples, {run.engine}: {run.seconds:.1f} s")
    if "figures" in options.only:
        for name in FIGURES:
            results.figures += importlib.import_module(f"{__package__}.figures.{name}").figures(texts)
            _say(name)
    options.output.write_text(page(results), "utf-8")
    options.output.with_suffix(".json").write_text(results.json(), "utf-8")
    for rows, table in (
        (results.rows, speed_table),
        (results.runs, growth_table),
        (results.figures, figures_table),
    ):
        if rows:
            print(table(rows).text())
    print("\n".join([*results.problems, results.counting, f"Written: {options.output} and .json"]))
    return 1 if results.problems else 0


def run_program(name: str, arguments: list[str]) -> int:
    """Run one of the longer programs."""
    if name not in programs():
        raise SystemExit(f"{name}: no such program; there are: {', '.join(programs())}.")
    return importlib.import_module(f"{__package__}.programs.{name}").main(arguments) or 0


def measure_speed(
    results: Results, texts: Texts, implementations: list[str], counter: str, repeats: int
) -> None:
    """Measure the rows of the table, one implementation after another."""
    for implementation in implementations:
        start, rows = time.monotonic(), []
        for case in cases(texts, [implementation]):
            rows.append(measure(case, repeats))
            if counter == "processor":
                instructions.count(rows[-1], case)
        if counter == "valgrind":
            instructions.count_in_valgrind(rows, implementation, texts.data)
        results.rows += rows
        _say(f"{implementation}: {time.monotonic() - start:.0f} s")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
