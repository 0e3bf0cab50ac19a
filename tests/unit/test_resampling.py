"""Bootstrap weights, permutations, intervals, Holm's correction and compact letters, by hand and against slow ways."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import resampling


def test_bootstrap_weights_count_what_the_generator_draws():
    weights = resampling.bootstrap_weights(np.random.default_rng(7), 5, 4)
    drawn = np.random.default_rng(7).integers(0, 4, (5, 4))
    assert weights.tolist() == [[(row == k).sum() for k in range(4)] for row in drawn]
    assert (weights.sum(axis=1) == 4).all()


def test_sums_do_not_depend_on_the_size_of_a_batch(monkeypatch):
    stats = np.arange(12.0).reshape(6, 2)
    whole = resampling.bootstrap_sums(np.random.default_rng(1), 9, stats)
    monkeypatch.setattr(resampling, "_BATCH_NUMBERS", 12)  # two resamples of six units
    assert list(resampling.batches(5, 6)) == [(0, 2), (2, 4), (4, 5)]
    np.testing.assert_array_equal(resampling.bootstrap_sums(np.random.default_rng(1), 9, stats), whole)


def test_subsets_have_the_size_that_was_asked_for():
    members = resampling.random_subsets(np.random.default_rng(0), 50, 7, 3)
    assert (members.sum(axis=1) == 3).all()
    assert set(members.ravel()) == {0.0, 1.0}
    assert members.any(axis=0).all()


def test_all_swaps_are_enumerated_only_where_they_are_few():
    assert resampling.enumerable(3, 8)
    assert not resampling.enumerable(3, 7)
    assert not resampling.enumerable(21, 10**9)
    rows = resampling.enumerated_swaps(0, 8, 3)
    assert len({tuple(r) for r in rows}) == 8
    assert set(resampling.random_swaps(np.random.default_rng(0), 20, 3).ravel()) == {0.0, 1.0}


def test_intervals_leave_undefined_values_out():
    values = np.array([[*range(101), math.nan], [math.nan] * 102])
    bounds = resampling.percentile_intervals(values, 0.9)
    assert bounds[0] == pytest.approx([5.0, 95.0])
    assert np.isnan(bounds[1]).all()


def test_t_interval_corrects_the_shrunken_variance():
    values = np.array([[-1.0, 0.0], [1.0, 0.0]])  # standard deviation sqrt(2) and 0
    half = resampling.t_half_width(values, 2, 0.95)
    assert half == pytest.approx([12.7062047 * math.sqrt(2) * math.sqrt(2), 0.0])


def test_p_values_count_the_observation_unless_all_permutations_were_tried():
    assert resampling.as_extreme(np.array([-3.0, 1.0, 2.0, math.nan]), 2.0) == 2
    assert resampling.permutation_p(2, 4, exact=True) == 0.5
    assert resampling.permutation_p(2, 4) == 0.6
    assert resampling.bootstrap_p(np.array([1.0, 2.0, 3.0]), 1.0) == 0.75  # centred: -1, 0, 1
    assert math.isnan(resampling.bootstrap_p(np.array([math.nan]), 1.0))
    assert math.isnan(resampling.bootstrap_p(np.array([1.0]), math.nan))


def test_corrected_matrix_is_symmetric():
    matrix = resampling.holm_matrix([0.01, 0.04, 0.03], 3)
    np.testing.assert_allclose(matrix, matrix.T)
    assert np.isnan(np.diag(matrix)).all()
    assert matrix[0, 1] == pytest.approx(0.03)
    assert matrix[0, 2] == matrix[1, 2] == pytest.approx(0.06)


def test_highest_first_keeps_ties_in_order_and_puts_undefined_last():
    assert resampling.highest_first([1.0, math.nan, 3.0, 1.0]) == [2, 0, 3, 1]


def test_holm_by_hand():
    # sorted .01 .02 .03 .04 -> x4 x3 x2 x1 = .04 .06 .06 .04, made monotone: .04 .06 .06 .06
    assert resampling.holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert resampling.holm([0.9, 0.8]) == [1.0, 1.0]
    assert resampling.holm([]) == []
    with_nan = resampling.holm([0.01, float("nan"), 0.5])
    assert with_nan[0] == pytest.approx(0.02)
    assert np.isnan(with_nan[1])


@given(st.integers(1, 7), st.integers(0, 2**21 - 1))
def test_letters_are_shared_exactly_by_systems_that_do_not_differ(n, bits):
    different = np.zeros((n, n), bool)
    for k, (i, j) in enumerate(combinations(range(n), 2)):
        different[i, j] = different[j, i] = bits >> k & 1
    letters = resampling.compact_letters(different, list(range(n)))
    for i in range(n):
        assert letters[i]
        for j in range(i):
            assert bool(set(letters[i]) & set(letters[j])) != different[i, j]
