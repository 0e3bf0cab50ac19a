"""Sentences and words: the same as NLTK 3.9.1's on real texts and on generated ones."""

import nltk
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize.destructive import NLTKWordTokenizer

from conftest import all_texts
from plainmark import kernels
from plainmark.punkt import PLAIN, split_sentences
from plainmark.treebank import word_tokenize

FOLDERS = ["doc-meta", "onestop-qa", "cochrane", "plaba"]

# What the rules look for, and characters at the edges of Python's classes (white space, digits, letters, case).
PIECES = [
    *" .,:;?!'\"`()[]{}<>*-@#$%&\n\tasmdntx1_",
    *["'s", "'S", "'ll", "n't", "N'T", "'VE", "''", "``", "..", "...", ". . .", "--", "---", "  "],
    *[
        "cannot",
        "CANNOT",
        "d'ye",
        "gimme",
        "Gonna",
        "gotta",
        "lemme",
        "more'n",
        "wanna",
        "'tis",
        "'twas",
        "'tıſ",
    ],
    *["«", "»", "“", "”", "‘", "’", "„", "ſ", "İ", "K", "é", "½", "²", "٣", "\u0301", "😀", "\ud800"],
    *["\u00a0", "\u2003", "\x1c", "\x0b", "\x85"],
    *["Dr.", "U.S.", "e.g.", "J.", "S.", "3.", "No.", "co.", "etc.", "The", "the", "I", "bach", "review"],
]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


@pytest.mark.parametrize("folder", FOLDERS)
def test_real_texts(nltk_data, plaba, folder):
    for text in [text for text, _ in plaba] if folder == "plaba" else all_texts(folder):
        assert split_sentences(text, nltk_data) == nltk.sent_tokenize(text)
        assert word_tokenize(text, nltk_data) == nltk.word_tokenize(text)


@given(TEXTS)
@settings(max_examples=1000, deadline=None)
def test_sentences_of_generated_texts(nltk_data, text):
    assert split_sentences(text, nltk_data) == nltk.sent_tokenize(text)


@given(TEXTS)
@settings(max_examples=1000, deadline=None)
def test_words_of_generated_texts(nltk_data, text):
    assert kernels.treebank([text])[0].split() == NLTKWordTokenizer().tokenize(text)
    assert word_tokenize(text, nltk_data) == nltk.word_tokenize(text)


def test_words_come_from_embedded_sentences_unless_told():
    text = "He said so (e.g. today). “Fine.” She cannot."
    tokenize = NLTKWordTokenizer().tokenize
    assert word_tokenize(text) == [w for s in split_sentences(text, PLAIN) for w in tokenize(s)]


def starts(parameters, text):
    return {start for start, _ in parameters.spans(text)} - {0}


def agreement(pairs):
    """F1 of two lists of sets of positions."""
    common = sum(len(a & b) for a, b in pairs)
    return 2 * common / sum(len(a) + len(b) for a, b in pairs)


# Punkt takes a curly closing quote for part of a word and sees no sentence end before it; with straight quotes in
# their place it cuts where the embedded splitter does, which knows both.
STRAIGHT = str.maketrans("”’", "\"'")


@pytest.mark.parametrize(
    ("folder", "as_it_is", "straight"),
    [
        ("doc-meta", 0.989, 0.996),
        ("onestop-qa", 0.96, 0.998),
        ("cochrane", 0.994, 0.994),
        ("plaba", 0.997, 0.997),
    ],
)
def test_embedded_sentences_agree_with_punkt(nltk_data, plaba, folder, as_it_is, straight):
    texts = [text for text, _ in plaba] if folder == "plaba" else all_texts(folder)
    pairs = [(starts(nltk_data, t), starts(PLAIN, t)) for t in texts]
    assert agreement(pairs) > as_it_is
    pairs = [(starts(nltk_data, t), starts(PLAIN, t)) for t in (t.translate(STRAIGHT) for t in texts)]
    assert agreement(pairs) > straight


def test_embedded_sentences_are_as_good_as_punkts_on_annotated_ones(nltk_data, plaba):
    """PLABA's sentences; annotators often left two in one line, which lowers both figures alike."""

    def score(parameters):
        pairs = []
        for text, sentences in plaba:
            ends = [sum(len(s) + 1 for s in sentences[:i]) for i in range(1, len(sentences))]
            pairs.append((starts(parameters, text), set(ends)))
        return agreement(pairs)

    assert score(PLAIN) >= score(nltk_data) > 0.93
