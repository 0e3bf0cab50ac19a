"""Write src/plainmark/faithfulness/calibration.json: how often findings of each pattern are right.

    python -m evaluation.calibration

What the ledger finds changed in faithful pairs was judged by hand (tests/golden/facts_development, one file per kind, and
tests/golden/facts_judgements.json); into development documents errors are injected, one per text. Of each pattern are
written: how many findings were judged, how many of them are right, how many injected errors it finds, and
    share      what is right of both, with one more right and one more wrong finding, so that few prove little
    precision  what is right in faithful texts, drawn towards the share by the weight of five findings
The share decides whether a pattern is worth a look, the precision whether it may be red.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from plainmark.faithfulness import facts
from plainmark.faithfulness.calibration import FILE

from . import judgements, ledgers
from .injection import ERRORS, inject
from .texts import BUCKETS, PARTS, data_folder, read

DEVELOPMENT = Path(__file__).resolve().parents[1] / "tests" / "golden" / "facts_development"
ABOUT = "What the kinds of fact find, judged and injected; see docs/faithfulness.md."
CASES = 120
DRAWN = 5
_LISTED = frozenset(("same", "gone", "new", "elsewhere"))

Counts = Counter[tuple[str, str]]


def main() -> None:
    """Count, and write the file."""
    judged, right = judged_findings()
    injected = injected_findings()
    patterns: dict[str, dict[str, dict[str, float]]] = {}
    for kind, pattern in sorted(judged.keys() | injected.keys()):
        n, hits, errors = judged[kind, pattern], right[kind, pattern], injected[kind, pattern]
        share = (hits + errors + 1) / (n + errors + 2)
        patterns.setdefault(kind, {})[pattern] = {
            "judged": n,
            "right": hits,
            "injected": errors,
            "share": round(share, 3),
            "precision": round((hits + DRAWN * share) / (n + DRAWN), 3),
        }
    FILE.write_text(json.dumps({"about": ABOUT, "patterns": patterns}, indent=1) + "\n", "utf-8")


def judged_findings() -> tuple[Counts, Counts]:
    """Judged findings that the ledger still makes, by kind and today's pattern, and how many of them are right."""
    rows = [j for path in sorted(DEVELOPMENT.glob("*.json")) for j in judgements.read(path)]
    rows += judgements.read()
    by_text: dict[tuple[str, str, str], list[judgements.Judgement]] = {}
    for row in rows:
        by_text.setdefault((row.dataset, row.document, row.variant), []).append(row)
    judged: Counts = Counter()
    right: Counts = Counter()
    for text in read(data_folder(), tuple(range(BUCKETS))):
        if text.key in by_text:
            for entry in facts(text.source, text.output).entries:
                found = judgements.match(text, entry, by_text[text.key])
                if found and entry.pattern not in _LISTED:
                    judged[entry.kind, entry.pattern] += 1
                    right[entry.kind, entry.pattern] += bool(found.right)
    return judged, right


def injected_findings() -> Counts:
    """Injected errors that are found at their place, by kind and pattern."""
    injected: Counts = Counter()
    texts = read(data_folder(), PARTS["development"])
    for error in ERRORS:
        for case in inject(error, texts, CASES):
            entries = [e for e in facts(case.text.source, case.output).entries if e.pattern not in _LISTED]
            injected.update(
                {(e.kind, e.pattern) for e in ledgers.at(entries, case.places, case.source_places)}
            )
        print(f"{error}: done", file=sys.stderr)
    return injected


if __name__ == "__main__":
    main()
