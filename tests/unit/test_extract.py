"""The best extract of a text by ROUGE-L, against all subsets."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import kernels

words = st.lists(st.sampled_from("abcdef"), max_size=6).map(" ".join)


def tokens(texts):
    return kernels.tokenize(texts, "rouge", lowercase=True)


def fit(chosen, sentences, target):
    """F1 of the longest common subsequence, and the number of tokens."""
    text = tokens([" ".join(sentences[i] for i in chosen)])
    both = len(text.hashes) + len(target.hashes)
    return (2 * int(kernels.lcs(text, target)[0]) / both if both else 0.0), len(text.hashes)


@given(st.lists(words, max_size=7), st.lists(st.sampled_from("abcdefg"), max_size=14).map(" ".join))
def test_no_subset_is_better(sentences, reference):
    target = tokens([reference])
    chosen, exact = kernels.best_extract(tokens(sentences), target)
    assert exact
    assert list(chosen) == sorted(set(chosen))
    every = [
        fit(c, sentences, target)
        for n in range(len(sentences) + 1)
        for c in combinations(range(len(sentences)), n)
    ]
    best = max(f for f, _ in every)
    found, size = fit(chosen, sentences, target)
    assert found == pytest.approx(best, abs=1e-12)
    if best > 0:
        assert size == min(n for f, n in every if f == pytest.approx(best, abs=1e-12))
    # A beam that never drops anything is as good, and says that it is a beam.
    beamed, exact = kernels.best_extract(tokens(sentences), target, limit=0, beam=1000)
    assert exact == (not sentences)
    assert fit(beamed, sentences, target)[0] == pytest.approx(best, abs=1e-12)


def test_long_texts_are_searched_by_a_beam():
    sentences = [f"w{i} x{i} y{i}" for i in range(40)]
    wanted = [2, 3, 17, 38]
    target = tokens([" ".join(sentences[i] for i in wanted)])
    chosen, exact = kernels.best_extract(tokens(sentences), target)
    assert not exact
    assert chosen.tolist() == wanted


def test_nothing_in_common():
    chosen, _ = kernels.best_extract(tokens(["a b", "c"]), tokens(["x y"]))
    assert chosen.tolist() == []
