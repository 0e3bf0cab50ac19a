"""The baselines length and copied, by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm


def score(spec, source, output):
    return pm.metric(spec).score(pm.Corpus([source], [output])).value


@pytest.mark.parametrize(
    ("output", "expected"),
    [("a b c", 3), ("a b.", 3), ("a  b", 2), ("", 0), ("don't stop", 2)],
)
def test_length(output, expected):
    assert score("length", "a", output) == expected


def test_length_is_a_mean():
    assert pm.metric("length").score(pm.Corpus(["a", "a"], ["a b c", "a"])).value == 2
    assert score("length(tokenizer=none)", "a", "a b.") == 2
    assert pm.metric("length").higher_is_better is None


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("a b c d", "a b e", 1 / 2),
        ("a b", "b a", 1),  # order does not matter
        ("a b", "a a a", 1 / 2),  # a word is repeated as often as the source has it
        ("a b", "", 0),
        ("a", "A", 0),
    ],
)
def test_copied(source, output, expected):
    assert score("copied", source, output) == pytest.approx(expected)


def test_copied_without_a_source():
    assert math.isnan(score("copied", "", "a"))
    assert score("copied(lowercase=True)", "a", "A") == 1


@given(st.text(alphabet="ab c", min_size=1), st.text(alphabet="ab c"))
def test_copied_and_deleted_words_are_all_words(source, output):
    words = len(source.split())
    longer = max(words, len(output.split()))
    if words:
        deleted = score("deletions(tokenizer=none)", source, output) * longer
        assert score("copied(tokenizer=none)", source, output) * words + deleted == pytest.approx(words)
