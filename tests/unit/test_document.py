"""The sentence graph, its groups under both protocols, and what became of each sentence."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.document import Group, SentenceGraph, _longest_increasing, graphs, sentences


def graph(to_output, to_reference=None):
    """A graph with numbered sentences from its matrices."""
    to_output = np.array(to_output, dtype=float)
    m = len(to_output)
    to_reference = np.zeros((m, 0)) if to_reference is None else np.array(to_reference, dtype=float)
    names = lambda letter, n: tuple(f"{letter}{i}" for i in range(n))  # noqa: E731
    return SentenceGraph(
        names("c", m),
        names("s", to_output.shape[1]),
        names("r", to_reference.shape[1]),
        to_output,
        to_reference,
    )


def test_components_by_hand():
    # c0-s0, c1 alone, c2-s1 and c2-s2 (a split), s3 alone; r0 joins c0 and c1, r1 is alone
    found = graph(
        [[0.9, 0, 0, 0], [0, 0, 0, 0.5], [0, 0.8, 0.7, 0]],
        [[0.6, 0], [0.7, 0], [0, 0]],
    ).groups()
    assert found == [
        Group((0, 1), (0,), (0,)),
        Group((2,), (1, 2), ()),
        Group((), (3,), ()),  # 0.5 is not above 0.5
        Group((), (), (1,)),
    ]


def test_released_protocol_joins_lone_neighbours_and_drops_lone_references():
    # c1, c2 and c4 are alone, s0 and s1 too; r0 is alone
    to_output = np.zeros((5, 4))
    to_output[0, 2] = to_output[3, 3] = 1
    found = graph(to_output, np.zeros((5, 1))).groups(protocol="released")
    assert found == [
        Group((0,), (2,)),
        Group((3,), (3,)),
        Group((1, 2), ()),
        Group((4,), ()),
        Group((), (0, 1)),
    ]


def test_lone_neighbours_of_two_sides_are_not_joined():
    assert graph([[0.0]]).groups(protocol="released") == [Group((0,), ()), Group((), (0,))]


def test_restrictions():
    to_output = [[0.9, 0.8], [0.7, 0.6]]
    assert len(graph(to_output).groups()) == 1
    # Each output sentence with its best source sentence: both choose c0.
    assert graph(to_output).groups(restriction="best-source") == [Group((0,), (0, 1)), Group((1,), ())]
    # Each source sentence with its best output sentence: both choose s0.
    assert graph(to_output).groups(restriction="best-output") == [Group((0, 1), (0,)), Group((), (1,))]


def test_units_of_best_partners():
    g = graph([[0.2, 0.1], [0.0, 0.4], [0.3, 0.1]], [[0.1], [0.2], [0.0]])
    # A unit for each source sentence, however similar; s0 is used twice.
    assert g.units("best-output") == [
        Group((0,), (0,), (0,)),
        Group((1,), (1,), (0,)),
        Group((2,), (0,), (0,)),
    ]
    # A unit for each output sentence; c0 is used by none.
    assert g.units("best-source") == [Group((2,), (0,), (0,)), Group((1,), (1,), (0,))]
    assert graph([[0.2, 0.1]]).units("best-output") == [Group((0,), (0,), ())]


@pytest.mark.parametrize("ablation", ["best-source", "best-output"])
def test_units_of_empty_texts(ablation):
    assert graph(np.zeros((2, 0)), [[0.3], [0.1]]).units(ablation) == [Group((0, 1), (), (0,))]
    assert SentenceGraph((), (), (), np.zeros((0, 0)), np.zeros((0, 0))).units(ablation) == []


def test_threshold():
    assert len(graph([[0.4]]).groups(threshold=0.3)) == 1
    assert len(graph([[0.4]]).groups(threshold=0.4)) == 2


def test_changes():
    g = SentenceGraph(("a", "b"), ("a", "x"), (), np.eye(2), np.zeros((2, 0)))
    change = lambda s, o: g.change(Group(s, o))  # noqa: E731
    assert change((0,), (0,)) == "kept"
    assert change((1,), (1,)) == "rewritten"
    assert change((0,), (0, 1)) == "split"
    assert change((0, 1), (0,)) == "merged"
    assert change((0, 1), (0, 1)) == "regrouped"
    assert change((0,), ()) == "deleted"
    assert change((), (0,)) == "added"


def test_between_linked_and_dropped_is_doubt():
    similar = np.array([[0.9, 0.2, 0.1], [0.05, 0.3, 0.4], [0.0, 0.09, 0.0]])
    g = SentenceGraph(("a", "b", "c"), ("a", "x", "y"), (), similar, np.zeros((3, 0)), doubtful=0.1)
    groups = g.groups()
    assert [(x.source, x.output, g.change(x), g.candidates(x)) for x in groups] == [
        ((0,), (0,), "kept", ()),
        ((1,), (), "perhaps rewritten", (2, 1)),  # the likeliest first
        ((2,), (), "deleted", ()),
        ((), (1,), "perhaps rewritten", (1, 0)),
        ((), (2,), "perhaps rewritten", (1, 0)),
    ]
    # Sentences of one side that are joined have the candidates of all of them; those of a reference have none.
    assert g.candidates(Group((1, 2), ())) == (2, 1)
    assert g.candidates(Group((), (), (0,))) == ()


def test_moved_is_what_is_out_of_the_longest_order():
    g = graph(np.roll(np.eye(4), 1, axis=1))  # c3 -> s0, the others in order
    groups = g.groups()
    assert [m for grp, m in zip(groups, g.moved(groups), strict=True) if grp.source == (3,)] == [True]
    assert sum(g.moved(groups)) == 1


@given(st.permutations(range(7)))
def test_longest_increasing(values):
    found = _longest_increasing(values)
    kept = [v for v in values if v in found]
    assert kept == sorted(kept)
    best = max(
        bin(mask).count("1")
        for mask in range(128)
        if (chosen := [v for i, v in enumerate(values) if mask >> i & 1]) == sorted(chosen)
    )
    assert len(kept) == best


@given(
    st.integers(0, 4),
    st.integers(0, 4),
    st.integers(0, 3),
    st.integers(0, 2**28 - 1),
    st.sampled_from(["paper", "released"]),
)
def test_groups_partition_the_sentences(m, n, p, bits, protocol):
    flat = np.array([bits >> i & 1 for i in range(28)], dtype=float)
    g = graph(flat[: m * n].reshape(m, n), flat[16 : 16 + m * p].reshape(m, p))
    groups = g.groups(protocol=protocol)
    for side, count in (("source", m), ("output", n)):
        assert sorted(i for group in groups for i in getattr(group, side)) == list(range(count))
    references = sorted(i for group in groups for i in group.reference)
    if protocol == "paper":
        assert references == list(range(p))
    # Linked sentences share a group.
    where = {("c", i): k for k, grp in enumerate(groups) for i in grp.source}
    where |= {("s", i): k for k, grp in enumerate(groups) for i in grp.output}
    for i, j in np.argwhere(g.to_output > 0.5):
        assert where["c", i] == where["s", j]


def test_sentences_end_at_lines_too():
    text = "A heading\nOne sentence. Another one.\n\nThe end"
    assert sentences(text) == ("A heading", "One sentence.", "Another one.", "The end")
    assert sentences(text, lines=False) == ("A heading One sentence.", "Another one.", "The end")
    assert sentences("") == ()


def test_align_several_references():
    found = pm.align("Cats sleep. Dogs bark.", "Cats sleep.", ["Cats sleep.", "Dogs bark."], by="jaccard")
    assert [g.groups()[0].reference for g in found] == [(0,), ()]


def test_the_aligner_sees_all_sentences_first():
    class Watching(type(pm.aligner("jaccard"))):
        name = "jaccard"

        def prepare(self, sentences):
            seen.extend(sentences)

    seen = []
    graphs([("Cats sleep. Dogs bark.", "Cats sleep.", ["Dogs bark."]), ("Owls hunt.", "", [])], Watching())
    assert set(seen) == {"Cats sleep.", "Dogs bark."}  # a text without a partner need not be seen


@pytest.mark.parametrize("by", ["jaccard", "tfidf", "context(encoder='none')"])
def test_five_thousand_sentences(by):
    rng = np.random.default_rng(0)
    words = np.array([f"word{i}" for i in range(3000)])
    source = "\n".join(" ".join(rng.choice(words, 12)) + "." for _ in range(1500))
    start = time.process_time()
    (found,) = pm.align(source, source, by=by)
    assert found.to_output.shape == (1500, 1500)
    assert (found.to_output.argmax(axis=1) == np.arange(1500)).all()
    assert time.process_time() - start < 60


def test_similarities_are_kept_in_the_cache_folder(tmp_path):
    from plainmark import models

    documents = [
        (f"Cats sleep on mat {i}. Dogs bark.", f"Cats sleep {i}.", [f"Dogs bark {i}."]) for i in range(3)
    ]
    by = pm.aligner("context(encoder='none')")
    fresh = graphs(documents, by)
    with models.using(cache=tmp_path):
        graphs(documents, by)
        seen = []
        again = graphs(documents, by, progress=lambda done, total: seen.append(done))
    assert seen == []  # nothing was computed
    for (a,), (b,) in zip(fresh, again, strict=True):
        assert (a.to_output == b.to_output).all()
        assert (a.to_reference == b.to_reference).all()
    with models.using(cache=tmp_path):
        graphs(documents, pm.aligner("jaccard"), progress=lambda done, total: seen.append(done))
    assert seen  # another aligner has its own
