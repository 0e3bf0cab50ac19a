"""How often each kind of finding is right, measured on pairs of texts by people, and what colour that allows.

`calibration.json` holds, for each kind and pattern, how many findings were judged and how many were right. A pattern
is red if at least 85 % of its findings are right, "check" if at least a fifth are, and otherwise merely listed.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("calibration.json")
RED = 0.85
CHECK = 0.2
_UNKNOWN = (0.5, False)


class Standing(NamedTuple):
    """What a pattern may claim: its confidence, and whether it may be red or must be checked."""

    confidence: float
    red: bool
    check: bool


@cache
def standing(kind: str, pattern: str) -> Standing:
    """The measured standing of a pattern; one that was never measured asks for a check."""
    row = _table().get(kind, {}).get(pattern)
    if row is None:
        return Standing(0.5, False, True)
    confidence = float(row["precision"])
    return Standing(confidence, confidence >= RED, confidence >= CHECK)


@cache
def _table() -> dict[str, dict[str, dict[str, float]]]:
    contents: dict[str, dict[str, dict[str, float]]] = json.loads(FILE.read_text("utf-8"))["patterns"]
    return contents
