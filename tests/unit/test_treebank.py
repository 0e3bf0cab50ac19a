"""Words in the manner of the Penn Treebank, by hand, and how signatures name the sentences behind them."""

import pytest

import plainmark as pm
from plainmark.errors import MissingResourceError
from plainmark.punkt import PLAIN
from plainmark.treebank import spaced, word_tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('He said: "I can\'t."', "He said : `` I ca n't . ''"),
        ("They'll've gone; she'd stay.", "They'll 've gone ; she 'd stay ."),  # one clitic each time
        ("It's 1,200.50 dollars, (or 3%).", "It 's 1,200.50 dollars , ( or 3 % ) ."),
        ("Cannot gonna wanna 'tis", "Can not gon na wan na 't is"),
        ("wanna-be", "wanna-be"),  # only as the last part of a word
        ("Wait... what--no---yes", "Wait ... what -- no -- -yes"),
        ("Mr. Bell left. He ran.", "Mr. Bell left . He ran ."),  # only the last stop of a sentence is a word
        ("a,,b a,1", "a , ,b a,1"),
        ("“Curly” ‘quotes’ «and» ``back''", "“ Curly ” ‘ quotes ’ « and » `` back ''"),
        ("the dogs' x's' 'q' end", "the dogs ' x 's ' ' q ' end"),
        ("", ""),
    ],
)
def test_words(text, words):
    assert word_tokenize(text, PLAIN) == words.split()
    assert spaced([text], PLAIN) == [words]


def test_texts_stay_apart():
    assert spaced(["One. Two.", "", "Three!"], PLAIN) == ["One . Two .", "", "Three !"]


@pytest.mark.parametrize(
    "spec", ["bleu(tokenizer='nltk')", "sari(variant='agg')", "mean(sari(variant='agg'))"]
)
def test_without_punkt_its_sentences_are_not_replaced(no_nltk_data, spec):
    metric = pm.metric(spec)
    assert "nltk-plain" not in metric.signature("1")
    assert pm.metric(metric.signature("1")) == pm.metric(metric.spec) == metric
    with pytest.raises(MissingResourceError, match=r"needs NLTK's Punkt .*, or use tokenizer='nltk-plain'"):
        metric.score(pm.Corpus(["a"], ["a"], [["a"]]))


@pytest.mark.parametrize("spec", ["bleu(tokenizer='nltk')", "sari(variant='agg')"])
def test_signatures_with_punkt(nltk_data, spec):
    metric = pm.metric(spec)
    assert "|tok:nltk|" in metric.signature("1")
    assert pm.metric(metric.signature("1")) == metric
    plain = pm.metric(metric.signature("1").replace("tok:nltk", "tok:nltk-plain"))
    assert plain != metric
    # "e.g. the" is a sentence end for Punkt, whose parameters do not have "e.g", but not for the embedded ones.
    corpus = pm.Corpus(["a"], ["Pets, e.g. the cat."], [["Pets, e.g . the cat."]])
    assert plain.score(corpus).value < metric.score(corpus).value
