"""`plainmark facts` and `pm.facts`: tables, formats, the page, exit codes; the ledger itself is a stand-in."""

import csv
import io
import json
import sys

import pytest

import plainmark as pm
from plainmark import cli, faithfulness
from plainmark.api.facts import FactLedger, parse_kinds
from plainmark.documents import Prose
from plainmark.errors import OptionError
from plainmark.faithfulness.ledger import KINDS, Entry, Ledger, Place
from plainmark.report import facts as page
from support import ledgers
from support.html_outline import Outline


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    monkeypatch.setattr(faithfulness, "facts", ledgers.facts, raising=False)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "original.txt").write_text(ledgers.SOURCE + "\n", "utf-8")
    (tmp_path / "simplified.txt").write_text(ledgers.OUTPUT + "\n", "utf-8")

    def call(*words, files=("original.txt", "simplified.txt")):
        code = cli.main(["facts", *files, *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_the_table_lists_alarms_then_checks_and_groups_the_rest(run):
    code, out, err = run()
    assert (code, err) == (0, "")
    parts = [out.index(h) for h in ("Alarms\n", "To check\n", "Gone or new\n", "What was checked\n")]
    assert parts == sorted(parts)
    lines = out.splitlines()
    assert lines[2].split("  ")[0] == "changed"
    assert "“Do not stop”" in lines[2]
    assert "1:1" in lines[2]
    number = lines[3]
    assert all(part in number for part in ("“5 mg”", "2:6", "“5 g”", "97%", "Another unit."))
    assert "“12 days” 2:28, “1998” 3:30" in out
    assert "“9 pounds” 3:34" in out
    assert "Both texts have it." not in out


def test_the_table_says_what_was_and_what_was_not_checked(run):
    _, out, _ = run()
    checked = out[out.index("What was checked") :]
    rows = {line.split()[0]: line.split()[1:] for line in checked.splitlines()[1:7]}
    assert rows["kind"] == ["changed", "check", "gone", "new", "same"]
    assert rows["number"] == ["1", "0", "2", "1", "0"]
    assert rows["name"] == ["0", "0", "0", "0", "1"]
    assert (
        "none found in either text, and so not compared: term, quantifier, quotation, role, addition" in out
    )
    assert "could not be checked: Terms: no dictionary of this field." in out
    assert "Estimated risk that the meaning was altered: 83%." in out


def test_all_lists_every_fact(run):
    _, out, _ = run("--all")
    assert "The same in both texts" in out
    assert out.count("Both texts have it.") == 3
    assert out.count("Not in the other text.") == 2


def test_json_has_the_documented_form(run):
    _, out, _ = run("--format", "json")
    found = json.loads(out)
    assert list(found) == ["entries", "alarms", "risk", "notes", "unchecked"]
    assert len(found["entries"]) == 9
    assert found["alarms"] == [0, 1]
    assert found["risk"] == 0.83
    assert found["entries"][1] == {
        "kind": "number",
        "verdict": "changed",
        "confidence": 0.97,
        "before": {"text": "5 mg", "start": 37, "end": 41, "sentence": 1},
        "after": {"text": "5 g", "start": 30, "end": 33, "sentence": 1},
        "reason": "Another unit.",
    }
    assert found["entries"][3]["after"] is None
    for entry in found["entries"]:
        for side, text in (("before", ledgers.SOURCE), ("after", ledgers.OUTPUT)):
            if entry[side]:
                assert text[entry[side]["start"] : entry[side]["end"]] == entry[side]["text"]


def test_csv_and_tsv_have_every_entry(run):
    _, out, _ = run("--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 9
    assert rows[0]["before"] == "Do not stop"
    assert rows[0]["before_sentence"] == "0"
    assert [row["alarm"] for row in rows[:3]] == ["True", "True", "False"]
    assert rows[3]["after"] == rows[3]["after_start"] == ""
    _, tabbed, _ = run("--format", "tsv")
    assert tabbed.splitlines()[0].split("\t")[:4] == ["kind", "verdict", "confidence", "alarm"]


def test_markdown_and_latex(run):
    _, out, _ = run("--format", "markdown")
    assert out.startswith("### Alarms\n\n| verdict | kind | original |")
    assert "|---|---|---|---|---|---|---:|---|" in out
    _, out, _ = run("--format", "latex")
    assert r"\begin{tabular}{llllllrl}" in out
    assert r"97\%" in out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--fail-on", "changed"], 1, "plainmark: failed: 2 changed.\n"),
        (["--fail-on", "gone,new", "--fail-on", "check"], 1, "plainmark: failed: 2 gone, 1 new, 1 check.\n"),
        (["--fail-on", "changed", "--kinds", "name"], 0, ""),
        (["--fail-on", "new", "--kinds", "negation", "--kinds", "name,condition"], 0, ""),
    ],
)
def test_fail_on(run, words, code, message):
    found, out, err = run(*words)
    assert (found, err) == (code, message)
    assert "What was checked" in out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["--fail-on", "same"],
            "--fail-on same: no such verdict. Expected one of changed, check, gone, new.",
        ),
        (["--fail-on", "chnaged"], "Did you mean"),
        (["--kinds", "numbers"], "no kind of fact is called 'numbers'. Did you mean"),
    ],
)
def test_mistakes_in_options(run, words, expected):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert expected in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (("-", "-"), "- given twice: standard input can be one of the texts"),
        (("original.txt", "missing.txt"), "missing.txt: cannot be read"),
        (("empty.txt", "simplified.txt"), "empty.txt: no text in it"),
        (("original.txt",), "plainmark facts --help"),
    ],
)
def test_mistakes_in_files(run, tmp_path, files, expected):
    (tmp_path / "empty.txt").write_text(" \n\n", "utf-8")
    code, out, err = run(files=files)
    assert (code, out) == (2, "")
    assert expected in err


def test_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ledgers.SOURCE.encode()), encoding="utf-8"))
    code, out, _ = run("-o", "facts.json", files=("-", "simplified.txt"))
    assert code == 0
    assert out == "facts.json: 2 alarms, 1 to check, 2 gone and 1 new; 3 facts the same in both texts.\n"


def test_texts_without_facts_are_not_called_faithful(run, tmp_path):
    (tmp_path / "plain.txt").write_text("It rains.\n", "utf-8")
    code, out, _ = run("--fail-on", "changed", files=("plain.txt", "plain.txt"))
    assert code == 0
    assert f"none found in either text, and so not compared: {', '.join(KINDS)}" in out
    _, out, _ = run("--format", "html", files=("plain.txt", "plain.txt"))
    assert "No fact of these kinds was found in either text, so nothing was compared." in out
    assert "no alarm" not in out.lower()


def test_python(tmp_path):
    ledger = pm.facts(ledgers.SOURCE, ledgers.OUTPUT)
    assert isinstance(ledger, Ledger)
    assert isinstance(ledger, pm.Result)
    assert ledger.entries[0].kind == "negation"
    assert [e.pattern for e in ledger.alarms] == ["polarity", "unit"]
    assert ledger.to_dict() == ledgers.ledger().to_dict()
    assert len(ledger.records()) == 9
    assert str(ledger).startswith("Alarms\n")
    path = tmp_path / "original.txt"
    path.write_text(ledgers.SOURCE, "utf-8")
    assert pm.facts(path, ledgers.OUTPUT, kinds=["number"]).entries[0].before.text == "5 mg"
    assert pm.facts("a", "b", kinds="number").kinds == ("number",)
    with pytest.raises(OptionError, match="no kind of fact is called 'word'"):
        parse_kinds("word")


def test_the_page_marks_facts_in_place(run):
    _, out, _ = run("--format", "html")
    parser = Outline()
    parser.feed(out)
    assert "2 alarms, 1 to check, 2 gone and 1 new; 3 facts the same in both texts." in out
    assert '<mark class="fact-mark alarm" title="number: changed. Another unit.">5 mg</mark>' in out
    assert '<a class="label alarm" id="before-2" href="#fact-2">changed&nbsp;2</a>' in out
    assert '<tr id="fact-2">' in out
    ids = [value for _, name, value in parser.attributes if name == "id"]
    links = {value for _, name, value in parser.attributes if name == "href"}
    assert len(ids) == len(set(ids))
    assert links <= {f"#{name}" for name in ids}
    assert ">gone&nbsp;" in out
    assert ">new&nbsp;" in out
    assert "Terms: no dictionary of this field." in out
    assert (
        "None found in either text, and so not compared: term, quantifier, quotation, role, addition." in out
    )


def test_overlapping_facts_keep_the_text_whole():
    found = ledgers.ledger()
    numbers = {id(e): k for k, e in enumerate(found.entries, 1)}
    pieces = page.pieces(ledgers.SOURCE, [(e, e.before) for e in found.entries if e.before], numbers)
    assert "".join(p.text for p in pieces) == ledgers.SOURCE
    amin = next(p for p in pieces if p.text == "Amin")  # a name and part of what is to be checked
    assert amin.tone == "check"
    assert "name: same" in amin.hint
    # A place beyond the text is cut off rather than an error.
    wild = Entry("number", "new", 0.5, None, Place("x", -5, 99, 0), "")
    assert [p.text for p in page.pieces("abc", [(wild, wild.after)], {})] == ["abc"]
    assert page.pieces("", [], {}) == []


def test_a_red_new_fact_is_an_alarm():
    entry = Entry("number", "new", 0.9, None, Place("9", 0, 1, 0), "Not in the original.", "new", True)
    ledger = FactLedger((entry,), 0.5, documents=(Prose.plain(""), Prose.plain("9")))
    assert [title for title, _ in ledger.tables()] == ["Alarms", "What was checked"]
    assert page.headline(ledger) == "1 alarm; 0 facts the same in both texts."


def test_lines_and_columns():
    text = Prose.plain("ab\n\ncd")
    at = [page.position(text, Place("", i, i + 1, 0)) for i in (0, 1, 3, 4, 5)]
    assert at == ["1:1", "1:2", "2:1", "3:1", "3:2"]


def test_documents_are_read_without_their_markup(run, tmp_path, monkeypatch):
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("# Dosage\n\nTake **5 mg** with water.\n", "utf-8")
    (tmp_path / "b.html").write_text("<h1>How to take it</h1>\n<p>Take <b>5 g</b> with water.</p>\n", "utf-8")
    ledger = pm.facts(tmp_path / "a.md", tmp_path / "b.html")
    assert [(e.kind, e.before.text, e.after.text) for e in ledger.alarms] == [("number", "5 mg", "5 g")]
    assert "Dosage" not in [e.before.text for e in ledger.entries if e.before], "the first word of a heading"
    row = next(line for line in str(ledger).splitlines() if line.startswith("changed"))
    assert "3:8" in row
    assert "2:12" in row
    code, out, _ = run("--format", "csv", files=("a.md", "b.html"))
    assert code == 0
    assert "changed" in out


def test_a_file_of_another_suffix_is_plain_text(run, tmp_path):
    (tmp_path / "reference.0").write_text("# 5 mg\n", "utf-8")
    assert run(files=("original.txt", "reference.0"))[0] == 0
    code, _, err = run(files=("original.txt", "text.odt"))
    assert code == 2
    assert "cannot read a .odt file" in err


@pytest.mark.parametrize(("risk", "words"), [(0.999999, "over 95%"), (0.949, "95%"), (0.07, "7%")])
def test_a_risk_is_never_certain(risk, words):
    sentence = page.risk_sentence(Ledger((), risk, ()))
    assert sentence == f"Estimated risk that the meaning was altered: {words}."
