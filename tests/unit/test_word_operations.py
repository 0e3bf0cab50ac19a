"""Word operations by hand, and against an oracle that counts token by token."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.operations import operations

PARTS = ["keep", "move", "replace", "delete", "add"]


def parts(source, output, *references):
    score = pm.metric("word-operations").score(pm.Corpus([source], [output], [references]))
    return {name: value for name, value in score.parts.items() if not np.isnan(value)} | {
        "score": score.value
    }


def test_by_hand():
    """The reference keeps he, it and the stop, and replaces purchased by bought."""
    source, reference = "he purchased it .", "he bought it ."
    assert parts(source, reference, reference) == {"keep": 100, "replace": 100, "add": 100, "score": 100}
    # The same word replaced, by another one.
    assert parts(source, "he got it .", reference) == {
        "keep": 100,
        "replace": 100,
        "add": 0,
        "score": 200 / 3,
    }
    # Copying: 3 of 4 kept tokens are right, 3 of the reference's 3; nothing replaced, nothing added.
    copied = parts(source, source, reference)
    assert copied == pytest.approx({"keep": 600 / 7, "replace": 0, "add": 0, "score": 200 / 7})
    # Deleting: he, it and the stop are kept as in the reference; the deletion is nobody's.
    deleted = parts(source, "he it .", reference)
    assert deleted == pytest.approx({"keep": 100, "replace": 0, "delete": 0, "add": 0, "score": 25})


def test_moves():
    """In 1998 moves to the end in both; the comma goes in both."""
    source, reference = "in 1998 , he came home", "he came home in 1998"
    assert parts(source, reference, reference) == {"keep": 100, "move": 100, "delete": 100, "score": 100}


def test_the_nearest_reference_counts():
    source, good, bad = "he purchased it .", "he bought it .", "nothing of the kind !"
    assert parts(source, good, bad, good)["score"] == 100
    assert parts(source, good, good, bad)["score"] == 100


def test_case():
    corpus = pm.Corpus(["The cat"], ["the cat"], [["THE CAT"]])
    assert pm.metric("word-operations").score(corpus).value == 100
    assert pm.metric("word-operations(lowercase=False)").score(corpus).value < 100


def test_counts_are_added_over_the_corpus():
    """Sample 1: one of one replacement right; sample 2: none of the reference's three. 2 * 1 / (1 + 4)."""
    corpus = pm.Corpus(["a x", "a x y z b"], ["a u", "a x y z b"], [["a v"], ["a 1 2 3 b"]])
    assert pm.metric("word-operations").score(corpus).parts["replace"] == pytest.approx(40)


def test_nothing_to_compare_is_undefined():
    score = pm.metric("word-operations").score(pm.Corpus([""], [""], [[""]]))
    assert np.isnan(score.value)


def oracle(source, output, references):
    """Counts (right, by output, by reference) per operation, of the best reference."""
    best = None
    mine = operations(source, output)
    for reference in references:
        theirs = operations(source, reference)
        rows = []
        for op in PARTS[:4]:
            a, b = ([t.op == op for t in diff.source] for diff in (mine, theirs))
            rows.append((sum(x and y for x, y in zip(a, b, strict=True)), sum(a), sum(b)))
        new = [Counter(t.text for t in diff.output if t.op in ("add", "replace")) for diff in (mine, theirs)]
        rows.append(((new[0] & new[1]).total(), new[0].total(), new[1].total()))
        performed = sum(r[1] + r[2] for r in rows)
        f = 2 * sum(r[0] for r in rows) / performed if performed else 1.0
        if best is None or f > best[0]:
            best = f, rows
    return best[1]


TEXT = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", ",", "."]), max_size=12).map(" ".join)
SAMPLE = st.tuples(TEXT, TEXT, st.lists(TEXT, min_size=1, max_size=3))


@given(st.lists(SAMPLE, min_size=1, max_size=3))
def test_the_oracle(samples):
    sources, outputs, references = zip(*samples, strict=True)
    found = pm.metric("word-operations(tokenizer=none)").stats(pm.Corpus(sources, outputs, references))
    expected = [np.ravel(oracle(*sample)) for sample in samples]
    np.testing.assert_array_equal(found, expected)


def test_real_outputs(asset, outputs):
    """A system that rewrites comes nearer to the references than copying does."""
    metric = pm.metric("word-operations")
    copied, access = metric.score(asset), metric.score(asset.with_outputs(outputs("ACCESS")))
    assert access.value > copied.value
    assert copied.parts["add"] == 0
    assert 0 < access.parts["add"] < access.parts["keep"] < 100
