"""Charts: probabilities of spans and the best tree, against all trees written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from plainmark import kernels


def trees(i, j):
    """All binary trees over words i to j, as lists of spans."""
    if i == j:
        return [[(i, j)]]
    return [[(i, j), *left, *right] for k in range(i, j) for left in trees(i, k) for right in trees(k + 1, j)]


@st.composite
def charts(draw):
    n = draw(st.integers(1, 6))
    return draw(arrays(np.float64, (n, n), elements=st.floats(-8, 8)))


@given(charts())
def test_marginals_are_shares_of_all_trees(scores):
    every = trees(0, len(scores) - 1)
    weights = np.exp([sum(scores[s] for s in tree) for tree in every])
    wanted = np.zeros_like(scores)
    for tree, weight in zip(every, weights / weights.sum(), strict=True):
        for span in tree:
            wanted[span] += weight
    assert np.allclose(kernels.span_marginals(scores), wanted, atol=1e-9)


@given(charts())
def test_the_best_tree_is_the_best_of_all(scores):
    every = trees(0, len(scores) - 1)
    found = [tuple(s) for s in kernels.best_tree(scores).tolist()]
    assert sorted(found) in [sorted(t) for t in every]
    assert found[0] == (0, len(scores) - 1)
    best = max(sum(scores[s] for s in tree) for tree in every)
    assert sum(scores[s] for s in found) == pytest.approx(best)


JOINS = ((0, 0, 0), (0, 1, 1), (1, 0, 1))  # at most one of two parts shows 1


def states(tree, at):
    """All ways to give states (inside, shown) to a tree that show 1 at the root and keep to the joins."""

    def ways(i, j):
        children = [s for s in tree if (i, j) != s and i <= s[0] and s[1] <= j]
        parts = [s for s in children if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in children)]
        if not parts:
            inner = [(0, {})]
        else:
            left, right = (ways(*p) for p in sorted(parts))
            inner = [(c, x | y) for a, x in left for b, y in right for p, q, c in JOINS if (p, q) == (a, b)]
        return [(t, below | {(i, j): (s, t)}) for s, below in inner for t in (0, 1)]

    return [below for shown, below in ways(0, at) if shown == 1]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: arrays(np.float64, (n, n, 2, 2), elements=st.floats(-5, 5))))
def test_marginals_and_best_tree_with_a_grammar(scores):
    last = len(scores) - 1
    every = [way for tree in trees(0, last) for way in states(tree, last)]
    totals = np.array([sum(scores[*span, *way] for span, way in one.items()) for one in every])
    wanted = np.zeros_like(scores)
    for one, share in zip(every, np.exp(totals) / np.exp(totals).sum(), strict=True):
        for span, way in one.items():
            wanted[*span, *way] += share
    assert np.allclose(kernels.span_marginals(scores, JOINS, 1), wanted, atol=1e-9)
    found = {(i, j): (s, t) for i, j, s, t in kernels.best_tree(scores, JOINS, 1).tolist()}
    assert found in every
    assert sum(scores[*span, *way] for span, way in found.items()) == pytest.approx(totals.max())


def test_no_tree_is_possible():
    scores = np.full((2, 2, 2, 2), -np.inf)
    assert not kernels.span_marginals(scores, JOINS, 1).any()
    assert kernels.best_tree(scores, JOINS, 1).shape == (0, 4)


def test_states_without_scores_are_refused():
    with pytest.raises(ValueError, match="states beyond the 1"):
        kernels.best_tree(np.zeros((2, 2)), JOINS)


def test_no_words_and_a_shape_that_is_no_square():
    assert kernels.span_marginals(np.zeros((0, 0))).shape == (0, 0)
    assert kernels.best_tree(np.zeros((0, 0))).shape == (0, 2)
    with pytest.raises(ValueError, match="expected a square"):
        kernels.best_tree(np.zeros((2, 3)))


def test_impossible_spans_have_no_probability():
    scores = np.zeros((3, 3))
    scores[0, 1] = -np.inf
    found = kernels.span_marginals(scores)
    assert found[0, 1] == 0
    assert found[1, 2] == pytest.approx(1)


@given(st.integers(0, 5), st.sampled_from((1, 7, 16, 37)), st.integers(0, 1000))
def test_vectors_of_spans(n, size, seed):
    rng = np.random.default_rng(seed)
    first, last, middle, width = rng.normal(size=(4, n, size))
    scale, shift = rng.normal(size=(2, size))
    total = np.concatenate([np.zeros((1, size)), middle.cumsum(axis=0)])
    expected = np.zeros((n * (n + 1) // 2, size))
    for row, (i, j) in zip(expected, zip(*np.triu_indices(n), strict=True), strict=True):
        vector = first[i] + last[j] + width[j - i] + middle[i : j + 1].mean(axis=0)
        vector = (vector - vector.mean()) / np.sqrt(vector.var() + 1e-5)
        row[:] = np.maximum(vector * scale + shift, 0)
    vectors = kernels.span_vectors(first, last, total, width, scale, shift)
    assert vectors.shape == expected.shape
    assert np.allclose(vectors, expected, atol=2e-3 if size == 1 else 1e-4)
