"""BLEU, chrF and TER against sacreBLEU, live, over all options and odd corpora."""

import numpy as np
import pytest
import sacrebleu.metrics as peer
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

import plainmark as pm
from plainmark import kernels
from plainmark.metrics.bleu import BLEU
from plainmark.metrics.chrf import ChrF
from plainmark.metrics.ter import TER

WORDS = [
    "the",
    "The",
    "cat",
    "cat.",
    "sat,",
    "1,000",
    "on-",
    "“mat”",
    "€5",
    "İ",
    "ΣΑΣ",
    "ß",
    "ΣΑΣ.",
    "a",
    "\n",
    "(hi)",
    "!",
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@st.composite
def corpora(draw):
    n, references = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    outputs = draw(st.lists(TEXT, min_size=n, max_size=n))
    row = st.lists(TEXT, min_size=references, max_size=references)
    return pm.Corpus(None, outputs, draw(st.lists(row, min_size=n, max_size=n)))


def columns(corpus):
    return [list(column) for column in zip(*corpus.references, strict=True)]


def check(ours, corpus, theirs, sentences):
    """Corpus and sentence scores agree to 1e-9."""
    assert ours.score(corpus).value == pytest.approx(
        theirs.corpus_score(corpus.outputs, columns(corpus)).score, abs=1e-9
    )
    expected = [
        sentences.sentence_score(o, list(r)).score
        for o, r in zip(corpus.outputs, corpus.references, strict=True)
    ]
    np.testing.assert_allclose(ours.sample_scores(corpus), expected, atol=1e-9)


EMPTY = pm.Corpus(None, ["", "a b", ""], [["a", "b c"], ["", ""], ["", ""]])


@settings(max_examples=300)
@given(
    corpora(),
    st.sampled_from(["13a", "intl", "char", "none"]),
    st.booleans(),
    st.integers(1, 6),
    st.sampled_from(["exp", "floor", "add-k", "none"]),
    st.sampled_from([None, 0.0, 0.01, 0.5, 2.0]),
    st.booleans(),
)
@example(EMPTY, "13a", False, 4, "exp", None, False)
@example(EMPTY, "none", False, 4, "add-k", None, True)
def test_bleu(corpus, tokenizer, lowercase, order, smoothing, value, effective):
    if smoothing in ("exp", "none"):
        value = None
    ours = BLEU(
        tokenizer=tokenizer,
        lowercase=lowercase,
        order=order,
        smoothing=smoothing,
        smoothing_value=value,
        effective_order=effective,
    )
    options = {
        "tokenize": tokenizer,
        "lowercase": lowercase,
        "max_ngram_order": order,
        "smooth_method": smoothing,
        "smooth_value": value,
        "force": True,
    }
    theirs = peer.BLEU(**options, effective_order=effective)
    check(ours, corpus, theirs, peer.BLEU(**options, effective_order=True))
    score, expected = ours.score(corpus), theirs.corpus_score(corpus.outputs, columns(corpus))
    assert score.parts["output_length"] == expected.sys_len
    assert score.parts["reference_length"] == expected.ref_len
    assert score.parts["brevity_penalty"] == pytest.approx(expected.bp, abs=1e-12)
    precisions = [score.parts[f"precision_{n}"] for n in range(1, order + 1)]
    assert precisions == pytest.approx(expected.precisions, abs=1e-9)


@settings(max_examples=300)
@given(
    corpora(),
    st.integers(1, 7),
    st.integers(0, 3),
    st.sampled_from([1, 2, 3, 0.5]),
    st.booleans(),
    st.booleans(),
)
@example(EMPTY, 6, 0, 2, False, False)
@example(EMPTY, 6, 2, 2, False, True)
def test_chrf(corpus, char_order, word_order, beta, lowercase, whitespace):
    options = {
        "char_order": char_order,
        "word_order": word_order,
        "beta": beta,
        "lowercase": lowercase,
        "whitespace": whitespace,
    }
    theirs = peer.CHRF(**options)
    check(ChrF(**options), corpus, theirs, theirs)


@settings(max_examples=300)
@given(corpora(), st.booleans())
@example(EMPTY, False)
def test_ter(corpus, lowercase):
    theirs = peer.TER(case_sensitive=not lowercase)
    check(TER(lowercase=lowercase), corpus, theirs, theirs)


def edits(output, reference):
    a, b = (kernels.tokenize([" ".join(words)], "none") for words in (output, reference))
    return kernels.translation_edits(a, b)[0]


# Few words and long sentences make many shifts, ties between them, and the limits on their number and distance.
SHORT = st.lists(st.sampled_from("abc"), max_size=12)
LONG = st.lists(st.sampled_from("abcdefgh"), min_size=20, max_size=90)
LOPSIDED = st.lists(st.sampled_from("ab"), min_size=1, max_size=3)


@settings(max_examples=600)
@given(st.tuples(SHORT, SHORT))
def test_translation_edits_of_short_texts(pair):
    assert edits(*pair) == translation_edit_rate(*map(list, pair))[0]


@settings(max_examples=25)
@given(st.tuples(LONG, LONG) | st.tuples(LOPSIDED, LONG) | st.tuples(LONG, LOPSIDED))
def test_translation_edits_of_long_texts(pair):
    assert edits(*pair) == translation_edit_rate(*map(list, pair))[0]


@settings(max_examples=25)
@given(st.permutations(range(24)))
def test_translation_edits_of_shuffled_words(order):
    words = [f"w{i}" for i in range(24)]
    assert (
        edits([words[i] for i in order], words) == translation_edit_rate([words[i] for i in order], words)[0]
    )


@pytest.mark.parametrize("system", ["Hybrid", "UNTS"])
def test_ter_sentence_by_sentence_on_real_outputs(asset, outputs, system):
    corpus = asset.with_outputs(outputs(system))[:120]
    theirs = peer.TER()
    expected = [
        theirs.sentence_score(o, list(r)).score
        for o, r in zip(corpus.outputs, corpus.references, strict=True)
    ]
    np.testing.assert_allclose(pm.metric("ter").sample_scores(corpus), expected, atol=1e-9)
