"""Two metrics against people: hand-worked Williams and permutation tests, rankings with letters."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import plainmark as pm
from plainmark.errors import InputError
from plainmark.meta import Scores, Task, compare_metrics, rank_metrics, williams
from plainmark.meta.comparison import _zou_interval
from support.number_tables import scored, table


def test_williams_by_hand():
    # r12 = .5, r13 = .3, r23 = .4, n = 28.
    # K = 1 - .25 - .09 - .16 + 2 (.5)(.3)(.4) = .62
    # below = 2 (.62) (27/25) + (.8)^2 / 4 (.6)^3 = 1.3392 + .03456 = 1.37376
    # t = .2 sqrt(27 * 1.4 / 1.37376) = .2 sqrt(27.5157...) = 1.049108..., 25 degrees
    assert williams(0.5, 0.3, 0.4, 28) == pytest.approx(2 * stats.t.sf(1.0491088, 25), abs=1e-7)
    assert williams(0.3, 0.5, 0.4, 28) == williams(0.5, 0.3, 0.4, 28)


def test_williams_at_its_ends():
    assert williams(0.4, 0.4, 0.2, 10) == 1
    assert math.isnan(williams(0.5, 0.3, 0.4, 3))
    assert math.isnan(williams(math.nan, 0.3, 0.4, 30))


def test_williams_errs_as_often_as_it_says():
    rng = np.random.default_rng(2)
    people, noise = rng.normal(size=(3000, 40)), rng.normal(size=(2, 3000, 40))
    shared = rng.normal(size=(3000, 40))
    a, b = people + noise[0] + shared, people + noise[1] + shared
    r = [
        np.array([np.corrcoef(p, q)[0, 1] for p, q in zip(*pair, strict=True)])
        for pair in ((people, a), (people, b), (a, b))
    ]
    wrong = np.mean([williams(*values, 40) < 0.05 for values in zip(*r, strict=True)])
    assert 0.03 <= wrong <= 0.07


def test_permutation_by_hand():
    """Three systems, Pearson: all eight exchanges, standardised by hand to a = (-1, 0, 1) and b = (1, -1, 0) sqrt(1.5)."""
    people = [[1], [2], [3]]
    # Exchanging none gives r_a - r_b = 1 - (-.5) = 1.5, exchanging all gives -1.5; the six others give
    #   A: (1, 0, 1) and (-1, -1, 0): 0 - .866 = -.866   B: (-1, -1, 1), (1, 0, 0): .866 + .866 = 1.732
    #   C: (-1, 0, 0), (1, -1, 1): .866 - 0 = .866       AB: -.866   AC: -1.732   BC: .866
    # so four of eight are at least 1.5 in size.
    found = compare_metrics(
        "level=system", scored("a", [[1], [2], [3]]), scored("b", [[9], [3], [6]]), table(people)
    )
    assert found.difference == pytest.approx(1.5)
    assert found.exact
    assert found.permutations == 8
    assert found.p == 4 / 8
    assert found.method == "permutation test over systems, all permutations"


def slow_permutation(function, a, b, y, groups):
    """Every exchange of the groups, one after the other."""
    observed = function(a, y) - function(b, y)
    beyond = 0
    names = sorted(set(groups))
    for swap in itertools.product([False, True], repeat=len(names)):
        chosen = {g for g, s in zip(names, swap, strict=True) if s}
        taken = np.array([g in chosen for g in groups])
        one, two = np.where(taken, b, a), np.where(taken, a, b)
        difference = function(one, y) - function(two, y)
        beyond += abs(difference) >= abs(observed) - 1e-12
    return beyond / 2 ** len(names)


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_permutations_are_those_of_a_slow_loop(name, seed):
    rng = np.random.default_rng(seed)
    people, a, b = rng.normal(size=(3, 3, 6))
    b += people
    found = compare_metrics(f"coefficient={name}", scored("a", a), scored("b", b), table(people))
    if name == "pearson":
        a, b = ((v - v.mean()) / v.std() for v in (a, b))
    else:
        a, b = (stats.rankdata(v).reshape(v.shape) for v in (a, b))
    function = {
        "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
        "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
        "kendall": lambda x, y: stats.kendalltau(x, y).statistic,
    }[name]
    groups = np.tile(np.arange(6), 3)
    assert found.exact
    assert found.permutations == 64
    assert found.p == pytest.approx(slow_permutation(function, a.ravel(), b.ravel(), people.ravel(), groups))


def test_permutations_of_pairs():
    # Five samples: a right on all, b right on three; people prefer A to B always.
    people = [[1] * 5, [0] * 5]
    a, b = scored("a", [[1] * 5, [0] * 5]), scored("b", [[1, 1, 1, 0, 0], [0, 0, 0, 1, 1]])
    found = compare_metrics("coefficient=pairwise", a, b, table(people))
    assert found.difference == pytest.approx(1 - 0.2)
    assert found.p == 0.5  # only the two samples on which they differ matter: 2 of 4 exchanges are as large
    assert math.isnan(found.p_williams)


def test_exchanging_samples_of_systems():
    rng = np.random.default_rng(1)
    quality = np.linspace(-1, 1, 8)[:, None]
    people = quality + rng.normal(size=(8, 30)) * 0.3
    good, bad = quality + rng.normal(size=(8, 30)), rng.normal(size=(8, 30))
    found = compare_metrics(
        "level=system resample=item", scored("good", good), scored("bad", bad), table(people)
    )
    assert found.p < 0.05
    assert found.difference > 0
    assert "permutation test over source texts, 1,000 permutations" in str(found)


def test_no_difference_is_found_as_rarely_as_promised():
    rng, low = np.random.default_rng(8), 0
    for _ in range(200):
        people = rng.normal(size=(3, 20))
        text = rng.normal(size=20)  # both metrics share what they make of a text
        a, b = (people + text + rng.normal(size=(3, 20)) for _ in range(2))
        low += compare_metrics("resamples=100", scored("a", a), scored("b", b), table(people)).p < 0.1
    assert 8 <= low <= 32


def test_intervals_of_differences_cover():
    rng, covered = np.random.default_rng(6), 0
    for _ in range(300):
        people = rng.normal(size=(3, 40))
        a, b = people + rng.normal(size=(3, 40)), people + 2 * rng.normal(size=(3, 40))
        found = compare_metrics("resamples=100", scored("a", a), scored("b", b), table(people))
        covered += found.low <= 1 / math.sqrt(2) - 1 / math.sqrt(5) <= found.high
    assert 0.92 <= covered / 300 <= 0.98


def test_intervals_of_differences_over_systems_cover():
    rng, covered = np.random.default_rng(6), 0
    for _ in range(1000):
        y, a, b = rng.normal(size=(3, 20))
        a, b = y + a, y + 2 * b
        r = np.corrcoef([y, a, b])
        low, high = _zou_interval(Task(level="system"), (r[0, 1], r[0, 2]), r[1, 2], 20)
        covered += low <= 1 / math.sqrt(2) - 1 / math.sqrt(5) <= high
    assert 0.93 <= covered / 1000 <= 0.97


def test_less_may_be_better():
    people = np.arange(12.0).reshape(1, 12)
    noise = np.random.default_rng(0).normal(size=(1, 12))
    up = scored("up", people + noise)
    down = scored("down", -people - noise, higher_is_better=False)
    found = compare_metrics("", up, down, table(people))
    assert found.difference == pytest.approx(0)
    ranking = rank_metrics("", [up, down], table(people))
    assert ranking.correlations[1].value < 0 < ranking.correlations[1].oriented_value
    assert ranking.letters == ("a", "a")


def test_undefined():
    found = compare_metrics("", scored("flat", [[1, 1, 1]]), scored("b", [[1, 2, 3]]), table([[1, 2, 4]]))
    assert math.isnan(found.p)
    assert "flat: all scores are the same (1)" in str(found)


def test_ranking_with_letters():
    rng = np.random.default_rng(4)
    people = rng.normal(size=(4, 80))
    names = {"near": 0.3, "nearer": 0.25, "far": 5.0}
    scores = [scored(n, people + s * rng.normal(size=(4, 80))) for n, s in names.items()]
    steps = []
    ranking = rank_metrics("resamples=200", scores, table(people), progress=lambda k, n: steps.append((k, n)))
    assert steps == [(1, 3), (2, 3), (3, 3)]
    assert [ranking.correlations[i].metric for i in ranking.order()][-1] == "far"
    assert "b" in ranking.letters[2] or "c" in ranking.letters[2]
    assert np.isnan(np.diag(ranking.p_values)).all()
    with pytest.raises(InputError, match="no scores to rank"):
        rank_metrics("", [], table(people))


def test_metrics_are_compared_on_what_both_score():
    a = Scores("a", {("A", str(i)): float(i) for i in range(6)})
    b = Scores("b", {("A", str(i)): float(i % 3) for i in range(2, 8)})
    found = compare_metrics("", a, b, table([[0, 1, 2, 3, 4, 5, 6, 7]]))
    assert found.n == 4


def test_pairs_of_systems_are_exchanged_as_kendall_does():
    rng = np.random.default_rng(0)
    people, a, b = rng.normal(size=(3, 6, 1))
    pairs, tau = (
        compare_metrics(
            f"level=system coefficient={c}", scored("a", a + people), scored("b", b), table(people)
        )
        for c in ("pairwise", "kendall")
    )
    assert pairs.p == tau.p
    assert pairs.difference == pytest.approx(tau.difference)
    assert pairs.permutations == 64


def test_scores_without_a_better_direction_count_by_their_size():
    rng = np.random.default_rng(5)
    people = rng.normal(size=(3, 30))
    good = scored("good", people + 0.5 * rng.normal(size=(3, 30)))
    length = scored("length", 0.5 * rng.normal(size=(3, 30)) - people, higher_is_better=None)
    found = compare_metrics("resamples=200", good, length, table(people))
    assert found.value_b > 0.8  # people prefer the shorter ones
    assert found.between > 0
    assert found.p > 0.05
    ranking = rank_metrics("resamples=200", [good, length], table(people))
    assert ranking.correlations[1].value < -0.8  # the table shows the sign
    assert ranking.letters == ("a", "a")
    assert ranking.difference(0, 1) == pytest.approx(found.difference)
    assert ranking.williams[0, 1] == ranking.williams[1, 0] == found.p_williams


def test_ranks_that_metrics_may_have():
    rng = np.random.default_rng(4)
    people = rng.normal(size=(4, 80))
    noise = {"best": 0.1, "near": 0.6, "nearer": 0.6, "far": 5.0}
    scores = [scored(n, people + s * rng.normal(size=(4, 80))) for n, s in noise.items()]
    scores.append(scored("flat", np.ones((4, 80))))
    ranking = rank_metrics("resamples=200", scores, table(people))
    # The two in the middle may change places; nothing else may.
    assert [ranking.rank_interval(k) for k in range(5)] == [(1, 1), (2, 3), (2, 3), (4, 4), (0, 0)]


def test_small_p_values_do_not_end_at_the_number_of_permutations():
    rng = np.random.default_rng(1)
    people, noise, more = rng.normal(size=(3, 3, 60))
    near, far = scored("near", people + 0.3 * noise), scored("far", people + 2 * more)
    found = compare_metrics("resamples=200", near, far, table(people))
    assert 0 < found.p < 1e-4
    # The tail is not smaller than what counting finds.
    close = scored("close", people + 0.4 * more)
    read, counted = (compare_metrics(f"resamples={n}", near, close, table(people)).p for n in (200, 100_000))
    assert counted < 1 / 200
    assert read >= counted


def test_a_metric_goes_against_ratings_of_errors():
    errors = pm.Ratings(pm.Rating("a", str(k), "errors", "1", float(5 - k)) for k in range(1, 5))
    good = Scores("good", {("a", str(k)): float(k) for k in range(1, 5)})
    bad = Scores("bad", {("a", str(k)): float(-k) + 0.1 * (k == 2) for k in range(1, 5)})
    ranking = rank_metrics("better=lower", [good, bad], errors)
    assert [c.value < 0 for c in ranking.correlations] == [True, False]
    assert [c.oriented_value > 0 for c in ranking.correlations] == [True, False]
    assert list(ranking.order()) == [0, 1]
