"""The fit of quality: it finds weights that were planted, and refuses ratings that are not numbers."""

import random

import numpy as np
import pytest
from training.damaged_documents import Damaged, _copies
from training.quality import OPEN_TEXTS, SET_WEIGHT, STAND_IN, Training, _known, scramble
from training.quality_items import NON_COMMERCIAL, Items, check_finite, letters

from plainmark.data import Corpus
from plainmark.metrics import _quality_features as features
from plainmark.metrics.quality import HEADS


@pytest.fixture
def training():
    """600 outputs of two sets: meaning is the similarity, on another scale in each set; all else is noise."""
    rng = np.random.default_rng(0)
    columns = features.names("none", False)
    rows = rng.normal(size=(600, len(columns)))
    sets = np.repeat(["wu2025", "simplicity_da"], 300)
    ratings = rng.normal(size=(600, 4))
    similarity = rows[:, columns.index("similarity")]
    ratings[:, 0] = np.where(sets == "wu2025", 2 + similarity, 50 + 20 * similarity)
    planted = Training.__new__(Training)
    planted.columns, planted.rows = columns, rows
    texts = [f"text {k}" for k in range(600)]
    planted.items = Items(sets, sets, np.arange(600), Corpus(texts, texts), ratings)
    planted.sentence = planted.items.sentence
    planted.contrasts = []
    # Two copies of one document that do not differ
    planted.damaged = Damaged(Corpus([], []), np.ones(2), np.zeros(2))
    planted.damaged_rows = np.zeros((2, len(columns)))
    # In nine of ten graded pairs the simpler text has the shorter words; nothing else differs.
    planted.graded = [("swipe", "", "")] * 100
    planted.steps = np.zeros((100, len(features.TEXT)))
    planted.steps[:, features.TEXT.index("letters")] = np.where(np.arange(100) % 10, -1.0, 1.0)
    return planted


def test_the_fit_finds_what_was_planted(training):
    model = training.fit(np.ones(600, bool), non_commercial=True)
    meaning = dict(zip(model.names, model.points[:, HEADS.index("meaning")], strict=True))
    assert max(meaning, key=lambda name: abs(meaning[name])) == "similarity"
    shifted = training.rows.copy()
    shifted[:, training.columns.index("similarity")] += 1
    rise = model.heads(shifted) - model.heads(training.rows)
    assert rise[:, HEADS.index("meaning")].mean() > 9
    assert abs(rise[:, HEADS.index("simplicity")].mean()) < 3
    gain = dict(zip(model.names, model.points[:, HEADS.index("gain")], strict=True))
    assert gain["gain_letters"] < 0
    assert sum(points != 0 for points in gain.values()) == 1
    heads = model.heads(training.rows)
    np.testing.assert_allclose(heads[:, :3].mean(axis=0), 50, atol=1)
    np.testing.assert_allclose(heads[:, :3].std(axis=0), 15, atol=1)


def test_trees_find_what_is_not_linear(training):
    """Fluency is how far a feature is from its mean, on either side; the fit is tested on rows that it did not see."""
    distance = np.abs(training.rows[:, training.columns.index("words_kept")])
    training.items.ratings[:, HEADS.index("fluency")] = distance
    seen = np.arange(600) % 2 == 0
    model = training.fit(seen, non_commercial=True)
    unseen = model.heads(training.rows[~seen])[:, HEADS.index("fluency")]
    linear = model._replace(trees={}).heads(training.rows[~seen])[:, HEADS.index("fluency")]
    assert np.corrcoef(unseen, distance[~seen])[0, 1] > 0.5
    assert abs(np.corrcoef(linear, distance[~seen])[0, 1]) < 0.3


def test_an_overall_rating_stands_in_for_the_others(training):
    training.items.ratings[:300, :3] = np.nan  # the first set has nothing but an overall rating
    training.items.ratings[:300, 3] = training.rows[:300, training.columns.index("similarity")]
    targets, weights = training.targets()
    np.testing.assert_allclose(targets[:300, :3], np.repeat(targets[:300, 3:], 3, axis=1))
    own, other = SET_WEIGHT["wu2025"], SET_WEIGHT["simplicity_da"]
    np.testing.assert_allclose(weights[:300], [[own * STAND_IN] * 3 + [own]] * 300)
    assert (weights[300:] == other).all()


def test_the_open_model_does_not_depend_on_non_commercial_ratings(training):
    before = training.fit(np.ones(600, bool), non_commercial=False)
    training.items.ratings[training.items.set == "simplicity_da"] *= -1
    after = training.fit(np.ones(600, bool), non_commercial=False)
    assert (before.points == after.points).all()
    assert (training.fit(np.ones(600, bool), non_commercial=True).points != before.points).any()


def test_contrasts_teach_a_step(training):
    worse, better = training.rows[:50].copy(), training.rows[:50].copy()
    worse[:, training.columns.index("alarm")] += 1
    training.contrasts = [(worse, better, {"meaning": 1.0})]
    model = training.fit(np.ones(600, bool), non_commercial=True, contrast_weight=20.0)
    assert model.points[training.columns.index("alarm"), HEADS.index("meaning")] < -3


def test_meaning_learns_how_much_of_a_document_is_left(training):
    """In every document `alarm` falls with the share that is left; documents differ by a constant that teaches nothing."""
    everything = np.ones(600, bool)
    before = training.fit(everything, non_commercial=True)
    group, share = np.repeat(np.arange(50), 40), np.tile(np.linspace(0.25, 1, 40), 50)
    alarm = training.columns.index("alarm")
    rows = np.tile(training.rows.mean(axis=0), (2000, 1))
    rows[:, alarm] = -2 * share + np.where(group % 2, 5, 0)
    training.damaged, training.damaged_rows = Damaged(Corpus([], []), share, group), rows
    after = training.fit(everything, non_commercial=True)
    meaning = HEADS.index("meaning")
    assert after.points[alarm, meaning] < min(before.points[alarm, meaning], 0) - 2
    others = [k for k in range(len(HEADS)) if k != meaning]
    assert (after.points[:, others] == before.points[:, others]).all()


def test_copies_of_a_document_say_how_much_is_left():
    sentences = ["a.", "b.", "c.", "d."]
    copies = list(_copies(sentences, "person", ["x.", "y."], random.Random(0)))
    for copy, share in copies:
        own, strange = sum(s in sentences for s in copy), sum(s in ("x.", "y.") for s in copy)
        assert share == pytest.approx(own / 4 - (0.5 * strange / 4 if own == 4 else 0))
        assert [s for s in copy if s in sentences] == sorted(s for s in copy if s in sentences)
    assert [share for _, share in copies] == [0.75, 0.5, 0.25, 1, 0.5, 0.875, 0.5]
    assert [share for _, share in _copies(sentences, "source", ["x."], random.Random(0))] == [0.5, 0.25]


def test_what_nobody_knows_is_at_its_mean():
    assert _known(np.array([[1.0, np.nan], [-4.0, 2.0]])).tolist() == [[1, 0], [-4, 2]]


def test_a_rating_that_is_not_a_number_is_refused_by_name():
    with pytest.raises(SystemExit, match="the rating fluency of sample 7, system gpt, is not a number"):
        check_finite("wu2025", {("gpt", "6", "fluency"): [1.0], ("gpt", "7", "fluency"): [2.0, float("nan")]})


def test_scrambling_changes_the_order_and_little_else():
    text = "one two three four five six seven eight nine ten"
    scrambled = scramble(text, random.Random(0))
    assert scrambled != text
    assert set(scrambled.split()) <= set(text.split())


def test_tokenised_and_plain_sentences_have_the_same_letters():
    assert letters("It 's a `` Test '' .") == letters("It's a “test”.")


def test_contrasts_are_made_of_texts_that_both_models_may_learn_from():
    assert set(OPEN_TEXTS) == {"plaba", "onestop", "cochrane", "swipe", "cells"}
    assert not set(OPEN_TEXTS) & set(NON_COMMERCIAL)
