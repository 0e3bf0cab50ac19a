"""The sentence pairs in tests/golden: the ledger flags distortions and leaves harmless rewordings alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from evaluation import ledgers, own

import plainmark as pm

FILES = {path.name: path for path in own.TITLES}

# Per cent right at least: a distortion with a red alarm or a check, a harmless rewording with neither.
# Somewhat below what was measured, so that one or two pairs may change; raise them as the ledger improves.
FLOORS = {
    # file, part: (harmless, distorted)
    ("facts_pairs.jsonl", "development"): (94, 88),
    ("facts_pairs.jsonl", "held"): (91, 70),
    ("facts_pairs_strangers.jsonl", "development"): (95, 95),
    ("facts_pairs_strangers.jsonl", "held"): (85, 70),
    ("facts_pairs_strangers_2.jsonl", "development"): (94, 85),
    ("facts_pairs_strangers_2.jsonl", "held"): (84, 56),
}


@pytest.mark.parametrize("distorted", [False, True], ids=["harmless", "distorted"])
@pytest.mark.parametrize(("name", "part"), FLOORS)
def test_share_right(name, part, distorted):
    rows = [row for row in own.read_pairs(part, FILES[name]) if row.distorted == distorted]
    right = 0
    for row in rows:
        ledger = pm.facts(row.source, row.output)
        right += bool(ledgers.red(ledger) or ledgers.check(ledger)) == distorted
    # Only the share is shown: rules must not be tuned on the held pairs.
    assert 100 * right / len(rows) >= FLOORS[name, part][distorted], f"{right} of {len(rows)} right"


def test_every_file_and_part_has_a_floor():
    assert {(name, row.part) for name, path in FILES.items() for row in own.read_pairs(path=path)} == set(
        FLOORS
    )


def test_the_pairs_by_a_stranger_are_balanced():
    rows = own.read_pairs(path=own.STRANGERS)
    for part in ("development", "held"):
        assert [sum(r.part == part and r.distorted == side for r in rows) for side in (False, True)] == [
            75,
            75,
        ]
    kinds = {row.kind for row in rows if row.distorted}
    assert kinds >= set(ledgers.KINDS) - {"addition"}, "additions became a kind later"
    for kind in kinds:
        for side, least in ((False, 11), (True, 12)):
            counts = [
                sum((r.kind, r.distorted, r.part) == (kind, side, part) for r in rows)
                for part in ("development", "held")
            ]
            assert sum(counts) >= least
            assert abs(counts[0] - counts[1]) <= 1


def test_no_source_stands_in_both_parts_or_twice_among_the_pairs_by_a_stranger():
    development, held = (
        {row.source for path in FILES.values() for row in own.read_pairs(part, path)}
        for part in ("development", "held")
    )
    assert not development & held
    sources = [row.source for row in own.read_pairs(path=own.STRANGERS)]
    assert len(sources) == len(set(sources))


SEVERAL = (
    "An antidepressant may help some patients. Doctors prescribe corticosteroids for asthma.",
    "Drugs such as fluoxetine, sertraline or citalopram may help. Doctors give prednisone, hydrocortisone or cortisone.",
)


def test_the_same_answer_in_every_process():
    """Python's hashes of texts differ from process to process, and with them the order of sets."""
    program = (
        "import hashlib, sys; sys.path[:0] = sys.argv[1:3]; from evaluation import own; import plainmark as pm\n"
        "pairs = [(row.source, row.output) for path in own.TITLES for row in own.read_pairs(path=path)]\n"
        f"pairs.append({SEVERAL!r})\n"
        "print(hashlib.sha256(repr([pm.facts(*pair) for pair in pairs]).encode()).hexdigest())"
    )
    root = Path(__file__).resolve().parents[2]
    digests = {
        subprocess.run(
            [sys.executable, "-c", program, str(root), str(root / "tests")],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(digests) == 1
