"""Plainmark's own texts: a leaflet with nine distortions, and sentence pairs that are harmless rewordings or distortions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import ledgers
from .intervals import share
from .tables import Table

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"
PAIRS = GOLDEN / "facts_pairs.jsonl"
STRANGERS = GOLDEN / "facts_pairs_strangers.jsonl"  # written and labelled without seeing the ledger's results
STRANGERS_2 = GOLDEN / "facts_pairs_strangers_2.jsonl"  # a second set, reworded more freely
TITLES = {
    PAIRS: "Sentence pairs of our own",
    STRANGERS: "Sentence pairs by a stranger to the ledger",
    STRANGERS_2: "Sentence pairs by another stranger, reworded more freely",
}

# sentence of the leaflet, its simplification, and the words of either that are the distortion
LEAFLET = (
    (
        "Do not stop taking the tablets without first speaking to your physician.",
        "Stop taking the tablets. Then talk to your doctor.",
        "Stop taking the tablets",
    ),
    (
        "The recommended starting dose is 5 mg once daily.",
        "The usual first dose is 5 g once a day.",
        "5 g",
    ),
    (
        "The tablets should be swallowed whole before meals, with a glass of water.",
        "Swallow the tablets whole after meals, with a glass of water.",
        "after meals",
    ),
    (
        "It is safe to drive while taking this medicine.",
        "It is unsafe to drive while you take this medicine.",
        "unsafe",
    ),
    (
        "Patients who are already receiving metformin may continue to use it.",
        "If you already use insulin, you may keep using it.",
        "insulin",
    ),
    (
        "Your blood pressure may fall when you stand up quickly.",
        "Your blood pressure may rise when you stand up fast.",
        "rise",
    ),
    (
        "All patients must have a kidney test prior to commencing treatment.",
        "Some patients must have a kidney test before they start.",
        "Some patients",
    ),
    (
        "Contact a doctor immediately if you develop a rash.",
        "Call a doctor at once unless you get a rash.",
        "unless",
    ),
    (
        "In trials, fewer than 3 in 100 people experienced nausea.",
        "In tests, more than 3 in 100 people felt sick.",
        "more than 3",
    ),
)


@dataclass(frozen=True)
class SentencePair:
    """A source, an output, whether the output distorts it, and the kind of rewording or distortion."""

    source: str
    output: str
    kind: str
    distorted: bool
    part: str


def leaflet(facts: ledgers.Facts) -> Table:
    """Which of the nine distortions of the leaflet are flagged, and how."""
    source, output = (" ".join(row[k] for row in LEAFLET) for k in (0, 1))
    ledger = facts(source, output)
    rows, flagged = [], 0
    begin = start = 0
    for sentence, simple, words in LEAFLET:
        place = output.index(words, start)
        spans = [(place, place + len(words))]
        sources = [(begin, begin + len(sentence))]
        # An entry with a place only in the source has no place in the output, so its sentence is used.
        red, check = (
            [
                e
                for e in entries
                if ledgers.at([e], spans, ()) or (e.after is None and ledgers.at([e], (), sources))
            ]
            for entries in (ledgers.red(ledger), ledgers.check(ledger))
        )
        flag = "red" if red else "check" if check else "-"
        flagged += flag != "-"
        rows.append([words, flag, ", ".join(sorted({e.kind for e in [*red, *check]}))])
        begin += len(sentence) + 1
        start += len(simple) + 1
    return Table(
        f"Leaflet: {flagged} of {len(LEAFLET)} distortions flagged", ["distortion", "flag", "kinds"], rows
    )


def read_pairs(part: str = "", path: Path = PAIRS) -> list[SentencePair]:
    """The sentence pairs of a part, or all."""
    rows = [SentencePair(**json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [row for row in rows if part in ("", row.part)]


def pairs(
    rows: Sequence[SentencePair], facts: ledgers.Facts, title: str = TITLES[PAIRS]
) -> tuple[Table, list[SentencePair]]:
    """The share of right results by kind (a distortion must be flagged, a rewording must not), and the wrong pairs."""
    wrong, results = [], []
    for row in rows:
        ledger = facts(row.source, row.output)
        red, check = bool(ledgers.red(ledger)), bool(ledgers.check(ledger))
        results.append((row, red, check))
        if (red or check) != row.distorted:
            wrong.append(row)
    cells = []
    for distorted in (False, True):
        own = [r for r in results if r[0].distorted == distorted]
        for kind in [*sorted({r[0].kind for r in own}), "all"]:
            some = [r for r in own if kind in ("all", r[0].kind)]
            right = sum((red or check) == distorted for _, red, check in some)
            cells.append(
                [
                    f"{'distorted' if distorted else 'harmless'}: {kind}",
                    len(some),
                    sum(red for _, red, _ in some),
                    sum(check and not red for _, red, check in some),
                    share(right, len(some)),
                ]
            )
    return Table(title, ["kind", "n", "red", "check only", "% right"], cells), wrong
