"""The aligner `context`: its parts by slow and obvious rules, long texts, and what its signature says."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plainmark as pm
from plainmark.aligners import _order, _pieces, aligner
from plainmark.aligners._evidence import features
from plainmark.aligners._overlap import distinct, word_tokens
from plainmark.document import align
from plainmark.kernels import ngrams
from plainmark.trees import Trees

CONTEXT = aligner("context")
SUBJECTS = "boats bees clocks rivers trains bridges lemons pianos kites glaciers".split()
VERBS = "were painted by, belong to, were sold to, frighten, delighted, were named after, annoy".split(", ")
OWNERS = "farmers sailors doctors teachers painters bakers tailors miners".split()


def article(count, seed=0):
    """Sentences of which no two are the same, and a version in other words, in order."""
    rng = np.random.default_rng(seed)
    rows = list(itertools.product(SUBJECTS, VERBS, OWNERS))
    chosen = [rows[i] for i in rng.permutation(len(rows))[:count]]
    numbers = rng.permutation(np.arange(1000, 1000 + count))
    source = [
        f"In {n} the {s} {v} certain {o} of the town of K{n}."
        for n, (s, v, o) in zip(numbers, chosen, strict=True)
    ]
    output = [f"The {s} {v} {o} from K{n}." for n, (s, v, o) in zip(numbers, chosen, strict=True)]
    return source, output


def test_the_default_needs_no_model_and_names_its_weights():
    assert CONTEXT.encoder == "none"
    assert CONTEXT.missing() == ""
    assert re.search(r"encoder:none#[0-9a-f]{10}\|", CONTEXT.identity())
    metric = pm.metric("agg(bleu)")
    assert re.search(r"\|aligner:context#[0-9a-f]{10}\|", metric.signature("1"))
    assert pm.metric(metric.signature("1")) == metric


def test_the_weights_of_another_version_are_refused():
    signature = re.sub(r"context#[0-9a-f]{10}", "context#0123456789", pm.metric("agg(bleu)").signature("1"))
    with pytest.raises(pm.PlainmarkError, match="the signature has 0123456789"):
        pm.metric(signature)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_posteriors_are_sums_over_all_paths(n, m, seed):
    probable = np.random.default_rng(seed).random((n, m))
    sure = np.clip(probable, 1e-3, 1 - 1e-3)
    odds = 0.9 * sure / (1 - sure)

    def step(d):
        near = _order._STEPS[d + 3] if -3 <= d <= 5 else 0
        return near + 0.05 / n

    total, expected = 0.0, np.zeros((n, m))
    for path in itertools.product(range(2 * n), repeat=m):  # i, or n + i: none, after i
        weight = 1.0
        for j, state in enumerate(path):
            i = state % n
            if j == 0:
                weight *= step(i + 1) * odds[i, 0] if state < n else 0.1 / n
            elif state < n:
                weight *= step(i - path[j - 1] % n) * odds[i, j]
            else:
                weight *= 0.1 * (i == path[j - 1] % n)
        total += weight
        for j, state in enumerate(path):
            if state < n:
                expected[state, j] += weight
    np.testing.assert_allclose(_order.posterior(probable), expected / total, atol=1e-12)


def test_gaps_count_columns_from_the_neighbours():
    sure = np.zeros((4, 5))
    sure[0, 0] = sure[3, 3] = sure[3, 4] = 0.9
    before, after = _order._gaps(sure)
    assert before[1].tolist() == [0, 1, 2, 3, 4]  # from column 0 on
    assert after[1].tolist() == [3, 2, 1, 0, -1]  # to column 3
    assert before[0].tolist() == [1, 2, 3, 4, 4]  # from the beginning on, at most 4
    assert after[3].tolist() == [4, 4, 3, 2, 1]


def test_trees_against_a_walk():
    rng = np.random.default_rng(1)
    trees = Trees(rng.integers(0, 3, (5, 2)), rng.random((5, 2)), rng.random((5, 4)), -0.5)
    x = rng.random((20, 3))
    for row, score in zip(x, trees.scores(x), strict=True):
        expected = -0.5
        for f, t, v in zip(trees.features, trees.thresholds, trees.values, strict=True):
            expected += v[2 * (row[f[0]] > t[0]) + (row[f[1]] > t[1])]
        assert score == pytest.approx(expected)


def test_distinct_n_grams():
    grams = ngrams(word_tokens(["a b a b", "", "b a"]), 2)
    assert distinct(grams).lengths.tolist() == [2, 0, 1]


def test_features_of_texts_of_one_sentence_and_without_words():
    for a, b in ((["A cat."], ["A cat."]), (["..."], ["!", "?"]), (["12"], ["x"])):
        for name, values in features(a, b):
            assert values.shape == (len(a), len(b)), name
            assert np.isfinite(values).all(), name


def test_a_sentence_in_other_words_is_found_between_two_that_are_sure():
    source = "The bridge was built in 1932 by French engineers. Its construction provoked considerable controversy. The bridge carries 40,000 cars every day."  # fmt: skip
    output = "French engineers built the bridge in 1932. Many people argued about building it. Every day 40,000 cars use the bridge."  # fmt: skip
    (graph,) = align(source, output)
    assert graph.to_output[1].argmax() == 1
    groups = graph.groups()
    assert [graph.change(g) for g in groups if 0 in g.source or 2 in g.source] == ["rewritten", "rewritten"]
    assert all(graph.change(g) in ("rewritten", "perhaps rewritten") for g in groups)


def test_place_alone_is_no_link():
    source = "The committee met on 5 May in Oslo. Nobody objected to the 12 licences. It rained all day."
    output = "The committee met on 5 May in Oslo. Nobody was against the 12 licences. People sang."
    (graph,) = align(source, output)
    assert graph.to_output[2, 2] < 0.5


def test_the_same_text_keeps_all_its_sentences():
    source, _ = article(30)
    assert (CONTEXT.align(source, source).diagonal() > 0.5).all()


def test_the_answer_does_not_depend_on_other_texts_or_threads():
    source, output = article(12)
    alone = CONTEXT.align(source, output)
    together = CONTEXT.align_many([(output, source), (source, output)])[1]
    np.testing.assert_array_equal(alone, together)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (0, 5), (3, 0)])
def test_short_texts_are_not_cut(n, m):
    assert list(_pieces.cut(["a"] * n, ["a"] * m)) == ([(slice(0, n), slice(0, m))] if n and m else [])


@pytest.mark.parametrize(
    "change",
    [
        lambda s, o: (s, o),
        lambda s, o: (s, o[200:] + o[:200]),
        lambda s, o: (s, o[::2]),
        lambda s, o: (s[:100], o),
        lambda s, o: (["Yes."] * 400, ["No."] * 300),
    ],
    ids=["in order", "halves exchanged", "half dropped", "much added", "nothing in common"],
)
def test_pieces_cover_all_sentences_and_stay_small(change):
    source, output = change(*article(400))
    rows, columns = np.zeros(len(source), bool), np.zeros(len(output), bool)
    total = 0
    for a, b in _pieces.cut(source, output):
        rows[a] = columns[b] = True
        total += (a.stop - a.start) * (b.stop - b.start)
    assert rows.all()
    assert columns.all()
    assert total < 250 * max(len(source), len(output))


@pytest.mark.parametrize("moved", [0, 150])
def test_long_texts_are_aligned_like_short_ones(moved):
    source, output = article(500)
    order = [*range(moved, 500), *range(moved)]
    linked = CONTEXT.align(source, [output[j] for j in order]) > 0.5
    gold = np.zeros((500, 500), bool)
    gold[order, np.arange(500)] = True
    assert (linked & gold).sum() > 0.97 * 500
    assert (linked & ~gold).sum() < 0.03 * 500


def test_anchors_in_order():
    anchors = [(0, 5), (1, 0), (2, 1), (3, 9), (4, 2), (5, 3)]
    assert _pieces._in_order(anchors) == [1, 2, 4, 5]
    assert _pieces._in_order([]) == []
    assert _pieces._in_order([(0, 1), (0, 2), (1, 2)]) == [0, 2]
