"""Sentence splits by hand and with NLTK's sentences."""

import math

import pytest
from nltk.tokenize.punkt import PunktTokenizer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

import plainmark as pm
from plainmark.errors import MissingResourceError


def score(spec, source, output):
    return pm.metric(spec).score(pm.Corpus([source], [output])).value


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("The cat sat.", "The cat sat.", 1.0),
        ("The cat sat and the dog ran.", "The cat sat. The dog ran.", 2.0),
        ("The cat sat. The dog ran.", "The cat sat and the dog ran.", 0.5),
        ("The cat sat.", "", 0.0),
    ],
)
@pytest.mark.parametrize("options", ["", "(tokenizer=raw)", "(splitter=plain)"])
def test_by_hand(options, source, output, expected):
    assert score("sentence-splits" + options, source, output) == expected


def test_an_empty_source_has_no_ratio():
    assert math.isnan(score("sentence-splits", "", "abc"))


def test_text_as_it_is_reads_back():
    metric = pm.metric("sentence-splits(tokenizer=raw)")
    assert pm.metric(metric.spec) == metric == pm.metric(metric.signature())


def test_punkt_is_never_replaced(no_nltk_data):
    assert "|splitter:plain|" in pm.metric("sentence-splits").signature()
    metric = pm.metric("sentence-splits(splitter='punkt')")
    assert "|splitter:punkt|" in metric.signature()
    with pytest.raises(MissingResourceError, match="sentence_splits needs NLTK's Punkt parameters"):
        metric.score(pm.Corpus(["a"], ["a"]))


def test_sentences_are_nltks_on_13a_tokens_as_in_easse(asset, outputs, nltk_data):
    corpus = asset.with_outputs(outputs("ACCESS"))
    tokenizer, punkt = Tokenizer13a(), PunktTokenizer("english")
    counts = [
        [len(punkt.tokenize(tokenizer(t))) for t in texts] for texts in (corpus.sources, corpus.outputs)
    ]
    expected = [o / s for s, o in zip(*counts, strict=True)]
    metric = pm.metric("sentence-splits(splitter='punkt')")
    assert metric.sample_scores(corpus).tolist() == pytest.approx(expected)
    assert metric.score(corpus).value == pytest.approx(sum(expected) / len(expected))
