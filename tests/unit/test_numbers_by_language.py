"""What the fact ledger says of numbers in texts that people and systems wrote in other languages, as a language model judged it."""

import json
from pathlib import Path

import pytest
from evaluation.numbers_by_language import SETS, alarms, ledgers, place

JUDGED = json.loads((Path(__file__).parents[1] / "golden" / "number_judgements.json").read_text("utf-8"))[
    "alarms"
]
MOST_UNJUDGED = 2  # different alarms on all 2,682 pairs that nobody has judged yet


@pytest.fixture(scope="module")
def shown(shared):
    """Every alarm on the pairs: set, id and places."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAINMARK_DATA", str(shared / "data"))
        return {
            (name, sample, place(e))
            for name in SETS
            for sample, _, _, _, ledger in ledgers(name)
            for e in alarms(ledger)
        }


def key(row):
    return row["set"], row["id"], tuple(row["places"])


@pytest.mark.parametrize(
    "row", [r for r in JUDGED if r["judged"] == "right"], ids=lambda r: f"{r['set']} {r['id']}"
)
def test_a_right_alarm_is_found_again(shown, row):
    assert key(row) in shown


def test_hardly_any_alarm_is_unjudged(shown):
    unjudged = shown - {key(row) for row in JUDGED}
    assert len(unjudged) <= MOST_UNJUDGED, (
        f"judge these and add them to number_judgements.json: {sorted(unjudged)}"
    )


def test_more_alarms_are_right_than_wrong(shown):
    verdicts = [row["judged"] for row in JUDGED if key(row) in shown]
    assert verdicts.count("right") > len(verdicts) / 2
