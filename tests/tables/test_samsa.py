"""SAMSA with the parser: the paper's examples, agreement with gold parses, and speed on ASSET."""

import time

import numpy as np
import pytest
from benchmarks.programs import samsa_parses

import plainmark as pm

READ = "I read the book that John wrote."
CALL = "John got home and gave Mary a call."


def scores(source, *outputs, spec="samsa"):
    return pm.metric(spec).sample_scores(pm.Corpus([source] * len(outputs), list(outputs))).tolist()


@pytest.mark.models
def test_a_shared_participant():
    whole, lost = scores(READ, "John wrote a book. I read that book.", "John wrote. I read the book.")
    assert whole == 100
    assert lost < whole
    corpus = pm.Corpus([READ], ["John wrote. I read the book."])
    (found,) = pm.metric("samsa").explain(corpus)
    missing = [p for s in found.scenes for p in s.parts if p.score == 0]
    assert [found.source[i] for p in missing for i in p.centres] == ["book"]


@pytest.mark.models
def test_a_good_split_beats_a_bad_one():
    good, bad = scores(CALL, "John got home. John gave Mary a call.", "John got home and gave. Mary called.")
    assert good > bad


def test_predicted_parses_agree_with_gold_ones(shared, capsys):
    """Wiki dev, a seventh of its sentences; docs/samsa-card.md has the figures of all, passage by passage and by sentence."""
    path = shared / "data" / "ucca" / "wiki-v1.2.4-dev.tar.xz"
    samsa_parses.main([str(path), "--every", "7"])
    lines = [x.split() for x in capsys.readouterr().out.splitlines()]
    pearson = {(x[0], x[1]): float(x[3]) for x in lines if x[0].startswith("SAMSA")}
    assert pearson["SAMSA_abl", "passage"] >= 0.85
    assert pearson["SAMSA", "passage"] >= 0.80
    assert pearson["SAMSA_abl", "all"] >= 0.82
    assert pearson["SAMSA", "all"] >= 0.78


def test_asset_in_under_a_minute(asset, outputs):
    started = time.process_time()
    values = pm.metric("samsa").sample_scores(asset.with_outputs(outputs("ACCESS")))
    assert time.process_time() - started < 120  # of both cores
    assert np.isfinite(values).mean() > 0.95
