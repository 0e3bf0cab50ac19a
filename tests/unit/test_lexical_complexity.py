"""Lexical complexity by hand, with ranks that are counted again from the text of the list."""

import importlib.util
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from conftest import ROOT
from plainmark import kernels
from plainmark.metrics.lexical_complexity import FUNCTION_WORDS, log_ranks


def log_rank(word):
    return log_ranks(kernels.tokenize([word], "none").hashes)[0]


def score(output):
    return pm.metric("lexical-complexity").score(pm.Corpus(None, [output])).value


@pytest.fixture(scope="module")
def entries(shared):
    """The words of the list with their counts, made again by its script."""
    path = ROOT / "scripts" / "make_word_ranks.py"
    spec = importlib.util.spec_from_file_location("make_word_ranks", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.commonest(shared / "data" / "lm-text" / "wikinews.txt.xz")


def test_the_list_is_what_its_script_makes(entries):
    function = set(FUNCTION_WORDS.split())
    ranks = {word: math.log(1 + i) for i, (word, _) in enumerate(entries)}
    assert len(ranks) == 30_000
    found = log_ranks(kernels.tokenize([" ".join(ranks)], "none").hashes)
    expected = [math.nan if word in function else rank for word, rank in ranks.items()]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_common_words_rank_before_rare_ones():
    order = ["said", "government", "village", "remnants", "conceal"]
    ranks = [log_rank(word) for word in order]
    assert not np.isnan(ranks).any()
    assert ranks == sorted(ranks)
    assert math.exp(log_rank("said")) < 100


def test_by_hand():
    """Five known content words: the third quartile is the fourth smallest. The function words do not count."""
    words = ["government", "said", "village", "remnants", "conceal"]
    ranks = sorted(log_rank(word) for word in words)
    assert score("The government said it is conceal village and remnants.") == pytest.approx(ranks[3])
    # Two words: three quarters of the way from the smaller to the larger.
    low, high = sorted([log_rank("village"), log_rank("remnants")])
    assert score("VILLAGE Remnants") == pytest.approx(low + 0.75 * (high - low))


def test_unknown_words_do_not_count():
    assert score("village xqzzy 1998 !") == log_rank("village")


@pytest.mark.parametrize("text", ["", "of the and", "xqzzy", "!!! 123"])
def test_nothing_known_is_undefined(text):
    assert math.isnan(score(text))
    pair = pm.Corpus(None, [text, "village"])
    assert pm.metric("lexical-complexity").score(pair).value == log_rank("village")


WORDS = st.lists(st.sampled_from(["the", "village", "conceal", "said", "xqzzy", "remnants", "city"]))


@given(st.lists(WORDS, min_size=1, max_size=4))
def test_numpys_quantile(texts):
    corpus = pm.Corpus(None, [" ".join(words) for words in texts])
    found = pm.metric("lexical-complexity").sample_scores(corpus)
    for words, value in zip(texts, found, strict=True):
        known = [r for r in map(log_rank, words) if not math.isnan(r)]
        expected = np.quantile(known, 0.75) if known else math.nan
        assert value == pytest.approx(expected, nan_ok=True)


def test_simplification_lowers_it(asset, outputs):
    metric = pm.metric("lexical-complexity")
    assert metric.score(asset.with_outputs(outputs("ACCESS"))).value < metric.score(asset).value
