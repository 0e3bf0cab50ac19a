"""Coverage: the best match of each source sentence, by a slow oracle and in corner cases."""

import math

import numpy as np
import pytest

import plainmark as pm
from plainmark import models
from plainmark.metrics import coverage
from plainmark.metrics.coverage import uncovered

SOURCE = "Owls are nocturnal birds. They eat mice. The bank raised its interest rates."
OUTPUT = "Owls hunt at night. They feed on mice."


@pytest.mark.models
def test_a_slow_oracle_agrees():
    encoder = models.encoder("minilm")
    source = ["Owls are nocturnal birds.", "They eat mice.", "The bank raised its interest rates."]
    output = ["Owls hunt at night.", "They feed on mice."]
    best = [
        max(float(encoder.sentence_vectors([s])[0] @ encoder.sentence_vectors([o])[0]) for o in output)
        for s in source
    ]
    score = pm.metric("coverage").score(pm.Corpus([SOURCE], [OUTPUT]))
    assert score.value == pytest.approx(100 * np.mean(best), abs=1e-3)
    assert score.parts["minimum"] == pytest.approx(100 * min(best), abs=1e-3)
    assert score.parts["uncovered"] == pytest.approx(100 / 3)


@pytest.mark.models
def test_what_is_left_out_is_named():
    ((sentence, cosine),) = uncovered(SOURCE, OUTPUT)
    assert sentence == "The bank raised its interest rates."
    assert cosine < 0.2
    assert uncovered(SOURCE, SOURCE) == []
    assert [s for s, _ in uncovered(SOURCE, "")] == [
        "Owls are nocturnal birds.",
        "They eat mice.",
        "The bank raised its interest rates.",
    ]
    assert len(uncovered(SOURCE, OUTPUT, threshold=0.99)) == 3


@pytest.mark.models
def test_empty_texts():
    data = pm.Corpus(["A cat sat.", "", ""], ["", "A cat sat.", ""])
    found = pm.metric("coverage").sample_parts(data)
    assert found[0].tolist() == [0, 0, 100]
    assert np.isnan(found[1:]).all()
    assert math.isnan(pm.metric("coverage").score(data[1:]).value)


@pytest.mark.models
def test_copies_are_covered_and_blocks_change_nothing(monkeypatch):
    data = pm.Corpus([SOURCE, OUTPUT, "Water boils."], [SOURCE, SOURCE, OUTPUT])
    whole = pm.metric("coverage").sample_parts(data)
    assert whole[0].tolist() == pytest.approx([100, 100, 0])
    monkeypatch.setattr(coverage, "_AT_ONCE", 2)
    assert (pm.metric("coverage").sample_parts(data[:]) == whole).all()
