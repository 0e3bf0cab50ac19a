"""Exact copies by hand."""

import plainmark as pm

CORPUS = pm.Corpus(["A cat.", "A cat.", "A cat.", "A", ""], ["A cat.", "A cat .", "a cat.", "", ""])


def test_by_hand():
    assert list(pm.metric("exact-copies").sample_scores(CORPUS)) == [1, 1, 0, 0, 1]  # 13a sets the stop apart
    assert pm.metric("exact-copies").score(CORPUS).value == 3 / 5


def test_case_and_tokens():
    assert list(pm.metric("exact-copies(lowercase=True)").sample_scores(CORPUS)) == [1, 1, 1, 0, 1]
    assert list(pm.metric("exact-copies(tokenizer=none)").sample_scores(CORPUS)) == [1, 0, 0, 0, 1]


def test_copying_the_source(asset):
    assert pm.metric("exact-copies").score(asset).value == 1
