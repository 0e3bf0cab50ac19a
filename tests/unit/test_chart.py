"""Charts: probabilities of spans and the best tree, against all trees written out."""

import numpy as np
import pytest
from hypothesis import given
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
