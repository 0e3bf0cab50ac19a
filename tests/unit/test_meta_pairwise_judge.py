"""A judge that compares two outputs, asked in both orders: answers by hand, and what it makes of biased models."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import plainmark as pm
from plainmark import cli
from plainmark.datasets import DATASETS
from plainmark.errors import InputError, OptionError
from plainmark.judge import Endpoint, Reply
from plainmark.meta import position_bias
from plainmark.meta.pairwise_judge import judge_pairs

JUDGE = "judge(url='http://localhost:1/v1', model='m')"
SOURCES = ["The feline reposed upon the rug .", "Precipitation is anticipated ."]
OUTPUTS = {
    "best": ["The cat lay .", "It may rain ."],
    "long": ["The cat lay upon the rug .", "Rain is anticipated ."],
    "copy": SOURCES,
}


@pytest.fixture
def corpora():
    return {name: pm.Corpus(SOURCES, outputs, name=name) for name, outputs in OUTPUTS.items()}


@pytest.fixture
def model(monkeypatch):
    """A model that answers by a rule: rule(first, second) gives the reply."""
    asked = []

    def answer(rule):
        def post(self, body):
            prompt = body["messages"][0]["content"]
            asked.append(body)
            first, second = re.findall(r"Version [AB]:\n<<<\n(.*?)\n>>>", prompt, re.DOTALL)
            return Reply(rule(first, second))

        monkeypatch.setattr(Endpoint, "_post", post)
        return asked

    return answer


def shorter(first, second):
    return "A" if len(first) < len(second) else "B"


def test_position_bias_by_hand():
    # Pairs: a wins both times; b wins both times; the first twice; the first twice; the second twice; a tie twice;
    # a tie and then a; no answer. forward: a shown first; backward: a shown second.
    forward = np.array([1, 0, 1, 1, 0, 0.5, 0.5, math.nan])
    backward = np.array([1, 0, 0, 0, 1, 0.5, 1, 1])
    found = position_bias(forward, backward)
    assert (found.pairs, found.consistent) == (7, 3)
    assert found.consistency == 3 / 7
    assert (found.first_twice, found.second_twice) == (2, 1)
    # Eleven answers chose: first, second; second, first; first, first; first, first; second, second; second.
    assert found.first == pytest.approx(6 / 11)
    assert found.p == 1
    assert found.low < 6 / 11 < found.high


def test_a_model_without_bias_and_one_with_nothing_else():
    rng = np.random.default_rng(0)
    choice = rng.integers(0, 2, 400).astype(float)
    fair = position_bias(choice, choice)
    assert (fair.consistency, fair.first, fair.p) == (1, 0.5, 1)
    blind = position_bias(np.ones(40), np.zeros(40))
    assert (blind.consistency, blind.first) == (0, 1)
    assert blind.p == pytest.approx(2 * 0.5**40)
    assert math.isnan(position_bias(np.array([]), np.array([])).consistency)


@given(
    st.lists(st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 0.5, 1])), min_size=1, max_size=30)
)
def test_exchanging_the_outputs_of_all_pairs_changes_nothing(answers):
    forward, backward = np.array(answers, dtype=float).T
    found = position_bias(forward, backward)
    other = position_bias(1 - backward, 1 - forward)
    assert repr(found) == repr(other)
    if found.first_twice + found.second_twice:
        expected = stats.binomtest(found.first_twice, found.first_twice + found.second_twice).pvalue
        assert found.p == pytest.approx(expected)


def test_wins(corpora, model):
    asked = model(shorter)
    found = judge_pairs(JUDGE, corpora)
    assert len(found.pairs) == 6
    assert len(asked) == 12
    assert asked[0]["temperature"] == 0
    bias = found.position_bias()
    assert (bias.pairs, bias.consistent, bias.first) == (6, 6, 0.5)
    scores = found.scores()
    assert scores.name == "m (pairwise)"
    assert [scores.values[s, "1"] for s in OUTPUTS] == [1, 0.5, 0]
    assert found.usage.requests == 0  # nothing was sent


def test_a_model_that_prefers_the_first(corpora, model):
    model(lambda first, second: " Version A. ")
    found = judge_pairs(JUDGE, corpora)
    assert str(found.position_bias()).startswith(
        "0 of 6 pairs have the same answer in both orders; the version shown first wins 100.0 %"
    )
    assert set(found.scores().values.values()) == {0.5}


def test_ties_refusals_and_equal_outputs(corpora, model, monkeypatch):
    monkeypatch.setattr(Endpoint, "_pause", lambda self, seconds: None)
    corpora["again"] = corpora["copy"].with_outputs(SOURCES, name="again")
    model(lambda first, second: "tie" if "rug" in first + second else "I cannot say")
    found = judge_pairs(JUDGE, corpora)
    assert len(found.pairs) == 10  # copy and again are equal
    assert found.position_bias().pairs == 5
    assert found.scores().values["best", "1"] == 0.5
    assert ("best", "2") not in found.scores().values
    assert "the reply is not A, B or tie" in next(iter(found.reasons.values()))


def test_some_of_the_pairs(corpora, model):
    model(shorter)
    some = [judge_pairs(JUDGE, corpora, most=2, seed=s).pairs for s in range(5)]
    assert all(len(pairs) == 4 for pairs in some)
    assert len(set(some)) > 1


def test_outputs_of_one_source_under_several_ids(model):
    """D-WIKI's rows have one system and ids of their own."""
    model(shorter)
    corpus = pm.Corpus([SOURCES[0]] * 2, [OUTPUTS["best"][0], OUTPUTS["long"][0]], ids=["1.1", "1.2"])
    found = judge_pairs(JUDGE, {"unnamed": corpus})
    assert found.pairs == ((("unnamed", "1.1"), ("unnamed", "1.2")),)


def test_texts_are_put_in_as_they_are(model):
    model(lambda first, second: "A" if first == "{second} {source}" else "B")
    corpora = {n: pm.Corpus(["s"], [o]) for n, o in (("a", "{second} {source}"), ("b", "other"))}
    assert judge_pairs(JUDGE, corpora).scores().values["a", "1"] == 1


def test_mistakes(corpora):
    with pytest.raises(OptionError, match="pairwise: found sari, expected a judge"):
        judge_pairs("sari", corpora)
    with pytest.raises(OptionError, match=r"compares by simplicity, fluency, meaning .* dimension='overall'"):
        judge_pairs("judge(url='http://localhost:1/v1', model='m', rubric='appls')", corpora)
    with pytest.raises(InputError, match="no source has two different outputs"):
        judge_pairs(JUDGE, {"a": corpora["best"]})


def test_on_the_command_line(model, corpora, capsys, monkeypatch):
    class Small(type(DATASETS.parse("asset_ratings"))):
        def files(self):
            return ()

        def corpora(self):
            return corpora

        def ratings(self):
            return pm.Ratings(
                pm.Rating(s, i, "simplicity", r, len(OUTPUTS) - k + int(i) / 9)
                for k, s in enumerate(OUTPUTS)
                for i in "12"
                for r in "xy"
            )

    monkeypatch.setattr("plainmark.cli.correlate.expanded", lambda specs: [Small()])
    model(shorter)
    task = ("--task", "coefficient=kendall resamples=20")
    assert cli.main(["correlate", "-d", "small", "--pairwise", JUDGE, "--no-baselines", *task, "-q"]) == 0
    out = capsys.readouterr().out
    assert "m (pairwise)" in out
    assert "Pairwise judges: both orders" in out
    assert re.search(r"m \(pairwise\) +ASSET human ratings +6 +100.0 % +50.0 % \[\d+\.\d, \d+\.\d\] +1", out)
