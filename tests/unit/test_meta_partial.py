"""Partial correlations: worked by hand, beside regressions and the formulas of ppcor, and what no control may change."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from plainmark.errors import InputError, OptionError
from plainmark.meta import Task, compare_metrics, correlate, rank_metrics, williams
from plainmark.meta.coefficients import coefficient, coefficients, p_value, weighted
from support.number_tables import scored, table


def residuals(v, controls):
    """What a regression on the controls leaves."""
    design = np.column_stack([np.ones(len(v)), *controls])
    return v - design @ np.linalg.lstsq(design, v, rcond=None)[0]


def by_regression(name, x, y, controls):
    if name == "spearman":
        x, y, *controls = (stats.rankdata(v) for v in (x, y, *controls))
    left = [residuals(v, controls) for v in (x, y)]
    # What is left of a variable that the controls explain is rounding.
    return np.corrcoef(*left)[0, 1] if min(np.abs(v).max() for v in left) > 1e-9 else math.nan


def test_by_hand():
    # r_xy = 3/5, r_xz = r_yz = 2/sqrt(5), so (.6 - .8) / (1 - .8) = -1: within each value of z, x and y are opposed.
    x, y, z = np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 4, 3]), np.array([1.0, 1, 2, 2])
    assert coefficient("pearson", x, y) == pytest.approx(0.6)
    assert coefficient("pearson", x, y, [z]) == pytest.approx(-1)
    # Ranks: x = 1 2 3 4 5, y = 2 1 3 5 4, z = 1 3 2 4 5. Squares of differences: 4, 2, 6, so
    # rho_xy = 1 - 6 * 4 / 120 = .8, rho_xz = .9, rho_yz = 1 - 6 * (1 + 4 + 1 + 1 + 1) / 120 = .6
    # (.8 - .54) / sqrt(.19 * .64) = .26 / .348712 = .745601
    x, y, z = (np.array(v, dtype=float) for v in ([1, 2, 3, 4, 5], [2, 1, 3, 5, 4], [1, 3, 2, 4, 5]))
    assert coefficient("spearman", x, y, [z]) == pytest.approx(0.745601, abs=1e-6)
    # Pairs: tau_xy = (8 - 2) / 10 = .6, tau_xz = (9 - 1) / 10 = .8, tau_yz = (7 - 3) / 10 = .4
    # (.6 - .32) / sqrt(.36 * .84) = .28 / .549909 = .509175
    assert coefficient("kendall", x, y, [z]) == pytest.approx(0.509175, abs=1e-6)


@pytest.mark.parametrize("name", ["pearson", "spearman"])
@given(seed=st.integers(0, 10_000), controls=st.integers(1, 3))
def test_as_a_regression_gives_it(name, seed, controls):
    rng = np.random.default_rng(seed)
    z = np.round(rng.normal(size=(controls, 25)), 1)  # with ties
    x, y = (rng.normal(size=25) + rng.normal() * z.sum(axis=0) for _ in range(2))
    expected = by_regression(name, x, y, list(z))
    assert coefficient(name, x, y, list(z)) == pytest.approx(expected, abs=1e-9)
    rows = coefficients(name, x[None], y[None], [c[None] for c in z])
    assert rows[0] == pytest.approx(expected, abs=1e-9)


@given(seed=st.integers(0, 10_000))
def test_kendall_as_the_inverse_of_the_matrix_gives_it(seed):
    rng = np.random.default_rng(seed)
    variables = rng.integers(0, 6, size=(4, 20)).astype(float)
    taus = np.array([[stats.kendalltau(a, b).statistic for a in variables] for b in variables])
    if not np.isfinite(taus).all() or np.linalg.cond(taus) > 1e6:
        return
    inverse = np.linalg.inv(taus)
    expected = -inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1])
    assert coefficient("kendall", *variables[:2], list(variables[2:])) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
@given(seed=st.integers(0, 10_000))
def test_weights_are_repeated_rows(name, seed):
    rng = np.random.default_rng(seed)
    x, y, z = rng.normal(size=(3, 12))
    weights = rng.integers(0, 4, size=(3, 12)).astype(float)
    found = weighted(name, x, y, weights, [z])
    for row, value in zip(weights.astype(int), found, strict=True):
        repeated = [np.repeat(v, row) for v in (x, y, z)]
        assert value == pytest.approx(coefficient(name, *repeated[:2], [repeated[2]]), abs=1e-9, nan_ok=True)


@given(seed=st.integers(0, 10_000), slope=st.floats(-5, 5), scale=st.floats(0.1, 10))
def test_what_changes_nothing(seed, slope, scale):
    rng = np.random.default_rng(seed)
    x, y, z, noise = rng.normal(size=(4, 30))
    value = coefficient("pearson", x, y, [z])
    assert -1 <= value <= 1
    assert coefficient("pearson", y, x, [z]) == pytest.approx(value)
    assert coefficient("pearson", scale * x + slope * z, y, [z]) == pytest.approx(value, abs=1e-9)
    assert coefficient("pearson", -x, y, [z]) == pytest.approx(-value)
    assert coefficient("pearson", x, y, [z, z]) == pytest.approx(value)  # the same control twice
    assert coefficient("pearson", x, y, [np.ones(30)]) == pytest.approx(coefficient("pearson", x, y))
    both = coefficient("pearson", x, y, [z, noise])
    assert coefficient("pearson", x, y, [noise, z]) == pytest.approx(both)


def test_a_control_leaves_nothing_of_itself():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 20))
    for name in ("pearson", "spearman", "kendall"):
        assert math.isnan(coefficient(name, x, y, [x]))
        assert math.isnan(coefficient(name, x, y, [3 - 2 * x]))


def test_p_values():
    # ppcor: t = r sqrt((n - 2 - k) / (1 - r^2)); for tau z = tau / sqrt(2 (2 m + 5) / (9 m (m - 1))), m = n - k.
    x = np.arange(20.0)
    t = 0.4 * math.sqrt(17 / (1 - 0.16))
    assert p_value("pearson", 0.4, x, x, 1) == pytest.approx(2 * stats.t.sf(t, 17))
    z = 0.4 / math.sqrt(2 * (2 * 18 + 5) / (9 * 18 * 17))
    assert p_value("kendall", 0.4, x, x, 2) == pytest.approx(2 * stats.norm.sf(z))


RNG = np.random.default_rng(4)
LENGTH = RNG.normal(size=(6, 30))
PEOPLE = LENGTH + 0.5 * RNG.normal(size=(6, 30))
LONG = LENGTH + RNG.normal(size=(6, 30))  # knows the length and nothing else
GOOD = PEOPLE + RNG.normal(size=(6, 30))


def test_a_metric_that_only_measures_length():
    length = scored("length", LENGTH, higher_is_better=None)
    before, after = (
        correlate(task, scored("long", LONG), table(PEOPLE), controls=[length])
        for task in ("", "partial=length")
    )
    assert before.low > 0.4
    assert after.low < 0 < after.high
    assert after.value == pytest.approx(
        by_regression("pearson", LONG.ravel(), PEOPLE.ravel(), [LENGTH.ravel()])
    )
    good = correlate("partial=length", scored("good", GOOD), table(PEOPLE), controls=[length])
    assert good.low > 0
    itself = correlate("partial=length", length, table(PEOPLE))
    assert itself.reason == "nothing remains after controlling for length"


@pytest.mark.parametrize("name", ["pearson", "spearman"])
def test_levels(name):
    length, good = scored("length", LENGTH), scored("good", GOOD)
    means = [v.mean(axis=1) for v in (GOOD, PEOPLE, LENGTH)]
    task = f"level=system partial=length coefficient={name}"
    found = correlate(task, good, table(PEOPLE), controls=[length])
    assert found.value == pytest.approx(by_regression(name, *means[:2], [means[2]]))
    assert found.n == 6
    # Fisher's interval has one row less for every control.
    plain = correlate(f"level=system coefficient={name}", good, table(PEOPLE))
    assert math.atanh(found.high) - math.atanh(found.low) > math.atanh(plain.high) - math.atanh(plain.low)
    items = correlate(f"level=item partial=length coefficient={name}", good, table(PEOPLE), controls=[length])
    each = [by_regression(name, GOOD[:, j], PEOPLE[:, j], [LENGTH[:, j]]) for j in range(30)]
    assert items.value == pytest.approx(np.nanmean(each))
    texts = correlate(
        f"level=item-means partial=length coefficient={name}", good, table(PEOPLE), controls=[length]
    )
    means = [v.mean(axis=0) for v in (GOOD, PEOPLE, LENGTH)]
    assert texts.value == pytest.approx(by_regression(name, *means[:2], [means[2]]))
    by_items = correlate(f"{task} resample=item resamples=50", good, table(PEOPLE), controls=[length])
    assert by_items.low < by_items.value < by_items.high


def test_items_with_missing_outputs():
    good, length = scored("good", GOOD), scored("length", LENGTH)
    del good.values["A", "0"]
    found = correlate("level=item partial=length", good, table(PEOPLE), controls=[length])
    first = by_regression("pearson", GOOD[1:, 0], PEOPLE[1:, 0], [LENGTH[1:, 0]])
    rest = [by_regression("pearson", GOOD[:, j], PEOPLE[:, j], [LENGTH[:, j]]) for j in range(1, 30)]
    assert found.value == pytest.approx(np.mean([first, *rest]))


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_permutations_are_those_of_a_slow_loop(seed):
    rng = np.random.default_rng(seed)
    people, a, b, z = rng.normal(size=(4, 3, 6))
    b, z = b + people, z + people / 2
    task = "partial=z"
    found = compare_metrics(task, scored("a", a), scored("b", b), table(people), controls=[scored("z", z)])
    a, b = ((v - v.mean()) / v.std() for v in (a, b))

    def difference(one, two):
        return np.subtract(
            *(by_regression("pearson", v.ravel(), people.ravel(), [z.ravel()]) for v in (one, two))
        )

    swaps = [np.array(s)[None] for s in itertools.product([False, True], repeat=6)]
    drawn = [difference(np.where(s, b, a), np.where(s, a, b)) for s in swaps]
    assert found.p == pytest.approx(np.mean(np.abs(drawn) >= abs(difference(a, b)) - 1e-12))
    between = by_regression("pearson", a.ravel(), b.ravel(), [z.ravel()])
    assert found.between == pytest.approx(between)
    assert found.p_williams == pytest.approx(williams(found.value_a, found.value_b, between, 17))


def test_systems_by_items():
    controls = [scored("z", LENGTH)]
    found = compare_metrics(
        "level=system resample=item partial=z resamples=100",
        scored("good", GOOD),
        scored("long", LONG),
        table(PEOPLE),
        controls=controls,
    )
    assert 0 <= found.p <= 1
    assert math.isfinite(found.low)


def test_ranking_takes_out_one_of_its_rows():
    rows = [scored("good", GOOD), scored("long", LONG), scored("length", LENGTH, higher_is_better=None)]
    ranking = rank_metrics("partial=length resamples=200", rows, table(PEOPLE))
    assert ranking.letters == ("a", "b", "")
    assert math.isnan(ranking.correlations[2].value)
    assert [ranking.rank_interval(k) for k in range(3)] == [(1, 1), (2, 2), (0, 0)]


def test_mistakes():
    with pytest.raises(
        InputError, match=r"partial=lenth: .* Did you mean 'length'\? There are: length, good\."
    ):
        rank_metrics("partial=lenth", [scored("length", LENGTH), scored("good", GOOD)], table(PEOPLE))
    with pytest.raises(
        OptionError, match="coefficient=pairwise has no partial version; found partial=length"
    ):
        Task.parse("coefficient=pairwise partial=length")
    assert Task.parse("partial=length,copied").partial == ("length", "copied")
    assert Task(partial=["length"]).spec == "partial=length"
    short = correlate(
        "partial=z", scored("m", [[1, 2, 4]]), table([[1, 2, 3]]), controls=[scored("z", [[1, 3, 2]])]
    )
    assert short.reason == "3 outputs are both scored and rated; a correlation needs 4 or more"
