"""UCCA graphs, their files and sentences: hand-made cases, and the corpora without loss."""

import re

import pytest

from plainmark.errors import InputError
from plainmark.ucca import Edge, UccaGraph, Unit, parse_passage, read_passage, split, write_passage
from plainmark.ucca.graph import terminals
from support.ucca_data import CORPORA, bracketed, files, passages

WROTE = bracketed(
    "(H (A I) (P read) (A (F the) (C=book book) (E (R that) (A John) (P wrote) (A*book))) (U .))"
)


def texts(graph, positions):
    return " ".join(graph.words[p] for p in positions)


def described(graph):
    """Each Scene as its main relations' and Participants' centres."""

    def centres(part):
        return "-" if part.implicit else "+".join(texts(graph, c) for c in part.centres)

    return [
        ([centres(m) for m in s.main_relations], [centres(p) for p in s.participants]) for s in graph.scenes
    ]


@pytest.mark.parametrize(
    ("text", "scenes"),
    [
        ("(H (A He) (P ran) (A (R into) (F the) (C park)))", [(["ran"], ["He", "park"])]),
        # a relative clause is a Scene with a remote Participant
        (
            "(H (A I) (P read) (A (F the) (C=b book) (E (R that) (A John) (P wrote) (A*b))))",
            [(["read"], ["I", "book"]), (["wrote"], ["John", "book"])],
        ),
        # the centre of the centre
        (
            "(H (A (F The) (E previous) (C (C president) (E (R of) (F the) (C commission)))) (P left))",
            [(["left"], ["president"])],
        ),
        # coordination: several minimal centres
        ("(H (A (C Mary) (N and) (C John)) (P ran))", [(["ran"], ["Mary+John"])]),
        # a name is one leaf of several words
        ("(H (A Barack Obama) (P won))", [(["won"], ["Barack Obama"])]),
        # a Participant that is a Scene: its main relation
        (
            "(H (A He) (P said) (A (A he) (F will) (S (F be) (C late))))",
            [(["said"], ["He", "late"]), (["late"], ["he"])],
        ),
        # a Participant of parallel Scenes: all their main relations
        (
            "(H (P Try) (A (H (P eating)) (L and) (H (P sleeping))))",
            [(["Try"], ["eating+sleeping"]), (["eating"], []), (["sleeping"], [])],
        ),
        # implicit Participants and main relations
        ("(H (A-) (A traveling) (S (F is) (C fun)))", [(["fun"], ["-", "traveling"])]),
        ("(H (P-) (A home))", [(["-"], ["home"])]),
        # neither Center nor main relation: all but function words
        ("(H (P (E (R by)) (E far)) (A it))", [(["by+far"], ["it"])]),
        ("(H (A (R of) (E old)) (P was))", [(["was"], ["old"])]),
        ("(U .)", []),
    ],
)
def test_scenes(text, scenes):
    assert described(bracketed(text)) == scenes


def test_scenes_come_in_the_order_of_the_text():
    graph = bracketed("(H (A (E (P Running)) (C water)) (P flows)) (L and) (H (P stops))")
    assert [texts(graph, s.positions) for s in graph.scenes] == [
        "Running water flows",
        "Running",
        "stops",
    ]


def test_positions_follow_primary_edges_only():
    wrote = WROTE.scenes[1]
    assert texts(WROTE, wrote.positions) == "that John wrote"
    assert [p.remote for p in wrote.participants] == [False, True]
    assert wrote.participants[1].positions == (3,)


def test_an_edge_may_have_several_categories():
    graph = UccaGraph(
        "x",
        terminals(["her", "friend"], [False, False]),
        (
            Unit("1.1", (Edge("H", "1.2"),)),
            Unit("1.2", (Edge("A", "1.3"), Edge("A", "1.4", tags=({"tag": "A"}, {"tag": "S"})))),
            Unit("1.3", (Edge("Terminal", "0.1"),)),
            Unit("1.4", (Edge("Terminal", "0.2"),)),
        ),
    )
    assert described(graph) == [(["friend"], ["her"])]
    assert graph.unit["1.2"].edges[1].categories == ("A", "S")


@pytest.mark.parametrize("corpus", CORPORA)
def test_every_file_of_the_corpora_is_written_back_byte_for_byte(shared, corpus):
    for name, content in files(corpus):
        assert write_passage(parse_passage(content, name)).encode() == content, name


@pytest.mark.parametrize(
    ("corpus", "passage_count", "sentence_count", "words"),
    [
        ("wiki-v1.2.4-dev", 38, 569, 17142),
        ("lpp-v2.0", 99, 100, 1312),
    ],
)
def test_sentences_of_the_corpora(shared, corpus, passage_count, sentence_count, words):
    graphs = passages(corpus)
    sentences = [s for g in graphs for s in split(g)]
    assert (len(graphs), len(sentences)) == (passage_count, sentence_count)
    assert sum(len(s.terminals) for s in sentences) == words
    assert [w for g in graphs for w in g.words] == [w for s in sentences for w in s.words]
    assert all(len(s.roots) == 1 for s in sentences)
    for implicit in (True, False):
        assert sum(u.implicit is implicit for g in graphs for u in g.units if u.kind == "FN") == sum(
            u.implicit is implicit for s in sentences for u in s.units if u.kind == "FN"
        ) - (0 if implicit else len(sentences) - len(graphs))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("(H (P Run) (U .)) (H (P Stop) (U !))", ["Run .", "Stop !"]),
        ("(H (P Run)) (U .) (H (P Stop)) (U !)", ["Run .", "Stop !"]),
        # the closing quote goes with what it closes
        ('(U ") (H (P Run)) (U .) (U ") (H (P Stop)) (U .)', ['" Run . "', "Stop ."]),
        ('(H (P Run)) (U .) (U ") (H (P Stop)) (U .) (U ")', ["Run .", '" Stop . "']),
        ("(H (P Run)) (U .) (U ”) (H (P Stop)) (U .)", ["Run . ”", "Stop ."]),
        # a unit on both sides
        ("(H (P Run (U .) there)) (H (P Stop))", ["Run . there Stop"]),
        # marks alone are no sentence
        ("(H (P Run)) (U .) (U .) (U !)", ["Run . . !"]),
        ("(U .)", ["."]),
        ("", [""]),
    ],
)
def test_sentence_boundaries(text, sentences):
    assert [" ".join(s.words) for s in split(bracketed(text))] == sentences


def test_edges_out_of_the_sentence_are_dropped():
    graph = bracketed("(H (A=he He) (P ran) (U .)) (H (A*he) (P Fell) (A-) (U .))")
    _, fell = split(graph)
    assert fell.id == "test.2"
    assert described(fell) == [(["Fell"], ["-"])]
    assert fell.terminals[0].id == "0.1"
    assert fell.terminals[0].attributes["paragraph_position"] == "1"
    again = parse_passage(write_passage(fell).encode())
    assert described(again) == described(fell)
    assert again.words == fell.words


GOOD = write_passage(WROTE)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD[:-9], r"x\.xml, line \d+: (unclosed token|no element found)\."),
        (GOOD.replace("</node>", "", 1), r"x\.xml, line \d+: found <node> inside <node>, expected <attributes>"),
        ("", r"x\.xml, line 1: no element found\."),
        ("<html/>", r"x\.xml, line 1: found <html> as the outermost element, expected <root>\."),
        ("<root/>", r"x\.xml, line 1: found the layers none; expected 0 \(words\) and 1 \(units\)\."),
        (
            '<!DOCTYPE r [<!ENTITY a "aaaa">]>\n' + GOOD,
            r"x\.xml, line 1: found a document type or an entity, which are not read\.",
        ),
        (GOOD.replace("<layer", "lost\n<layer", 1), r"x\.xml, line 3: found the text 'lost', expected elements only\."),
        (GOOD.replace(' text="I"', ""), r"x\.xml, line 5: a word without text\."),
        (GOOD.replace('paragraph="1"', 'paragraph="one"', 1), r"x\.xml, line 5: paragraph 'one' is not a number\."),
        (GOOD.replace(' toID="1.2"', "", 1), r"x\.xml, line \d+: <edge> has no toID\."),
        (GOOD.replace('"1.3" type="FN"', '"1.2" type="FN"'), r"x\.xml: passage test: an ID is used twice"),
        (GOOD.replace('toID="0.1"', 'toID="0.99"'), r"x\.xml: passage test: an edge leads from 1\.3 to 0\.99"),
        (GOOD.replace('toID="0.1"', 'toID="0.2"'), r"x\.xml: passage test: 0\.2 has two primary parents"),
        (GOOD.replace('toID="0.1"', 'toID="1.2"').replace('toID="1.2"', 'toID="0.1"', 1),
         r"x\.xml: passage test: 1\.2 is below itself"),
        ('<?xml version="1.0" encoding="klingon"?><root/>', r"x\.xml, line 1: unknown encoding: klingon\."),
    ],
)  # fmt: skip
def test_bad_files_are_named_with_their_line(tmp_path, content, message):
    (tmp_path / "x.xml").write_text(content)
    with pytest.raises(InputError, match=message):
        read_passage(tmp_path / "x.xml")
    with pytest.raises(InputError, match=re.escape("gone.xml: cannot read (No such file or directory).")):
        read_passage(tmp_path / "gone.xml")


def test_odd_words_survive_their_file():
    words = ["<&>", '"', "’n", "é", "🦉", "a\tb", "c\nd"]
    graph = UccaGraph("x", terminals(words, [False] * len(words)), (Unit("1.1", (Edge("Terminal", "0.1"),)),))
    assert parse_passage(write_passage(graph).encode()).words == words
    broken = UccaGraph("x", terminals(["\x00\ud800"], [False]), (Unit("1.1"),))
    assert parse_passage(write_passage(broken).encode()).words == ["\ufffd\ufffd"]
