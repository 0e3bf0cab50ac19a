"""The commands as a user types them: output, exit codes, and one line for every mistake."""

import csv
import json
import re
import subprocess
import sys

import pytest

from plainmark import cli
from plainmark.cli.list import readiness

SOURCE = "The committee convened in 1998.\nOwls are nocturnal birds.\nHe purchased volumes.\n"
REFERENCE = "The group met in 1998.\nOwls are birds that hunt at night.\nHe bought books.\n"
GOOD = "The group met in 1998.\nOwls are birds of the night.\nHe bought books.\n"
COPY = SOURCE


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "s": SOURCE,
        "r.0": REFERENCE,
        "r.1": GOOD,
        "good.txt": GOOD,
        "copy.txt": COPY,
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def run(files, capsys):
    def call(*words):
        code = cli.main(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return call


INPUTS = ("good.txt", "copy.txt", "-s", "s", "-r", "r.0", "-r", "r.1")


def test_score_prints_a_row_a_system_and_signatures(run):
    code, out, err = run("score", *INPUTS, "-m", "sari", "-m", "bleu")
    lines = out.splitlines()
    assert code == 0
    assert err == "plainmark: warning: copy: 3 of 3 outputs are copies of the source.\n"
    assert lines[0].split() == ["system", "sari", "↑", "bleu", "↑"]
    assert lines[1].startswith("good")
    assert "*" in lines[1]
    assert lines[2].startswith("copy")
    assert lines[4].startswith("sari|refs:2|variant:easse|tok:13a")


def test_score_json(run):
    code, out, _ = run("score", *INPUTS, "-m", "sari", "--format", "json")
    rows = json.loads(out)
    assert code == 0
    assert [sorted(row) for row in rows] == [
        ["defined", "metric", "parts", "samples", "score", "signature", "system", "warnings"]
    ] * 2
    assert rows[0]["system"] == "good"
    assert sorted(rows[0]["parts"]) == ["add", "del", "keep"]


def test_score_csv_markdown_latex(run):
    _, out, _ = run("score", *INPUTS, "-m", "sari", "--format", "csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert list(rows[0])[:4] == ["system", "metric", "score", "defined"]
    assert float(rows[0]["score"]) > float(rows[1]["score"])
    _, out, _ = run("score", *INPUTS, "-m", "sari", "--format", "markdown")
    assert "|---|---:|" in out
    assert "**" in out
    _, out, _ = run("score", *INPUTS, "-m", "sari", "--format", "latex")
    assert r"\begin{tabular}{lr}" in out
    assert r"\textbf{" in out


@pytest.mark.parametrize("name", ["scores.csv", "scores.jsonl"])
def test_per_sample_scores(run, files, name):
    code, _, _ = run("score", *INPUTS, "-m", "sari", "-m", "bleu", "--per-sample", name)
    assert code == 0
    text = (files / name).read_text("utf-8")
    if name.endswith("csv"):
        rows = list(csv.DictReader(text.splitlines()))
        assert list(rows[0]) == ["sample", "system", "sari", "bleu"]
    else:
        rows = [json.loads(line) for line in text.splitlines()]
        assert sorted(rows[0]["scores"]) == ["bleu", "sari"]
    assert len(rows) == 6


def test_compare(run):
    code, out, _ = run("compare", *INPUTS, "-m", "sari", "--resamples", "100")
    assert code == 0
    assert "±" in out
    assert "p (sari)" in out
    code, out, _ = run(
        "compare", *INPUTS, "-m", "sari", "--format", "json", "--resamples", "100", "--test", "randomisation"
    )
    (record,) = json.loads(out)
    assert record["test"] == "randomisation"
    assert record["pairs"][0]["a"] == "good"
    assert len(record["systems"][0]["interval"]) == 2
    code, out, _ = run("compare", *INPUTS, "--format", "csv", "--resamples", "100")
    rows = list(csv.DictReader(out.splitlines()))
    assert [row["system"] for row in rows] == ["good", "copy"]
    for row in rows:
        assert float(row["low"]) <= float(row["score"]) <= float(row["high"])
        assert row["letters"]
        assert row["signature"].startswith("sari|")
    assert rows[0]["p.good"] == ""
    assert 0 < float(rows[0]["p.copy"]) == float(rows[1]["p.good"]) <= 1
    for form in ("tsv", "markdown", "latex", "html"):
        code, out, _ = run("compare", *INPUTS, "--format", form, "--resamples", "100")
        assert code == 0
        assert out


@pytest.fixture
def partly(files):
    """Two systems with numbers in two and three of four samples."""
    texts = {
        "sales": ["Sales rose by 12 per cent.", "The cat sat.", "He left.", "It has 30 doors."],
        "all": ["Sales rose 12 per cent.", "A cat sat.", "He went.", "It has 30 doors."],
        "new": ["Sales rose.", "A cat sat.", "He went at 7 and came at 9.", "It has 30 doors."],
    }
    for name, lines in texts.items():
        (files / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return ("all.txt", "new.txt", "-s", "sales.txt", "-m", "numbers_kept,compression")


def test_undefined_samples_are_counted_by_score(run, partly):
    _, out, _ = run("score", *partly)
    heading, first, second, *_ = out.splitlines()
    assert heading.split() == ["system", "numbers_kept", "↑", "defined", "compression"]
    assert "2 of 4" in first
    assert "3 of 4" in second
    assert "defined: samples that have a score, of all samples; the others do not count" in out
    _, out, _ = run("score", *partly, "--format", "json")
    counts = {(r["system"], r["metric"]): (r["defined"], r["samples"]) for r in json.loads(out)}
    assert counts["all", "numbers_kept"] == (2, 4)
    assert counts["new", "numbers_kept"] == (3, 4)
    assert counts["new", "compression"] == (4, 4)
    _, out, _ = run("score", *partly, "--format", "csv")
    assert [r["defined"] for r in csv.DictReader(out.splitlines())] == ["2", "4", "3", "4"]
    _, shared, _ = run("score", *partly, "--workers", "2", "--format", "csv")
    assert shared == out


def test_where_all_samples_are_defined_no_column_says_so(run, partly):
    for command in ("score", "compare"):
        _, out, _ = run(command, *partly[:-1], "compression")
        assert "defined" not in out


def test_undefined_samples_are_counted_by_compare(run, partly):
    _, out, _ = run("compare", *partly, "--resamples", "50")
    assert "2 of 4" in out.splitlines()[1]
    assert "numbers_kept: both systems are defined on 2 of 4 samples; the test draws from all of them" in out
    assert "compression: both" not in out
    _, out, _ = run("compare", *partly, "--resamples", "50", "--format", "json")
    numbers = json.loads(out)[0]
    assert [(s["defined"], s["samples"]) for s in numbers["systems"]] == [(2, 4), (3, 4)]
    assert numbers["pairs"][0]["both_defined"] == 2
    _, out, _ = run("compare", *partly, "--resamples", "50", "--format", "csv")
    assert next(csv.DictReader(out.splitlines()))["both_defined.new"] == "2"


def test_same_seed_same_output(run):
    words = ("compare", *INPUTS, "-m", "sari", "--format", "json", "--resamples", "50")
    assert run(*words, "--seed", "1") == run(*words, "--seed", "1")
    assert run(*words, "--seed", "1") != run(*words, "--seed", "2")


def test_list_says_what_works_and_what_it_is_for(run):
    _, out, _ = run("list", "metrics")
    assert "Readability formulas\n  for: " in out
    assert re.search(r"^sari +higher +references \+ source +works now ", out, re.MULTILINE)
    assert re.search(r"^lens +higher +references \+ source +needs (weights|extra) ", out, re.MULTILINE)
    _, out, _ = run("list", "--format", "json")
    facts = {row["name"]: row for row in json.loads(out)}
    assert facts["sari"]["ready"] == "works now"
    assert facts["lens"]["missing"].startswith(("needs the checkpoint", "needs torch"))
    assert facts["lens"]["ready"] == readiness(facts["lens"]["missing"]) != "works now"
    assert facts["judge"]["ready"] == "needs settings"


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("", "works now"),
        ("needs the weights of minilm: plainmark models get minilm", "needs weights"),
        ("needs the package pyphen. To install: pip install 'plainmark[textstat]'", "needs extra"),
        ("needs url and model of an endpoint", "needs settings"),
    ],
)
def test_readiness(reason, words):
    assert readiness(reason) == words


def test_list_bundles(run):
    _, out, _ = run("list", "bundles")
    assert "@easse: the default metrics" in out
    assert "fkgl(variant='easse')" in out
    _, out, _ = run("list", "bundles", "@easse", "--format", "csv")
    assert out.splitlines()[1].startswith("'@easse,sari,sari|variant:easse")
    code, _, err = run("list", "bundles", "esse")
    assert code == 2
    assert "Did you mean 'easse'?" in err


def test_list(run):
    _, out, _ = run("list", "metrics")
    assert "sari" in out
    _, out, _ = run("list", "metrics", "sari")
    for word in ("variant", "xu2016", "needs: references, source", "range: 0 to 100", "Xu et al. 2016"):
        assert word in out
    _, out, _ = run("list", "metrics", "--format", "json")
    assert {"name", "options", "needs"} <= set(json.loads(out)[0])


def test_help_names_every_command_and_every_option_has_help(run):
    _, out, _ = run("--help")
    for name in cli.verbs():
        assert f"  {name.replace('_', '-')} " in out
        for one in [f"{name} {n}" for n in cli.verbs(name)] if cli.is_group(name) else [name]:
            for action in cli.parser_for(one)._actions:
                assert action.help, f"{one}: {action.dest} has no help"


def test_version_and_module(files):
    done = subprocess.run(
        [sys.executable, "-m", "plainmark", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("plainmark 0.")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("sore",), "no command 'sore'. Did you mean 'score'?"),
        (("score", "nowhere"), "nowhere: no such file."),
        (("score", *INPUTS, "-m", "srai"), "no metric is called 'srai'. Did you mean 'sari'?"),
        (
            ("score", *INPUTS, "-m", "sari(varaint='hf')"),
            "sari: no option 'varaint'. Did you mean 'variant'?",
        ),
        (("score", *INPUTS, "-m", "sari(variant='x')"), "expected one of 'easse', 'easse-delprec'"),
        (("score", *INPUTS, "-m", "sari(("), "cannot read 'sari(('"),
        (("score", "good.txt", "-s", "s"), "sari needs references; give them with -r FILE"),
        (("score", "good.txt", "-r", "r.0"), "sari needs the source texts; give them with -s FILE"),
        (("score", "-s", "s", "-r", "r.0", "good.txt"), "no outputs given"),
        (("score", *INPUTS, "--nonsense"), "unrecognized arguments: --nonsense"),
        (("score", *INPUTS, "--fields", "nonsense"), "expected NAME=FIELD pairs"),
        (("score", *INPUTS, "--per-sample", "no/such/folder/x.csv"), "cannot write here"),
        (("compare", *INPUTS, "--resamples", "2"), "expected at least 10"),
        (("list", "metrics", "bleuu"), "Did you mean 'bleu'?"),
    ],
)
def test_mistakes_get_one_line_and_exit_code_2(run, files, words, expected):
    before = sorted(files.iterdir())
    code, out, err = run(*words)
    assert code == 2
    assert out == ""
    assert expected in err
    assert err.startswith("plainmark: ")
    assert err.count("\n") == 1
    assert sorted(files.iterdir()) == before


def test_a_late_mistake_leaves_no_file(run, files):
    bad = files / "bad.txt"
    bad.write_bytes(b"fine\nfine\n\xff\n")
    code, _, err = run("score", "bad.txt", "-s", "s", "-r", "r.0", "--per-sample", "out.csv")
    assert code == 2
    assert "line 3" in err
    assert not (files / "out.csv").exists()
    assert not list(files.glob(".out*"))


def test_a_reader_that_goes_away_is_no_error(files):
    command = f"{sys.executable} -m plainmark list metrics | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stderr == ""
