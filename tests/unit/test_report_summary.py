"""The summary says in words what the numbers say."""

from dataclasses import replace

import numpy as np
import pytest

import plainmark as pm
from plainmark.metric import Score
from plainmark.report.formatting import label, names, p_short, p_text
from plainmark.report.samples import output_facts
from plainmark.report.summary import findings, verdict
from plainmark.resampling import compact_letters
from plainmark.significance import Comparison


def made(values, p, metric="sari", systems=None, samples=None):
    """A comparison with given scores; p maps pairs to corrected p-values, all others are 0.001."""
    k = len(values)
    table = np.full((k, k), 0.001)
    np.fill_diagonal(table, np.nan)
    for (i, j), value in p.items():
        table[i, j] = table[j, i] = value
    found = pm.metric(metric)
    values = np.array(values, dtype=float)
    samples = np.tile(values[:, None], 40) if samples is None else samples
    return Comparison(
        metric=found,
        systems=tuple(systems or "ABCDEFG"[:k]),
        scores=tuple(Score(v, {}, "signature") for v in values),
        intervals=np.column_stack([values - 1, values + 1]),
        p_values=table,
        letters=compact_letters(table < 0.05, list(np.argsort(-values))),
        samples=samples,
        defined=~np.isnan(samples),
        level=0.95,
        resamples=1000,
        test="bootstrap",
    )


@pytest.mark.parametrize(
    ("p", "short", "text"),
    [
        (0.0004, "<.001", "p < .001"),
        (0.001, ".001", "p = .001"),
        (0.0281, ".028", "p = .028"),
        (0.5, ".500", "p = .500"),
        (1.0, "1", "p = 1"),
        (0.9997, "1", "p = 1"),
        (np.nan, "–", "p undefined"),
    ],
)
def test_p_values(p, short, text):
    assert p_short(p) == short
    assert p_text(p).replace("\u00a0", " ") == text


def test_labels_use_the_papers_spelling_and_name_options():
    assert label(pm.metric("sari")) == "SARI"
    assert label(pm.metric("sari(variant='hf')")) == "SARI(variant='hf')"


def test_lists():
    assert [names(["A"]), names(["A", "B"]), names(["A", "B", "C"])] == ["A", "A and B", "A, B and C"]


def said(comparison):
    return verdict(comparison).replace("\u00a0", " ")


def test_one_system():
    assert said(made([40], {})) == "A scores 40.00 (95% interval 39.00 to 41.00)."


def test_a_clear_winner_of_two():
    assert said(made([30, 40], {})) == (
        "B scores highest: 40.00 (95% interval 39.00 to 41.00). The difference from A (30.00) is significant (p = .001)."
    )


def test_a_clear_winner_of_three():
    assert said(made([30, 40, 35], {})).endswith(
        "The difference from C (35.00) is significant (p = .001), and so are those from all others. Last: A, 30.00."
    )


def test_ties_are_named():
    assert said(made([30, 40, 35], {(1, 2): 0.2})).endswith(
        "The difference from C (35.00, p = .200) is not significant. Last: A, 30.00."
    )
    many = made([30, 31, 32, 33, 34], {(4, i): 0.3 for i in range(4)})
    assert (
        "The differences from D (33.00, p = .300), C (32.00, p = .300), B (31.00, p = .300) and 1 more are"
        in said(many)
    )


def test_lower_is_better():
    assert said(made([30, 40], {}, metric="ter")).startswith("A scores lowest, and lower is better: 30.00")


def test_undefined_scores_are_left_out():
    assert said(made([np.nan, 40], {})) == "B scores 40.00 (95% interval 39.00 to 41.00)."
    assert said(made([np.nan, np.nan], {})) == "The score is undefined for every system."


def corpora(outputs, sources=None):
    first = pm.Corpus(sources or ["one two"] * len(outputs[0]), outputs[0], name="A")
    return [first, *(first.with_outputs(o, name=n) for o, n in zip(outputs[1:], "BCDEFG", strict=False))]


def test_disagreement_between_metrics():
    facts = output_facts(corpora([["x"] * 40, ["y"] * 40]))
    found = dict(findings([made([40, 30], {}), made([40, 30], {}, "ter"), made([60, 50], {}, "bleu")], facts))
    assert found["Metrics disagree"].startswith("SARI and BLEU put A first; TER puts B first.")
    assert "Metrics disagree" not in dict(findings([made([40, 30], {}), made([60, 50], {}, "bleu")], facts))


def test_warnings():
    facts = output_facts(corpora([["one two"] * 10 + [""] * 30, ["x"] * 40]))
    samples = np.ones((2, 40))
    samples[1, :3] = np.nan
    found = dict(findings([made([40, 30], {}, samples=samples)], facts))
    assert found["Empty outputs"] == "A 30 of 40."
    assert found["Copied sources"] == "Outputs that copy the source word for word: A 25%."
    assert found["Undefined scores"] == "SARI is undefined on 3 of 40 samples for at least one system."
    assert "Few samples" not in found
    few = dict(findings([made([40, 30], {}, samples=np.ones((2, 1)))], output_facts(corpora([["x"], ["y"]]))))
    assert few["Few samples"].startswith("1 sample is too few")


@pytest.mark.parametrize(
    ("systems", "resamples", "needed"), [(2, 19, None), (2, 18, "20"), (7, 1000, None), (7, 300, "420")]
)
def test_too_few_resamples_for_many_pairs(systems, resamples, needed):
    comparison = replace(made(range(systems), {}), resamples=resamples)
    facts = output_facts(corpora([["x"] * 40] * systems))
    found = dict(findings([comparison], facts))
    if needed is None:
        assert "Too few resamples" not in found
    else:
        assert found["Too few resamples"].endswith(f"use at least {needed} resamples.")
