"""How often each kind of finding is right, measured on pairs of texts that people wrote.

`calibration.json` has, for each kind and pattern, how many findings were judged by hand and how many of them were right
(tests/golden/facts_development, `python -m evaluation.calibration`). From 85 % on a change is red; below, it asks for a check.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("calibration.json")
RED = 0.85
_UNKNOWN = 0.5  # a pattern that was never judged


@cache
def precision(kind: str, pattern: str) -> float:
    """How often findings of a pattern are right."""
    return _table().get(kind, {}).get(pattern, _UNKNOWN)


@cache
def _table() -> dict[str, dict[str, float]]:
    patterns = json.loads(FILE.read_text("utf-8"))["patterns"]
    return {
        kind: {name: float(row["precision"]) for name, row in rows.items()} for kind, rows in patterns.items()
    }
