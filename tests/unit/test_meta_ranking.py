"""Orders of systems, how stable they are, bins of length, and telling two kinds apart."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import plainmark as pm
from plainmark.errors import InputError
from plainmark.meta import Scores, aggregate_ratings, by_length, correlate, rank_stability, rank_systems, roc
from plainmark.meta.task import Task

RNG = np.random.default_rng(3)
QUALITY = np.array([[2.0], [0.0], [0.05]]) + RNG.normal(size=(3, 50))
RATINGS = pm.Ratings(
    pm.Rating(s, str(j), "d", "x", float(v))
    for s, row in zip("ABC", QUALITY, strict=True)
    for j, v in enumerate(row)
)


def test_systems_with_letters():
    found = rank_systems("", RATINGS)
    assert found.systems == ("A", "B", "C")
    assert found.values == pytest.approx(QUALITY.mean(axis=1))
    assert found.order()[0] == 0
    assert found.letters == ("a", "b", "b")
    assert found.ranks()["A"] == 1
    t = stats.t.ppf(0.975, 49) * QUALITY.std(axis=1, ddof=1) / math.sqrt(50)
    np.testing.assert_allclose((found.high - found.low) / 2, t, rtol=0.15)


def test_systems_by_a_metric():
    scores = Scores("m", {("A", "1"): 1.0, ("B", "1"): 2.0, ("A", "2"): 3.0, ("B", "2"): math.nan})
    found = rank_systems("", scores)
    assert found.values.tolist() == [2, 2]
    assert found.ranks() == {"A": 1.5, "B": 1.5}
    assert found.samples.tolist() == [2, 1]
    assert rank_systems("without=A", scores).systems == ("B",)


def test_orders_settle_with_more_samples():
    found = rank_stability("", RATINGS, sizes=[2, 10, 50], runs=40)
    assert found.agreement[-1] == pytest.approx(1)
    assert found.agreement[0] < found.agreement[-1]
    assert found.same_best.tolist() == sorted(found.same_best)
    assert found.means[-1] == pytest.approx(QUALITY.mean(axis=1))
    with pytest.raises(InputError, match=r"sizes \[60\]: expected numbers from 1 to 50"):
        rank_stability("", RATINGS, sizes=[60])


def test_bins_of_length():
    # The metric is right on short texts and wrong on long ones.
    sign = np.where(np.arange(50) < 25, 1.0, -1.0)
    scores = Scores(
        "m", {(s, str(j)): float(sign[j] * QUALITY[i, j]) for i, s in enumerate("ABC") for j in range(50)}
    )
    lengths = {str(j): float(j) for j in range(50)}
    short, long = by_length("resamples=100", scores, RATINGS, lengths, bins=2)
    assert (short.samples, long.samples) == (25, 25)
    assert short.value == pytest.approx(1)
    assert long.value == pytest.approx(-1)
    given = by_length("resamples=100", scores, RATINGS, lengths, edges=[0, 10, 30, 49, 70])
    assert [b.samples for b in given] == [10, 20, 19, 1]
    assert given[1].value == pytest.approx(
        correlate(Task(items=tuple(map(str, range(10, 30)))), scores, RATINGS).value
    )
    assert by_length("", scores, RATINGS, dict.fromkeys(lengths, 5.0))[0].samples == 50
    assert by_length("", scores, RATINGS, lengths, edges=[100, 200])[0].reason == "no samples"


def test_bad_bins():
    scores = Scores.of_ratings(RATINGS)
    with pytest.raises(InputError, match=r"no length for 50 samples: 0, 1, 2, …"):
        by_length("", scores, RATINGS, {})
    with pytest.raises(InputError, match="bins: 0 given"):
        by_length("", scores, RATINGS, {str(j): 1.0 for j in range(50)}, bins=0)


def test_people_may_be_ranked_from_their_table():
    assert rank_systems("", aggregate_ratings(Task(), RATINGS)).systems == ("A", "B", "C")


def test_roc_by_hand():
    # Scores 4 3 3 1; the first and the last-but-one are positive.
    found = roc([4, 3, 3, 1], [True, False, True, False])
    assert found.true_rate.tolist() == [0, 0.5, 1, 1]
    assert found.false_rate.tolist() == [0, 0, 0.5, 1]
    assert found.area == pytest.approx(0.875)
    assert found.best() == (4.0, 0.5, 0.0)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_the_area_is_the_chance_of_scoring_higher(rows):
    scores, truth = (np.array(c) for c in zip(*rows, strict=True))
    if truth.all() or not truth.any():
        with pytest.raises(InputError, match="all answers are the same"):
            roc(scores, truth)
        return
    yes, no = scores[truth], scores[~truth]
    chance = np.mean([(a > b) + (a == b) / 2 for a in yes for b in no])
    assert roc(scores, truth).area == pytest.approx(chance)


def test_roc_mistakes():
    with pytest.raises(InputError, match="2 scores, but 1 answers"):
        roc([1, 2], [True])
    with pytest.raises(InputError, match="some scores are undefined"):
        roc([1, math.nan], [True, False])
