"""plainmark align: what became of each sentence, the picture, and scores on gold links."""

import json

import pytest

from plainmark import cli

ARTICLE = "The feline slept on the mat. Prices rose by 3 % in 1998. It rained.\n"
SIMPLE = "Prices rose in 1998. They rose by 3 %. The cat slept on the mat. New words here.\n"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "article.txt").write_text(ARTICLE)
    (tmp_path / "simple.txt").write_text(SIMPLE)
    rows = [
        {"complex": ["The cat sat.", "Prices rose."], "simple": ["A cat sat."], "links": [[0, 0, "aligned"]]},
        {"complex": ["Owls hunt."], "simple": [], "links": []},
    ]
    (tmp_path / "links.jsonl").write_text("\n".join(map(json.dumps, rows)))

    def call(*words):
        code = cli.main(["align", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_text(run):
    code, out, _ = run("article.txt", "simple.txt", "--aligner", "jaccard")
    assert code == 0
    assert "deleted\n  -   3 It rained." in out
    assert "added\n  +   4 New words here." in out
    assert "moved" in out


def test_json(run):
    code, out, _ = run("article.txt", "simple.txt", "article.txt", "--aligner", "jaccard", "--format", "json")
    record = json.loads(out)
    assert code == 0
    assert record["source"][2] == "It rained."
    assert record["reference"] == record["source"]
    assert {g["change"] for g in record["groups"]} >= {"deleted", "added"}
    assert len(record["similarity"]["output"]) == 3


def test_html(run, tmp_path):
    code, out, _ = run("article.txt", "simple.txt", "--aligner", "jaccard", "-o", "graph.html")
    assert code == 0
    assert out == "graph.html: 4 groups of sentences\n"
    assert "What became of each sentence" in (tmp_path / "graph.html").read_text("utf-8")


def test_evaluate(run):
    code, out, _ = run("--evaluate", "links.jsonl", "--aligner", "jaccard", "--format", "json")
    record = json.loads(out)
    assert code == 0
    assert (record["precision"], record["recall"], record["f1"]) == (1.0, 1.0, 1.0)
    code, out, _ = run("--evaluate", "links.jsonl", "--aligner", "jaccard")
    assert "100.0" in out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("article.txt",), "found 1 files, expected an article, its simplification"),
        (("article.txt", "nowhere.txt"), "nowhere.txt: no such file"),
        (("article.txt", "simple.txt", "--aligner", "contxt"), "Did you mean 'context'?"),
        (("article.txt", "simple.txt", "--threshold", "3"), "expected a number from 0 to 1"),
        (("article.txt", "simple.txt", "--aligner", "bert"), "aligner bert needs"),
        (
            ("--evaluate", "article.txt"),
            'line 1: expected a JSON object with "complex", "simple" and "links"',
        ),
    ],
)
def test_mistakes(run, tmp_path, words, expected):
    code, _, err = run(*words)
    assert code == 2
    assert expected in err
    assert err.count("\n") == 1


def test_links_that_name_no_sentence(run, tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"complex": ["a"], "simple": ["b"], "links": [[0, 5, "aligned"]]}')
    code, _, err = run("--evaluate", "bad.jsonl")
    assert code == 2
    assert "line 1: link [0, 5, 'aligned'] does not name a sentence of each side" in err


def test_scores_of_groups(run, tmp_path):
    words = ("article.txt", "simple.txt", "article.txt", "--aligner", "jaccard", "--metric", "sari")
    code, out, _ = run(*words)
    assert code == 0
    assert "\nscore: " in out
    assert ", costs " in out
    record = json.loads(run(*words, "--format", "json")[1])
    groups = [g for g in record["groups"] if "score" in g]
    assert sum(g["score"] for g in groups) / len(groups) == pytest.approx(record["score"])
    assert run(*words, "-o", "graph.html")[0] == 0
    assert "Scores of the groups" in (tmp_path / "graph.html").read_text("utf-8")
    assert "score,cost" in run(*words, "--format", "csv")[1].splitlines()[0]


def test_a_metric_that_needs_a_reference(run):
    code, _, err = run("article.txt", "simple.txt", "--metric", "sari")
    assert code == 2
    assert err == "plainmark: sari needs a reference; give it as the third file.\n"
