"""The lattice decoder against all paths, and its limits."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import kernels
from plainmark.lm import LanguageModel
from plainmark.simplifier.lattice.lattice import KEEP, build_lattice
from plainmark.simplifier.rules.building import RuleSource, build_table
from plainmark.simplifier.rules.extraction import extract

WORDS = ["a", "b", "c", "d"]
MODEL = LanguageModel.train(["a b c", "b c d", "a c", "d d a b", "c a", "b"], order=3)
LM_WORDS = MODEL.ids([*WORDS, "zzz", "yyy"])


@st.composite
def lattices(draw):
    length = draw(st.integers(0, 4))
    edges = [
        (i, i + 1, draw(st.lists(st.integers(0, 5), min_size=1, max_size=1)), 0.0) for i in range(length)
    ]
    for _ in range(draw(st.integers(0, 5)) if length else 0):
        start = draw(st.integers(0, length - 1))
        end = draw(st.integers(start + 1, length))
        words = draw(st.lists(st.integers(0, 5), max_size=2))
        edges.append((start, end, words, draw(st.integers(-8, 8)) / 4))
    return length, sorted(edges, key=lambda e: e[0])


def arrays(many):
    edges = [e for _, of_one in many for e in of_one]
    return (
        np.array([n for n, _ in many], dtype=np.int64),
        np.cumsum([0, *(len(e) for _, e in many)]).astype(np.int64),
        np.array([e[0] for e in edges], dtype=np.int32),
        np.array([e[1] for e in edges], dtype=np.int32),
        np.array([e[3] for e in edges], dtype=np.float64),
        np.cumsum([0, *(len(e[2]) for e in edges)]).astype(np.int64),
        np.array([w for e in edges for w in e[2]], dtype=np.int32),
        LM_WORDS,
    )


def every_path(length, edges, at=0):
    if at == length:
        yield []
    for k, edge in enumerate(edges):
        if edge[0] == at:
            for rest in every_path(length, edges, edge[1]):
                yield [k, *rest]


def score(path, edges, weight):
    words = [w for k in path for w in edges[k][2]]
    names = [*WORDS, "zzz", "yyy"]
    lm = MODEL.score([" ".join(names[w] for w in words)])[0]
    return tuple(words), sum(edges[k][3] for k in path) + weight * lm


def search(many, weight=0.7, paths=1, beam=10_000, threads=1):
    return kernels.best_paths(
        MODEL.native, weight, arrays(many), beam=beam, threshold=1e9, paths=paths, threads=threads
    )


@given(lattices())
def test_best_paths_are_those_of_an_exhaustive_search(lattice):
    length, edges = lattice
    best = {}
    for path in every_path(length, edges):
        words, value = score(path, edges, 0.7)
        best[words] = max(best.get(words, -np.inf), value)
    expected = sorted(best.values(), reverse=True)[:5]
    _, scores, lm, offsets, used = search([lattice], paths=5)
    # Equal outputs by many derivations may use up the paths that are looked at; none is lost here.
    np.testing.assert_allclose(scores, expected, atol=1e-4)
    outputs = [tuple(w for k in used[a:b] for w in edges[k][2]) for a, b in itertools.pairwise(offsets)]
    assert len(set(outputs)) == len(outputs)
    for words, value, language in zip(outputs, scores, lm, strict=False):
        assert value == pytest.approx(best[words], abs=1e-4)
        assert language == pytest.approx(
            MODEL.score([" ".join([*WORDS, "zzz", "yyy"][w] for w in words)])[0], abs=1e-4
        )


@given(st.lists(lattices(), max_size=5))
def test_threads_and_batches_change_nothing(many):
    together = search(many, paths=3, threads=3)
    for k, found in enumerate(search(many, paths=3)):
        np.testing.assert_array_equal(together[k], found)
    alone = np.concatenate([np.zeros(0), *(search([one], paths=3)[1] for one in many)])
    np.testing.assert_array_equal(together[1], alone)


@given(lattices())
def test_context_gain_is_the_change_of_the_sentence(lattice):
    length, edges = lattice
    source = [
        edges[next(k for k, e in enumerate(edges) if e[0] == i and e[1] == i + 1)][2][0]
        for i in range(length)
    ]
    gains = kernels.context_gains(
        MODEL.native,
        arrays([lattice]),
        np.array(source, dtype=np.int32),
        np.array([0, length], dtype=np.int64),
    )
    names = [*WORDS, "zzz", "yyy"]
    before = MODEL.score([" ".join(names[w] for w in source)])[0]
    for (start, end, words, _), gain in zip(edges, gains, strict=False):
        changed = [*source[:start], *words, *source[end:]]
        assert gain == pytest.approx(MODEL.score([" ".join(names[w] for w in changed)])[0] - before, abs=1e-3)


@pytest.mark.parametrize(
    ("place", "value"),
    [(2, 5), (3, 0), (3, 9), (6, 77), (6, -1), (5, 4)],  # starts, ends, words, where words begin
)
def test_arrays_that_lead_outside_are_refused(place, value):
    held = [a.copy() for a in arrays([(2, [(0, 1, [0], 0.0), (1, 2, [1], 0.0)])])]
    held[place][1] = value
    with pytest.raises(ValueError, match="do not fit together"):
        kernels.best_paths(MODEL.native, 1.0, tuple(held), beam=3, threshold=9, paths=1)


def test_a_long_sentence_takes_bounded_time():
    edges = [(i, i + 1, [i % 4], 0.0) for i in range(300)]
    edges += [(i, i + 1, [(i + k) % 6], 0.1 * k) for i in range(300) for k in range(12)]
    began = time.process_time()
    found = search([(300, sorted(edges, key=lambda e: e[0]))], paths=50, beam=30)
    assert len(found[1]) == 50
    assert time.process_time() - began < 5


SOURCES = [["the", "large", "house"], ["a", "large", "tree", "fell"], ["he", "left"]]
REFERENCES = [
    [["the", "big", "house"], ["the", "house"]],
    [["a", "big", "tree", "fell"]],
    [["he", "went", "away"]],
]


def test_a_sentence_is_left_out_of_its_own_evidence():
    extracted = extract(SOURCES, REFERENCES)
    pairs = list(zip(extracted.sources, extracted.targets, strict=False))
    table = build_table(
        [RuleSource("set", pairs, extracted=extracted), RuleSource("ppdb", [(("left",), ("went",))])]
    )
    text = {table.text(r): r for r in range(len(table))}
    rule = text["large", "big"]
    assert table.counts[rule, 0] == pytest.approx(
        1.5
    )  # half of the references of the first, the one of the second
    assert table.source_counts[rule, 0] == 2
    lattice = build_lattice(SOURCES, table, MODEL, cross_fit=True)
    at = {
        (int(s), int(r)): k
        for k, (s, r) in enumerate(zip(lattice.sentence, lattice.rules, strict=False))
        if r != KEEP
    }
    assert lattice.counts[at[0, rule], 0] == pytest.approx(1.0)
    assert lattice.counts[at[1, rule], 0] == pytest.approx(0.5)
    assert lattice.source_counts[at[0, rule], 0] == 1
    assert (2, text["left", "went away"]) not in at  # nobody else says so
    assert (2, text["left", "went"]) in at  # from elsewhere
    assert lattice.source_counts[at[2, text["left", "went"]], 0] == 0
    new = build_lattice([["a", "large", "house"]], table, MODEL, cross_fit=True)
    assert new.counts[new.rules == rule, 0] == pytest.approx(1.5)  # the sentence is in no set
