"""Would people accept the perturbed texts? Instances to judge by hand, and the error rates of those that were judged.

    PLAINMARK_DATA=PATH/TO/data python -m evaluation.perturbations NAME --part 2 --count 100 --sheet sheet.txt
    PLAINMARK_DATA=PATH/TO/data python -m evaluation.perturbations

The first prints instances of one perturbation at full strength, with what they replace, and writes them to a sheet for a reader
who knows nothing else: sentences before and after the change, in random order. The second prints the error rates of
tests/golden/perturbation_judgements.json, where an instance is a document (of PLABA unless the name says another data set), a
place in its candidate, a digest of what was inserted, and what is wrong with it in the eyes of a strict reader, or nothing.
Perturbations were developed on the parts 0 and 1 of PLABA; what is judged is in part 2.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path

import plainmark as pm
from plainmark import testbed
from plainmark.perturbations import (
    PERTURBATIONS,
    Perturbation,
    TextDocument,
    generator,
    perturbation,
    shuffled,
)

from .intervals import wilson

JUDGEMENTS = Path(__file__).parents[1] / "tests" / "golden" / "perturbation_judgements.json"
PARTS = 3
PER_DOCUMENT = 2
SEED = 1


@dataclass(frozen=True)
class Instance:
    """A change of a text: where it is in the unperturbed text, what stood there, and what replaces it."""

    document: str
    start: int
    old: str
    new: str
    before: str
    after: str

    @property
    def digest(self) -> str:
        """A short hash of what was inserted."""
        return sha256(self.new.encode()).hexdigest()[:8]


def part(document: str) -> int:
    """Which part of the data a document belongs to, by the hash of its id."""
    return int(sha256(document.encode()).hexdigest(), 16) % PARTS


@cache
def documents(data: str = "plaba") -> list[TextDocument]:
    """Candidates: oracle extracts of PLABA's abstracts, the sources of other data sets."""
    candidate: testbed.Candidate = "oracle" if data == "plaba" else "source"
    return testbed.from_dataset(pm.dataset(data), candidate=candidate).simplifying().documents


def judged_part(key: str) -> tuple[str, str]:
    """Perturbation and data set of a key of the judgements: "simplify (onestop_reading)"."""
    name, _, data = key.rstrip(")").partition(" (")
    return name, data or "plaba"


def instances(name: str, number: int, seed: int = SEED) -> Iterator[Instance]:
    """A few instances of each document of a part that was not judged before, in random order."""
    p = perturbation(name)
    judged = {row[0] for row in json.loads(JUDGEMENTS.read_text("utf-8")).get(name, ())}
    texts = [d for d in documents() if part(d.id) == number and d.id not in judged]
    for i in shuffled(len(texts), generator(seed, "evaluation", name)):
        every = of_document(p, texts[i])
        order = shuffled(len(every), generator(seed, "evaluation", texts[i].id))
        yield from (every[k] for k in order[:PER_DOCUMENT])


def write_sheet(path: str, rows: list[tuple[int, Instance]]) -> None:
    """The sentences before and after each change, in random order, with nothing that says who made it or how."""
    lines = []
    for i in shuffled(len(rows), generator(SEED, "evaluation", "sheet")):
        number, row = rows[i]
        old, new = (re.sub(r"\s+", " ", f"{row.before}{text}{row.after}") for text in (row.old, row.new))
        lines += [f"{number}", f"  before: {old}", f"  after:  {new}"]
    Path(path).write_text("\n".join(lines) + "\n", "utf-8")


def of_document(p: Perturbation, document: TextDocument) -> list[Instance]:
    """All instances of a perturbation in a document."""
    perturbed = p.apply(document, 1.0, generator(SEED, p, document.id))
    out = []
    for span in perturbed.spans:
        begin, end = _around(document, span.was_start, span.was_end)
        out.append(
            Instance(
                document.id,
                span.was_start,
                document.text[span.was_start : span.was_end],
                perturbed.text[span.start : span.end],
                document.text[begin : span.was_start],
                document.text[span.was_end : end],
            )
        )
    return out


def _around(document: TextDocument, start: int, end: int) -> tuple[int, int]:
    """The sentences that a change touches."""
    touched = [(a, b) for a, b in document.sentences if a <= end and start <= b] or [(start, end)]
    return min(min(a for a, _ in touched), start), max(max(b for _, b in touched), end)


def shown(instance: Instance, width: int) -> str:
    """An instance on one line."""
    before, after = instance.before[-width:], instance.after[:width]
    return re.sub(r"\s+", " ", f"{before}[[{instance.old} => {instance.new}]]{after}")


def rates(judgements: dict[str, list[list[object]]]) -> list[tuple[str, int, int, float, float]]:
    """For each perturbation: how many were judged, how many are wrong, and the 95 % interval of the share."""
    out = []
    for name, rows in judgements.items():
        wrong = sum(1 for row in rows if row[3])
        out.append((name, len(rows), wrong, *wilson(wrong, len(rows))))
    return out


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.perturbations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "name", nargs="?", choices=PERTURBATIONS.names(), help="print instances of this perturbation"
    )
    parser.add_argument("--part", type=int, default=0, choices=range(PARTS), help="which part of the data")
    parser.add_argument("--count", type=int, default=100, help="how many instances")
    parser.add_argument("--seed", type=int, default=SEED, help="which sample of them")
    parser.add_argument("--width", type=int, default=90, help="characters of context on each side")
    parser.add_argument(
        "--sheet", metavar="FILE", help="also write a sheet for a reader who knows nothing else"
    )
    options = parser.parse_args(arguments)
    if options.name:
        rows = list(enumerate(islice(instances(options.name, options.part, options.seed), options.count)))
        for k, row in rows:
            print(k, row.document, row.start, row.digest, shown(row, options.width), sep="\t")
        if options.sheet:
            write_sheet(options.sheet, rows)
        return
    for name, judged, wrong, low, high in rates(json.loads(JUDGEMENTS.read_text("utf-8"))):
        print(f"{name:26} {wrong} of {judged} wrong, {wrong / judged:.0%} ({low:.0%} to {high:.0%})")


if __name__ == "__main__":
    main(sys.argv[1:])
