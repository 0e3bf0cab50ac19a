"""FK, self-BLEU, iBLEU and FKBLEU: hand-worked cases, a slow oracle, and sacreBLEU."""

import math
import re

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.kernels import COUNT_COLUMNS
from plainmark.syllables import count_words

SYLLABLES = COUNT_COLUMNS.index("syllables")


@pytest.mark.parametrize(
    ("token", "count"),
    [
        ("the", 1),  # the silent e would leave none
        ("make", 1),
        ("table", 1),  # the original program knows no -ble
        ("tree", 1),
        ("die", 1),
        ("queue", 1),
        ("eye", 1),  # y is no vowel before a silent e, but at least one is left
        ("beautiful", 3),
        ("rhythm", 1),
        ("able-bodied", 3),
        (".", 1),
        ("-", 1),
        ("--", 1),
        ("-lrb-", 2),  # the empty part before the first hyphen counts
        ("1998", 1),
        ("MAKE", 1),
    ],
)
def test_syllables_of_the_original_program(token, count):
    assert count_words([token], "tokens")[0, SYLLABLES] == count


def oracle(token):
    total = 0
    for part in token.rstrip("-").split("-"):
        groups = len(re.findall("[^aeiouy]*[aeiouy]+", part))
        total += max(1, groups - bool(re.search("[^aeiou]e$", part)))
    return total


@given(st.lists(st.text("aeiouybcdst-.", min_size=1, max_size=12), max_size=8))
def test_the_kernel_counts_as_the_oracle(tokens):
    assert count_words([" ".join(tokens)], "tokens")[0, SYLLABLES] == sum(map(oracle, tokens))


@pytest.fixture
def corpus():
    return pm.Corpus(
        ["about 95 species are currently accepted .", "owls are nocturnal birds .", "a cat"],
        ["about 95 species are now accepted .", "owls fly at night .", ""],
        [
            ["about 95 species are now accepted .", "95 species are known ."],
            ["owls hunt at night .", "they fly at night ."],
            ["a cat", "the cat"],
        ],
    )


def test_fk_by_hand(corpus):
    scores = pm.metric("fk").sample_scores(corpus)
    # a-bout 2, 95 1, spe-cies 2, are 1, now 1, ac-cep-ted 3, . 1: 7 words, 11 syllables
    assert scores[0] == pytest.approx(0.39 * 7 + 11.8 * 11 / 7 - 15.59)
    assert scores[1] == pytest.approx(0.39 * 5 + 11.8 * 5 / 5 - 15.59)
    assert np.isnan(scores[2])
    program = pm.metric("fk(constant=15.19)").sample_scores(corpus)
    assert program[:2] == pytest.approx(scores[:2] + 0.4)
    assert pm.metric("fk(floored=True)").sample_scores(corpus)[1] == 0
    score = pm.metric("fk").score(corpus)
    assert score.value == pytest.approx(scores[:2].mean())
    assert score.parts == {"words": 4, "syllables": pytest.approx(16 / 3)}


def test_fk_options():
    corpus = pm.Corpus(["The table, the tables."], ["x"])
    fk = "fk(side='source', "
    raw = pm.metric(fk + "tokenizer='none')").score(corpus).parts
    assert (raw["words"], raw["syllables"]) == (4, 6)  # with its comma, table has no final e
    cut = pm.metric(fk + "tokenizer='13a')").score(corpus).parts
    assert (cut["words"], cut["syllables"]) == (6, 7)
    known = pm.metric(fk + "tokenizer='13a', syllables='cmudict')").score(corpus).parts
    assert (known["words"], known["syllables"]) == (6, 8)


def test_self_bleu_is_sacrebleu_against_the_source(corpus):
    metric = pm.metric("self_bleu")
    theirs = sacrebleu.corpus_bleu(corpus.outputs, [corpus.sources])
    assert metric.score(corpus).value == pytest.approx(theirs.score, abs=1e-9)
    alone = [
        sacrebleu.sentence_bleu(o, [s]).score for o, s in zip(corpus.outputs, corpus.sources, strict=True)
    ]
    assert metric.sample_scores(corpus) == pytest.approx(alone, abs=1e-9)
    copy = pm.Corpus(corpus.sources, corpus.sources)
    assert metric.score(copy).value == pytest.approx(100)


def test_ibleu_is_the_weighted_difference(corpus):
    bleu = pm.metric("bleu").sample_scores(corpus)
    copied = pm.metric("self_bleu").sample_scores(corpus)
    score = pm.metric("ibleu").score(corpus)
    assert score.value == pytest.approx((0.9 * bleu - 0.1 * copied).mean())
    assert score.parts == {"bleu": pytest.approx(bleu.mean()), "self_bleu": pytest.approx(copied.mean())}
    assert pm.metric("ibleu(alpha=0.5)").score(corpus).value == pytest.approx(
        (0.5 * bleu - 0.5 * copied).mean()
    )


def test_fkbleu_by_hand(corpus):
    scores = pm.metric("fkbleu(tokenizer='none')").sample_parts(corpus)
    # cur-rent-ly for now: 7 words, 13 syllables in the source
    gain = 11.8 * (13 - 11) / 7
    ibleu = scores[0, 1]
    assert ibleu == pytest.approx(
        90 - 0.1 * pm.metric("self_bleu(tokenizer='none')").sample_scores(corpus)[0]
    )
    assert scores[0, 2] - scores[0, 3] == pytest.approx(gain)
    assert scores[0, 0] == pytest.approx(math.sqrt(100 * ibleu / (1 + math.exp(-gain))))
    printed = pm.metric("fkbleu(tokenizer='none', sign='printed')").sample_scores(corpus)
    assert printed[0] == pytest.approx(math.sqrt(100 * ibleu / (1 + math.exp(gain))))


def test_fkbleu_of_bad_outputs_is_0_not_undefined(corpus):
    # Nothing of the references, all of the source: iBLEU is below 0.
    copied = pm.Corpus(
        ["one two three four five"], ["one two three four five"], [["six seven eight nine ten"]]
    )
    assert pm.metric("ibleu").score(copied).value == pytest.approx(-10)
    assert pm.metric("fkbleu").score(copied).value == 0
    empty = pm.metric("fkbleu").sample_scores(corpus)[2]
    assert empty == 0


def test_a_hard_output_costs_more_than_words():
    references = [["the cat sat on the mat here"]]
    easy = pm.Corpus(["the feline remained immobile indoors"], ["the cat sat on the mat"], references)
    hard = pm.Corpus(
        ["the feline remained immobile indoors"], ["the cat sat on the tatami-upholstery"], references
    )
    assert pm.metric("fkbleu").score(easy).value > pm.metric("fkbleu").score(hard).value
