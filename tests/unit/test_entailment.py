"""Entailment by sentence: which sentences are compared, and what the encoder says in plain cases."""

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import LanguageError
from plainmark.metrics import entailment
from plainmark.metrics.entailment import judge, omitted, unsupported

SOURCE = "The museum was opened in 1923. It has more than 4,000 paintings. Entry is free on Sundays."


class Overlap:
    """A stand-in: a sentence is entailed by its share of words that the premise has."""

    def embed(self, texts):
        rows = np.array(
            [[t.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz0123456789"] for t in texts], float
        )
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def pairs(self, sources, outputs):
        shares = [
            len(set(o.lower().split()) & set(s.lower().split())) / len(set(o.lower().split()))
            for s, o in zip(sources, outputs, strict=True)
        ]
        return {"entailed": np.array(shares, np.float32)}


@pytest.fixture
def overlap(monkeypatch):
    monkeypatch.setattr(entailment.plain_encoder, "load", Overlap)


def test_both_directions_by_hand(overlap):
    corpus = pm.Corpus(["The owl ate mice. It slept all day."], ["The owl ate fish."])
    score = pm.metric("entailment").score(corpus)
    # Three of four words are shared with the first sentence, none with the second.
    assert score.value == score.parts["supported"] == pytest.approx(75)
    assert score.parts["kept"] == pytest.approx(100 * (3 / 4 + 0) / 2)
    assert pm.metric("entailment(part='kept')").score(corpus).value == score.parts["kept"]


def test_two_sentences_together_may_say_it(overlap):
    ((_, (sentence,)),) = judge(
        ["The owl ate. The cat slept. Zebras jump quickly."], ["The owl ate and the cat slept."]
    )
    # "the", "owl", "cat" and "slept." of six words; either sentence alone has two or three of them.
    assert sentence.probability == pytest.approx(4 / 6)


def test_places_are_those_of_the_text(overlap):
    output = "The museum was opened in 1923.  Dogs eat cats."
    ((source, sentences),) = judge([SOURCE], [output])
    assert [output[s.start : s.end] for s in sentences] == [s.text for s in sentences]
    assert [SOURCE[s.start : s.end] for s in source] == [s.text for s in source]
    assert [s.text for s in unsupported(SOURCE, output)] == ["Dogs eat cats."]
    assert [s.text for s in omitted(SOURCE, output)] == [
        "It has more than 4,000 paintings.",
        "Entry is free on Sundays.",
    ]


def test_empty_texts_are_undefined():
    values = pm.metric("entailment").sample_parts(pm.Corpus(["", "A cat.", "..."], ["A cat.", "", "A cat."]))
    assert np.isnan(values).all()


def test_blocks_change_nothing(monkeypatch):
    corpus = pm.Corpus(
        [SOURCE] * 5, [SOURCE, "Entry is free.", "A cat.", "Dogs eat cats.", "It has paintings."]
    )
    whole = pm.metric("entailment").sample_parts(corpus)
    monkeypatch.setattr(entailment, "_AT_ONCE", 2)
    assert pm.metric("entailment").sample_parts(pm.Corpus(corpus.sources, corpus.outputs)) == pytest.approx(
        whole, abs=1e-3
    )


def test_what_the_source_says_scores_higher():
    corpus = pm.Corpus(
        [SOURCE] * 3,
        [
            SOURCE,
            "The museum opened in 1923. You pay nothing on Sundays.",
            "The museum never opened. Entry costs 50 dollars.",
        ],
    )
    copy, faithful, wrong = pm.metric("entailment").sample_parts(corpus)
    assert copy[1] > 80
    assert copy[2] > 80
    assert faithful[1] > wrong[1]
    assert copy[2] > faithful[2]  # a sentence was left out


def test_ten_thousand_words(overlap):
    source = " ".join(f"Ship {i} carried {i * 7} boxes to the harbour." for i in range(1250))
    output = "Ship 3 carried 21 boxes to the harbour. Nobody was hurt."
    ((_, sentences),) = judge([source], [output])
    assert len(sentences) == 2


def test_another_language_is_refused():
    with pytest.raises(LanguageError, match="entailment is for English"):
        pm.metric("entailment").score(
            pm.Corpus(["Die Eulen jagen in der Nacht."], ["Eulen jagen nachts und schlafen am Tag."])
        )


def test_explanation_has_every_sentence_of_both_texts(overlap):
    result = pm.explain(
        "entailment", ["The owl ate fish.", ""], source=["The owl ate mice. It slept.", "A b."]
    )
    rows = [(r["sample"], r["text"], r["sentence"], round(r["probability"], 2)) for r in result.records()]
    assert rows == [
        ("1", "output", "The owl ate fish.", 0.75),
        ("1", "source", "The owl ate mice.", 0.75),
        ("1", "source", "It slept.", 0.0),
        ("2", "source", "A b.", 0.0),
    ]
    first, second = result.to_dict()
    assert first["output"] == [
        {"text": "The owl ate fish.", "start": 0, "end": 17, "probability": pytest.approx(0.75)}
    ]
    assert second["output"] == []
    assert "75%" in result.to_text()
    assert "misses many changes" in result.to_text()
