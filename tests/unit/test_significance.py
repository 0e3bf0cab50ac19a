"""Intervals, paired tests, Holm's correction and letters, by hand and against slow ways."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

import plainmark as pm
from plainmark import resampling
from plainmark import significance as sg


def corpora(rng, n, *shifts):
    """Systems that copy a share of the source's words, so that better and worse are known."""
    words = np.array([f"w{i}" for i in range(50)])
    references = [" ".join(rng.choice(words, 12)) for _ in range(n)]
    out = []
    for k, share in enumerate(shifts):
        outputs = [
            " ".join(w if rng.random() < share else "other" for w in reference.split())
            for reference in references
        ]
        out.append(pm.Corpus(references, outputs, references, name=f"s{k}"))
    return out


def test_bootstrap_is_a_resampled_corpus():
    rng = np.random.default_rng(1)
    (corpus,) = corpora(rng, 7, 0.7)
    metric = pm.metric("bleu")
    drawn = sg.bootstrap(metric, [metric.stats(corpus)], resamples=20, rng=np.random.default_rng(5))
    indices = np.random.default_rng(5).integers(0, 7, (20, 7))
    slow = [metric.score(corpus.subset(row)).value for row in indices]
    np.testing.assert_allclose(drawn[0], slow)


def test_better_system_wins_and_equal_ones_share_a_letter():
    rng = np.random.default_rng(2)
    good, also_good, bad = corpora(rng, 200, 0.8, 0.8, 0.4)
    for test in ("bootstrap", "randomisation"):
        result = sg.compare(pm.metric("bleu"), [bad, good, also_good], test=test, resamples=500, rng=3)
        assert result.letters == ("b", "a", "a")
        assert result.significant(0, 1)
        assert not result.significant(1, 2)
        assert result.order()[-1] == 0
        low, high = result.intervals[1]
        assert low < result.scores[1].value < high


def test_identical_systems_have_p_one():
    rng = np.random.default_rng(3)
    (a,) = corpora(rng, 30, 0.6)
    for test in ("bootstrap", "randomisation"):
        result = sg.compare(pm.metric("bleu"), [a, a.with_outputs(a.outputs)], test=test, resamples=100)
        assert result.p_values[0, 1] == 1.0


def test_interval_of_a_mean_is_close_to_the_normal_one():
    rng = np.random.default_rng(4)
    values = rng.normal(10, 3, 400)
    stats = np.column_stack([values, np.ones(400)])
    drawn = sg.bootstrap(pm.metric("mean(bleu)"), [np.repeat(stats, 8, axis=1)], resamples=4000, rng=rng)
    low, high = resampling.percentile_intervals(drawn)[0]
    half = 1.96 * values.std() / 20
    assert low == pytest.approx(values.mean() - half, abs=0.05)
    assert high == pytest.approx(values.mean() + half, abs=0.05)


def test_randomisation_equals_the_exact_test():
    # Six pairs have 64 sign assignments; the p-value of a mean difference can be counted.
    a, b = np.array([3.0, 5, 1, 4, 2, 6]), np.array([2.0, 3, 1, 1, 2.5, 2])
    signs = np.array(np.meshgrid(*[[1, -1]] * 6)).reshape(6, -1).T
    exact = (np.abs((signs * (a - b)).mean(1)) >= abs((a - b).mean()) - 1e-12).mean()
    metric = pm.metric("exact_copies") if "exact_copies" in pm.METRICS.names() else pm.metric("mean")
    width = len(metric.part_names)
    stats = [np.repeat(np.column_stack([v, np.ones(6)]), width, axis=1) for v in (a, b)]
    (p,) = sg.randomisation_p(metric, stats, [(0, 1)], resamples=20_000, rng=np.random.default_rng(0))
    assert p == pytest.approx(exact, abs=0.01)


def test_undefined_scores_have_no_p_value():
    corpus = pm.Corpus(["a"], ["a"], ["a"], name="x")

    class Never(pm.MeanMetric):
        """Undefined everywhere."""

        name = "never"

        def values(self, corpus):
            return np.full(len(corpus), np.nan)

    for test in ("bootstrap", "randomisation"):
        result = sg.compare(Never(), [corpus, corpus], test=test, resamples=20)
        assert np.isnan(result.p_values).all()
        assert np.isnan(result.intervals).all()
        assert result.letters == ("a", "a")


def test_errors():
    rng = np.random.default_rng(0)
    a, b = corpora(rng, 4, 0.5, 0.5)
    metric = pm.metric("bleu")
    with pytest.raises(pm.PlainmarkError, match="at least 10"):
        sg.compare(metric, [a, b], resamples=1)
    with pytest.raises(pm.PlainmarkError, match="between 0 and 1"):
        sg.compare(metric, [a, b], level=95)
    with pytest.raises(pm.PlainmarkError, match="compare systems on one test set"):
        sg.compare(metric, [a, b[:2]])


def test_false_alarms_are_as_rare_as_promised():
    # 200 pairs of equally good systems: about 5 % may look different; 10 % would be a broken test.
    rng = np.random.default_rng(11)
    metric = pm.metric("bleu")
    for test in ("bootstrap", "randomisation"):
        alarms = 0
        for _ in range(100):
            a, b = corpora(rng, 40, 0.6, 0.6)
            alarms += sg.compare(metric, [a, b], test=test, resamples=200, rng=rng).significant(0, 1)
        assert alarms <= scipy_stats.binom.ppf(0.999, 100, 0.05)
