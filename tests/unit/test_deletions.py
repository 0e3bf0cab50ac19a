"""Deletions by hand, and as additions the other way round."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm


def score(spec, source, output):
    return pm.metric(spec).score(pm.Corpus([source], [output])).value


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("a b c d", "a b e", 2 / 4),  # c and d are gone; the longer text has four words
        ("a", "a b c", 0),
        ("a a a", "a", 2 / 3),
        ("a", "", 1),
    ],
)
def test_by_hand(source, output, expected):
    assert score("deletions", source, output) == pytest.approx(expected)


def test_no_words_no_share():
    assert math.isnan(score("deletions", "", ""))


WORDS = st.lists(st.sampled_from(["a", "b", "c."]), min_size=1).map(" ".join)


@given(WORDS, WORDS)
def test_additions_from_the_other_side(source, output):
    assert score("deletions", source, output) == score("additions", output, source)
