"""Evaluates the fact ledger on faithful texts, injected errors, human labels and plainmark's own texts, and its speed.

python -m evaluation.facts                               every section, on development texts
python -m evaluation.facts --part held --json held.json  on texts that nothing was tuned on
python -m evaluation.facts --sample-alarms 300 --bucket 2 --output judge.json --sheet judge.txt
                                                         alarms to judge; the sheet has the texts
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from plainmark.errors import PlainmarkError

from . import faithful, injected, judgements, ledgers, own, people, speed
from .injection import ERRORS, inject
from .tables import Table
from .texts import BUCKETS, DATASETS, JUDGED_ONLY, PARTS, data_folder, read

SECTIONS = ("faithful", "judged", "injected", "people", "own", "speed")


def main(arguments: list[str] | None = None) -> int:
    """Run the sections and print their tables."""
    options = _parser().parse_args(arguments)
    data = options.data or data_folder()
    if options.missed and options.part != "development":
        print("--missed shows texts: only those of --part development.", file=sys.stderr)
        return 2
    if not data.is_dir():
        print(
            f"{data}: no such folder, expected the data sets; set PLAINMARK_SHARED or --data.",
            file=sys.stderr,
        )
        return 2
    try:
        facts = ledgers.load(options.ledger, options.kinds)
        if options.sample_alarms:
            _sample(options, data, facts)
            return 0
        tables = []
        for table in _tables(options, data, facts):
            print(f"{table}\n", flush=True)
            tables.append(table.to_dict())
    except PlainmarkError as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.json:
        options.json.write_text(json.dumps(tables, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.facts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--part", choices=PARTS, default="development", help="which texts (default: development)")
    add("--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="sections to run")
    add("--kinds", nargs="+", choices=ledgers.KINDS, help="kinds of fact (default: all)")
    add("--errors", nargs="+", choices=ERRORS, default=tuple(ERRORS), help="kinds of injected error")
    add("--datasets", nargs="+", choices=(*DATASETS, *JUDGED_ONLY), default=DATASETS)
    add("--cases", type=int, default=100, help="injected errors of each kind (default: 100)")
    add("--seed", type=int, default=0)
    add("--ledger", default=ledgers.DEFAULT, metavar="MODULE:FUNCTION", help="what is evaluated")
    add("--data", type=Path, help="the folder of data sets")
    add("--json", type=Path, metavar="FILE", help="write the tables as JSON too")
    add("--missed", type=Path, metavar="FILE", help="write the injected errors that were missed, with texts")
    add("--wrong", action="store_true", help="print our own pairs for development that came out wrong")
    add("--sample-alarms", type=int, metavar="N", help="write so many alarms to judge, and do nothing else")
    add("--entries", choices=("red", "check", "both"), default="red", help="what is sampled")
    add("--bucket", type=int, choices=range(BUCKETS), default=2, help="the texts that are sampled from")
    add("--output", type=Path, default=Path("facts_to_judge.json"), help="the alarms to judge")
    add(
        "--sheet",
        type=Path,
        default=Path("facts_to_judge.txt"),
        help="the same with texts, not to be committed",
    )
    return parser


def _tables(options: argparse.Namespace, data: Path, facts: ledgers.Facts) -> Iterator[Table]:
    begin = time.monotonic()
    texts = read(data, PARTS[options.part], tuple(options.datasets))
    runs: list[faithful.Run] = []
    if "faithful" in options.only:
        runs = faithful.run(texts, facts)
        yield from faithful.tables(runs)
    if "judged" in options.only and (judged := judgements.read()):
        keys = {(j.dataset, j.document, j.variant) for j in judged}
        names = tuple(dict.fromkeys(j.dataset for j in judged))
        judged_texts = [t for t in read(data, tuple(range(BUCKETS)), names) if t.key in keys]
        yield faithful.precision(faithful.run(judged_texts, facts), judged)
    if "injected" in options.only:
        cases = {kind: inject(kind, texts, options.cases, options.seed) for kind in options.errors}
        table, missed = injected.table(cases, facts, {run.text: run.ledger for run in runs})
        yield table
        if options.missed:
            options.missed.write_text("\n".join(map(str, missed)) + "\n", "utf-8")
    if "people" in options.only:
        yield people.wu2025(data, facts)
        yield people.factuality(data, facts)
    if "own" in options.only:
        yield own.leaflet(facts)
        part = "development" if options.part == "development" else "held"
        for path, title in own.TITLES.items():
            table, wrong = own.pairs(own.read_pairs(part, path), facts, title)
            if options.wrong and part == "development":
                table.notes.extend(f"wrong: {w.kind}: {w.source} -> {w.output}" for w in wrong)
            yield table
    if "speed" in options.only:
        yield speed.table(texts, data, facts)
    seconds = time.monotonic() - begin
    print(f"{seconds:.0f} s, part {options.part}, ledger {options.ledger}", file=sys.stderr)


def _sample(options: argparse.Namespace, data: Path, facts: ledgers.Facts) -> None:
    texts = read(data, (options.bucket,), tuple(options.datasets))
    rows = judgements.sample(faithful.run(texts, facts), options.entries, options.sample_alarms, options.seed)
    judgements.write(rows, options.output, options.sheet)
    print(f"{len(rows)} alarms of {len(texts)} texts: {options.output}, to read with {options.sheet}")


if __name__ == "__main__":
    sys.exit(main())
