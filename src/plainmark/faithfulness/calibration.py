"""The precision of each kind of finding, measured on pairs of texts written by people, and how strongly a finding may be
worded.

`calibration.json` has, for each kind and pattern, how many findings in faithful texts language models judged, how many of them
were right, and how many injected errors the pattern found; `evaluation/calibration.py` writes it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .nearness import IN_PLACE, VERBATIM

FILE = Path(__file__).with_name("calibration.json")
# A measure with the same number and a unit of another size (5 mg, 5 g) counts as a unit changed in place wherever its
# sentences are aligned: one of 24,271 faithful texts had such a change, and that was an error (48 km, 48 miles).
SCALE = "scale"
RED = 0.85  # precision from which on a change in place is red; all others ask for a check
_CHECK = 0.05  # share of right findings, including injected errors, below which a change is not reported


class Standing(NamedTuple):
    """The reliability of a pattern's findings, and whether they are red or ask for a check."""

    precision: float
    red: bool
    check: bool


@cache
def standing(kind: str, pattern: str) -> Standing:
    """The measured reliability of a pattern; one without measurements asks for a check."""
    if pattern.startswith(SCALE):
        pattern = "unit" + (VERBATIM if pattern.endswith(VERBATIM) else IN_PLACE)
    row = _patterns().get(kind, {}).get(pattern)
    if row is None:
        return Standing(0.5, False, True)
    red = row["precision"] >= RED and pattern.endswith((IN_PLACE, VERBATIM))
    return Standing(row["precision"], red, row["share"] >= _CHECK)


@cache
def _patterns() -> dict[str, dict[str, dict[str, float]]]:
    patterns: dict[str, dict[str, dict[str, float]]] = json.loads(FILE.read_text("utf-8"))["patterns"]
    return patterns
