"""The UCCA parser: odd input, long input, other languages, what is missing, and its scores on real passages."""

import importlib.util
import itertools
import json
import shutil
import sys
import time
import warnings

import numpy as np
import pytest

from plainmark import ucca
from plainmark.errors import InputError, MissingResourceError, OtherLanguageWarning
from plainmark.lexicon.language import looks_english
from plainmark.ucca import constituency
from plainmark.ucca.parser import DEFAULT, Parser, _parts, width_bucket
from plainmark.ucca.remote import RemoteModel, pairs
from plainmark.ucca.words import sentences, shape, words
from support.ucca_data import bracketed, passages


@pytest.fixture(scope="module")
def parse():
    return ucca.parser()


@pytest.fixture(scope="module")
def dev(shared):
    return [s for g in passages("wiki-v1.2.4-dev") for s in ucca.split(g)]


@pytest.mark.data
def test_development_passages(parse):
    """Every fifth passage; config.json has the figures for all of them, and the training script computes both."""
    some = [s for g in passages("wiki-v1.2.4-dev", every=5) for s in ucca.split(g)]
    record = ucca.evaluate(parse.parse([g.terminals for g in some]), some).record()
    for name, least in (
        ("labelled_primary", 79.0),
        ("unlabelled_primary", 88.5),
        ("labelled_remote", 38.0),
        ("minimal_centres", 82.0),
        ("participants", 66.0),
    ):
        assert record[name]["f1"] > least, name
    assert record["scenes_per_sentence"] == pytest.approx(record["gold_scenes_per_sentence"], rel=0.05)
    assert record["same_scene_count"] > 62


def test_a_simple_scene(parse):
    (graph,) = parse(["He ran into the park."])
    (scene,) = graph.scenes
    assert graph.words == ["He", "ran", "into", "the", "park", "."]
    assert [m.centres for m in scene.main_relations] == [((1,),)]
    assert [p.centres for p in scene.participants] == [((0,),), ((4,),)]


def test_texts_of_several_sentences_become_one_passage(parse):
    (graph,) = parse(["The dog barked. The cat slept."])
    assert graph.words == ["The", "dog", "barked", ".", "The", "cat", "slept", "."]
    assert len(graph.roots) == 1
    assert len(graph.scenes) == 2
    assert ucca.parse_passage(ucca.write_passage(graph).encode()).words == graph.words


def test_a_list_of_words_is_left_as_it_is(parse):
    (graph,) = parse([["He", "did", "n't", "stop.", "Then", "ran"]])
    assert graph.words == ["He", "did", "n't", "stop.", "Then", "ran"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "...",
        "!",
        "- -- ---",
        "\x00",
        "\ud800",
        "🦉",
        "x" * 5000,
        "a\u0301",
        "5",
        "$ 5 %",
        "No verb at all",
    ],
)
def test_odd_texts(parse, text):
    (graph,) = parse([text])
    assert len(graph.roots) == 1
    again = ucca.parse_passage(ucca.write_passage(graph).encode())
    assert len(again.words) == len(graph.words)


def test_no_texts(parse):
    assert parse([]) == []


def test_long_sentences_take_bounded_time(parse):
    clause = "the old farmer who lived near the river sold his small house to a young family , and".split()
    for length in (300, 600):
        long = (clause * 100)[:length]
        started = time.process_time()
        (graph,) = parse([long])
        assert time.process_time() - started < 60
        assert graph.words == long
        assert len(graph.scenes) > length / 40


def test_a_sentence_does_not_depend_on_the_others(parse):
    texts = ["The dog barked.", "Although it rained, the match that we had planned went on.", "Stop!"]
    together = parse(texts)
    assert [constituency.spans(parse([t])[0]) for t in texts] == [constituency.spans(g) for g in together]


@pytest.mark.parametrize(
    "text",
    [
        "Собака лает, а кошка убегает.",
        "狗在桌子下面睡觉。",
        "Der Hund schläft unter dem Tisch, und die Katze frisst nicht.",
        "Le chien dort sous la table pendant que le chat regarde par la fenêtre du salon.",
        "Lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor incididunt labore dolore magna aliqua"
        " veniam quis nostrud exercitation ullamco laboris nisi.",
    ],
)
def test_other_languages_are_warned_of_once(parse, text, monkeypatch):
    monkeypatch.setattr(parse, "_warned", False)
    with pytest.warns(OtherLanguageWarning, match="knows English only"):
        parse(["It rained.", text])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse([text])


@pytest.mark.parametrize(
    "text",
    [
        "Los Angeles and El Paso are cities of the south.",
        "Dogs bark.",
        "Juan de la Cruz met Ludwig van Beethoven in Den Haag at the Place de la Concorde.",
        "",
    ],
)
def test_english_with_foreign_names_is_not_warned_of(parse, text, monkeypatch):
    monkeypatch.setattr(parse, "_warned", False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse([text])


def test_no_english_passage_is_warned_of(dev):
    assert not [g.words for g in dev if not looks_english(" ".join(g.words))]


def test_progress_is_told(parse):
    seen = []
    parse(["One dog barked.", "Two dogs barked."], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_what_is_missing_is_said(monkeypatch, tmp_path):
    assert ucca.missing() == ""
    assert "has no model.safetensors" in ucca.missing(str(tmp_path))
    with pytest.raises(MissingResourceError, match="the UCCA parser needs a parser's weights"):
        ucca.parser(str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert ucca.missing() == "needs the package onnxruntime; install it with pip install 'plainmark[models]'"


def test_a_folder_that_is_no_parser_is_refused(tmp_path):
    for path in DEFAULT.iterdir():
        shutil.copy(path, tmp_path / path.name)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"plainmark": {"labels": ["A"]}}))
    with pytest.raises(InputError, match="not a UCCA parser; expected a folder"):
        ucca.parser(str(tmp_path))
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "remote.json").write_text("[]")
    with pytest.raises(InputError, match='expected a JSON object with "weights" and "threshold"'):
        ucca.parser(str(tmp_path))


def test_weights_are_small(parse):
    assert sum(path.stat().st_size for path in DEFAULT.iterdir()) < 60e6


def test_buckets_of_widths_grow():
    found = width_bucket(np.arange(400))
    assert found[:12].tolist() == list(range(12))
    assert (np.diff(found) >= 0).all()
    assert found.max() < 24


def test_parts_cover_a_long_sentence():
    words_ = ["word", ","] * 700
    parts = list(_parts(words_, [1] * len(words_)))
    assert parts[0][0] == 0
    assert parts[-1][1] == len(words_)
    assert all(a[1] == b[0] for a, b in itertools.pairwise(parts))
    assert all(words_[end - 1] == "," for _, end in parts)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('He said: "I can\'t."', ["He", "said", ":", '"', "I", "ca", "n't", ".", '"']),
        ("A well-known actor/singer.", ["A", "well", "-", "known", "actor", "/", "singer", "."]),
        ("It rose 5% in 2002–2007.", ["It", "rose", "5", "%", "in", "2002", "–", "2007", "."]),
        ("-LRB- see below -RRB-", ["(", "see", "below", ")"]),
        ("One. Two.", ["One", ".", "Two", "."]),
        ("", []),
    ],
)
def test_words(text, found):
    assert words(text) == found
    assert [w for s in sentences(text) for w in s] == found


def test_shapes():
    assert [shape(w) for w in (".", "12", "4th", "dog", "NATO", "I", "Dog", "iPod")] == list(range(8))


def test_remote_participants(parse):
    graph = bracketed("(H (A John) (P came)) (L and) (H (P left))")
    found = list(pairs(graph))
    assert {(graph.positions[p.scene], graph.positions[p.unit]) for p in found} == {((3,), (0,))}
    always = RemoteModel({"1": 10.0}).add(graph)
    assert [[p.remote for p in s.participants] for s in always.scenes] == [[False], [True]]
    never = RemoteModel({"1": -10.0})
    assert never.add(graph) is graph
    (parsed,) = parse(["John came home and called Mary."])
    assert any(p.remote for p in parsed.scenes[1].participants)


def test_equal_sentences_are_parsed_once(parse, monkeypatch):
    parsed = []
    whole = parse._parse

    def counting(sentences, *options):
        parsed.extend(sentences)
        return whole(sentences, *options)

    monkeypatch.setattr(parse, "_parse", counting)
    monkeypatch.setattr(parse, "_memory", {})
    first, again, both = parse(["Tom sang.", "Tom sang.", "Tom sang. Ann slept."])
    assert len(parsed) == 2
    assert [g.id for g in (first, again, both)] == ["1", "2", "3"]
    assert first.units == again.units
    assert [len(g.scenes) for g in (first, both)] == [1, 2]
    (later,) = parse(["Ann slept."])
    assert len(parsed) == 2
    assert later.words == ["Ann", "slept", "."]


def test_word_vectors_are_the_same_from_memory(parse, monkeypatch):
    texts = [["Tom", "sang", "."], [], ["unbelievably"]]
    monkeypatch.setattr(parse, "_vectors", {})
    fresh = parse.word_vectors(texts)
    assert [v.shape for v in fresh] == [(3, 384), (0, 384), (1, 384)]
    assert np.allclose(np.linalg.norm(np.concatenate(fresh), axis=1), 1, atol=1e-3)
    monkeypatch.setattr(parse, "_vectors", {})
    monkeypatch.setattr(parse, "_memory", {})
    monkeypatch.setattr(parse, "keeps_vectors", True)
    parse(["Tom sang."])
    assert list(parse._vectors) == [("Tom", "sang", ".")]
    assert (parse.word_vectors(texts[:1])[0] == fresh[0]).all()


def test_the_memory_of_vectors_is_bounded(parse, monkeypatch):
    monkeypatch.setattr(parse, "_vectors", {})
    monkeypatch.setattr(sys.modules[Parser.__module__], "REMEMBERED_SENTENCES", 2)
    vectors = parse.word_vectors([["One"], ["Two"], ["Three"], ["One"]])
    assert len(parse._vectors) == 2
    assert (vectors[0] == vectors[3]).all()
