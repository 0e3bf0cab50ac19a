"""Speed beside reference implementations, growth curves and other figures in one run: one page, and the same as JSON.

python -m benchmarks                      about 20 minutes: up to 1,000,000 samples, instructions counted
python -m benchmarks --quick              about 2 minutes: small sizes, up to 10,000 samples, no instructions
python -m benchmarks --only peers growth  a part of it
python -m benchmarks PROGRAM ...          one of the longer programs below; PROGRAM --help shows its options
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

from . import growth, instructions, machine
from .measuring import PEERS, cases, measure
from .page import Results, figures_table, growth_table, page, peers_table
from .programs import programs
from .texts import DATA, Texts

PARTS = ("peers", "growth", "figures")
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
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=PEERS, help="peers to measure")
    parser.add_argument("--sizes", nargs="+", type=int, help="numbers of samples of the growth curves")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("benchmarks.html"), help="the page (JSON beside)"
    )
    options = parser.parse_args(words)
    texts = Texts(options.data, 0.1 if options.quick else 1.0)
    by = "nothing" if options.quick else instructions.how()
    counting = "Instructions: not counted in a quick run." if options.quick else instructions.explain(by)
    found = Results(machine.facts(), texts.name, counting, machine.busy())
    if "peers" in options.only:
        measure_peers(found, texts, options.peers, by, repeats=3 if options.quick else 5)
    if "growth" in options.only:
        sizes = options.sizes or (growth.SIZES[:2] if options.quick else growth.SIZES)
        for run in growth.measure(texts, sizes):
            found.runs.append(run)
            _say(f"{run.samples:,} samples, {run.engine}: {run.seconds:.1f} s")
    if "figures" in options.only:
        for name in FIGURES:
            found.figures += importlib.import_module(f"{__package__}.figures.{name}").figures(texts)
            _say(name)
    options.output.write_text(page(found), "utf-8")
    options.output.with_suffix(".json").write_text(found.json(), "utf-8")
    for rows, table in (
        (found.rows, peers_table),
        (found.runs, growth_table),
        (found.figures, figures_table),
    ):
        if rows:
            print(table(rows).text())
    print("\n".join([*found.problems, found.counting, f"Written: {options.output} and .json"]))
    return 1 if found.problems else 0


def run_program(name: str, arguments: list[str]) -> int:
    """Run one of the longer programs."""
    if name not in programs():
        raise SystemExit(f"{name}: no such program; there are: {', '.join(programs())}.")
    return importlib.import_module(f"{__package__}.programs.{name}").main(arguments) or 0


def measure_peers(found: Results, texts: Texts, peers: list[str], by: str, repeats: int) -> None:
    """The table's rows, peer by peer."""
    for peer in peers:
        start, rows = time.monotonic(), []
        for case in cases(texts, [peer]):
            rows.append(measure(case, repeats))
            if by == "processor":
                instructions.count(rows[-1], case)
        if by == "valgrind":
            instructions.count_in_valgrind(rows, peer, texts.data)
        found.rows += rows
        _say(f"{peer}: {time.monotonic() - start:.0f} s")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
