"""ROUGE: the same as rouge-score 0.1.2, with and without its stemmer."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer

import plainmark as pm
from conftest import all_texts
from plainmark import kernels

KINDS = ["1", "2", "3", "9", "L", "Lsum"]


def peer(kind, stemmer, corpus):
    scorer = RougeScorer([f"rouge{kind}"], use_stemmer=stemmer)
    scores = [scorer.score_multi(list(s.references), s.output)[f"rouge{kind}"] for s in corpus]
    return 100 * np.array([[s.fmeasure, s.precision, s.recall] for s in scores])


@pytest.mark.parametrize("stemmer", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_asset(asset, outputs, kind, stemmer):
    corpus = asset.with_outputs(outputs("ACCESS"))[:200]
    metric = pm.metric(f"rouge(kind='{kind}', stemmer={stemmer})")
    np.testing.assert_allclose(metric.sample_parts(corpus)[:, 1:], peer(kind, stemmer, corpus), atol=1e-12)


def test_documents_with_lines(plaba):
    """Sentence by sentence, as Lsum wants them."""
    lines = ["\n".join(sentences) for _, sentences in plaba[:40]]
    corpus = pm.Corpus(None, lines[:-1], [[line] for line in lines[1:]])
    np.testing.assert_allclose(
        pm.metric("rouge(kind='Lsum')").sample_parts(corpus)[:, 1:], peer("Lsum", False, corpus), atol=1e-12
    )


WORDS = [
    "the",
    "cat",
    "cats",
    "running",
    "runner",
    "a",
    "1",
    "Über",
    "don't",
    "x-y",
    "\n",
    "İ",
    "🦉",
    "happily",
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@pytest.mark.parametrize("stemmer", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_generated(kind, stemmer, data):
    pairs = data.draw(
        st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)
    )
    corpus = pm.Corpus(None, [o for o, _ in pairs], [r for _, r in pairs], language="en")
    metric = pm.metric(f"rouge(kind='{kind}', stemmer={stemmer})")
    np.testing.assert_allclose(metric.sample_parts(corpus)[:, 1:], peer(kind, stemmer, corpus), atol=1e-12)


@pytest.mark.data
def test_stems_of_real_words():
    stem = PorterStemmer().stem
    words = {
        w
        for text in all_texts("onestop-qa") + all_texts("plaba")
        for w in re.findall("[a-z0-9]+", text.lower())
    }
    assert len(words) > 15_000
    assert [w for w in words if kernels.stem(w) != stem(w)] == []


ENDINGS = [
    "s",
    "ed",
    "ing",
    "ies",
    "eed",
    "ational",
    "logi",
    "ization",
    "fulli",
    "alli",
    "bli",
    "y",
    "e",
    "ll",
    "ness",
    "ement",
    "tion",
    "sion",
    "at",
    "iz",
    "ous",
    "ied",
    "ying",
]


@given(st.text("abeilnostuy", max_size=6), st.lists(st.sampled_from(ENDINGS), max_size=3))
@settings(max_examples=1000, deadline=None)
def test_stems_of_generated_words(start, endings):
    word = start + "".join(endings)
    assert kernels.stem(word) == PorterStemmer().stem(word)
