"""Raters against each other: hand-worked and slow oracles, published worked examples."""

import math
import tracemalloc
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import plainmark as pm
from plainmark.meta import agreement, kappa, krippendorff, mean_over_pairs

NAN = math.nan


def test_kappa_by_hand():
    # 10 cases: both 1 four times, both 2 three times, apart three times; 0.7 seen, 0.5 by chance.
    a = np.array([1, 1, 1, 1, 2, 2, 2, 1, 2, 1.0])
    b = np.array([1, 1, 1, 1, 2, 2, 2, 2, 1, 2.0])
    # a has six 1s, b five: chance .6 (.5) + .4 (.5) = .5
    assert kappa(a, b, "none") == pytest.approx((0.7 - 0.5) / 0.5)
    assert kappa(a, b, "quadratic") == pytest.approx(0.4)  # two values: weights do not matter
    assert math.isnan(kappa(np.ones(4), np.ones(4)))
    assert kappa(np.ones(4), np.array([1, 1, 2, 2.0])) == 0


def slow_kappa(a, b, power):
    codes = sorted({*a, *b})
    rank = {c: i for i, c in enumerate(codes)}
    cost = [abs(rank[x] - rank[y]) ** power for x, y in zip(a, b, strict=True)]
    chance = [abs(rank[x] - rank[y]) ** power for x in a for y in b]
    return 1 - np.mean(cost) / np.mean(chance) if any(chance) else NAN


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=20))
def test_kappa_is_what_counting_gives(pairs):
    a, b = (np.array(c, dtype=float) for c in zip(*pairs, strict=True))
    for weights, power in (("linear", 1), ("quadratic", 2)):
        assert kappa(a, b, weights) == pytest.approx(slow_kappa(a, b, power), abs=1e-12, nan_ok=True)


# The worked example of Krippendorff 2011: four observers, twelve units, missing data.
PUBLISHED = np.array([
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
])  # fmt: skip


@pytest.mark.parametrize(("scale", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_published_example(scale, value):
    assert krippendorff(PUBLISHED, scale) == pytest.approx(value, abs=5e-4)


def slow_alpha(values, scale="interval"):
    """Alpha, pair by pair."""
    units = [[v for v in column if not math.isnan(v)] for column in values.T]
    units = [u for u in units if len(u) > 1]
    everything = [v for u in units for v in u]
    if len(everything) < 2:
        return NAN

    def distance(x, y):
        if scale == "ordinal":
            inside = sum(min(x, y) <= v <= max(x, y) for v in everything)
            return (inside - (everything.count(x) + everything.count(y)) / 2) ** 2 if x != y else 0
        return (x - y) ** 2 if scale == "interval" else x != y

    seen = sum(sum(distance(x, y) for x, y in permutations(u, 2)) / (len(u) - 1) for u in units) / len(
        everything
    )
    chance = np.mean([distance(x, y) for x, y in permutations(everything, 2)])
    return 1 - seen / chance if chance else NAN


ratings_table = st.lists(
    st.lists(st.sampled_from([1.0, 2.0, 3.0, NAN]), min_size=3, max_size=3), min_size=1, max_size=8
)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
@given(ratings_table)
def test_alpha_is_what_counting_gives(scale, rows):
    values = np.array(rows).T
    assert krippendorff(values, scale) == pytest.approx(slow_alpha(values, scale), abs=1e-9, nan_ok=True)


def test_memory_does_not_grow_with_the_square_of_the_ratings():
    values = np.random.default_rng(1).normal(
        size=(3, 20_000)
    )  # every rating its own value, as sliders give them
    tracemalloc.start()
    assert abs(krippendorff(values)) < 0.05
    assert abs(kappa(values[0], values[1])) < 0.05
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6


def long(values, systems=1):
    """Ratings of (raters, things); things are samples of so many systems in turn."""
    return pm.Ratings(
        pm.Rating(f"S{j % systems}", str(j // systems), "d", f"r{i}", float(v))
        for i, row in enumerate(values)
        for j, v in enumerate(row)
    )


def test_pairs_of_raters_and_missing_ratings():
    found = agreement("", long(PUBLISHED))
    assert found.raters == ("r0", "r1", "r2", "r3")
    assert found.missing == int(np.isnan(PUBLISHED).sum())
    assert found.shared[0, 1] == 9
    assert found.alpha == pytest.approx(krippendorff(PUBLISHED))
    for i, j in combinations(range(4), 2):
        both = np.isfinite(PUBLISHED[i] + PUBLISHED[j])
        a, b = PUBLISHED[i, both], PUBLISHED[j, both]
        assert found.measures["absolute"][i, j] == (a == b).mean()
        assert found.measures["kappa"][j, i] == pytest.approx(slow_kappa(a, b, 2))
        assert found.measures["spearman"][i, j] == pytest.approx(stats.spearmanr(a, b).statistic)
    assert found.mean("kappa") == pytest.approx(np.mean(found.pairs("kappa")))
    assert mean_over_pairs(PUBLISHED, "kappa") == pytest.approx(found.mean("kappa"))


def test_system_level():
    values = np.random.default_rng(0).integers(1, 6, (3, 24)).astype(float)
    found = agreement("level=system", long(values, systems=4))
    means = values.reshape(3, 6, 4).mean(axis=1)
    expected = [stats.spearmanr(means[i], means[j]).statistic for i, j in combinations(range(3), 2)]
    assert found.mean("spearman") == pytest.approx(np.mean(expected))
    assert found.targets == 4


def test_raters_who_share_nothing_or_never_vary():
    apart = long([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]])
    found = agreement("", apart)
    assert math.isnan(found.mean("kappa"))
    assert math.isnan(found.alpha)
    assert found.undefined("kappa") == 0
    flat = agreement("", long([[3, 3, 3], [3, 3, 3], [1, 2, 3]]))
    assert flat.undefined("kappa") == 1
    assert flat.mean("absolute") == pytest.approx((1 + 1 / 3 + 1 / 3) / 3)
    assert math.isnan(mean_over_pairs([[1, NAN], [NAN, 1]], "absolute"))
