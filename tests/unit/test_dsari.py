"""D-SARI's penalties, worked by hand."""

import math

import numpy as np
import pytest

import plainmark as pm

# Words (final stops count): source 10, reference 5 in one sentence.
SOURCE = "a b c d e f g h i ."
REFERENCE = "a b c d ."


@pytest.mark.parametrize(
    ("output", "add", "keep", "delete"),
    [
        ("a b c d .", 1, 1, 1),  # the reference's length and cuts
        ("a b .", math.exp((3 - 5) / 3), 1, 1),  # too short
        ("a b c d e f .", 1, math.exp(-2 / 5), math.exp(-2 / 5)),  # too long by 2, of 5 that could go
        ("Aa bb. Dd.", 1, math.exp(-1 / 2), 1),  # as long, but two sentences for one
        ("Aa bb cc. Dd ee.", 1, math.exp(-2 / 5) * math.exp(-1 / 2), math.exp(-2 / 5)),
        ("", 0, math.exp(-1), 1),  # the limit of exp((O - R) / O)
    ],
)
def test_penalties(output, add, keep, delete):
    metric = pm.metric("dsari")
    corpus = pm.Corpus([SOURCE], [output], [[REFERENCE]])
    np.testing.assert_allclose(metric.penalties(corpus), [[add, keep, delete]], rtol=1e-12)
    parts = pm.metric(f"sari(variant='xu2016', tokenizer='{metric.tokenizer}')").sample_parts(corpus)[0, 1:]
    expected = parts * [add, keep, delete]
    np.testing.assert_allclose(metric.sample_parts(corpus)[0], [expected.mean(), *expected], rtol=1e-12)


def test_reference_lengths_are_a_mean_rounded_down():
    metric = pm.metric("dsari")
    # 5 and 8 words, 1 and 2 sentences: 6 words, 1 sentence.
    corpus = pm.Corpus([SOURCE], ["a b c d e ."], [[REFERENCE, "Aa bb cc. Dd ee ff."]])
    np.testing.assert_allclose(metric.penalties(corpus), [[1, 1, 1]])


def test_the_denominator_is_at_least_one():
    """A source no longer than the references."""
    corpus = pm.Corpus(["a b ."], ["a b c d e f ."], [[REFERENCE]])
    np.testing.assert_allclose(pm.metric("dsari").penalties(corpus), [[1, math.exp(-2), math.exp(-2)]])


def test_nothing_against_nothing():
    corpus = pm.Corpus(["a b ."], [""], [[""]])
    np.testing.assert_allclose(pm.metric("dsari").penalties(corpus), [[1, 1, 1]])


def test_the_default_is_the_same_without_and_with_punkt(no_nltk_data):
    metric = pm.metric("dsari")
    assert metric.tokenizer == "nltk-plain"
    assert "|tok:nltk-plain|" in metric.signature("1")
    assert pm.metric(metric.signature("1")) == pm.metric("dsari(tokenizer='nltk-plain')") == metric


def test_signature_with_punkt(nltk_data):
    assert "|tok:nltk-plain|" in pm.metric("dsari").signature("1")
    assert "|tok:nltk|" in pm.metric("dsari(tokenizer='nltk')").signature("1")
