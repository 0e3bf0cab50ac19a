"""Tuning: gradients, pairs, interruption, and what different objectives lead to."""

import json

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import InputError, OptionError
from plainmark.simplifier.learned.network import train
from plainmark.simplifier.tuning import optimizers
from plainmark.simplifier.tuning.optimizers import HOPKINS_MAY, JOSHUA, ascend_expected, rank_pairs
from plainmark.simplifier.tuning.pool import Candidates
from plainmark.simplifier.tuning.tune import PRESETS, STATE, TuningSettings, settings_for, tune
from support import tiny_simplifier as tiny

SARI = pm.metric("sari(tokenizer='none')")
QUICK = TuningSettings(rounds=4, paths=10)


def test_published_settings():
    joshua = PRESETS["joshua"]
    assert (joshua.rounds, joshua.paths, joshua.interpolation, joshua.normalize_lm) == (30, 300, 0.5, True)
    assert (JOSHUA.sampled, JOSHUA.used, JOSHUA.least_difference, JOSHUA.epochs, JOSHUA.rate) == (
        8000,
        50,
        0.005,
        30,
        0.5,
    )
    assert (HOPKINS_MAY.sampled, HOPKINS_MAY.used, HOPKINS_MAY.least_difference) == (5000, 50, 0.05)
    with pytest.raises(
        OptionError, match="no tuning method 'mert'; expected one of expected, joshua, hopkins-may"
    ):
        settings_for("mert")


def test_tuning_to_sari_simplifies_and_to_bleu_against_the_source_copies():
    decoder, prepared, corpus = tiny.fitted()
    found = tune(decoder, prepared, corpus, SARI, QUICK)
    best = found.rounds[found.best]
    assert best.held_out > 75
    assert best.unchanged < 0.1
    assert best.held_out == max(r.held_out for r in found.rounds)
    copies = pm.Corpus(corpus.sources, corpus.sources, [[s] for s in corpus.sources])
    bleu = tune(decoder, prepared, copies, pm.metric("bleu(tokenizer='none')"), QUICK)
    assert bleu.rounds[bleu.best].unchanged == 1
    assert bleu.rounds[bleu.best].held_out == pytest.approx(100)


@pytest.mark.parametrize("method", ["joshua", "hopkins-may"])
def test_pairwise_ranking_simplifies_too(method):
    decoder, prepared, corpus = tiny.fitted()
    found = tune(decoder, prepared, corpus, SARI, settings_for(method, rounds=4, paths=20))
    assert found.rounds[found.best].held_out > 60
    if method == "joshua":
        assert abs(found.rounds[1].weights["lm"]) == pytest.approx(1)


def test_the_same_seed_gives_the_same_weights_and_an_interrupted_run_goes_on(tmp_path):
    decoder, prepared, corpus = tiny.fitted()
    whole = tune(decoder, prepared, corpus, SARI, QUICK)

    class InterruptionError(Exception):
        pass

    def stop(done):
        if done.number == 1:
            raise InterruptionError

    with pytest.raises(InterruptionError):
        tune(decoder, prepared, corpus, SARI, QUICK, folder=tmp_path, progress=stop)
    first = json.loads((tmp_path / STATE).read_text("utf-8"))
    assert len(first["rounds"]) == 1
    resumed = tune(decoder, prepared, corpus, SARI, QUICK, folder=tmp_path)
    assert resumed.rounds == whole.rounds
    assert resumed.weights == whole.weights
    # Another objective does not go on with these weights.
    other = tune(decoder, prepared, corpus, pm.metric("bleu(tokenizer='none')"), QUICK, folder=tmp_path)
    assert other.rounds[0].weights == whole.rounds[0].weights
    (tmp_path / STATE).write_text("{", "utf-8")
    with pytest.raises(InputError, match="not the state of a tuning run"):
        tune(decoder, prepared, corpus, SARI, QUICK, folder=tmp_path)


def test_a_metric_for_which_less_is_better_goes_down():
    decoder, prepared, corpus = tiny.fitted()
    metric = pm.metric("fkgl")
    found = tune(decoder, prepared, corpus, metric, QUICK)
    assert -found.rounds[found.best].held_out <= metric.score(corpus).value


def test_what_cannot_be_an_objective_says_so():
    decoder, prepared, corpus = tiny.fitted()
    with pytest.raises(OptionError, match="without saying whether high or low is better"):
        tune(decoder, prepared, corpus, pm.metric("compression"), QUICK)
    with pytest.raises(InputError, match="1 samples to tune on"):
        tune(decoder, prepared, corpus[:1], SARI, QUICK)


def candidates(seed, sentences=8):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 6, sentences)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    stats = rng.random((offsets[-1], 3))
    return Candidates(offsets, rng.standard_normal((offsets[-1], 4)).astype(np.float32), stats, stats)


def ratio(stats):
    return 100 * stats[..., 0] / (stats[..., 1] + stats[..., 2])


def expected_metric(found, weights):
    total = 0
    for a, b in zip(found.offsets, found.offsets[1:], strict=False):
        share = np.exp(found.features[a:b] @ weights)
        total = total + (share / share.sum()) @ found.stats[a:b]
    return ratio(total)


def test_ascent_raises_the_metric_of_expected_statistics():
    found = candidates(1)
    start = np.array([0.1, -0.2, 0.3, 0.0])
    moved = ascend_expected(found, ratio, start, steps=60, rate=0.05, penalty=0.0)
    assert expected_metric(found, moved) > expected_metric(found, start) + 1
    # One step goes up the gradient: the sign of each change is that of a finite difference.
    one = ascend_expected(found, ratio, start, steps=2, rate=1e-3, penalty=0.0) - start
    for k in range(4):
        nudged = start.copy()
        nudged[k] += 1e-3
        slope = expected_metric(found, nudged) - expected_metric(found, start)
        assert np.sign(one[k]) == np.sign(slope)


def test_the_slope_of_a_metric_is_its_gradient():
    total = np.array([3.0, 4.0, 6.0])
    np.testing.assert_allclose(optimizers._slope(ratio, total), [10, -3, -3], rtol=1e-4)


@pytest.mark.parametrize("pairs", [JOSHUA, HOPKINS_MAY])
def test_pairs_rank_by_the_feature_that_tells(pairs):
    found = candidates(2, sentences=200)
    values = 50 + 20 * found.features[:, 1].astype(np.float64)
    weights = rank_pairs(found, values, 100.0, np.zeros(4), pairs, np.random.default_rng(0))
    assert weights[1] > 3 * np.abs(np.delete(weights, 1)).max()
    same = rank_pairs(found, np.zeros(len(values)), 100.0, np.ones(4), pairs, np.random.default_rng(0))
    assert same.tolist() == [1, 1, 1, 1]  # no pair differs


def test_the_network_learns_and_is_deterministic():
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((2000, 3)).astype(np.float32)
    targets = ((inputs[:, :1] * inputs[:, 1:2]) > 0).astype(np.float32)
    network = train(inputs, targets, np.random.default_rng(1), epochs=30, batch=128)
    assert np.mean((network(inputs) > 0.5) == targets) > 0.93  # no linear rule does better than chance
    again = train(inputs, targets, np.random.default_rng(1), epochs=30, batch=128)
    np.testing.assert_array_equal(network(inputs), again(inputs))
