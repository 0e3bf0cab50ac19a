"""Coefficients of weighted rows: scipy's numbers, on rows repeated as the weights say."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from plainmark.distributions import (
    beta_share,
    binomial_p,
    normal_quantile,
    normal_tail,
    share_interval,
    t_quantile,
    t_tail,
)
from plainmark.meta.coefficients import (
    COEFFICIENTS,
    coefficient,
    coefficients,
    p_value,
    ranks,
    tied_pairs,
)

PEERS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
NAMES = list(PEERS)

few = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)), min_size=3, max_size=12)


def peer(name, x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return PEERS[name](x, y)


@pytest.mark.parametrize("name", NAMES)
def test_by_hand(name):
    # Ranks of y are 1 3 2 4: one of six pairs the wrong way round.
    x, y = np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])
    assert coefficient(name, x, y) == pytest.approx({"kendall": 4 / 6}.get(name, 0.8))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [3, 4, 8, 33, 34, 200])
@pytest.mark.parametrize("values", [2, 4, 1000])
def test_equal_to_scipy_with_ties(name, n, values):
    rng = np.random.default_rng(n * values)
    for _ in range(10):
        x, y = rng.integers(0, values, (2, n)).astype(float)
        if np.ptp(x) and np.ptp(y):
            expected = peer(name, x, y)
            found = coefficient(name, x, y)
            assert found == pytest.approx(expected.statistic, abs=1e-12)
            assert p_value(name, found, x, y) == pytest.approx(expected.pvalue, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
@given(few)
def test_weights_repeat_rows(name, rows):
    x, y, w = (np.array(c, dtype=float) for c in zip(*rows, strict=True))
    again_x, again_y = np.repeat(x, w.astype(int)), np.repeat(y, w.astype(int))
    found = COEFFICIENTS[name](x, y, np.stack([w, w]))
    assert found.shape == (2,)
    if len(again_x) > 2 and np.ptp(again_x) and np.ptp(again_y):
        assert found[0] == pytest.approx(peer(name, again_x, again_y).statistic, abs=1e-10)
    else:
        assert len(again_x) == 2 or math.isnan(found[0])


def slow_tau(x, y):
    """Kendall's tau-b, pair by pair."""
    score = untied_x = untied_y = 0
    for i in range(len(x)):
        for j in range(i):
            a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
            score += a * b
            untied_x += a != 0
            untied_y += b != 0
    return score / math.sqrt(untied_x * untied_y) if untied_x and untied_y else math.nan


@given(few)
def test_kendall_is_what_counting_pairs_gives(rows):
    x, y, _ = (np.array(c, dtype=float) for c in zip(*rows, strict=True))
    assert coefficient("kendall", x, y) == pytest.approx(slow_tau(x, y), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", NAMES)
def test_many_short_rows_at_once(name):
    x, y = np.random.default_rng(0).integers(0, 4, (2, 30, 6)).astype(float)
    x[0] = 1.0
    found = coefficients(name, x, y)
    assert math.isnan(found[0])
    one_by_one = [coefficient(name, a, b) for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(found, one_by_one, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_constant_is_undefined(name):
    flat, y = np.full(5, 0.1), np.arange(5.0)
    assert math.isnan(coefficient(name, flat, y))
    assert math.isnan(coefficient(name, y, flat))
    assert math.isnan(coefficient(name, y[:1], y[:1]))
    # A resample may be constant although the rows are not.
    assert np.isnan(COEFFICIENTS[name](y, y, np.array([[0.0, 3, 0, 0, 0]]))).all()


def test_large_offsets_lose_no_digits():
    x = 1e9 + np.array([1.0, 2, 3, 4])
    assert coefficient("pearson", x, np.array([1.0, 3, 2, 4])) == pytest.approx(0.8)


def test_perfect_and_short():
    x = np.arange(5.0)
    assert p_value("pearson", 1.0, x, x) == 0
    assert math.isnan(p_value("pearson", 1.0, x[:2], x[:2]))


def test_ranks_and_ties():
    assert ranks(np.array([3.0, 1, 3, 2])).tolist() == [3.5, 1, 3.5, 2]
    assert tied_pairs(np.array([1.0, 1, 1, 2, 2, 3])) == 4


@given(st.floats(-50, 50), st.integers(1, 300))
def test_student_is_scipys(t, freedom):
    assert t_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("p", [0.5, 0.9, 0.975, 0.9995])
@pytest.mark.parametrize("freedom", [1, 5, 29, 1000])
def test_quantiles_are_scipys(p, freedom):
    assert t_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-8, abs=1e-8)
    assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), abs=1e-9)
    assert normal_tail(1.3) == pytest.approx(stats.norm.sf(1.3))


@given(st.floats(0, 1), st.floats(0.5, 200), st.floats(0.5, 200))
def test_beta_is_scipys(x, a, b):
    assert beta_share(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize(("right", "n"), [(0, 5), (3, 5), (30, 60), (44, 60), (60, 60)])
def test_shares_are_scipys(right, n):
    peer_test = stats.binomtest(right, n)
    assert binomial_p(right, n) == pytest.approx(peer_test.pvalue)
    expected = peer_test.proportion_ci(method="wilson")
    assert share_interval(right, n, 0.95) == pytest.approx((expected.low, expected.high))
    assert math.isnan(binomial_p(0, 0))
    assert all(map(math.isnan, share_interval(0, 0, 0.95)))


def test_student_at_the_ends():
    assert t_tail(math.inf, 3) == 0
    assert t_tail(-math.inf, 3) == 1
    assert math.isnan(t_tail(math.nan, 3))
