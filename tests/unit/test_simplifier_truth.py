"""Caution, the ledger's objections, candidates, and texts that are left alone."""

import logging
import time

import pytest

import plainmark as pm
from plainmark.errors import OptionError
from plainmark.simplifier.decoding import Rewrite
from plainmark.simplifier.truth import objections, truthful

TEXT = "The committee purchased numerous buildings prior to the war."


@pytest.fixture(scope="module")
def default():
    return pm.load_simplifier("default")


def rewrite(start, source, target, score=1.0):
    return Rewrite(start, start + 1, source, target, score, ("test",), ())


def replaced(text):
    """What applies rewrites to a text of words between spaces."""

    def rewritten(rewrites):
        words = text.split(" ")
        for r in rewrites:
            words[r.start] = r.target
        return " ".join(words)

    return rewritten


def test_the_ledger_objects_to_what_changed():
    assert [e.kind for e in objections("It weighs 5 kg.", "It weighs 5 g.")] == ["number"]
    assert objections("The water is unsafe.", "The water is safe.")
    assert objections("He bought a big house.", "He bought a large house.") == []


def test_only_what_the_ledger_objects_to_is_taken_back():
    text = "The unsafe water was purchased for 20 pounds and 30 pence yesterday."
    rewrites = [
        rewrite(1, "unsafe", "safe"),
        rewrite(4, "purchased", "bought"),
        rewrite(6, "20", "21"),
        rewrite(11, "yesterday", "yesterday"),
    ]
    accepted, undone = truthful(text, rewrites, replaced(text))
    assert [r.target for r in accepted] == ["bought", "yesterday"]
    assert sorted(t.rewrite.target for t in undone) == ["21", "safe"]
    assert all(":" in t.reason for t in undone)
    assert truthful(text, [], replaced(text)) == ([], [])


def test_more_caution_means_fewer_rewrites(default):
    made = [len(pm.load_simplifier("default", c).simplify([TEXT])[0].rewrites) for c in (0.0, 0.5, 0.85, 1.0)]
    assert made == sorted(made, reverse=True)
    assert made[0] == 3
    assert made[-1] == 0
    for r in default.simplify([TEXT])[0].rewrites:
        assert default.caution <= r.probability <= 1


def test_caution_is_a_probability_and_needs_an_estimate(default):
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(OptionError, match="expected a probability from 0 to 1"):
            default.with_caution(bad)
    model = pm.Simplifier(default.decoder, default.weights, name="plain weights")
    with pytest.raises(OptionError, match="'plain weights' does not estimate"):
        model.with_caution(0.5)
    with pytest.raises(OptionError, match="n_best is 0, expected 1 or more"):
        default.simplify([TEXT], n_best=0)


def test_the_parts_of_a_score_add_up(default):
    # A model with weights of its own, for which the language model counts.
    weighted = pm.Simplifier(default.decoder, {"Rewrites": 3.0, "LmLoss": 0.2, "lm": 0.5}, name="weighted")
    for model in (default, weighted):
        result = model.simplify([TEXT])[0]
        assert len(result.rewrites) > 1
        for r in result.rewrites:
            assert sum(value for _, value in r.reasons) == pytest.approx(r.score, abs=1e-5)
    words = TEXT.lower().replace(".", " .")
    scores = [
        weighted.decoder.model.token_scores([t])[0].sum()
        for t in (words, result.output.lower().replace(".", " ."))
    ]
    lm = sum(value for r in result.rewrites for name, value in r.reasons if name == "lm")
    assert lm == pytest.approx(0.5 * (scores[1] - scores[0]), abs=1e-4)


def test_candidates_differ_and_the_best_is_first(default):
    result = default.simplify([TEXT], n_best=4)[0]
    assert len({c.output for c in result.candidates}) == len(result.candidates) == 4
    assert result.output == result.candidates[0].output
    scores = [c.score for c in result.candidates]
    assert scores == sorted(scores, reverse=True)
    record = result.to_dict()
    assert record["candidates"][0]["rewrites"][0]["source"] == "purchased"
    assert sum(record["candidates"][0]["rewrites"][0]["parts"].values()) == pytest.approx(
        record["candidates"][0]["rewrites"][0]["score"]
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "He said: “We utilise numerous tools prior to work.”",
        "He said: 'We utilise numerous tools prior to work.'",
        "THE COMMITTEE PURCHASED NUMEROUS BUILDINGS",
        "Prior Commencement of Numerous Works",
        "See https://example.org/?q=utilise&numerous=1",
        "Run `utilise --numerous prior to` now.",
        "def utilise(numerous): return prior",
        "purchase_numerous is a variable",
        "Die Kommission hat zahlreiche Gebäude gekauft und genutzt.",
    ],
)
def test_what_is_no_prose_of_ours_is_left_alone(default, text):
    assert default(text) == text


def test_lists_and_text_without_capitals_are_simplified(default):
    assert default("- prior to surgery") == "- before surgery"
    assert default("the firm purchased a house prior to the war") == "the firm bought a house before the war"


def test_other_languages_are_mentioned_once(default, caplog):
    model = default.with_caution(0.5)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            model.simplify(
                ["Die Eulen jagen in der Nacht.", "Les hiboux chassent la nuit dans les bois.", TEXT]
            )
    assert [r.getMessage() for r in caplog.records] == [
        "default: texts that do not look like English are left alone, such as 'Die Eulen jagen in der Nacht.'."
    ]


def test_long_sentences_take_bounded_time(default):
    text = (TEXT[:-1] + " and the individuals were unable to obtain sufficient assistance ") * 18
    assert len(text.split()) > 300
    start = time.process_time()
    assert default(text) != text
    assert time.process_time() - start < 10
