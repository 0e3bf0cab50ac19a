"""Which systems are meant: names, patterns, shards, texts in memory."""

from pathlib import Path

import pytest

import plainmark as pm
from plainmark.systems import Systems, split_name


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt", "r.0", "r.1", "s.txt"):
        (tmp_path / name).write_text(f"{name}\nsecond\n")
    for shard in range(3):
        (tmp_path / f"part{shard}.jsonl").write_text(f'{{"output": "o{shard}", "source": "s{shard}"}}\n')
    return tmp_path


@pytest.mark.parametrize(
    ("outputs", "names"),
    [
        (["a.txt", "b.txt"], ("a", "b")),
        (["one=a.txt", "b.txt"], ("one", "b")),
        (["[ab].txt"], ("a", "b")),  # a pattern is what the shell would have made of it
        (["x=part*.jsonl"], ("x",)),  # one system in several files
        (["part*.jsonl"], ("part0", "part1", "part2")),
        ("a.txt", ("a",)),
        (Path("a.txt"), ("a",)),
        ({"x": "a.txt", "y": Path("b.txt")}, ("x", "y")),
        ({"x": ["1", "2"], "y": pm.Corpus(None, ["3", "4"])}, ("x", "y")),
        (["1", "2"], ("output",)),  # texts of one system
        ([pm.Corpus(None, ["1"], name="n"), pm.Corpus(None, ["2"])], ("n", "system 2")),
        (pm.Corpus(None, ["1"], name="n"), ("n",)),
    ],
)
def test_names(folder, outputs, names):
    assert Systems.of(outputs).names == names


def test_names_of_paths_with_an_equals_sign(folder):
    (folder / "lr=0.1.txt").write_text("x\n")
    assert split_name("lr=0.1.txt") == ("", "lr=0.1.txt")  # there is such a file
    assert split_name("lr=0.2.txt") == ("lr", "0.2.txt")
    assert split_name("runs/lr=0.1/out.txt") == ("", "runs/lr=0.1/out.txt")
    assert split_name("s3://bucket/lr=0.1.txt") == ("", "s3://bucket/lr=0.1.txt")


def test_a_named_pattern_is_one_system_in_several_files(folder):
    (corpus,) = Systems.of(["x=part*.jsonl"], paths=True).corpora()
    assert corpus.outputs == ["o0", "o1", "o2"]
    assert corpus.sources == ["s0", "s1", "s2"]
    assert corpus.name == "x"


@pytest.mark.parametrize(
    ("references", "expected"),
    [
        ("r.*", [("r.0", "r.1"), ("second", "second")]),
        (["r.0", "r.1"], [("r.0", "r.1"), ("second", "second")]),
        ([["x", "y"], ["z"]], [("x", "y"), ("z",)]),
        (["x", "z"], [("x",), ("z",)]),  # one text per sample
        ((), None),
    ],
)
def test_references(folder, references, expected):
    (corpus,) = Systems.of("a.txt", references=references).corpora()
    assert corpus.references == expected


def test_memory_and_files_go_together(folder):
    good, copy = Systems.of({"good": ["1", "2"], "copy": "a.txt"}, ["x", "y"], [["p", "q"], ["r"]]).corpora()
    assert good.outputs == ["1", "2"]
    assert copy.outputs == ["a.txt", "second"]
    assert copy.sources is good.sources
    assert good.sources == ["x", "y"]
    assert good.references == [("p", "q"), ("r",)]


def test_a_corpus_keeps_its_ids_sources_and_references(folder):
    corpus = pm.Corpus(["s"], ["o"], [["r1", "r2"]], ids=["k"], name="n")
    (again,) = Systems.of(corpus).corpora()
    assert again[0] == corpus[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"outputs": ["a.txt", "a=b.txt"]}, "two systems are called 'a': a.txt and b.txt"),
        ({"outputs": ["a.txt", "a.txt"]}, "two systems are called 'a.txt'"),
        ({"outputs": [], "paths": True}, "no outputs given"),
        ({"outputs": ["x=nothing*.jsonl"], "paths": True}, "nothing*.jsonl: no file matches this pattern"),
        ({"outputs": 3}, "outputs: found int, expected paths, texts, corpora or a dictionary"),
        ({"outputs": "a.txt", "references": 3}, "references: found int"),
        ({"outputs": ["x=part*.jsonl"], "source": "s.txt"}, "s.txt: in 1 file, but another side is in 3"),
    ],
)
def test_mistakes(folder, arguments, message):
    with pytest.raises(pm.PlainmarkError) as caught:
        Systems.of(**arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"outputs": ["x=gone.txt"], "paths": True}, "gone.txt: no such file."),
        (
            {"outputs": ["1", 2]},
            "outputs: item 2 is int, expected a path, a text, a list of texts or a corpus.",
        ),
        ({"outputs": {"x": ["1", 2]}}, "outputs of x: item 2 is int, expected a text"),
        ({"outputs": {"x": ["1", "2"]}, "source": ["s"]}, "source: 1 texts, but outputs of x has 2."),
    ],
)
def test_mistakes_in_texts(folder, arguments, message):
    with pytest.raises(pm.PlainmarkError) as caught:
        Systems.of(**arguments).corpora()
    assert message in str(caught.value)
