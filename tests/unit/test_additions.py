"""Additions by hand."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm


def score(spec, source, output):
    return pm.metric(spec).score(pm.Corpus([source], [output])).value


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("a b c d", "a b e", 1 / 4),  # e is new; the longer text has four words
        ("a", "a b c", 2 / 3),
        ("a", "a a a", 2 / 3),  # words are counted, not only listed
        ("a b", "b a", 0),  # order does not matter
        ("", "a", 1),
        ("a", "A", 1),
    ],
)
def test_by_hand(source, output, expected):
    assert score("additions", source, output) == pytest.approx(expected)


def test_case_and_tokens():
    assert score("additions(lowercase=True)", "a", "A") == 0
    assert score("additions", "a b", "a b.") == pytest.approx(1 / 3)
    assert score("additions(tokenizer=none)", "a b", "a b.") == pytest.approx(1 / 2)


def test_no_words_no_share():
    assert math.isnan(score("additions", "", ""))


WORDS = st.lists(st.sampled_from("abc"), min_size=1)


@given(WORDS, WORDS)
def test_easses_formula(source, output):
    added = (Counter(output) - Counter(source)).total()
    expected = added / max(len(source), len(output))
    assert score("additions", " ".join(source), " ".join(output)) == pytest.approx(expected)
