"""Words shaded by what they do to quality: which, how strongly, and that no text breaks out of the page."""

import numpy as np
import pytest

import plainmark as pm
from plainmark.metrics._quality_explanation import Piece, QualityExplanation
from plainmark.report.quality import SHOWN, WORST, shown

PARTS = pm.metric("quality(encoder='none')").part_names
OUTPUT = "The <b>cat</b> sat."


def explanation(*effects):
    """Words of the output with their effects on quality; on meaning ten times as much, on the others nothing."""
    words = [("The", 0), ("cat", 7), ("sat", 15)]
    pieces = [
        Piece("word", text, start, start + len(text), (effect, 10 * effect, 0, 0, 0, 0))
        for (text, start), effect in zip(words, effects, strict=True)
    ]
    return QualityExplanation(PARTS, (60.0, 55.4, float("nan"), 50.0, 50.0, 50.0), tuple(pieces))


def test_words_are_shaded_from_one_point_on_and_strongly_from_three():
    output = shown(explanation(-3.0, 1.0, 0.9), "A source.", OUTPUT, "sample 1")
    assert [p.name for p in output.parts] == list(SHOWN)
    assert [p.score for p in output.parts] == ["60", "55", "–", "50"]
    quality, meaning, fluency, _ = output.parts
    assert [(r.text, r.kind, r.effect) for r in quality.runs] == [
        ("The", "much lowers", "lowers quality by 3.0"),
        (" <b>", "", ""),
        ("cat", "raises", "raises quality by 1.0"),
        ("</b> sat.", "", ""),
    ]
    assert [r.kind for r in meaning.runs if r.kind] == ["much lowers", "much raises", "much raises"]
    assert [(r.text, r.kind) for r in fluency.runs] == [(OUTPUT, "")]


def test_a_long_output_is_shaded_by_sentence():
    first = Piece("sentence", "The <b>", 0, 7, (-2.0, 0, 0, 0, 0, 0))
    output = shown(QualityExplanation(PARTS, (1.0,) * 6, (first,)), "", OUTPUT, "sample 1")
    assert [(r.text, r.kind) for r in output.parts[0].runs] == [
        ("The <b>", "lowers"),
        ("cat</b> sat.", ""),
    ]


def test_the_runs_make_up_the_output():
    result = pm.explain("quality(encoder='none')", [OUTPUT, ""], source=["The feline sat.", "x y"])
    for sample, explained in zip(result.corpus, result.explanations, strict=True):
        for part in shown(explained, "", sample.output, "").parts:
            assert "".join(run.text for run in part.runs) == sample.output


def test_the_page_escapes_texts():
    page = pm.explain("quality(encoder='none')", [OUTPUT], source=["<script>alert(1)</script>"]).to_html()
    assert "<script>alert" not in page
    assert "<b>cat" not in page
    assert "simplicity <b>" in page


@pytest.mark.parametrize(("metric", "there"), [("quality(encoder='none')", True), ("sari", False)])
def test_a_report_shows_the_lowest_outputs_of_each_system(metric, there):
    sources = [f"The feline number {k} was observed upon the mat." for k in range(5)]
    rng = np.random.default_rng(0)
    systems = {name: [" ".join(rng.permutation(s.split())) for s in sources] for name in ("first", "second")}
    page = pm.report(
        systems, metrics=metric, source=sources, references=[[s] for s in sources], resamples=10
    ).to_html()
    assert ('<section id="quality">' in page) == there
    assert page.count('<article class="shaded">') == (2 * WORST if there else 0)
