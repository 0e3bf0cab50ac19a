"""Language models of one's own texts, and POMME, which needs one."""

import lzma

import numpy as np
import pytest

import plainmark as pm
from plainmark import cli, models
from plainmark.errors import InputError
from plainmark.lm import LanguageModel
from plainmark.lm.kneser_ney import discounts

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


TRAIN = ["lm", "train", "domain.txt", "--running-text", "--order", "3", "-o", "medical.lm.xz"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.txt").write_text("\n".join(TECHNICAL[::2]) + "\n")
    (tmp_path / "pool.txt").write_text("\n".join([*TECHNICAL[1::2], *PLAIN]) + "\n")
    return tmp_path


def test_a_trained_model_is_a_probability_distribution():
    for quantized in (True, False):
        model = LanguageModel.train_on_text(TECHNICAL + PLAIN, order=3, quantized=quantized)
        words = np.delete(np.arange(len(model)), 1)
        for context in ((), (3,), (5, 9), (0, 0)):
            rows = np.column_stack([*(np.full_like(words, c) for c in (1, *context)), words])
            logs = model.tables.log_probabilities(rows.ravel()).reshape(rows.shape)[:, -1]
            assert (10**logs).sum() == pytest.approx(1, abs=1e-9 if quantized else 1e-6)


def test_it_knows_what_it_was_trained_on():
    model = LanguageModel.train_on_text(TECHNICAL)
    losses, tokens = model.log_likelihood([TECHNICAL[0], PLAIN[0], "Zzyzx qqq."])
    per_word = losses / tokens
    assert per_word[0] < per_word[1] < per_word[2]


def test_discounts_where_counts_of_counts_are_missing():
    assert discounts(np.array([3, 1])).tolist() == [0, 0.5, 1, 1.5]


def test_too_little_text():
    with pytest.raises(
        InputError, match="found 2 different words to train a language model on, expected at least 10"
    ):
        LanguageModel.train_on_text(["a b"])


def test_train_score_and_stress(files, capsys):
    assert cli.main(TRAIN) == 0
    assert "medical.lm.xz:" in capsys.readouterr().out
    pomme = pm.metric("pomme(domain='medical.lm.xz', pool='pool.txt')")
    corpus = pm.Corpus(None, [TECHNICAL[1], PLAIN[0], ""])
    scores = pomme.sample_scores(corpus)
    assert scores[1] > scores[0] + 1
    assert np.isnan(scores[2])
    assert pm.metric("perplexity(model='medical.lm.xz')").score(corpus).value > 1


def test_by_hand(files):
    """z over the pool, one model minus the other."""
    cli.main(TRAIN)
    pomme = pm.metric("pomme(domain='medical.lm.xz', pool='pool.txt')")
    pool = [*TECHNICAL[1::2], *PLAIN]
    z = []
    for name in ("medical.lm.xz", "ngram"):
        losses, tokens = models.language_model(name).log_likelihood([*pool, "A new text."])
        logs = losses / tokens
        z.append((logs[-1] - logs[:-1].mean()) / logs[:-1].std(ddof=1))
    parts = pomme.sample_parts(pm.Corpus(None, ["A new text."]))[0]
    np.testing.assert_allclose(parts, [z[0] - z[1], *z])
    released = pm.metric("pomme(domain='medical.lm.xz', pool='pool.txt', variant='released')")
    n = len(pool)
    np.testing.assert_allclose(
        released.sample_parts(pm.Corpus(None, ["A new text."]))[0], parts * np.sqrt(n / (n - 1))
    )


def test_what_is_missing(files):
    assert pm.metric("pomme").missing().startswith("needs a model of the domain and texts to standardise by")
    assert (
        pm.metric("pomme(domain='no.lm.xz', pool='pool.txt')")
        .missing()
        .startswith("needs the n-gram model no.lm.xz; make it with: plainmark lm train")
    )
    cli.main(TRAIN)
    assert (
        pm.metric("pomme(domain='medical.lm.xz', pool='no')").missing()
        == "needs the file no, which does not exist"
    )
    (files / "same.txt").write_text("A cat.\n")
    with pytest.raises(InputError, match="expected at least two different texts to standardise by"):
        pm.metric("pomme(domain='medical.lm.xz', pool='same.txt')").score(pm.Corpus(None, ["A"]))


@pytest.mark.parametrize(
    "content",
    [b"", b"junk", lzma.compress(b"short"), lzma.compress(bytes(200)), lzma.compress(b"\xff" * 5000)],
)
def test_broken_models_are_refused(files, content):
    (files / "bad.lm.xz").write_bytes(content)
    with pytest.raises(InputError, match=r"bad\.lm\.xz: (no language model|no line|cannot be read)"):
        pm.metric("perplexity(model='bad.lm.xz')").score(pm.Corpus(None, ["A cat."]))


def test_a_retrained_file_gives_new_numbers(files):
    cli.main(TRAIN)
    specs = ("pomme(domain='medical.lm.xz', pool='pool.txt')", "perplexity(model='medical.lm.xz')")
    corpus = pm.Corpus(None, ["A new text."])
    before = [float(pm.metric(s).score(corpus).value) for s in specs]
    (files / "domain.txt").write_text("\n".join(PLAIN) + "\n")
    cli.main(TRAIN)
    after = [float(pm.metric(s).score(corpus).value) for s in specs]
    assert before[0] != after[0]
    assert before[1] != after[1]


@pytest.mark.parametrize(
    ("name", "message"),
    [("x.bin", "expected a name that ends in .arpa"), ("x.arpa", "x.arpa cannot hold the spelling")],
)
def test_mistakes(files, capsys, name, message):
    assert cli.main([*TRAIN[:-1], name]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.wordnet
def test_word_classes_by_rules():
    metric = pm.metric("word_classes(pipeline='rules')")
    score = metric.score(pm.Corpus(None, ["The old dog slowly ate 3 bones.", ""]))
    assert score.parts == {"verbs": 0.5, "nouns": 1.0, "adjectives": 0.5, "adverbs": 0.5, "numbers": 0.5}
    assert score.value == pytest.approx(100 * 5 / 7)
