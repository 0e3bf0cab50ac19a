"""Tables, plain words and the page of correlations."""

import math
import re

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import InputError
from plainmark.meta import Scores
from plainmark.meta.evaluation import evaluate, merge_error_types, short_names
from plainmark.report import correlations
from plainmark.report.correlations import tables as relations
from plainmark.report.correlations.findings import findings
from plainmark.report.svg.bump import bump

RNG = np.random.default_rng(7)


def ratings(values, raters="xyz", noise=0.1, dimension="clear"):
    return pm.Ratings(
        pm.Rating(f"S{i}", str(j), dimension, r, float(v + noise * RNG.normal()))
        for i, row in enumerate(values)
        for j, v in enumerate(row)
        for r in raters
    )


def scores(name, values, **more):
    return Scores(
        name, {(f"S{i}", str(j)): float(v) for i, row in enumerate(values) for j, v in enumerate(row)}, **more
    )


def words(evaluation):
    return " ".join(text for _, text in findings([evaluation]))


QUALITY = RNG.normal(size=(4, 40))


def test_which_metric_is_closest():
    found = evaluate(
        [
            scores("near", QUALITY + 0.2 * RNG.normal(size=(4, 40))),
            scores("far", QUALITY + 4 * RNG.normal(size=(4, 40))),
        ],
        ratings(QUALITY),
        task="resamples=200",
    )
    assert "near correlates best" in words(found)
    assert "significantly ahead of far" in words(found)
    assert "carries" not in words(found)


def test_weak_correlations_are_called_weak():
    large = RNG.normal(size=(4, 400))
    weak = scores("weak", large + 13 * RNG.normal(size=large.shape))
    found = evaluate([weak], ratings(large), task="resamples=100")
    assert "All correlations are weak (below 0.1). weak correlates best" in words(found)


def test_a_baseline_is_called_one():
    baseline = scores("length", QUALITY, kind="baseline")
    found = evaluate([baseline], ratings(QUALITY), task="resamples=100")
    assert "The baseline length correlates best" in words(found)


def test_nothing_to_see():
    noise = [scores(n, RNG.normal(size=(4, 40))) for n in "ab"]
    found = evaluate(noise, ratings(QUALITY), task="resamples=200")
    assert "No metric correlates significantly with human ratings: the intervals of all include 0" in words(
        found
    )
    one = evaluate(noise[:1], ratings(QUALITY), task="resamples=200")
    assert "the interval includes 0" in words(one)


def test_against_people():
    found = evaluate([scores("m", -QUALITY)], ratings(QUALITY), task="resamples=100")
    assert "No metric correlates significantly with human ratings in its own direction" in words(found)
    assert "m correlates negatively with human ratings" in words(found)
    turned = evaluate([scores("m", -QUALITY, higher_is_better=False)], ratings(QUALITY), task="resamples=100")
    assert "m correlates best" in words(turned)


def test_one_system_carries_all():
    outlier = QUALITY.copy()
    outlier[3] -= 10
    metric = RNG.normal(size=(4, 40))
    metric[3] -= 3
    found = evaluate([scores("m", metric)], ratings(outlier), task="resamples=100")
    assert "the system-identity baseline of S3 is −0.9" in words(found)
    assert "whether a metric recognises S3, and little else" in words(found)


def test_raters_who_disagree():
    found = evaluate([scores("m", QUALITY)], ratings(QUALITY, noise=5), task="resamples=50")
    assert "Raters agree little with each other (Krippendorff's alpha" in words(found)
    quiet = evaluate(
        [scores("m", QUALITY)], ratings(QUALITY, noise=5), task="resamples=50", with_agreement=False
    )
    assert "agree little" not in words(quiet)


def test_few_texts_and_undefined():
    found = evaluate([scores("flat", np.ones((4, 5)))], ratings(QUALITY[:, :5]), task="resamples=50")
    assert words(found) == "flat is undefined: all scores are the same (1)."
    found = evaluate([scores("m", QUALITY[:, :5])], ratings(QUALITY[:, :5], noise=0.5), task="resamples=50")
    assert "5 source texts are few" in words(found)


def constructed(error="swap"):
    return pm.Ratings(
        pm.Rating(s, str(j), error, "construction", v)
        for j in range(20)
        for s, v in (("S0", 1.0), ("S1", 0.0))
    )


def test_consistency_in_words():
    right = scores("right", [[1] * 20, [0] * 20])
    tied = scores("tied", [[1] * 20, [1] * 15 + [0] * 5])
    one = evaluate([right, tied], constructed(), title="errors")
    assert "tied 15 (100.0 as released, 25.0 strictly)" in words(one)
    assert "Prefers the perturbed text more often than not, or cannot tell: tied (swap)" in words(one)
    both = merge_error_types([one, evaluate([right, tied], constructed("cut"), title="errors")])
    assert len(both) == 1
    assert list(both[0].consistencies) == ["swap", "cut"]
    table = relations.consistency_table(both)
    assert table.headings == ["consistency", "swap", "cut"]
    assert table.rows[1][1].text == "100.0 (25.0, 15 ties)"
    assert table.rows[0][1].best
    fine = evaluate([right], constructed(), title="errors")
    assert "Every metric prefers the unperturbed text" in words(fine)


def test_names_of_metrics():
    metrics = [pm.metric(m) for m in ("sari", "bleu", "bleu(order=2)", "mean(fkgl)")]
    assert short_names(metrics) == ["sari", "bleu", "bleu(order=2)", "mean(fkgl)"]
    assert short_names([pm.metric("bleu(order=2)")]) == ["bleu"]


def test_left_out_metrics_have_a_row():
    found = evaluate(
        [scores("m", QUALITY)],
        ratings(QUALITY),
        task="resamples=50",
        left_out={"sari": "sari needs references"},
    )
    table = relations.correlation_table(found)
    assert [c.text for c in table.rows[-1]] == ["sari", "–"]
    assert "left out: sari needs references" in table.notes
    assert "Left out: sari needs references." in words(found)


def test_no_ratings():
    with pytest.raises(InputError, match="mine: there are no ratings"):
        evaluate([scores("m", QUALITY)], pm.Ratings([]), name="mine")
    with pytest.raises(InputError, match="nothing to report"):
        correlations.render([])


EVIL = "<script>alert(1)</script>\"'&"


@pytest.fixture(scope="module")
def evil():
    """Names that would like to be markup."""
    people = pm.Ratings(
        pm.Rating(f"{EVIL}{i}", str(j), EVIL, f"{EVIL}{r}", float(QUALITY[i, j] + 0.1 * r))
        for i in range(4)
        for j in range(40)
        for r in range(3)
    )
    metrics = [
        Scores(
            f"{n}{EVIL}",
            {
                (f"{EVIL}{i}", str(j)): float(QUALITY[i, j] + k * RNG.normal())
                for i in range(4)
                for j in range(40)
            },
        )
        for k, n in enumerate("ab")
    ]
    lengths = {str(j): float(j) for j in range(40)}
    return evaluate(
        metrics, people, task="resamples=50", title=EVIL, name=EVIL, lengths=lengths, notes=[EVIL]
    )


def test_the_page_is_safe_and_complete(evil):
    page = correlations.render([evil])
    assert "<script>alert" not in page
    assert "Content-Security-Policy" in page
    assert not re.search(r"\sstyle=|\son\w+=|https?://(?!www\.w3\.org)", page)
    for key in ("summary", "overview", "tables", "closer", "orders", "raters", "notes"):
        assert f'<section id="{key}">' in page
    assert page.count('class="panel"') == 2
    for kind in ("heat", "scatter", "intervals", "lines", "bump"):
        assert f'class="plot {kind}"' in page
    assert 'class="band"' in page


def test_the_page_of_undefined_things():
    found = evaluate([scores("flat", np.ones((1, 5)))], ratings(QUALITY[:1, :5], raters="x"))
    page = correlations.render([found])
    assert "Undefined: all scores are the same (1)." in page
    assert '<section id="orders">' not in page
    only_errors = evaluate([scores("m", [[1] * 20, [0] * 20])], constructed())
    assert '<section id="overview">' not in correlations.render([only_errors])


def test_system_level_page_names_the_points():
    found = evaluate([scores("m", QUALITY)], ratings(QUALITY), task="level=system")
    assert "<title>S0: " in correlations.render([found])


def test_bump_puts_equal_ranks_on_one_place():
    drawn = str(
        bump([[1, 2.5, 2.5], [3, 1, math.nan]], ["A", "B", "C"], ["people", "m"], title="t", description="d")
    )
    assert "A: people 1; m 3" in drawn
    assert "C: people 2.5</title>" in drawn
    assert drawn.count('class="line"') == 3


def test_forms_carry_everything(evil):
    assert relations.as_csv([evil]).count("\n") == 3
    assert relations.latex([evil]).count(r"\begin{tabular}") == 2
    assert "&lt;script>" in relations.markdown([evil]).split("\n- ")[0]
