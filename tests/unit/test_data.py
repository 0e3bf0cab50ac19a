"""Samples, corpora and ratings: shapes, sharing, and every message about a wrong shape."""

import re

import numpy as np
import pytest

import plainmark as pm
from plainmark import data
from plainmark.errors import InputError

THREE = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pm.Corpus(THREE, THREE[:2]), "sources: 3 given, but there are 2 outputs."),
        (lambda: pm.Corpus(THREE[:1], THREE), "sources: 1 given, but there are 3 outputs."),
        (lambda: pm.Corpus([], THREE), "sources: 0 given, but there are 3 outputs."),
        (
            lambda: pm.Corpus(THREE, "abc"),
            "outputs: found one string, expected a list of strings. Put it in a list: [outputs].",
        ),
        (
            lambda: pm.Corpus("abc", THREE),
            "sources: found one string, expected a list of strings. Put it in a list: [sources].",
        ),
        (lambda: pm.Corpus(THREE, None), "outputs: found NoneType, expected a list of strings."),
        (lambda: pm.Corpus(3, THREE), "sources: found int, expected a list of strings."),
        (lambda: pm.Corpus(THREE, ["a", None, "c"]), "outputs[1]: found NoneType, expected a string."),
        (lambda: pm.Corpus(["a", "b", b"c"], THREE), "sources[2]: found bytes, expected a string."),
        (lambda: pm.Corpus(THREE, [["a"], ["b"], ["c"]]), "outputs[0]: found list, expected a string."),
        (
            lambda: pm.Corpus(THREE, THREE, "abc"),
            "references: found one string, expected a list with the references of each sample.",
        ),
        (
            lambda: pm.Corpus(THREE, THREE, 5),
            "references: found int, expected a list with the references of each sample.",
        ),
        (
            lambda: pm.Corpus(THREE, THREE, [THREE, THREE]),
            "references look transposed: found 2 lists of 3, expected 3 lists, one per sample. "
            "Use list(zip(*references)).",
        ),
        (
            lambda: pm.Corpus(THREE, THREE, [["a"], ["b"]]),
            "references: 2 given, but there are 3 outputs; expected one list per sample.",
        ),
        (
            lambda: pm.Corpus(
                THREE, THREE, ["abc", "def"]
            ),  # two strings of three letters are not lists of three
            "references: 2 given, but there are 3 outputs; expected one list per sample.",
        ),
        (
            lambda: pm.Corpus(THREE, THREE, [["a"], [], ["c"]]),
            "references[1]: empty, expected at least one reference.",
        ),
        (
            lambda: pm.Corpus(THREE, THREE, [["a"], ["b", 2], ["c"]]),
            "references[1]: found int, expected strings.",
        ),
        (
            lambda: pm.Corpus(THREE, THREE, [["a"], None, ["c"]]),
            "references[1]: found NoneType, expected a list of strings.",
        ),
        (lambda: pm.Corpus(THREE, THREE, ids=["x"]), "ids: 1 given, but there are 3 outputs."),
        (
            lambda: pm.Corpus(THREE, THREE).with_outputs(["a"]),
            "outputs: 1 given, but the test set has 3 samples.",
        ),
        (
            lambda: pm.Corpus(THREE, THREE).with_outputs("long text"),
            "outputs: found one string, expected a list of strings. Put it in a list: [outputs].",
        ),
        (
            lambda: pm.Corpus(THREE, THREE).with_outputs(["a", "b", 3]),
            "outputs[2]: found int, expected a string.",
        ),
        (lambda: pm.Corpus(None, THREE).texts("source"), "the corpus has no sources."),
        (lambda: pm.Corpus(None, THREE).texts("references"), "the corpus has no references."),
    ],
)
def test_messages(make, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        make()


def test_zipped_references_are_no_longer_transposed():
    corpus = pm.Corpus(THREE, THREE, list(zip(THREE, THREE, strict=True)))
    assert corpus.references == [("a", "a"), ("b", "b"), ("c", "c")]


def test_samples():
    corpus = pm.Corpus(["s"], ["o"], [["r", "q"]], ids=["7"], name="system")
    assert corpus[0] == pm.Sample("s", "o", ("r", "q"), "7")
    assert list(corpus) == [corpus[0]]
    assert corpus[-1] == corpus[0]
    with pytest.raises(IndexError):
        corpus[1]


def test_a_single_string_is_one_reference():
    assert pm.Corpus(["s", "t"], ["o", "p"], ["r", ["q"]]).references == [("r",), ("q",)]


def test_any_sequence_will_do():
    corpus = pm.Corpus(np.array(["s"]), ("o",), (x for x in [("r",)]))
    assert corpus[0] == pm.Sample("s", "o", ("r",), "1")


@pytest.mark.parametrize("nothing", [None, []])
def test_no_references(nothing):
    corpus = pm.Corpus(["s"], ["o"], nothing)
    assert corpus.references is None
    assert corpus.reference_count == "0"
    assert corpus[0].references == ()


def test_no_sources():
    assert pm.Corpus(None, ["o"])[0] == pm.Sample("", "o", (), "1")


@pytest.mark.parametrize(
    ("references", "count"),
    [([["a"], ["b"]], "1"), ([["a"], ["b", "c", "d"]], "1-3"), ([["a", "b"]] * 2, "2")],
)
def test_reference_count(references, count):
    assert pm.Corpus(None, ["o", "p"], references).reference_count == count


def test_references_lie_one_after_the_other():
    corpus = pm.Corpus(None, ["o", "p"], [["a", "b"], ["c"]])
    assert corpus.texts("references") == ["a", "b", "c"]
    assert corpus.reference_offsets().tolist() == [0, 2, 3]


def test_subset_and_slices():
    corpus = pm.Corpus(THREE, ["x", "y", "z"], [["1"], ["2"], ["3"]], name="n")
    assert corpus.subset([2, 0]).outputs == ["z", "x"]
    assert corpus[1:].ids == ["2", "3"]
    assert corpus[::-1].sources == ["c", "b", "a"]
    assert corpus[1:2].references == [("2",)]
    assert corpus[:0].outputs == []
    assert corpus[1:].name == "n"


def test_blocks(monkeypatch):
    monkeypatch.setattr(data, "BLOCK", 2)
    corpus = pm.Corpus(None, ["1", "2", "3", "4", "5"])
    assert [block.outputs for block in corpus.blocks()] == [["1", "2"], ["3", "4"], ["5"]]
    assert next(pm.Corpus(None, ["1", "2"]).blocks()).outputs == ["1", "2"]


def test_prepared_sources_and_references_are_shared_but_not_outputs():
    first = pm.Corpus(["s"], ["o"], [["r"]])
    second = first.with_outputs(["p"], name="second")
    calls = []

    def build(value):
        return lambda: calls.append(value) or value

    for side in ("source", "references", "output"):
        assert first.remember(side, "key", build(f"first {side}")) == f"first {side}"
    assert second.remember("source", "key", build("again")) == "first source"
    assert second.remember("references", "key", build("again")) == "first references"
    assert second.remember("output", "key", build("second output")) == "second output"
    assert first.remember("output", "key", build("again")) == "first output"
    assert "again" not in calls
    assert (second.name, second.ids) == ("second", first.ids)


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(data, "REMEMBERED_BYTES", 100)
    corpus = pm.Corpus(["s"], ["o"])
    small, large = np.zeros(8, np.int8), np.zeros(99, np.int8)
    assert corpus.remember("source", "small", lambda: small) is small
    assert corpus.remember("source", "large", lambda: large) is large
    assert corpus.remember("source", "small", lambda: None) is small
    assert corpus.remember("source", "large", lambda: None) is None  # it would have been too much


def test_subsets_do_not_inherit_what_was_prepared():
    corpus = pm.Corpus(["s", "t"], ["o", "p"])
    corpus.remember("source", "key", lambda: "both")
    assert corpus[:1].remember("source", "key", lambda: "one") == "one"


@pytest.mark.parametrize(
    ("corpus", "text"),
    [
        (pm.Corpus(["s"], ["o"], [["r"]], name="n"), "Corpus('n', 1 samples, references: 1)"),
        (pm.Corpus(None, ["o"]), "Corpus(1 samples, no sources, references: 0)"),
    ],
)
def test_repr(corpus, text):
    assert repr(corpus) == text


def test_samples_and_ratings_are_values():
    with pytest.raises(AttributeError):
        pm.Sample("s", "o").output = "p"
    rating = pm.Rating("system", "1", "meaning", "r1", 4.0)
    ratings = pm.Ratings([rating, pm.Rating("system", "1", "fluency", "r1", 5.0)])
    assert ratings[0] == rating
    assert ratings[1:][0].dimension == "fluency"
    assert len(ratings) == 2
    assert repr(ratings) == "Ratings(2 values; dimensions: fluency, meaning)"
    assert repr(pm.Ratings([])) == "Ratings(0 values; dimensions: none)"


def test_ratings_are_read(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("system,sample,dimension,rater,value\nA,1,meaning,r1,3.5\n", "utf-8")
    assert list(pm.Ratings.read(str(path))) == [pm.Rating("A", "1", "meaning", "r1", 3.5)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "system,sample,value\nA,1,2\n",
            "no column dimension, rater; expected system, sample, dimension, rater, value.",
        ),
        ("system,sample,dimension,rater,value\nA,1,m,r,good\n", "line 2: value 'good' is not a number."),
        ("system,sample,dimension,rater,value\nA,1,m,r\n", "line 2: not as many cells as the 5 columns."),
    ],
)
def test_ratings_messages(tmp_path, content, message):
    path = tmp_path / "ratings.csv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        pm.Ratings.read(str(path))
