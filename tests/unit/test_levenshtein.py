"""Levenshtein by hand and against RapidFuzz."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel, Levenshtein

import plainmark as pm

TEXT = st.text(st.characters(exclude_categories=()), max_size=25) | st.text("ab ", max_size=25)


def score(spec, source, output, references=None):
    return pm.metric(spec).score(pm.Corpus([source], [output], references and [references])).value


@pytest.mark.parametrize(
    ("source", "output", "distance", "similarity"),
    [
        ("kitten", "sitting", 3, 8 / 13),  # i t t n are common: 2 * 4 / 13
        ("", "", 0, 1),  # two empty texts are equal
        ("", "abc", 3, 0),
        ("abc", "abc", 0, 1),
        ("abc", "ABC", 3, 0),
        ("naïve", "naive", 1, 8 / 10),  # characters, not bytes
    ],
)
def test_characters(source, output, distance, similarity):
    assert score("levenshtein(normalise=distance)", source, output) == distance
    assert score("levenshtein", source, output) == pytest.approx(similarity)


def test_words():
    source, output = "The old cat sat.", "The cat sat down."  # 13a sets the full stop apart
    assert score("levenshtein(unit=words, normalise=distance)", source, output) == 2
    assert score("levenshtein(unit=words)", source, output) == pytest.approx(2 * 4 / 10)
    assert score("levenshtein(unit=words, tokenizer=none)", source, output) == pytest.approx(2 * 2 / 8)


def test_case():
    assert score("levenshtein(lowercase=True)", "ABC", "abc") == 1


def test_characters_of_tokens():
    """EASSE first tokenises: "a,b" becomes "a , b"."""
    assert score("levenshtein(tokenizer='13a')", "a,b", "a , b") == 1
    assert score("levenshtein", "a,b", "a , b") == pytest.approx(6 / 8)


def test_the_nearest_reference_counts():
    references = ["xyz", "abx", "abcd"]
    assert score("levenshtein(against=references)", "source", "abc", references) == pytest.approx(6 / 7)
    spec = "levenshtein(against=references, normalise=distance)"
    assert score(spec, "source", "abc", references) == 1


def test_the_score_is_the_mean():
    corpus = pm.Corpus(["ab", "ab"], ["ab", "cd"])
    assert pm.metric("levenshtein").score(corpus).value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("spec", "better", "needs"),
    [
        ("levenshtein", None, {"source"}),
        ("levenshtein(against=references)", True, {"references"}),
        ("levenshtein(against=references, normalise=distance)", False, {"references"}),
    ],
)
def test_facts_follow_the_options(spec, better, needs):
    metric = pm.metric(spec)
    assert metric.higher_is_better is better
    assert metric.required() == needs


def test_words_need_a_tokenizer():
    with pytest.raises(pm.PlainmarkError, match="unit='words' needs a tokenizer; found 'raw'"):
        pm.metric("levenshtein(unit=words, tokenizer=raw)")


@pytest.mark.parametrize("spec", ["levenshtein(unit=words)", "levenshtein(tokenizer='13a', lowercase=True)"])
def test_spec_and_signature_read_back(spec):
    metric = pm.metric(spec)
    assert pm.metric(metric.spec) == metric == pm.metric(metric.signature("1"))


@given(TEXT, TEXT)
def test_equal_to_rapidfuzz(source, output):
    assert score("levenshtein", source, output) == pytest.approx(Indel.normalized_similarity(source, output))
    assert score("levenshtein(normalise=distance)", source, output) == Levenshtein.distance(source, output)
    words = source.split(), output.split()
    assert score("levenshtein(unit=words, tokenizer=none)", source, output) == pytest.approx(
        Indel.normalized_similarity(*words)
    )
