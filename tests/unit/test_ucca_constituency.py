"""UCCA as labelled spans and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.ucca import constituency, evaluate, split
from plainmark.ucca.graph import terminals
from support.ucca_data import CORPORA, bracketed, passages


def again(graph):
    """The graph by way of its spans."""
    return constituency.graph(
        graph.terminals, constituency.in_chart(graph), constituency.spans(graph), graph.id
    )


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("(H (A John) (P got) (A home)) (U .)", {(0, 3): "H", (0, 1): "A", (1, 2): "P", (2, 3): "A"}),
        # a unit with one child shares its label, punctuation aside
        ("(H (P Run) (U !))", {(0, 1): "H>P"}),
        # words of one leaf have no labels of their own
        ("(H (A Barack Obama) (P won))", {(0, 3): "H", (0, 2): "A", (2, 3): "P"}),
        # what is in the gap moves in, marked
        (
            "(H (P gave) (A it) (F up))",
            {(0, 3): "H", (0, 1): "P", (1, 2): "A", (2, 3): "F"},
        ),
        # remote and implicit units are left out
        ("(H (A=j John) (P came)) (L and) (H (A*j) (P left) (A-))", {(0, 2): "H", (0, 1): "A", (1, 2): "P", (2, 3): "L", (3, 4): "H>P"}),
        ("(U .)", {}),
    ],
)  # fmt: skip
def test_spans(text, spans):
    assert constituency.spans(bracketed(text)) == spans


def discontinuous(words, categories):
    """A Scene whose Process is the words that are marked, with a Participant for each other word."""
    from plainmark.ucca import Edge, UccaGraph, Unit

    process = tuple(Edge("Terminal", f"0.{i}") for i, c in enumerate(categories, 1) if c == "P")
    others = [i for i, c in enumerate(categories, 1) if c != "P"]
    units = [Unit("1.1", (Edge("H", "1.2"),))]
    edges = (Edge("P", "1.3"), *(Edge(categories[i - 1], f"1.{k}") for k, i in enumerate(others, 4)))
    units += [Unit("1.2", edges), Unit("1.3", process)]
    units += [Unit(f"1.{k}", (Edge("Terminal", f"0.{i}"),)) for k, i in enumerate(others, 4)]
    return UccaGraph("x", terminals(words, [False] * len(words)), tuple(units))


def test_what_lies_in_a_gap_moves_in_and_out_again():
    graph = discontinuous(["He", "gave", "it", "up"], "APAP")
    assert constituency.spans(graph) == {(0, 4): "H", (0, 1): "A", (1, 4): "P", (2, 3): "A^"}
    back = again(graph)
    assert back.positions[back.scenes[0].main_relations[0].unit] == (1, 3)
    assert evaluate([back], [graph]).edges["labelled", "primary"].f1 == 1


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_corpora_come_back(shared, corpus):
    """All but a few units that interleave with a sibling, which no tree of spans has: 100.0 rounded."""
    sentences = [s for g in passages(corpus, every=6) for s in split(g)]
    scores = evaluate([again(s) for s in sentences], sentences)
    assert round(100 * scores.edges["labelled", "primary"].f1, 1) == 100.0
    assert round(100 * scores.edges["unlabelled", "primary"].f1, 1) == 100.0
    assert scores.same_count == scores.sentences


@st.composite
def trees(draw, depth=0):
    """Brackets of a random tree with random words."""
    categories = st.sampled_from("HPSADCERLNF")
    if depth == 3 or draw(st.booleans()):
        return f"({draw(categories)} {' '.join(draw(st.lists(st.sampled_from(['a', 'b', ',']), min_size=1, max_size=2)))} w)"
    inner = draw(st.lists(trees(depth=depth + 1), min_size=1, max_size=3))
    return f"({draw(categories)} {' '.join(inner)})"


def units(graph):
    """Categories and words of all units, punctuation aside."""
    words = set(constituency.in_chart(graph))
    return sorted(
        (edge.category, [p for p in graph.positions[edge.child] if p in words])
        for unit in graph.units
        for edge in unit.edges
        if edge.child in graph.unit and graph.unit[edge.child].kind == "FN"
    )


@given(st.lists(trees(), min_size=1, max_size=3).map(" ".join))
def test_any_tree_comes_back(text):
    graph = bracketed(text)
    assert units(again(graph)) == units(graph)


def test_marks_hang_below_the_lowest_unit_around_them():
    words = terminals(["well", "-", "known", "songs", "."], [False, True, False, False, True])
    graph = constituency.graph(
        words, [0, 2, 3], {(0, 3): "A", (0, 2): "E", (0, 1): "D", (1, 2): "C", (2, 3): "C"}
    )
    assert [t.text for t in graph.terminals] == ["well", "-", "known", "songs", "."]
    (e,) = [u.id for u in graph.units if graph.positions[u.id] == (0, 1, 2)]
    assert graph.parent[e][1].category == "E"
    assert graph.parent[graph.parent["0.5"][0]][0] == "1.1"


def test_only_marks_and_nothing_at_all():
    graph = constituency.graph(terminals([".", "!"], [True, True]), [], {})
    assert graph.scenes == ()
    assert graph.positions["1.1"] == (0, 1)
    assert constituency.graph((), [], {}).words == []


def test_which_words_are_punctuation():
    assert constituency.punctuation([".", "--", "a", "$", "5%", "£", "’", "é", "漢"]) == [
        True, True, False, False, False, False, True, False, False,
    ]  # fmt: skip
