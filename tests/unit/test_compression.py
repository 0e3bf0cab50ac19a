"""Compression by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

import plainmark as pm


def score(spec, source, output):
    return pm.metric(spec).score(pm.Corpus([source], [output])).value


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("abcd", "ab", 0.5),
        ("ab", "abcd", 2.0),
        ("ab.", "ab", 0.5),  # "ab ." has four characters
        ("abc", "", 0.0),
        ("naïve", "naïve", 1.0),  # characters, not bytes
    ],
)
def test_by_hand(source, output, expected):
    assert score("compression", source, output) == expected


def test_text_as_it_is():
    assert score("compression(tokenizer=raw)", "ab.", "ab") == pytest.approx(2 / 3)


def test_an_empty_source_has_no_ratio():
    assert math.isnan(score("compression", "", "abc"))
    assert pm.metric("compression").score(pm.Corpus(["", "abcd"], ["abc", "ab"])).value == 0.5


def test_the_score_is_the_mean_of_the_ratios():
    """Not the ratio of the sums, which would be 5 / 12."""
    corpus = pm.Corpus(["ab", "abcdefghij"], ["a", "abcd"])
    assert pm.metric("compression").score(corpus).value == pytest.approx((1 / 2 + 4 / 10) / 2)


def test_raw_reads_back():
    metric = pm.metric("compression(tokenizer=raw)")
    assert pm.metric(metric.spec) == metric == pm.metric(metric.signature())


WORDS = st.lists(st.sampled_from(["the", "cat.", "sat,", "1,000", "“é”"]), min_size=1).map("  ".join)


@given(WORDS, WORDS)
def test_easses_formula(source, output):
    tokenizer = Tokenizer13a()
    assert score("compression", source, output) == len(tokenizer(output)) / len(tokenizer(source))
