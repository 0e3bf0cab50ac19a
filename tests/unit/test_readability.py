"""The formulas, on texts counted by hand, and what the metrics share."""

import math

import numpy as np
import pytest

import plainmark as pm

# 8 words, 2 sentences, 11 syllables (el-e-phants 3, qui-et 2), 35 letters; polysyllables: elephants.
TEXT = "The big elephants sleep. The night is quiet."
WORDS, SENTENCES, SYLLABLES, LETTERS = 8, 2, 11, 35


@pytest.fixture
def corpus():
    return pm.Corpus(["A source."], [TEXT])


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("fkgl", 0.39 * 4 + 11.8 * 11 / 8 - 15.59),
        ("flesch", 206.835 - 1.015 * 4 - 84.6 * 11 / 8),
        ("ari", 4.71 * 35 / 8 + 0.5 * 4 - 21.43),
        ("coleman_liau", 0.0588 * 35 / 8 * 100 - 0.296 * 2 / 8 * 100 - 15.8),
        ("smog", 1.043 * math.sqrt(30 * 1 / 2) + 3.1291),
        ("gunning_fog", 0.4 * (4 + 100 * 1 / 8)),
        ("dale_chall", 0.0496 * 4),  # all familiar
        ("spache", 0.141 * 4 + 0.839),
        ("spache(revised=True)", 0.121 * 4 + 0.659),
        ("linsear", ((7 + 3) / 2 - 2) / 2),
        ("sentence_length", 4),
        ("paragraph_length", 8),
    ],
)
def test_by_hand(corpus, spec, expected):
    score = pm.metric(spec).score(corpus)
    assert score.value == pytest.approx(expected, abs=1e-12)
    assert score.parts["words"] == WORDS


def test_hard_words_by_hand():
    corpus = pm.Corpus(None, ["The feline convened a feline."])  # 5 words, 3 unfamiliar of 2 types
    assert pm.metric("dale_chall").score(corpus).value == pytest.approx(0.1579 * 60 + 0.0496 * 5 + 3.6365)
    assert pm.metric("spache").score(corpus).value == pytest.approx(0.141 * 5 + 0.086 * 40 + 0.839)


def test_linsear_of_long_sentences():
    corpus = pm.Corpus(None, ["cat " * 24])  # above 20 nothing is taken off
    assert pm.metric("linsear").score(corpus).value == 12


def test_counts_are_summed_over_the_corpus():
    texts = [TEXT, "Water boils at one hundred degrees.", ""]
    corpus = pm.Corpus(None, texts)
    score = pm.metric("fkgl").score(corpus)
    # wa-ter boils at one hun-dred de-grees: 6 words, 9 syllables
    assert score.parts == {"words": 14, "sentences": 3, "syllables": 20}
    assert score.value == pytest.approx(0.39 * 14 / 3 + 11.8 * 20 / 14 - 15.59)
    alone = pm.metric("fkgl").sample_scores(corpus)
    assert np.isnan(alone[2])
    mean = pm.metric("mean(fkgl)").score(corpus)
    assert mean.value == pytest.approx((alone[0] + alone[1]) / 2)
    assert mean.parts["words"] == pytest.approx(14 / 3)  # per text


@pytest.mark.parametrize("name", ["fkgl", "flesch", "ari", "coleman_liau", "smog", "gunning_fog"])
@pytest.mark.parametrize("variant", ["plainmark", "textstat"])
@pytest.mark.parametrize("text", ["", "...", "\n"])
def test_undefined_without_words(name, variant, text):
    metric = pm.metric(f"{name}(variant={variant!r})")
    assert math.isnan(metric.score(pm.Corpus(None, [text])).value)


def test_the_source_can_be_measured(corpus):
    swapped = pm.Corpus([TEXT], ["Other."])
    assert pm.metric("fkgl(side='source')").score(swapped).value == pm.metric("fkgl").score(corpus).value
    with pytest.raises(pm.PlainmarkError, match="fkgl needs the source texts"):
        pm.metric("fkgl(side='source')").score(pm.Corpus(None, [TEXT]))


def test_rounding_is_textstats():
    metric = pm.metric("fkgl(rounded=True)")
    got = metric.round(np.array([0.25, 0.35, -0.25, -0.2, 1.0]), 1)
    # Half up; a negative number is moved down by half a step and then rounded down.
    assert got.tolist() == [0.3, 0.4, -0.3, -0.3, 1.0]
    assert pm.metric("fkgl").round(np.array([0.25]), 1).tolist() == [0.25]


def test_names_with_hyphens():
    assert pm.metric("coleman-liau") == pm.metric("coleman_liau")
    assert pm.metric("dale-chall(variant=textstat)").variant == "textstat"
