"""Ratings as a table: raters combined, the missing left out, duplicates refused."""

import math

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import InputError
from plainmark.meta import Task, aggregate_ratings, combine, dimensions


def ratings(*rows):
    return pm.Ratings(pm.Rating(*row) for row in rows)


VOTES = ratings(
    ("A", "1", "d", "x", 1), ("A", "1", "d", "y", 2), ("A", "1", "d", "z", 2), ("A", "1", "d", "w", 5),
    ("B", "1", "d", "x", 3), ("B", "1", "d", "y", 3), ("B", "1", "d", "z", 4), ("B", "1", "d", "w", 4),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "first", "second"), [("mean", 2.5, 3.5), ("median", 2.0, 3.5), ("majority", 2.0, 3.5)]
)
def test_raters_become_one_value(rule, first, second):
    found = aggregate_ratings(Task(raters=rule), VOTES)
    assert found.systems == ("A", "B")
    assert found.values[:, 0].tolist() == [first, second]
    assert found.raters[:, 0].tolist() == [4, 4]


def test_standardised_for_each_rater():
    # x has mean 2 and spread 1, so 1 and 3 become -1 and 1; the constant rater says nothing.
    found = aggregate_ratings(
        Task(raters="z"),
        ratings(
            ("A", "1", "d", "x", 1),
            ("B", "1", "d", "x", 3),
            ("A", "1", "d", "flat", 4),
            ("B", "1", "d", "flat", 4),
        ),
    )
    assert found.values[:, 0].tolist() == [-1, 1]
    assert found.raters[:, 0].tolist() == [1, 1]


def test_missing_raters_are_left_out():
    found = aggregate_ratings(
        Task(),
        ratings(
            ("A", "1", "d", "x", 1), ("A", "1", "d", "y", math.nan), ("A", "2", "d", "x", math.nan), ("B", "2", "d", "y", 4)
        ),
    )  # fmt: skip
    np.testing.assert_array_equal(found.values, [[1, math.nan], [math.nan, 4]])
    np.testing.assert_array_equal(found.raters, [[1, 0], [0, 1]])


def test_subsets():
    rows = ratings(*((s, i, "d", "x", 1) for s in "ABC" for i in "12"))
    assert aggregate_ratings(Task(systems=("A", "B"), without=("B",)), rows).systems == ("A",)
    assert aggregate_ratings(Task(items=("2",)), rows).samples == ("2",)


def test_duplicates_are_refused_or_averaged():
    rows = ratings(("A", "1", "d", "x", 1), ("A", "1", "d", "x", 2))
    with pytest.raises(
        InputError, match=r"1 outputs are rated more than once by one rater \(A/1 by rater x\)"
    ):
        aggregate_ratings(Task(), rows)
    assert aggregate_ratings(Task(duplicates="mean"), rows).values.tolist() == [[1.5]]


def test_mistakes():
    two = ratings(("A", "1", "grammar", "x", 1), ("A", "1", "meaning", "x", 1))
    assert dimensions(two) == ["grammar", "meaning"]
    with pytest.raises(InputError, match=r"several dimensions \(grammar, meaning\); name one"):
        aggregate_ratings(Task(), two)
    with pytest.raises(InputError, match=r"no dimension 'gramar' in the ratings\. Did you mean 'grammar'\?"):
        aggregate_ratings(Task(dimension="gramar"), two)
    with pytest.raises(InputError, match=r"no system 'Z' in the ratings\. There are: A"):
        aggregate_ratings(Task(dimension="meaning", without=("Z",)), two)
    with pytest.raises(InputError, match="there are no ratings"):
        aggregate_ratings(Task(), ratings())


def test_combined_dimensions():
    rows = ratings(("A", "1", "g", "x", 3), ("A", "1", "m", "x", 1), ("A", "1", "g", "y", 2))
    found = [r for r in combine(rows, "both", {"g": 1 / 3, "m": 1 / 3}, constant=1) if r.dimension == "both"]
    assert [(r.rater, r.value) for r in found] == [("x", pytest.approx(7 / 3))]  # y did not rate m
    with pytest.raises(InputError, match="no dimension 'q'"):
        combine(rows, "both", {"q": 1})


def test_sums_that_are_equal_stay_equal():
    thirds = {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}
    rows = ratings(
        *(
            ("A", str(i), d, "x", v)
            for i, t in enumerate([(1, 2, 3), (3, 2, 1), (2, 3, 1)])
            for d, v in zip("abc", t, strict=True)
        )
    )
    values = {r.value for r in combine(rows, "mean", thirds) if r.dimension == "mean"}
    assert values == {2.0}
