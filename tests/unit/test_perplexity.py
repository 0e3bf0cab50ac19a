"""Perplexity: an average over tokens, not over texts."""

import math

import numpy as np
import pytest

import plainmark as pm
from conftest import lines
from plainmark import models
from plainmark.testbed import yardstick
from support import tiny_models

TEXTS = ["The president of the United States said so.", "Colourless green ideas sleep furiously."]


def test_the_corpus_score_is_per_token():
    losses, tokens = models.language_model("ngram").log_likelihood(TEXTS)
    score = pm.metric("perplexity").score(pm.Corpus(None, TEXTS))
    assert score.value == pytest.approx(math.exp(losses.sum() / tokens.sum()))
    bits = losses.sum() / math.log(2) / sum(map(len, TEXTS))
    assert score.parts["bits_per_character"] == pytest.approx(bits)
    assert score.parts["tokens"] == tokens.sum()
    each = pm.metric("perplexity").sample_scores(pm.Corpus(None, TEXTS))
    assert each == pytest.approx(np.exp(losses / tokens))
    assert each[0] < each[1]


def test_the_log_scale():
    plain, log = pm.metric("perplexity"), pm.metric("perplexity(scale='log')")
    corpus = pm.Corpus(None, TEXTS)
    assert log.score(corpus).value == pytest.approx(math.log(plain.score(corpus).value))
    assert log.sample_scores(corpus) == pytest.approx(np.log(plain.sample_scores(corpus)))
    assert math.isnan(yardstick(log))  # the improvements that papers report are of perplexity itself
    assert yardstick(plain) == 2.06


def test_sides_and_empty_texts():
    data = pm.Corpus(TEXTS, ["", "A cat sat."])
    assert math.isnan(pm.metric("perplexity").sample_scores(data)[0])
    source = pm.metric("perplexity(side='source')")
    assert source.score(data).value == pm.metric("perplexity").score(pm.Corpus(None, TEXTS)).value
    with pytest.raises(pm.PlainmarkError, match="perplexity needs the source texts"):
        source.score(pm.Corpus(None, TEXTS))


def test_other_models(tmp_path):
    folder = tiny_models.write(tmp_path / "gpt2", "gpt2")
    metric = pm.metric(f"perplexity(model={str(folder)!r})")
    losses, tokens = models.language_model(str(folder)).log_likelihood(tiny_models.TEXTS)
    value = metric.score(pm.Corpus(None, tiny_models.TEXTS)).value
    assert value == pytest.approx(math.exp(losses.sum() / tokens.sum()))
    with pytest.raises(pm.PlainmarkError, match="perplexity needs a model: no model 'gpt'"):
        pm.metric("perplexity(model='gpt')").score(pm.Corpus(None, TEXTS))


def test_word_order_is_seen_on_real_sentences(shared):
    """In random order, 97 of 100 reference simplifications of ASSET and more are less likely."""
    texts = [t for t in lines("asset/asset.test.simp.0")[:200] if len(t.split()) > 5]
    rng = np.random.default_rng(0)
    mixed = [" ".join(rng.permutation(t.split())) for t in texts]
    metric = pm.metric("perplexity")
    fluent, random = (metric.sample_scores(pm.Corpus(None, t)) for t in (texts, mixed))
    assert (fluent < random).mean() > 0.97
