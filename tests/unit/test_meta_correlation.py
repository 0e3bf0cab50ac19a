"""Correlations with people: values at every level, intervals that cover, reasons for NaN, systems left out."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import plainmark as pm
from plainmark.errors import InputError
from plainmark.meta import Scores, Task, correlate
from plainmark.meta.correlation import correlation, fisher_interval, interval, spread_interval
from plainmark.meta.estimates import estimate
from plainmark.meta.joined import JoinedScores


def table(values, dimension="d"):
    """Ratings of (systems, samples), systems A, B, ..., samples 1, 2, ..."""
    return pm.Ratings(
        pm.Rating(chr(65 + i), str(j + 1), dimension, "x", float(v))
        for i, row in enumerate(values)
        for j, v in enumerate(row)
        if not math.isnan(v)
    )


def scored(values, name="m", **more):
    cells = {(chr(65 + i), str(j + 1)): float(v) for i, row in enumerate(values) for j, v in enumerate(row)}
    return Scores(name, cells, **more)


RNG = np.random.default_rng(5)
PEOPLE = RNG.normal(size=(4, 12))
METRIC = PEOPLE + RNG.normal(size=(4, 12))


@pytest.mark.parametrize(
    ("name", "peer"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)],
)
def test_values_at_every_level(name, peer):
    ratings, scores = table(PEOPLE), scored(METRIC)

    def found(level):
        return correlate(Task(level=level, coefficient=name, resamples=50), scores, ratings)

    each = peer(METRIC.ravel(), PEOPLE.ravel())
    assert found("segment").value == pytest.approx(each.statistic)
    assert found("segment").p == pytest.approx(each.pvalue)
    assert found("segment").p_one_sided == pytest.approx(each.pvalue / 2)
    assert found("item-means").value == pytest.approx(peer(METRIC.mean(0), PEOPLE.mean(0)).statistic)
    assert found("system").value == pytest.approx(peer(METRIC.mean(1), PEOPLE.mean(1)).statistic)
    inside = [peer(METRIC[:, j], PEOPLE[:, j]).statistic for j in range(12)]
    assert found("item").value == pytest.approx(np.mean(inside))
    assert found("item").p == pytest.approx(stats.ttest_1samp(inside, 0).pvalue)
    assert [found(level).n for level in ("segment", "item-means", "system", "item")] == [48, 12, 4, 12]


def test_pairs_and_their_ties():
    # Three samples of two systems: right, tie, and people undecided.
    ratings = table([[1, 1, 0.5], [0, 0, 0.5]])
    scores = scored([[2, 3, 1], [1, 3, 9]])
    expected = {"released": 1.0, "strict": 0.0, "half": 0.5, "dropped": 1.0}
    for rule, value in expected.items():
        found = correlate(Task(coefficient="pairwise", ties=rule), scores, ratings)
        assert found.value == value
        assert (found.tied_scores, found.tied_ratings) == (1, 1)
        assert found.n == (1 if rule == "dropped" else 2)
    # A tie counts for the system that is rated first, wrongly where the second is better.
    reversed_ratings = table([[0, 0, 0.5], [1, 1, 0.5]])
    assert correlate("coefficient=pairwise", scores, reversed_ratings).value == -1


def test_pairs_of_systems():
    found = correlate(
        "level=system coefficient=pairwise", scored([[1], [2], [4], [3]]), table([[1], [2], [3], [4]])
    )
    assert found.value == pytest.approx((5 - 1) / 6)
    assert found.n == 6


def test_within_samples_of_different_systems():
    people, metric = PEOPLE.copy(), METRIC.copy()
    people[0, 0] = math.nan
    metric[1, 1] = math.nan
    inside = [
        stats.pearsonr(m[k], p[k]).statistic
        for m, p in zip(metric.T, people.T, strict=True)
        for k in [np.isfinite(m + p)]
    ]
    found = correlate("level=item", scored(metric), table(people))
    assert found.value == pytest.approx(np.mean(inside))
    assert found.unscored == (("B", "2"),)


def test_leaving_systems_out():
    people = np.vstack([PEOPLE[:3], PEOPLE[3:] - 20])  # D is far worse than all others
    metric = np.vstack([METRIC[:3], METRIC[3:] - 20])
    found = correlate("resamples=20", scored(metric), table(people))
    assert found.most_influential == "D"
    expected = stats.pearsonr(metric[:3].ravel(), people[:3].ravel()).statistic
    assert found.without["D"] == pytest.approx(expected)
    is_d = np.repeat([0, 0, 0, 1], 12)
    assert found.system_identity["D"] == pytest.approx(stats.pearsonr(is_d, people.ravel()).statistic)
    without = correlate("resamples=20 without=D", scored(metric), table(people))
    assert without.value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scores", "people", "task", "reason"),
    [
        ([[1, 1, 1]], [[1, 2, 3]], "", "all scores are the same (1)"),
        ([[1, 2, 3]], [[2, 2, 2]], "", "all ratings are the same (2)"),
        ([[1, 2]], [[1, 2]], "", "2 outputs are both scored and rated; a correlation needs 3 or more"),
        ([[1, 2], [2, 3]], [[1, 2], [3, 1]], "level=system", "2 systems are both scored"),
        (
            [[1, 2]],
            [[1, 2]],
            "coefficient=pairwise",
            "no two outputs of one source text were rated differently",
        ),
        ([[1], [1]], [[1], [0]], "coefficient=pairwise ties=dropped", "all pairs are ties"),
        ([[1, 2], [2, 1]], [[1, 2], [2, 1]], "level=item", "no item has 3 systems"),
    ],
)
def test_undefined_has_a_reason(scores, people, task, reason):
    found = correlate(task, scored(scores), table(people))
    assert math.isnan(found.value)
    assert reason in found.reason
    assert f"undefined ({found.reason})" in str(found)


def test_nothing_joins():
    with pytest.raises(InputError) as problem:
        correlate("", Scores("m", {("X", "1"): 1.0}), table([[1, 2], [3, 4]]))
    assert "no system is both scored and rated; scored are 'X', rated are 'A', 'B'" in str(problem.value)
    with pytest.raises(InputError) as problem:
        correlate("", Scores("m", {("A", f"s{i}"): 1.0 for i in range(5)}), table([[1, 2], [3, 4]]))
    assert "scored are 's0', 's1', 's2' and 2 more, rated are '1', '2'" in str(problem.value)
    with pytest.raises(InputError, match="no output is both scored"):
        correlate("", Scores("m", {("A", "2"): 1.0, ("B", "1"): 1.0}), table([[1, math.nan], [math.nan, 4]]))
    with pytest.raises(InputError, match="the task excludes all of them"):
        correlate("without=A", scored([[1, 2]]), table([[1, 2]]))


def test_a_metric_and_corpora():
    sources = ["The feline sat.", "It is a rainy day.", "He purchased a book."]
    good = pm.Corpus(sources, ["The cat sat.", "It rains.", "He bought a book."], [[s] for s in sources])
    found = pm.correlate("", "bleu", table([[1, 2, 3]]), corpora={"A": good})
    assert found.metric == "bleu"
    with pytest.raises(InputError, match="bleu: a metric needs texts to score; pass corpora="):
        pm.correlate("", "bleu", table([[1, 2, 3]]))
    assert found.n == 3


def test_whole_system_scores():
    scores = Scores("m", {}, totals={"A": 1.0, "B": 3.0, "C": 2.0, "D": 4.0})
    found = correlate("level=system", scores, table(PEOPLE))
    assert found.value == pytest.approx(stats.pearsonr([1, 3, 2, 4], PEOPLE.mean(1)).statistic)


def test_equal_means_are_ties():
    # Both systems have mean 1/3 over their samples, whose sums differ in the last bit by their order.
    people = [[0.1, 0.2, 0.7], [0.7, 0.2, 0.1], [1, 1, 1], [2, 2, 2]]
    assert sum(people[0]) != sum(people[1])
    found = correlate(
        "level=system coefficient=spearman", scored([[1] * 3, [2] * 3, [3] * 3, [4] * 3]), table(people)
    )
    assert found.tied_ratings == 1


def test_same_seed_same_numbers():
    one, two, other = (correlate(f"seed={s}", scored(METRIC), table(PEOPLE)) for s in (1, 1, 2))
    assert (one.low, one.high) == (two.low, two.high) != (other.low, other.high)


def test_what_is_drawn_anew_is_said():
    ratings, scores = table(PEOPLE), scored(METRIC)
    assert correlate("", scores, ratings).method == "bootstrap over 12 source texts, 1,000 resamples"
    assert correlate("resample=system", scores, ratings).method.startswith("bootstrap over 4 systems")
    assert "12 source texts and 4 systems" in correlate("resample=both", scores, ratings).method
    assert correlate("level=system", scores, ratings).method == "Fisher's z, 4 systems"
    assert "12 source texts" in correlate("level=system resample=item", scores, ratings).method
    one_text = scored(METRIC, units={str(j): "1" for j in range(1, 13)})
    assert correlate("", one_text, ratings).units == 1
    assert math.isnan(correlate("", one_text, ratings).low)


def test_perfect_agreement_has_no_false_certainty():
    assert math.isnan(correlate("", scored(PEOPLE), table(PEOPLE)).low)
    pairs = correlate("coefficient=pairwise", scored(PEOPLE), table(PEOPLE))
    assert pairs.value == pairs.high == 1
    assert 0 < pairs.low < 1
    assert math.isnan(fisher_interval("pearson", 0.5, 3, 0.95)[0])


def joined(people, metric):
    """Joined scores without the way through files, for simulations."""
    systems, samples = people.shape
    return JoinedScores(
        "d",
        tuple(map(str, range(systems))),
        tuple(map(str, range(samples))),
        np.arange(samples),
        people,
        (Scores("m", {}),),
        metric[None],
    )


@pytest.mark.parametrize(
    ("task", "systems", "texts", "kind"),
    [
        ("resamples=200", 4, 40, "pearson"),
        ("resamples=200 coefficient=spearman", 3, 40, "spearman"),
        ("resamples=200 level=item", 6, 40, "within"),
        ("resamples=200 coefficient=pairwise", 4, 40, "pairs"),
    ],
)
def test_intervals_cover_the_truth(task, systems, texts, kind):
    """Outputs of one text share its difficulty, as in real data: 95 % of intervals hold the true coefficient, +- 2."""
    task, rng = Task.parse(task), np.random.default_rng(11)

    def data(texts):
        text = rng.normal(size=(2, 1, texts)) * 0.7  # shared by all systems, for people and metric apart
        quality = rng.normal(size=(systems, texts))
        noise = rng.normal(size=(2, systems, texts))
        return quality + text[0] + 0.5 * noise[0], quality + text[0] + text[1] + noise[1]

    truth = np.mean([estimate(task, joined(*data(3000))).value for _ in range(12)])
    runs = 1000
    covered = 0
    for k in range(runs):
        one = replace(task, seed=k)
        each = joined(*data(texts))
        found = estimate(one, each)
        low, high, units, _ = interval(one, each, 0, found)
        assert units == texts
        covered += low <= truth <= high
    assert 0.93 <= covered / runs <= 0.97, (kind, covered / runs)


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_intervals_over_systems_cover_the_truth(name):
    rng, runs, covered = np.random.default_rng(3), 2000, 0
    truth = {
        "pearson": 0.6,
        "spearman": 6 / math.pi * math.asin(0.3),
        "kendall": 2 / math.pi * math.asin(0.6),
    }
    for _ in range(runs):
        x, e = rng.normal(size=(2, 12))
        y = 0.6 * x + 0.8 * e
        value = correlate_plain(name, x, y)
        low, high = fisher_interval(name, value, 12, 0.95)
        covered += low <= truth[name] <= high
    assert 0.93 <= covered / runs <= 0.97


def correlate_plain(name, x, y):
    from plainmark.meta.coefficients import coefficient

    return coefficient(name, x, y)


def test_few_defined_resamples_give_no_interval():
    assert math.isnan(spread_interval(0.5, np.array([0.5, math.nan, math.nan]), 10, 0.95)[0])


def test_without_the_rest(monkeypatch):
    found = correlation(Task(resamples=20), joined(PEOPLE, METRIC), leave_out=False)
    assert found.without == {}
    assert found.most_influential == ""
