"""plainmark explain: text, JSON and the page, and what cannot be explained."""

import csv
import json

import pytest

from plainmark import cli
from plainmark.report import scenes
from plainmark.ucca import write_passage
from plainmark.ucca.alignment import WordLinks
from plainmark.ucca.scenes import explain
from support.ucca_data import bracketed

WROTE = "(H (A I) (P read) (A (E the) (C=book book) (E (R that) (A John) (P wrote) (A*book)))) (U .)"
METRIC = "samsa(parses='gold', encoder='none', wordnet='none')"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold").mkdir()
    for k, graph in enumerate((WROTE, WROTE, "(H (A Notes))"), 1):
        (tmp_path / "gold" / f"{k}.xml").write_text(write_passage(bracketed(graph)), "utf-8")
    (tmp_path / "s.txt").write_text("I read the book that John wrote.\n" * 2 + "Notes\n", "utf-8")
    (tmp_path / "o.txt").write_text(
        "John wrote. I read the book.\nI read. The book. It fell.\nNotes\n", "utf-8"
    )

    def call(*arguments, metric=METRIC):
        code = cli.main(["explain", metric, *arguments])
        return code, *capsys.readouterr()

    return call


def test_text(run):
    code, out, _ = run("o.txt", "-s", "s.txt")
    assert code == 0
    assert "sample 1: SAMSA 87.50" in out
    assert "Scene: that John wrote  to sentence 1 with 2 of 4 words, 75" in out
    assert "- participant: book (shared), missing" in out
    assert "3 sentences for 2 Scenes: a Scene must have been split across sentences" in out
    assert "sample 3: undefined, the source has no Scene" in out


def test_json(run):
    code, out, _ = run("o.txt", "-s", "s.txt", "--format", "json")
    rows = json.loads(out)
    assert code == 0
    assert [r["samsa"] for r in rows] == [87.5, 0, None]
    parts = rows[0]["scenes"][1]["parts"]
    assert [(p["centres"], p["score"]) for p in parts] == [(["wrote"], 1), (["John"], 1), (["book"], 0)]
    assert rows[0]["scenes"][1]["sentence"] == 1


def test_one_row_per_scene(run):
    code, out, _ = run("o.txt", "-s", "s.txt", "--format", "csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 0
    assert [row["sample"] for row in rows] == ["1", "1", "2", "2", "3"]
    assert rows[1]["missing"] == "book"
    assert rows[1]["score"] == "75.0"
    assert rows[4]["Scene"] == ""
    assert all(row["signature"].startswith("samsa|") for row in rows)


def test_html(run, tmp_path):
    code, out, _ = run("o.txt", "-s", "s.txt", "-o", "page.html")
    assert (code, out) == (0, "page.html: 3 samples\n")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "book (shared), missing" in page
    assert "encoder:none" in page


def test_a_metric_without_explanation(run):
    code, _, err = run("o.txt", "-s", "s.txt", metric="chrf")
    assert code == 2
    assert (
        "chrf has no explanation; metrics that have one: sari, bleu, rouge, fkgl, agg, entailment, quality, samsa."
        in err
    )


def test_mistakes_write_nothing(run, tmp_path):
    (tmp_path / "gold" / "2.xml").write_text("<root>\n", "utf-8")
    code, _, err = run("o.txt", "-s", "s.txt", "-o", "page.html")
    assert code == 2
    assert "2.xml, line 2" in err
    assert not (tmp_path / "page.html").exists()


def test_texts_are_only_texts():
    graph = bracketed("(H (A <img/src=x>) (P </script>))")
    page = scenes.render(
        [explain(graph, [["<em>x"]], WordLinks(((0, 0),)))],
        names=["<i>1</i>"],
        subject="<u>",
        signature="<s>",
    )
    for attack in ("<img", "<em>", "<i>1", "<u>", "<s>"):
        assert attack not in page
        assert attack.replace("<", "&lt;").replace(">", "&gt;") in page
    assert "There are no samples" in scenes.render([], names=[])
