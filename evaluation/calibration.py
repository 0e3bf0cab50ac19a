"""Writes src/plainmark/faithfulness/calibration.json: how often findings of each pattern are right.

    python -m evaluation.calibration

The changes that the ledger reports in faithful pairs were judged by language models (tests/golden/facts_development, one file per
kind, and tests/golden/facts_judgements.json); errors are injected into development documents, one per text. For each
pattern, the file has the number of judged findings, the number of right ones, the number of injected errors it finds, and
    share      the share of right findings among both, with one more right and one more wrong finding as a prior
    precision  the share of right findings among the judged ones, shrunk towards the kind at such places with the weight of
    two findings
Injected errors are in copied wording, so they are evidence for near copies only: there, two of them count as one right
finding, at most twenty in all. The share decides whether a pattern is reported, the precision whether it may be red. The
three numbers were chosen by leaving out one data set at a time; the result is printed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from plainmark.faithfulness import facts
from plainmark.faithfulness.calibration import FILE, RED
from plainmark.faithfulness.nearness import IN_PLACE, VERBATIM

from . import judgements, ledgers
from .injection import ERRORS, inject
from .tables import Table
from .texts import BUCKETS, PARTS, data_folder, read

DEVELOPMENT = Path(__file__).resolve().parents[1] / "tests" / "golden" / "facts_development"
ABOUT = "What the kinds of fact find, judged and injected; see docs/faithfulness.md."
CASES = 120
_DRAWN = 2  # weight of the kind in findings, relative to a pattern's own
_INJECTED, _MOST = 0.5, 20  # weight of an injected error in a near copy, and the maximum for all of them
_LISTED = frozenset(("same", "gone", "new", "elsewhere"))


class Judged(NamedTuple):
    """A judged finding: its data set, kind and pattern, and whether it is right."""

    dataset: str
    key: tuple[str, str]
    right: bool


class Injected(NamedTuple):
    """An injected error that was found: its data set, and the kind and pattern of the finding."""

    dataset: str
    key: tuple[str, str]


def main() -> None:
    """Count, and write the file."""
    judged, injected = judged_findings(), injected_findings()
    patterns: dict[str, dict[str, dict[str, float]]] = {}
    for (kind, pattern), row in rows(judged, injected).items():
        patterns.setdefault(kind, {})[pattern] = row
    FILE.write_text(json.dumps({"about": ABOUT, "patterns": patterns}, indent=1) + "\n", "utf-8")
    print(leave_out(judged, injected))


def rows(judged: Sequence[Judged], injected: Sequence[Injected]) -> dict[tuple[str, str], dict[str, float]]:
    """The known numbers of each kind and pattern, in order."""
    count, right, errors = Counter[object](), Counter[object](), Counter(row.key for row in injected)
    for row in judged:
        for key in (row.key, _place(row.key)):
            count[key] += 1
            right[key] += row.right
    patterns = {}
    for key in sorted(errors.keys() | {row.key for row in judged}):
        n, hits, detected = count[key], right[key], errors[key]
        share = (hits + detected + 1) / (n + detected + 2)
        kind = (right[_place(key)] + 1) / (count[_place(key)] + 2)
        more = min(_INJECTED * detected, _MOST) if key[1].endswith(VERBATIM) else 0.0
        patterns[key] = {
            "judged": n,
            "right": hits,
            "injected": detected,
            "share": round(share, 3),
            "precision": round((hits + more + _DRAWN * kind) / (n + more + _DRAWN), 3),
        }
    return patterns


def leave_out(judged: Sequence[Judged], injected: Sequence[Injected]) -> Table:
    """The precision of the judged findings that are red according to the other data sets."""
    cells = []
    for family in sorted({_family(row.dataset) for row in judged}):
        known = rows(
            [row for row in judged if _family(row.dataset) != family],
            [row for row in injected if _family(row.dataset) != family],
        )
        red = [
            row.right
            for row in judged
            if _family(row.dataset) == family
            and row.key[1].endswith((IN_PLACE, VERBATIM))
            and known.get(row.key, {"precision": 0.0})["precision"] >= RED
        ]
        cells.append([family, len(red), sum(red)])
    cells.append(["all", sum(c[1] for c in cells), sum(c[2] for c in cells)])
    return Table("Red by the other data sets", ["left out", "red", "right"], cells)


def _place(key: tuple[str, str]) -> tuple[str, str, str]:
    """The kind of a pattern, and how plain its place is."""
    return "kind", key[0], next((end for end in (VERBATIM, IN_PLACE) if key[1].endswith(end)), "")


def _family(dataset: str) -> str:
    """Data sets that share their sources count as one."""
    return "asset" if dataset in ("asset_more", "turkcorpus", "hsplit") else dataset


def judged_findings() -> list[Judged]:
    """Judged findings that the ledger still makes, with their current pattern."""
    known = [j for path in sorted(DEVELOPMENT.glob("*.json")) for j in judgements.read(path)]
    known += judgements.read()
    by_text: dict[tuple[str, str, str], list[judgements.Judgement]] = {}
    for judgement in known:
        by_text.setdefault((judgement.dataset, judgement.document, judgement.variant), []).append(judgement)
    names = tuple(dict.fromkeys(j.dataset for j in known))
    findings = []
    for text in read(data_folder(), tuple(range(BUCKETS)), names):
        if text.key in by_text:
            for entry in facts(text.source, text.output).entries:
                match = judgements.match(text, entry, by_text[text.key])
                if match and entry.pattern not in _LISTED:
                    findings.append(Judged(text.dataset, (entry.kind, entry.pattern), bool(match.right)))
    return findings


def injected_findings() -> list[Injected]:
    """Injected errors that are found at their place."""
    findings = []
    texts = read(data_folder(), PARTS["development"])
    for error in ERRORS:
        for case in inject(error, texts, CASES):
            entries = [e for e in facts(case.text.source, case.output).entries if e.pattern not in _LISTED]
            hits = ledgers.at(entries, case.places, case.source_places)
            findings += [
                Injected(case.text.dataset, key) for key in sorted({(e.kind, e.pattern) for e in hits})
            ]
        print(f"{error}: done", file=sys.stderr)
    return findings


if __name__ == "__main__":
    main()
