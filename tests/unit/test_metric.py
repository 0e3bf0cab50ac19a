"""The base of metrics: scores, signatures that read back, undefined values, streams."""

import math
import re
from dataclasses import dataclass
from itertools import chain
from typing import Annotated

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plainmark as pm
from plainmark.data import BLOCK
from plainmark.errors import NeedsError, OptionError
from plainmark.metric import add_up, divide, f1, from_signature, join_counts
from plainmark.metrics.bleu import BLEU
from plainmark.metrics.mean import Mean
from plainmark.metrics.sari import PRESETS, SARI

OTHERS = {
    "tokenizer": ["13a", "intl", "char", "none", "space", "nltk-plain"],
    "lowercase": [True, False],
    "order": [1, 4, 5],
    "pooling": ["corpus", "sample"],
    "keep_precision": ["sum", "mean"],
    "keep_recall": ["sum", "mean"],
    "delete_good": ["intersection", "difference"],
    "delete_average": ["sum", "mean"],
    "delete_score": ["f1", "precision"],
    "additions": ["any", "new"],
    "f_of_averages": [True, False],
    "empty_ratio": [0, 1],
    "blank_token": [True, False],
}


def reads_back(metric):
    assert pm.metric(metric.spec) == metric
    assert from_signature(metric.signature("1-3")) == metric
    assert pm.metric(metric.signature("1-3")) == metric


@pytest.mark.parametrize("variant", sorted(PRESETS))
def test_every_variant_reads_back(variant):
    reads_back(SARI(variant=variant))
    reads_back(Mean(SARI(variant=variant)))


@pytest.mark.parametrize("variant", sorted(PRESETS))
@pytest.mark.parametrize("option", sorted(OTHERS))
def test_every_changed_option_reads_back(variant, option):
    for value in OTHERS[option]:
        metric = SARI(variant=variant, **{option: value})
        reads_back(metric)
        if value == getattr(SARI(variant=variant), option):
            assert metric == SARI(variant=variant)
        else:
            assert f"{'tok' if option == 'tokenizer' else option}:" in metric.signature()


@settings(max_examples=300)
@given(
    st.sampled_from(sorted(PRESETS)),
    st.fixed_dictionaries({}, optional={k: st.sampled_from(v) for k, v in OTHERS.items()}),
)
def test_any_options_read_back(variant, options):
    metric = SARI(variant=variant, **options)
    reads_back(metric)
    reads_back(Mean(metric))


@given(st.sampled_from([None, 0, 1, 0.1, 1e-9, 2.5]), st.integers(1, 9), st.booleans())
def test_numbers_read_back(value, order, lowercase):
    reads_back(BLEU(smoothing="add-k", smoothing_value=value, order=order, lowercase=lowercase))


def test_signatures_say_which_number_it_is():
    assert SARI().signature("8") == "sari|refs:8|variant:easse|tok:13a|lowercase:yes|order:4|v:0.1.0"
    assert (
        SARI(variant="hf", empty_ratio=0).signature("10")
        == "sari|refs:10|variant:hf|tok:13a|lowercase:yes|order:4|empty_ratio:0|v:0.1.0"
    )
    assert pm.metric("compression").signature() == "compression|tok:13a|v:0.1.0"
    assert "metric:sari(variant='hf')" in Mean(SARI(variant="hf")).signature("1")


def test_specs_are_as_short_as_can_be():
    assert SARI().spec == "sari"
    assert SARI(variant="easse", order=4).spec == "sari"
    assert SARI(variant="hf", order=3).spec == "sari(variant='hf', order=3)"
    assert Mean(SARI()).spec == "mean(sari)"
    assert Mean(BLEU(order=2)).spec == "mean(bleu(order=2))"
    assert str(BLEU(order=2)) == "bleu(order=2)"


@dataclass(frozen=True)
class Named(pm.MeanMetric):
    """A metric with a free text option, for signatures."""

    label: Annotated[str, "any text"] = ""
    name = "named"

    def values(self, corpus):
        return np.array([len(t) for t in corpus.outputs], dtype=float)


@pytest.mark.parametrize(
    "label", ["plain", "two words", "a|b", "x:y", "'", '"', "\\", "\n", "é", "yes-no", "13a", "", "\\x7c"]
)
def test_free_text_in_signatures(label, monkeypatch):
    monkeypatch.setattr(pm.METRICS, "find", lambda name: Named)
    assert from_signature(Named(label).signature()) == Named(label)
    assert pm.metric(Named(label).spec) == Named(label)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("sari|colour:red|v:0.1.0", "sari: the signature has 'colour', which is not an option of it."),
        ("sari|variant:new|v:0.1.0", "sari: option variant='new' is not allowed; expected one of 'easse'"),
        ("sari|order:many|v:0.1.0", "sari: option order='many' is not allowed; expected a whole number"),
        ("sar|v:0.1.0", "no metric is called 'sar'. Did you mean 'sari'?"),
    ],
)
def test_wrong_signatures(signature, message):
    with pytest.raises(pm.PlainmarkError, match=re.escape(message)):
        pm.metric(signature)


@dataclass(frozen=True)
class Given(pm.MeanMetric):
    """The numbers in the outputs, two parts."""

    name = "given"

    @property
    def part_names(self):
        return ("given", "half")

    def values(self, corpus):
        numbers = np.array([float(t) for t in corpus.outputs])
        return np.stack([numbers, numbers / 2], axis=1)


class TestMeanMetric:
    def test_undefined_samples_are_not_counted(self):
        score = Given().score(pm.Corpus(None, ["1", "nan", "2"]))
        assert score.value == 1.5
        assert score.parts == {"half": 0.75}

    def test_undefined_samples_stay_undefined(self):
        scores = Given().sample_scores(pm.Corpus(None, ["1", "nan", "2"]))
        np.testing.assert_array_equal(scores, [1, math.nan, 2])

    def test_nothing_defined(self):
        assert math.isnan(Given().score(pm.Corpus(None, ["nan", "inf"])).value)

    def test_statistics_are_finite_sums_and_counts(self):
        stats = Given().stats(pm.Corpus(None, ["1", "nan", "-inf"]))
        np.testing.assert_array_equal(stats, [[1, 0.5, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]])

    def test_parts_may_be_undefined_on_their_own(self):
        @dataclass(frozen=True)
        class Halves(Given):
            """Only the second part is undefined."""

            name = "halves"

            def values(self, corpus):
                return np.array([[1.0, math.nan]] * len(corpus))

        score = Halves().score(pm.Corpus(None, ["x"]))
        assert score.value == 1
        assert math.isnan(score.parts["half"])

    def test_flat_values_will_do(self):
        assert Named().score(pm.Corpus(None, ["ab", "abcd"])).value == 3

    def test_the_bootstrap_may_draw_only_undefined_samples(self):
        metric = Given()
        stats = metric.stats(pm.Corpus(None, ["1", "nan"]))
        drawn = metric.reduce(np.array([[2.0, 0.0], [0.0, 2.0]]) @ stats)
        np.testing.assert_array_equal(drawn[:, 0], [1, math.nan])


WORDS = ["the", "cat", "sat", "on", "a", "mat", "dogs", "ran", "off", "village", "remnants", "conceal", "."]


@pytest.fixture(scope="module")
def large():
    """A corpus of more than two blocks, of different texts."""
    rng = np.random.default_rng(5)
    n = 2 * BLOCK + 777

    def texts():
        lengths = rng.integers(1, 7, n)
        words = rng.choice(WORDS, lengths.sum()).tolist()
        ends = np.cumsum(lengths)
        return [" ".join(words[e - k : e]) for e, k in zip(ends.tolist(), lengths.tolist(), strict=True)]

    first, second = texts(), texts()
    references = [(a,) if i % 3 else (a, b) for i, (a, b) in enumerate(zip(first, second, strict=True))]
    return pm.Corpus(texts(), texts(), references)


@pytest.mark.parametrize(
    "spec",
    [
        "sari",
        "sari(variant='xu2016')",
        "mean(sari)",
        "bleu",
        "mean(bleu)",
        "chrf",
        "ter",
        "levenshtein",
        "lexical_complexity",
        "additions",
        "compression",
        "word_operations",
    ],
)
def test_a_stream_of_blocks_scores_the_same_to_the_last_bit(large, spec):
    metric = pm.metric(spec)
    whole, streamed = metric.score(large), metric.score_stream(large.blocks())
    assert whole == streamed  # floats compared exactly, signature included
    assert "1-2" in whole.signature or "references" not in metric.required()


def test_other_pieces_score_nearly_the_same(large):
    pieces = [large[:1], large[1:5000], large[5000:]]
    metric = pm.metric("mean(bleu)")
    assert metric.score_stream(pieces).value == pytest.approx(metric.score(large).value, rel=1e-12)


def test_statistics_are_added_block_by_block():
    rows = np.random.default_rng(0).random((3 * BLOCK + 1, 2))
    blocks = [rows[i : i + BLOCK] for i in range(0, len(rows), BLOCK)]
    expected = blocks[0].sum(axis=0)
    for block in blocks[1:]:
        expected = expected + block.sum(axis=0)
    assert np.array_equal(add_up(rows), expected)


def test_an_empty_stream():
    with pytest.raises(NeedsError, match="bleu: there are no samples to score"):
        BLEU().score_stream([])


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (
            pm.Corpus(None, ["o"], [["r"]]),
            "sari needs the source texts; give them with -s FILE (or sources= in Python).",
        ),
        (
            pm.Corpus(["s"], ["o"]),
            "sari needs references; give them with -r FILE (or references= in Python).",
        ),
    ],
)
def test_needs(corpus, message):
    for call in (SARI().score, SARI().sample_scores, lambda c: SARI().score_stream([c]), Mean(SARI()).score):
        with pytest.raises(NeedsError, match=re.escape(message.removeprefix("sari"))):
            call(corpus)


def test_options_are_checked_in_python_too():
    with pytest.raises(OptionError, match=r"bleu: option order='4' is not allowed"):
        BLEU(order="4")
    with pytest.raises(OptionError, match=r"mean: option metric=3 is not allowed; expected metric\."):
        Mean(3)


def test_a_wrapper_takes_on_the_facts_of_what_it_wraps():
    assert Mean(pm.metric("ter")).higher_is_better is False
    assert Mean("ter") == Mean(pm.metric("ter"))
    assert Mean(SARI()).bounds == (0, 100)
    assert Mean(SARI()).part_names == SARI().part_names


def test_scores_print_with_their_signature():
    score = pm.Score(41.384, {}, "sari|v:0.1.0")
    assert str(score) == "41.38  sari|v:0.1.0"
    assert float(score) == 41.384


def test_scores_say_on_how_many_samples_they_are_defined():
    sources = ["Sales rose by 12 per cent in 2001.", "The cat sat.", "He left.", "It has 3 doors."]
    outputs = ["Sales rose 12 per cent.", "A cat sat.", "He went.", "It has 3 doors."]
    corpus = pm.Corpus(sources, outputs)
    score = pm.metric("numbers_kept").score(corpus)
    assert (score.defined, score.samples, score.partly_defined) == (2, 4, True)
    assert str(score) == f"{score.value:.2f}, defined on 2 of 4  numbers_kept|part:f1|v:{pm.__version__}"
    assert score.value == pm.metric("numbers_kept").score(corpus.subset([0, 3])).value
    mean = pm.metric("mean(numbers_kept)").score(corpus)
    alone = pm.metric("numbers_kept").sample_scores(corpus)
    assert (mean.extent, mean.value) == ("2 of 4", pytest.approx(np.nanmean(alone)))
    assert not pm.metric("compression").score(corpus).partly_defined


def test_a_text_too_short_for_a_formula_still_counts_towards_the_corpus():
    corpus = pm.Corpus(None, ["Institutions deteriorate.", "Cats sit.", "Universities congratulate.", ""])
    smog = pm.metric("smog(variant='textstat')")
    if not smog.missing():
        assert np.isnan(smog.sample_scores(corpus)).all()
        assert smog.score(corpus).extent == "3 of 4"
    assert pm.metric("smog").score(corpus).extent == "3 of 4"


def test_known_statistics_are_not_computed_again():
    corpus = pm.Corpus(["A feline sat."], ["A cat sat."], [["The cat sat."]])
    for spec in ("sari", "bleu", "mean(sari)"):  # bleu has other settings for single sentences
        metric = pm.metric(spec)
        np.testing.assert_array_equal(
            metric.sample_parts(corpus, metric.stats(corpus)), metric.sample_parts(corpus)
        )


def test_division():
    np.testing.assert_array_equal(divide(np.array([1.0, 0.0]), np.array([2.0, 0.0])), [0.5, math.nan])
    np.testing.assert_array_equal(divide(np.ones((2, 1)), np.array([0.0, 4.0]), 7.0), [[7, 0.25], [7, 0.25]])
    np.testing.assert_array_equal(f1(np.array([0.0, 1.0]), np.array([0.0, 0.5])), [0, 2 / 3])


@pytest.mark.parametrize(
    ("counts", "joined"), [(["8"], "8"), (["1", "2-3"], "1-3"), (["10", "9"], "9-10"), (["0", "0"], "0")]
)
def test_reference_counts_are_joined(counts, joined):
    assert join_counts(counts) == joined
    assert join_counts(list(chain(counts, counts))) == joined
