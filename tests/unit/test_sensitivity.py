"""Score cards on numbers that can be checked by hand, and the rule of verdicts."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.perturbations import perturbation
from plainmark.testbed import sensitivity as c
from plainmark.testbed.results import CaseScores, Doses
from plainmark.testbed.runs import Case


def scored(metric, realised, scores, name="delete", eligible=None):
    """Arrays (levels + 1, documents) of one seed, or (seeds, levels + 1, documents)."""
    realised, scores = (np.asarray(a, dtype=float) for a in (realised, scores))
    if realised.ndim == 2:
        realised, scores = realised[None], scores[None]
    able = np.ones(realised.shape[::2], dtype=int) if eligible is None else np.asarray([eligible])
    p = perturbation(name)
    dose = Doses(Case(name, p, 0, p.effect), realised, (realised > 0).astype(int), able)
    return CaseScores(pm.metric(metric), dose, scores, Counter())


def test_slope_by_hand():
    # Document 1 falls by 10 at strength 1 and by 4 at 0.5, document 2 by 20 and 10.
    card = c.feature(scored("bleu", [[0, 0], [0.5, 0.5], [1, 1]], [[50, 40], [46, 30], [40, 20]]))
    assert card.slope == pytest.approx(-(0.5 * 4 + 10 + 0.5 * 10 + 20) / (2 * (0.25 + 1)))
    assert card.baseline == 45
    assert card.documents == 2
    assert card.spread == pytest.approx(math.sqrt(50))
    assert card.effect == pytest.approx(card.slope / math.sqrt(50))
    assert [(b.strength, b.points, b.change) for b in card.bins] == [(0.5, 2, -7.0), (1.0, 2, -15.0)]


def test_what_is_not_eligible_is_not_counted():
    card = c.feature(scored("bleu", [[0, 0], [1, 0]], [[50, 10], [40, 10]], eligible=[3, 0]))
    assert card.documents == 1
    assert card.baseline == 50
    assert card.slope == -10
    assert math.isnan(card.low)


def test_undefined_scores_are_not_counted():
    card = c.feature(scored("bleu", [[0, 0, 0], [1, 1, 1]], [[50, np.nan, 30], [40, 10, np.nan]]))
    assert (card.documents, card.slope) == (1, -10)
    empty = c.feature(scored("bleu", [[0], [1]], [[np.nan], [1]]))
    assert empty.documents == 0
    assert math.isnan(empty.slope)


@given(st.integers(0, 100), st.integers(3, 40))
def test_the_slope_is_least_squares_through_the_unperturbed_text(seed, n):
    rng = np.random.default_rng(seed)
    realised = np.vstack([np.zeros(n), np.sort(rng.random((5, n)), axis=0)])
    scores = rng.normal(50, 10, (6, n))
    card = c.feature(scored("bleu", realised, scores))
    x, y = realised[1:].ravel(), (scores[1:] - scores[0]).ravel()
    assert card.slope == pytest.approx(np.linalg.lstsq(x[:, None], y, rcond=None)[0][0])
    assert card.low <= card.high


def verdict(metric, change, spread=10.0, name="delete", n=60, noise=0.1):
    rng = np.random.default_rng(0)
    base = rng.normal(50, spread, n)
    realised = np.vstack([np.zeros(n), np.full(n, 0.5), np.ones(n)])
    scores = np.vstack(
        [base, base + change / 2 + rng.normal(0, noise, n), base + change + rng.normal(0, noise, n)]
    )
    return c._judged([c.feature(scored(metric, realised, scores, name))])[0].verdict


@pytest.mark.parametrize(
    ("metric", "name", "change", "expected"),
    [
        ("bleu", "delete", -5, "detects"),
        ("bleu", "delete", 5, "wrong way"),
        ("bleu", "delete", -1, "ignores"),  # significant, but a tenth of a standard deviation
        ("bleu", "simplify", 5, "detects"),
        ("bleu", "add_definitions", -5, "wrong way"),
        ("bleu", "verb_synonyms", -5, "reacts"),
        ("bleu", "verb_synonyms", -1, "ignores"),
        ("ter", "delete", 5, "detects"),  # lower is better
        ("ter", "delete", -5, "wrong way"),
        ("sentence_length", "delete", -5, "falls"),  # neither direction is better
        ("sentence_length", "delete", 5, "rises"),
    ],
)
def test_the_rule_of_verdicts(metric, name, change, expected):
    assert verdict(metric, change, name=name) == expected


def test_what_is_not_significant_is_ignored():
    assert verdict("bleu", -4, noise=60.0, n=20) == "ignores"


def test_p_values_are_corrected_over_the_cases():
    cards = [
        c.feature(scored("bleu", [[0] * 30, [1] * 30], [[50.0] * 30, list(50 + np.linspace(-1, k, 30))]))
        for k in (1.0, 1.0, 1.0)
    ]
    alone = cards[0].p
    assert [card.p for card in c._judged(cards)] == pytest.approx([min(1, 3 * alone)] * 3)


def test_a_metric_without_spread_detects_any_significant_change():
    realised = [[0] * 10, [1] * 10]
    scores = [[100.0] * 10, [99.0] * 10]
    assert c._judged([c.feature(scored("numbers_kept", realised, scores))])[0].verdict == "detects"
    assert (
        c._judged([c.feature(scored("numbers_kept", realised, [[100.0] * 10] * 2))])[0].verdict == "ignores"
    )


def test_yardsticks():
    assert c.yardstick(pm.metric("bleu")) == 0.69
    assert c.yardstick(pm.metric("agg(sari)")) == 1.71
    assert math.isnan(c.yardstick(pm.metric("fkgl")))


def test_reversal():
    def card(case, slope, p=0.001):
        made = c.feature(scored("bleu", [[0, 0], [1, 1]], [[0, 1], [slope, slope + 1]], "simplify"))
        return replace(made, case=case, slope=slope, p=p)

    both = [card("simplify", 5), card("simplify, reversed", 4)]
    assert c.reversal(both).verdict == "follows overlap"
    assert c.reversal([both[0], card("simplify, reversed", -4)]).verdict == "follows simplicity"
    assert c.reversal([both[0], card("simplify, reversed", -4, p=0.5)]).verdict == "unmoved"
    assert c.reversal(both[:1]) is None


def curve(changes, n=40, name="delete", slopes=0.05):
    """A card of documents that all follow one curve of changes, with a little noise."""
    rng = np.random.default_rng(0)
    levels = len(changes)
    realised = np.vstack([np.zeros(n), *(np.full(n, (i + 1) / levels) for i in range(levels))])
    base = rng.normal(50, 5, n)
    scores = np.vstack([base, *(base + change + rng.normal(0, slopes, n) for change in changes)])
    return c._judged([c.feature(scored("bleu", realised, scores, name))])[0]


@pytest.mark.parametrize(
    ("changes", "shape"),
    [
        ((1, 2, 3, 4), "rises"),
        ((-1, -2, -3, -4), "falls"),
        ((3, 4, 2, 0.5), "inverted U"),
        ((-3, -4, -2, 1), "U"),
        ((1, 4, 3.9, 3.8), "rises"),  # the way down is too short
        ((0, 0, 0, 0), "flat"),
    ],
)
def test_the_shape_of_a_curve(changes, shape):
    assert curve(changes).shape == shape


def test_change_at_full_strength_beside_the_slope():
    card = curve((3, 4, 2, 0.5))
    assert card.change == pytest.approx(0.5, abs=0.05)
    assert card.slope > 1  # the slope is what it would be if the curve were a line


def test_wrong_way_needs_slope_and_rank_correlation():
    card = curve((3, 2.5, 2, 1.9))  # above the unperturbed text, and falling
    assert (card.slope > 0, card.spearman < 0) == (True, True)
    assert card.verdict == "mixed"
    assert curve((1, 2, 3, 4)).verdict == "wrong way"


def test_few_documents_are_said_in_the_verdict():
    assert curve((-1, -2, -3, -4), n=29).finding == "detects (29 documents)"
    assert curve((-1, -2, -3, -4), n=30).finding == "detects"


def test_what_no_document_is_eligible_for_is_not_testable():
    result = scored("bleu", [[0, 0], [0, 0]], [[1, 1], [1, 1]], "simplify", eligible=[0, 0])
    card = c._judged([c.feature(result)])[0]
    assert card.verdict == card.finding == "not testable here"
    assert card.reason == "fewer than two documents are eligible"
