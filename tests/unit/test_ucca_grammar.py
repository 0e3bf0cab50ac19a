"""UCCA's rules for the children of a unit: probabilities and trees against all labelled trees written out."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from plainmark import ucca
from plainmark.ucca import constituency
from plainmark.ucca.grammar import SpanGrammar, inside
from support.ucca_data import passages

LABELS = ["A", "P", "H", "C", "H>P", "P^"]
GRAMMAR = SpanGrammar(LABELS)
RARE = np.exp(-3)


def trees(i, j):
    if i == j:
        return [[(i, j)]]
    return [[(i, j), *left, *right] for k in range(i, j) for left in trees(i, k) for right in trees(k + 1, j)]


def weight(labels):
    """The factor of a labelled tree, by the rules as one would say them; 0 if it breaks one. And its Scenes."""
    factor, scenes = 1.0, 0
    for unit in [None, *labels]:
        below = [s for s in labels if s != unit and (unit is None or (unit[0] <= s[0] and s[1] <= unit[1]))]
        children = [s for s in below if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in below)]
        shown = [labels[c][0] for c in children if "^" not in labels[c]]
        kinds = {{"A": "Scene", "P": "Scene", "C": "phrase", "H": "parallel"}[x] for x in shown}
        if len(kinds) > 1 or shown.count("P") > 1:
            return 0.0, 0
        kind = kinds.pop() if kinds else ""
        if unit is None:
            factor *= kind == "parallel"
            continue
        last = labels[unit][-1].replace("^", "P")
        if last == "P":
            factor *= kind in ("", "phrase")
        if last == "H":
            factor *= kind in ("", "Scene")
        if (kind == "Scene" and "P" not in shown) or (last == "H" and not kind):
            factor *= RARE
        scenes += kind == "Scene" or labels[unit] == "H>P"
    return factor, scenes


def every(scores):
    """All labelled trees, their weights and numbers of Scenes."""
    for tree in trees(0, len(scores) - 1):
        for chosen in itertools.product(range(-1, len(LABELS)), repeat=len(tree)):
            labels = {s: LABELS[k] for s, k in zip(tree, chosen, strict=True) if k >= 0}
            factor, scenes = weight(labels)
            if factor:
                total = sum(scores[*s, k] for s, k in zip(tree, chosen, strict=True) if k >= 0)
                yield labels, factor * np.exp(total), scenes


@st.composite
def charts(draw):
    n = draw(st.integers(1, 3))
    return draw(arrays(np.float32, (n, n, len(LABELS)), elements=st.floats(-4, 4, width=32)))


@settings(max_examples=8, deadline=None)
@given(charts())
def test_probabilities_are_shares_of_the_trees_that_keep_the_rules(scores):
    wanted, expected, total = np.zeros(scores.shape), 0.0, 0.0
    for labels, share, scenes in every(scores):
        for span, label in labels.items():
            wanted[*span, LABELS.index(label)] += share
        expected += share * scenes
        total += share
    found = GRAMMAR.chances(scores)
    assert np.allclose(found.labels, wanted / total, atol=1e-9)
    assert found.scenes == pytest.approx(expected / total)


def test_what_is_inside_units():
    spans = {
        (0, 5): "H",
        (0, 2): "A",
        (0, 1): "E",
        (1, 2): "C",
        (2, 3): "P",
        (3, 5): "A",
        (3, 4): "P^",
        (4, 5): "A>P",
    }
    found = {category: row.tolist() for category, row in inside(spans).items()}
    # nothing, phrase, Scene without a main relation, Scene, parallel
    assert found == {
        "H": [0, 0, 0, 1, 0],
        "A": [0, 1, 1, 0, 0],
        "E": [1, 0, 0, 0, 0],
        "C": [1, 0, 0, 0, 0],
        "P": [3, 0, 0, 0, 0],
    }


def test_balance_makes_what_it_favours_likelier():
    scores = np.zeros((3, 3, len(LABELS)), np.float32)
    plain, favoured = (
        SpanGrammar(LABELS, balance).chances(scores).inside["A"] for balance in ({}, {"A": [0, 0, 0, 2.0, 0]})
    )
    assert favoured[3] > plain[3] > 0


@settings(max_examples=20, deadline=None)
@given(charts(), st.integers(0, 3))
def test_trees_keep_the_rules(scores, wanted):
    spans = GRAMMAR.chances(scores).best(0.35, wanted)
    assert weight({(i, j - 1): label for (i, j), label in spans.items()})[0] > 0


def test_the_only_candidate_becomes_the_main_relation():
    """A Participant beside it makes a Scene, which needs a main relation."""
    labels = ["A", "P", "H"]
    scores = np.full((2, 2, 3), -9, np.float32)
    scores[0, 0, 0] = scores[0, 1, 2] = 6  # a Participant in a parallel Scene
    scores[1, 1, 1] = -0.5  # by itself less likely than not
    found = SpanGrammar(labels).chances(scores)
    assert found.labels[1, 1, 1] > 0.9
    assert found.best(0.35, 1) == {(0, 1): "A", (1, 2): "P", (0, 2): "H"}


def test_as_many_scenes_as_are_wanted():
    labels = ["H>P", "L"]
    scores = np.zeros((3, 3, 2), np.float32)
    scores[[0, 1, 2], [0, 1, 2], 0] = 3, 0.5, -0.5
    chances = SpanGrammar(labels).chances(scores)
    for wanted in (1, 2, 3):
        assert list(chances.best(0.3, wanted).values()).count("H>P") == wanted


def test_no_words():
    assert SpanGrammar(LABELS).chances(np.zeros((0, 0, len(LABELS)), np.float32)).best(0.35, 0) == {}


def test_annotators_keep_the_rules(shared):
    """A tree whose spans are certain is found again: all but 2 % of sentences."""
    gold = [constituency.spans(s) for g in passages("wiki-v1.2.4-dev")[:12] for s in _sentences(g)]
    grammar = SpanGrammar(sorted({label for spans in gold for label in spans.values()}))
    number = {label: k for k, label in enumerate(grammar.labels)}
    same = 0
    for spans in gold:
        n = max(j for _, j in spans)
        scores = np.full((n, n, len(number)), -20, np.float32)
        for (i, j), label in spans.items():
            scores[i, j - 1, number[label]] = 20
        chances = grammar.chances(scores)
        same += chances.best(0.35, round(chances.scenes)) == spans
    assert same >= 0.98 * len(gold)


def _sentences(graph):
    return [s for s in ucca.split(graph) if constituency.spans(s)]
