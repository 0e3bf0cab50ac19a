"""Language models of one's own texts, and POMME, which needs one."""

import lzma

import numpy as np
import pytest

import plainmark as pm
from plainmark import cli, models
from plainmark.errors import InputError
from plainmark.models._ngram import NGram
from plainmark.models._training import interpolate, train_on_words

TECHNICAL = [
    f"The patient presented with acute {a} of the {b}. Intravenous {c} was administered."
    for a in ("stenosis", "ischaemia", "thrombosis", "embolism")
    for b in ("aorta", "carotid", "femoral artery")
    for c in ("heparin", "alteplase")
]
PLAIN = [
    f"The {a} was ill. The doctor gave the {a} some medicine. Now the {a} is {b}."
    for a in ("man", "woman", "child", "boy")
    for b in ("well", "at home", "happy", "better", "fine", "asleep")
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.txt").write_text("\n".join(TECHNICAL[::2]) + "\n")
    (tmp_path / "pool.txt").write_text("\n".join([*TECHNICAL[1::2], *PLAIN]) + "\n")
    return tmp_path


def test_a_trained_model_is_a_probability_distribution():
    model = NGram(models.train_ngram(TECHNICAL + PLAIN))
    every = np.arange(1, model.size)
    for u, v in ((0, 0), (0, 3), (5, 9), (1, 1)):
        logs = model._after_two(np.full_like(every, u), np.full_like(every, v), every)
        assert np.exp(logs).sum() == pytest.approx(1, abs=1e-9)


def test_it_knows_what_it_was_trained_on():
    model = NGram(models.train_ngram(TECHNICAL))
    losses, tokens = model.log_likelihood([TECHNICAL[0], PLAIN[0], "Zzyzx qqq."])
    per_word = losses / tokens
    assert per_word[0] < per_word[1] < per_word[2]


def test_interpolation_by_hand():
    """One context with counts 3 and 1: too few counts of counts, so discounts are 1.5 and 0.5."""
    p, left = interpolate(np.array([0, 0]), np.array([3, 1]), np.array([0.5, 0.5]))
    assert left.tolist() == [0.5, 0.5]
    assert p.tolist() == [1.5 / 4 + 0.25, 0.5 / 4 + 0.25]


def test_too_little_text():
    with pytest.raises(
        InputError, match="found 2 different words to train a language model on, expected at least 10"
    ):
        train_on_words([["a", "b"]])


def test_train_score_and_stress(files, capsys):
    assert cli.main(["models", "train", "domain.txt", "-o", "medical.xz"]) == 0
    assert "medical.xz:" in capsys.readouterr().out
    pomme = pm.metric("pomme(domain='medical.xz', pool='pool.txt')")
    corpus = pm.Corpus(None, [TECHNICAL[1], PLAIN[0], ""])
    scores = pomme.sample_scores(corpus)
    assert scores[1] > scores[0] + 1
    assert np.isnan(scores[2])
    assert pm.metric("perplexity(model='medical.xz')").score(corpus).value > 1


def test_by_hand(files):
    """z over the pool, one model minus the other."""
    cli.main(["models", "train", "domain.txt", "-o", "medical.xz"])
    pomme = pm.metric("pomme(domain='medical.xz', pool='pool.txt')")
    pool = [*TECHNICAL[1::2], *PLAIN]
    z = []
    for name in ("medical.xz", "ngram"):
        losses, tokens = models.language_model(name).log_likelihood([*pool, "A new text."])
        logs = losses / tokens
        z.append((logs[-1] - logs[:-1].mean()) / logs[:-1].std(ddof=1))
    parts = pomme.sample_parts(pm.Corpus(None, ["A new text."]))[0]
    np.testing.assert_allclose(parts, [z[0] - z[1], *z])


def test_what_is_missing(files):
    assert pm.metric("pomme").missing().startswith("needs a model of the domain and texts to standardise by")
    assert (
        pm.metric("pomme(domain='no.xz', pool='pool.txt')")
        .missing()
        .startswith("needs the n-gram model no.xz; make it with")
    )
    cli.main(["models", "train", "domain.txt", "-o", "medical.xz"])
    assert (
        pm.metric("pomme(domain='medical.xz', pool='no')").missing()
        == "needs the file no, which does not exist"
    )
    (files / "same.txt").write_text("A cat.\n")
    with pytest.raises(InputError, match="expected at least two different texts to standardise by"):
        pm.metric("pomme(domain='medical.xz', pool='same.txt')").score(pm.Corpus(None, ["A"]))


@pytest.mark.parametrize(
    "content",
    [b"", b"junk", lzma.compress(b"short"), lzma.compress(bytes(200)), lzma.compress(b"\xff" * 5000)],
)
def test_broken_models_are_refused(files, content):
    (files / "bad.xz").write_bytes(content)
    with pytest.raises(InputError, match="no n-gram model; make one with: plainmark models train"):
        pm.metric("perplexity(model='bad.xz')").score(pm.Corpus(None, ["A cat."]))


@pytest.mark.parametrize(
    "words", [("train",), ("train", "domain.txt"), ("train", "domain.txt", "-o", "x.bin")]
)
def test_mistakes(files, capsys, words):
    assert cli.main(["models", *words]) == 2
    assert "expected texts and a name for the model" in capsys.readouterr().err


def test_word_classes_by_rules():
    metric = pm.metric("word_classes(pipeline='rules')")
    score = metric.score(pm.Corpus(None, ["The old dog slowly ate 3 bones.", ""]))
    assert score.parts == {"verbs": 0.5, "nouns": 1.0, "adjectives": 0.5, "adverbs": 0.5, "numbers": 0.5}
    assert score.value == pytest.approx(100 * 5 / 7)
