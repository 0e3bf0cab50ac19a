"""Coefficients by length of the source and by threshold: hand-made ratings, and the command."""

import json
import math

import numpy as np
import pytest

import plainmark as pm
from plainmark import cli
from plainmark.api.curves import CoefficientCurves
from plainmark.data import Rating, Ratings
from plainmark.meta.curves import MEAN, length_curves, threshold_curves
from plainmark.meta.scores import Scores

SAMPLES = [str(i) for i in range(40)]
LENGTHS = {s: float(i) for i, s in enumerate(SAMPLES)}


def rated(**dimensions):
    return Ratings(
        Rating("A", s, d, "x", float(f(i))) for d, f in dimensions.items() for i, s in enumerate(SAMPLES)
    )


def scores(f, name="metric"):
    return Scores(name, {("A", s): float(f(i)) for i, s in enumerate(SAMPLES)})


def test_a_metric_that_is_right_on_short_texts_only():
    ratings = rated(clear=lambda i: i % 7)
    curves = length_curves(
        [scores(lambda i: i % 7 if i < 20 else -(i % 7))], ratings, LENGTHS, edges=[0, 20, 40]
    )
    (curve,) = curves
    assert [(p.low, p.high, p.samples) for p in curve.points] == [(0, 20, 20), (20, 40, 20)]
    assert [p.value for p in curve.points] == pytest.approx([1.0, -1.0])


def test_the_mean_over_dimensions():
    ratings = rated(clear=lambda i: i % 7, short=lambda i: -(i % 7))
    curves = length_curves([scores(lambda i: i % 7)], ratings, LENGTHS, bins=2)
    assert [c.dimension for c in curves] == ["clear", "short", MEAN]
    assert [p.value for p in curves[-1].points] == pytest.approx([0.0, 0.0])
    assert all(math.isnan(p.interval[0]) for p in curves[-1].points)


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    words = "cats dogs birds sleep run fly rain snow house tree river stone".split()
    sentence = lambda: " ".join(rng.choice(words, 6)) + "."  # noqa: E731
    sources = [" ".join(sentence() for _ in range(4)) for _ in range(12)]
    outputs = [" ".join(s.split(". ")[:2]) for s in sources]
    corpus = pm.Corpus(sources, outputs, [[o] for o in outputs], name="A")
    ratings = Ratings(Rating("A", i, "clear", "x", float(k % 5)) for k, i in enumerate(corpus.ids))
    return {"A": corpus}, ratings


def test_each_threshold_is_that_metric(documents):
    corpora, ratings = documents
    metric = pm.metric("agg(sari, aligner=jaccard)")
    (curve,) = threshold_curves([metric], corpora, ratings, thresholds=(0.2, 0.8))
    for point in curve.points:
        alone = pm.correlate(
            "", f"agg(sari, aligner=jaccard, threshold={point.low})", ratings, corpora=corpora
        )
        assert point.value == pytest.approx(alone.value, nan_ok=True)


def test_metrics_without_a_threshold(documents):
    corpora, ratings = documents
    with pytest.raises(pm.PlainmarkError, match=r"found sari, expected agg\(sari\)"):
        threshold_curves([pm.metric("sari")], corpora, ratings)


def test_nothing_is_rated(documents):
    with pytest.raises(pm.PlainmarkError, match="found no human ratings"):
        length_curves([scores(float)], Ratings(()), LENGTHS)


def test_every_form():
    ratings = rated(clear=lambda i: i % 7)
    curves = length_curves(
        [scores(lambda i: i % 5, "<b>")], ratings, LENGTHS, bins=2, name="set", title="Set"
    )
    result = CoefficientCurves(tuple(curves))
    assert result.to_text().startswith("Set, clear: Pearson's r by length of the source in words\n")
    rows = result.records()
    assert [(r["from"], r["to"], r["samples"]) for r in rows] == [(0.0, 19.5, 20), (19.5, 39.0, 20)]
    assert json.loads(json.dumps(rows)) == rows
    page = result.to_html()
    assert "<svg" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--by", "length", "--edges", "1,x"], "--edges: found '1,x', expected numbers separated by commas."),
        (["--by", "length", "--edges", "5"], "--edges: found '5', expected numbers separated by commas."),
        (["--edges", "1,2"], "--edges and --thresholds belong to --by."),
        (
            ["--by", "length", "--scores", "a.csv"],
            "--by computes metrics on data sets; found --scores, --ratings or --pairwise.",
        ),
    ],
)
def test_mistakes(capsys, words, message):
    assert cli.main(["correlate", "-d", "dwiki", "-m", "sari", *words]) == 2
    assert capsys.readouterr().err == f"plainmark: {message}\n"
