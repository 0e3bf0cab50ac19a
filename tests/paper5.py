"""The released answers of Agrawal and Carpuat 2024 (paper 5), and its printed cells."""

import csv
import json

import pytest

from conftest import SHARED


def passages():
    """System -> its sixty rows."""
    path = SHARED / "data" / "ats-eval" / "all-ann-final-model-paper.csv"
    found = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found.setdefault(row["Model"], []).append(row)
    assert len(found) == 11
    assert all(len(rows) == 60 for rows in found.values())
    return found


def automatic(answers, cell):
    """The systems of a cell of Table 3: all but the human versions, in the lower half also without KIS."""
    left_out = {"Original", "Elementary"} | ({"KIS"} if cell.startswith("ALL-KIS") else set())
    return [s for s in answers if s not in left_out]


def accuracy(rows):
    """Share of right answers; stripped, as one of EditCL-Grade7's has a line break at its end (70.00, not 69.44)."""
    right = [r[f"answer_{k}"].strip() == r[f"correct_answer_{k}"].strip() for r in rows for k in (1, 2, 3)]
    return sum(right) / len(right)


def cells(table, suffixes):
    """Cells of a table whose names end so, for parametrize."""
    path = SHARED / "golden" / "paper_cells.json"
    entries = json.loads(path.read_text("utf-8"))["cells"] if path.exists() else []
    return [
        pytest.param(e, id=e["cell"])
        for e in entries
        if e["paper"] == "5-reading" and e["table"] == table and e["cell"].rsplit("/", 1)[1] in suffixes
    ]
