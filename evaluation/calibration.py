"""Write src/plainmark/faithfulness/calibration.json: how often findings of each pattern are right.

    python -m evaluation.calibration

tests/golden/facts_development has what the kinds find changed in faithful pairs of development documents, judged by hand,
one file per kind. Into the same documents errors are injected, one per text. The precision of a pattern is the share of
right findings among both: judged right, or at the place of an injected error (with one more of each sort, so that few
findings prove little). How many of the judged are right is
written down as well, because only patterns that are right in faithful texts, too, may be red.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from plainmark.faithfulness import facts
from plainmark.faithfulness.calibration import FILE

from . import ledgers
from .injection import ERRORS, inject
from .texts import PARTS, data_folder, read

JUDGED = Path(__file__).resolve().parents[1] / "tests" / "golden" / "facts_development"
ABOUT = "What the kinds of fact find, judged and injected on development texts; see docs/faithfulness.md."
CASES = 120


def main() -> None:
    """Count, and write the file."""
    judged: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for path in sorted(JUDGED.glob("*.json")):
        for row in json.loads(path.read_text("utf-8")):
            judged[row["kind"], row["pattern"]] += 1
            right[row["kind"], row["pattern"]] += row["right"]
    injected: Counter[tuple[str, str]] = Counter()
    texts = read(data_folder(), PARTS["development"])
    for error in ERRORS:
        for case in inject(error, texts, CASES):
            entries = [e for e in facts(case.text.source, case.output).entries if e.pattern not in _SILENT]
            injected.update(
                {(e.kind, e.pattern) for e in ledgers.at(entries, case.places, case.source_places)}
            )
        print(f"{error}: done", file=sys.stderr)
    patterns: dict[str, dict[str, dict[str, float]]] = {}
    for kind, pattern in sorted(judged.keys() | injected.keys()):
        n, hits, errors = judged[kind, pattern], right[kind, pattern], injected[kind, pattern]
        patterns.setdefault(kind, {})[pattern] = {
            "judged": n,
            "right": hits,
            "injected": errors,
            "precision": round((hits + errors + 1) / (n + errors + 2), 3),
        }
    FILE.write_text(json.dumps({"about": ABOUT, "patterns": patterns}, indent=1) + "\n", "utf-8")


_SILENT = frozenset(("same", "gone", "new", "elsewhere"))

if __name__ == "__main__":
    main()
