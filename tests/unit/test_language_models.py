"""Language models: probabilities add up, numbers are those of transformers, long texts go in windows."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from plainmark import models
from plainmark.models import _causal
from support import tiny_models

GOLDEN = json.loads((ROOT / "tests" / "golden" / "models.json").read_text("utf-8"))

EMBEDDED = {
    "The president of the United States said so.": 32.97631402087034,
    "Colourless green ideas sleep furiously.": 89.09807569380102,
    'He left. She said: "Stay." They stayed.': 54.732418552404965,
    "The stenosis of the carotid artery — a “rare” one — was treated with 0.5 mg.": 159.98952726680875,
    "貓貓 cattish zzzz": 93.64475416151612,
    "And it is the most of the new york times in the world": 37.3550752745618,
}


@pytest.fixture(scope="module")
def ngram():
    return models.language_model("ngram")


def after(model, context):
    """Probabilities of every word but <s> after a context of word numbers."""
    words = np.delete(np.arange(len(model.tables.words)), 1)
    rows = np.column_stack([*(np.full_like(words, c) for c in (1, *context)), words])
    logs = model.tables.log_probabilities(rows.ravel()).reshape(rows.shape)[:, -1]
    return dict(zip(words.tolist(), 10**logs, strict=True))


@given(st.integers(3, 25_002), st.integers(3, 25_002))
def test_probabilities_after_any_two_words_add_up_to_1(u, v):
    model = models.language_model("ngram")
    assert sum(after(model, (u, v)).values()) == pytest.approx(1, abs=1e-9)


def test_frequent_contexts_too(ngram):
    for words in (("of", "the"), (), ("the",), ("in", "new"), ("united", "states")):
        context = tuple(ngram.tables.numbers[w] for w in words)
        assert sum(after(ngram, context).values()) == pytest.approx(1, abs=1e-9)


def test_letters_after_letters_add_up_to_1(ngram):
    np.testing.assert_allclose(np.exp(ngram.spelling.logs).sum(axis=-1), 1)


def test_a_chain_by_hand(ngram):
    """P(the united states) = P(the | start) P(united | start the) P(states | the united)."""
    the, united, states = (ngram.tables.numbers[w] for w in ("the", "united", "states"))
    steps = [((), the), ((the,), united), ((the, united), states)]
    logs = [math.log(after(ngram, context)[word]) for context, word in steps]
    (loss,), (tokens,) = ngram.log_likelihood(["The United States"])
    assert tokens == 3
    assert loss == pytest.approx(-sum(logs))
    assert math.exp(logs[2]) > 0.5


def test_a_new_sentence_forgets_the_last(ngram):
    apart = ngram.log_likelihood(["He left.", 'She said: "Stay."', "They stayed."])[0].sum()
    together = ngram.log_likelihood(['He left. She said: "Stay." They stayed.'])[0]
    assert together[0] == pytest.approx(apart)


def test_unknown_words_are_spelt(ngram):
    (known, unknown, strange), _ = ngram.log_likelihood(["cat", "cattish", "貓貓"])
    assert known < unknown < strange
    assert np.isfinite(strange)


def test_order_matters_and_empty_texts_have_no_tokens(ngram):
    losses, tokens = ngram.log_likelihood(
        ["the president of the united states", "states of the the united president", ""]
    )
    assert losses[0] < losses[1] - 5
    assert tokens.tolist() == [6, 6, 0]
    assert losses[2] == 0


def test_values_of_the_embedded_model(ngram):
    """Frozen before the model moved into the compact file of plainmark.lm."""
    losses, _ = ngram.log_likelihood(list(EMBEDDED))
    np.testing.assert_allclose(losses, list(EMBEDDED.values()), rtol=1e-12)


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_losses_are_those_of_transformers(tmp_path, family):
    model = models.language_model(str(tiny_models.write(tmp_path / family, family)))
    losses, tokens = model.log_likelihood([*tiny_models.TEXTS, ""])
    np.testing.assert_allclose(losses, [*GOLDEN["tiny"][family], 0], atol=1e-4)
    assert tokens.tolist() == [7, 9, 3, 1, 0]


@pytest.mark.models
def test_smollm2_is_that_of_transformers():
    losses, tokens = models.language_model("smollm2").log_likelihood(GOLDEN["fluent"])
    np.testing.assert_allclose(losses, GOLDEN["smollm2"], atol=1e-3)
    assert tokens.tolist() == [15, 15, 16, 17]
    fluent, odd, mixed, _ = np.exp(losses / tokens)
    assert fluent < odd < mixed / 10


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_a_long_text_is_read_in_windows(tmp_path, family):
    model = models.language_model(str(tiny_models.write(tmp_path / family, family)))
    text = " ".join((tiny_models.WORDS * 5)[:90])
    (loss,), (tokens,) = model.log_likelihood([text])
    assert tokens == 90
    ids = model._ids(text)
    # 40 tokens with the beginning mark, then 20 new ones a window with 20 known before them, the rest at the end.
    expected = model.backend.losses(ids[None, :40])[0].sum()
    expected += model.backend.losses(ids[None, 20:60])[0][-20:].sum()
    expected += model.backend.losses(ids[None, 40:80])[0][-20:].sum()
    expected += model.backend.losses(ids[None, 51:91])[0][-11:].sum()
    assert loss == pytest.approx(float(expected), rel=1e-6)


@given(st.integers(0, 300), st.integers(4, 40))
def test_windows_score_every_token_once(n, size):
    tokens = np.arange(n, dtype=np.int32)
    scored = [t for piece, new in _causal._windows(tokens, size) for t in piece[-new:]]
    assert scored == list(range(1, n))
    assert all(len(piece) <= size for piece, _ in _causal._windows(tokens, size))
