"""Pairs of which one is better: ties shown, both rules, choices as ratings."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.meta import Scores, consistency, is_constructed, is_paired, preferences, wins
from plainmark.meta.estimates import pairs
from plainmark.meta.preferences import first_of_pairs

ROWS = [("1", "A", "B", "error", "construction", "A"), ("2", "A", "B", "error", "construction", "A"),
        ("3", "A", "B", "error", "construction", "A"), ("4", "A", "B", "error", "construction", "A")]  # fmt: skip


def scores(a, b, **more):
    cells = {("A", str(i + 1)): float(v) for i, v in enumerate(a)}
    return Scores("m", cells | {("B", str(i + 1)): float(v) for i, v in enumerate(b)}, **more)


def test_ties_count_as_right_only_as_released():
    found = consistency("", scores([2, 1, 1, 0], [1, 1, 1 + 1e-12, 5]), preferences(ROWS))
    assert (found.pairs, found.right, found.ties, found.wrong) == (4, 1, 2, 1)
    assert (found.released, found.strict) == (75.0, 25.0)
    assert found.low < 25 < found.high
    assert found.p == 1
    assert "75.0 as released, 25.0 strictly" in str(found)


def test_less_may_be_better():
    found = consistency("", scores([1, 1, 1, 9], [2, 2, 2, 2], higher_is_better=False), preferences(ROWS))
    assert found.strict == 75


def test_people_may_be_undecided():
    rows = [*ROWS[:3], ("4", "A", "B", "error", "construction", "similar")]
    found = consistency("", scores([2, 2, 2, 2], [1, 1, 1, 1]), preferences(rows))
    assert (found.pairs, found.unrated, found.strict) == (3, 1, 100)


def slow_pairs(people, values, ties):
    above = below = 0
    for j in range(people.shape[1]):
        for i in range(len(people)):
            for k in range(i + 1, len(people)):
                opinion, difference = people[i, j] - people[k, j], values[i, j] - values[k, j]
                if math.isnan(opinion + difference) or opinion == 0:
                    continue
                if difference == 0:
                    if ties == "dropped":
                        continue
                    step = {"released": np.sign(opinion), "strict": -1, "half": 0}[ties]
                else:
                    step = np.sign(opinion) * np.sign(difference)
                above, below = above + step, below + 1
    return above / below if below else math.nan


cell = st.sampled_from([0.0, 1.0, 2.0, math.nan])


@pytest.mark.parametrize("ties", ["released", "strict", "half", "dropped"])
@given(st.lists(st.tuples(*[cell] * 6), min_size=1, max_size=6))
def test_pairs_are_what_counting_gives(ties, rows):
    table = np.array(rows).T
    found = pairs(table[:3], table[3:], np.arange(len(rows)), ties)
    assert found.value == pytest.approx(slow_pairs(table[:3], table[3:], ties), nan_ok=True)


def test_choices_become_ratings():
    found = preferences(
        [("1", "A", "B", "simplicity", "x", "B"), ("1", "A", "B", "simplicity", "y", "similar")]
    )
    assert [(r.system, r.rater, r.value) for r in found] == [
        ("A", "x", 0.0), ("B", "x", 1.0), ("A", "y", 0.5), ("B", "y", 0.5),
    ]  # fmt: skip
    assert is_paired(found)
    assert not is_constructed(found)
    assert is_constructed(preferences(ROWS))
    assert [r.system for r in first_of_pairs(found)] == ["A", "A"]
    grades = pm.Ratings([pm.Rating("A", "1", "d", "x", 4), pm.Rating("B", "1", "d", "x", 2)])
    assert not is_paired(grades)
    assert not is_paired(pm.Ratings([]))


def test_who_beats_whom():
    rows = [
        ("1", "A", "B", "d", "x", "A"),
        ("2", "A", "B", "d", "x", "similar"),
        ("3", "A", "C", "d", "x", "C"),
    ]
    found = wins("", preferences(rows))
    assert found.systems == ("A", "B", "C")
    assert found.shares[0, 1] == 0.75
    assert found.shares[1, 0] == 0.25
    assert found.shares[2, 0] == 1
    assert math.isnan(found.shares[1, 2])
    assert found.pairs[0, 1] == 2
    assert found.ties[0, 1] == 1
