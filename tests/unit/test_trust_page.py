"""The page of trust from small evaluations: ranks, ties, pictures."""

import importlib.util
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import plainmark as pm
from conftest import ROOT
from plainmark.meta import Scores
from plainmark.meta.evaluation import evaluate


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_trust_page", ROOT / "scripts" / "make_trust_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("dimension", "expected"),
    [
        ("simplicity-overall", "simplicity"),
        ("structural simplicity", "simplicity"),
        ("readability", "simplicity"),
        ("meaning", "meaning"),
        ("no additions", "meaning"),
        ("hallucination", "meaning"),
        ("level", "reading level"),
        ("grammar", "fluency"),
        ("accuracy", "comprehension"),
        ("overall", "overall quality"),
        ("", "overall quality"),
    ],
)
def test_subjects(script, dimension, expected):
    assert script.subject(dimension) == expected


@pytest.fixture(scope="module")
def rankings():
    rng = np.random.default_rng(0)
    people = rng.normal(size=(3, 60))

    def scores(name, noise, **more):
        values = people + noise * rng.normal(size=people.shape)
        cells = {(f"S{i}", str(j)): float(v) for (i, j), v in np.ndenumerate(values)}
        return Scores(name, cells, **more)

    rows = [
        scores("near", 0.3),
        scores("nearer", 0.3),
        scores("far", 4, higher_is_better=False),
        scores("length", 5, higher_is_better=None, kind="baseline"),
    ]
    ratings = pm.Ratings(
        pm.Rating(f"S{i}", str(j), "simplicity", "x", float(v)) for (i, j), v in np.ndenumerate(people)
    )
    found = [
        evaluate(r, ratings, task="resamples=100", name=n, title=n.upper())
        for n, r in (("one", rows), ("two", [*rows, scores("judge <1>", 0.05, kind="published")]))
    ]
    return [(e, r) for e in found for r in e.rankings]


def test_ties_read_as_ties(script, rankings):
    table = script.Subject("simplicity", rankings)
    assert table.metrics[0] == "judge <1>"
    assert set(table.metrics[1:3]) == {"near", "nearer"}
    text = table.markdown("picture.svg")
    assert "| judge <1> (published) | 1.00 | 1 of 1 | – | 1.00 ±0.00 (1) |" in text
    near = next(line for line in text.splitlines() if line.startswith("| near |"))
    assert near.count("(1–2)") == 1
    assert near.count("(2–3)") == 1
    assert "| 1 of 2 |" in near
    assert "1. ONE: simplicity: Pearson's r, 180 outputs of 60 source texts." in text
    assert "1 of 2) and far (" in text
    assert "The best baseline: length (0." in " ".join(text.split())
    assert "Means over different ratings" in " ".join(text.split())


def test_variants_of_one_metric_have_different_names_in_pictures(script, rankings):
    table = script.Subject("simplicity", rankings)
    assert table.short("near") == "near"
    table.metrics += ["quality", "quality(model='research')", "bertscore(against='source', part='recall')"]
    assert table.short("quality") == "quality"
    assert table.short("quality(model='research')") == "quality, research"
    assert table.short("bertscore(against='source', part='recall')") == "bertscore"


class OnRatedSentences:
    """Quality that has seen ratings of one sentence, and whose parts are 0, 1, 2, ... plus the sample's number."""

    def fold(self, source):
        return 0 if source == "Seen." else None

    def parts(self, corpus):
        return np.arange(len(corpus))[:, None] + np.arange(6.0)


def test_quality_is_shown_with_its_part_for_what_was_rated(script):
    corpora = {"S": pm.Corpus(["Seen.", "New."], ["It was seen by the man.", "It is new."], ids=["a", "b"])}
    corpora["S"].language = "en"
    found = script.quality_scores(corpora, {"quality": OnRatedSentences()})
    assert found["meaning"][0].values == {("S", "a"): 1, ("S", "b"): 2}
    assert found["simplicity"][0].values == {("S", "a"): 3, ("S", "b"): 4}
    assert script.cross_fitted(corpora, {"quality": OnRatedSentences()}) == 0.5
    assert script.cross_fitted(corpora, {}) == 0
    german = {"S": pm.Corpus(["Neu."], ["Es ist neu."])}
    german["S"].language = "de"
    assert not any(script.quality_scores(german, {"quality": OnRatedSentences()}).values())
    assert not any(script.quality_scores({"S": pm.Corpus(None, ["It is new."])}, {}).values())


def test_the_page_and_its_pictures(script, rankings):
    text, pictures = script.page([script.Subject("simplicity", rankings)], ["dwiki"], "resamples=100")
    assert text.startswith("# Which metric should I trust?\n\n<!-- Made by scripts/make_trust_page.py")
    assert "![Ranks of metrics](images/trust-simplicity.svg)" in text
    assert "Rated data sets that were not available: dwiki." in text
    root = ElementTree.fromstring(pictures["trust-simplicity.svg"])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert max(map(len, text.splitlines())) < 220
