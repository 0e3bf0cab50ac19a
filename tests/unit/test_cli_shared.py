"""What all commands share: names, patterns, standard input, files and formats, help, configuration, completion."""

import csv
import io
import json
import shutil
import subprocess
import sys

import pytest

from plainmark import cli

GOOD = "The group met in 1998.\nHe bought books.\n"
SOURCE = "The committee convened in 1998.\nHe purchased volumes.\n"
TEST_SET = ("-s", "s", "-r", "r.0")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()  # no configuration above it counts
    (tmp_path / "out").mkdir()
    for name, text in {
        "s": SOURCE, "r.0": GOOD, "r.1": GOOD, "out/good.txt": GOOD, "out/copy.txt": SOURCE,
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def run(folder, capsys):
    def call(*words):
        code = cli.main(list(words))
        return code, *capsys.readouterr()

    return call


def systems(out):
    return list(dict.fromkeys(row["system"] for row in json.loads(out)))


def piped(monkeypatch, data):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data.encode()))))


def test_a_pattern_is_what_the_shell_would_make_of_it(run):
    _, out, _ = run("score", "out/*.txt", "-s", "s", "-r", "r.*", "--format", "json")
    assert systems(out) == ["copy", "good"]
    assert "refs:2" in out


def test_names(run):
    _, out, _ = run("score", "mine=out/good.txt", "out/copy.txt", *TEST_SET, "--format", "json")
    assert systems(out) == ["mine", "copy"]
    _, out, _ = run("score", "both=out/*.txt", "-m", "fkgl", "--format", "json")
    assert systems(out) == ["both"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mine=gone.txt", *TEST_SET), "gone.txt: no such file."),
        (("a=out/good.txt", "a=out/copy.txt", *TEST_SET), "two systems are called 'a': out/good.txt and"),
        (("out/good.txt", "out/good.txt", *TEST_SET), "two systems are called 'out/good.txt'"),
        (("good=out/copy.txt", "out/good.txt", *TEST_SET), "two systems are called 'good'"),
        (("out/good.txt", *TEST_SET, "-o", "x.pdf"), "x.pdf: the name does not tell the format"),
        (("out/good.txt", *TEST_SET, "--format", "xml"), "argument --format: invalid choice: 'xml'"),
        (("out/good.txt", *TEST_SET, "-o", "none/x.csv"), "none/x.csv: cannot write here"),
    ],
)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_mistakes_are_one_line(run, folder, command, words, message):
    before = sorted(folder.rglob("*"))
    code, out, err = run(command, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert sorted(folder.rglob("*")) == before


def test_standard_input_needs_no_dash(run, monkeypatch):
    piped(monkeypatch, GOOD)
    code, out, _ = run("score", *TEST_SET, "--format", "json")
    assert code == 0
    assert json.loads(out)[0]["score"] > 50
    piped(monkeypatch, GOOD)
    assert run("perturb", "--with", "reorder", "--format", "text", "-q")[1].count("\n") == 2
    piped(monkeypatch, "")
    assert "no outputs given" in run("score", *TEST_SET)[2]


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "json", "md", "tex", "html"])
def test_the_suffix_decides_the_format(run, folder, suffix):
    assert run("score", "out/*.txt", *TEST_SET, "-o", f"scores.{suffix}")[0] == 0
    text = (folder / f"scores.{suffix}").read_text("utf-8")
    starts = {
        "txt": "system",
        "csv": "system,",
        "tsv": "system\t",
        "json": "[",
        "md": "| ",
        "tex": "% ",
        "html": "<!d",
    }
    assert text.startswith(starts[suffix])
    assert "sari|refs:1" in text.replace(r"\textbar\allowbreak{}", "|")


def test_a_signature_with_every_number(run):
    _, out, _ = run(
        "score", "out/*.txt", *TEST_SET, "-m", "SARI,sari(variant='hf', order=2),bleu", "--format", "csv"
    )
    rows = list(csv.DictReader(out.splitlines()))
    assert [r["metric"] for r in rows[:3]] == ["sari", "sari(variant='hf', order=2)", "bleu"]
    assert len(rows) == 6
    assert len({r["signature"] for r in rows}) == 3
    assert all(r["signature"] for r in rows)


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (("help",), "Evaluate text simplification"),
        (("help", "score"), "usage: plainmark score"),
        (("help", "study"), "Run a study"),
        (("help", "study", "plan"), "usage: plainmark study plan"),
        (("study", "help", "plan"), "usage: plainmark study plan"),
    ],
)
def test_help(run, capsys, words, start):
    try:
        code, out, _ = run(*words)
    except SystemExit as end:
        code, out = end.code, capsys.readouterr().out
    assert code == 0
    assert out.startswith(start)


def test_help_for_no_command(run):
    assert run("help", "sore")[2].startswith("plainmark: no command 'sore'. Did you mean 'score'?")


def all_commands():
    for name in cli.verbs():
        yield from [f"{name} {n}" for n in cli.verbs(name)] if cli.is_group(name) else [name]


def test_a_flag_for_a_format_is_told_the_way(capsys):
    assert cli.main(["explain", "sari", "out.txt", "--html"]) == 2
    assert "unrecognized arguments: --html. Did you mean --format html?" in capsys.readouterr().err


@pytest.mark.parametrize("name", [*all_commands()])
def test_one_way_to_say_a_thing(name):
    """-o is --output, --seed is 0, and no command has a flag for a format or an old spelling."""
    actions = {option: a for a in cli.parser_for(name)._actions for option in a.option_strings}
    assert not {"--json", "--csv", "--markdown", "--latex", "--html", "--out", "--text"} & set(actions)
    if "-o" in actions:
        assert "--output" in actions["-o"].option_strings
    if "--seed" in actions:
        assert actions["--seed"].default == 0


# Configuration


def configure(folder, text, name="plainmark.toml"):
    (folder / name).write_text(text)


SETTINGS = 'metrics = ["sari", "bleu"]\nsource = "s"\nreferences = "r.*"\n'


def test_settings_fill_in_what_the_command_line_leaves_out(run, folder):
    configure(folder, SETTINGS + 'format = "csv"\n')
    code, out, err = run("score", "out/good.txt")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 0
    assert [r["metric"] for r in rows] == ["sari", "bleu"]
    assert "refs:2" in rows[0]["signature"]
    assert err == "plainmark: metrics, source, references, format from plainmark.toml\n"
    assert run("score", "out/good.txt", "-q")[2] == ""


def test_the_command_line_takes_precedence(run, folder):
    configure(folder, SETTINGS + 'format = "csv"\nseed = 5\nresamples = 20\n')
    _, out, err = run("compare", "out/good.txt", "-m", "fkgl", "--format", "json", "--resamples", "30")
    (record,) = json.loads(out)
    assert (record["metric"], record["resamples"]) == ("fkgl", 30)
    assert err == "plainmark: seed, source, references from plainmark.toml\n"
    run("score", "out/good.txt", "-o", "x.md")
    assert (folder / "x.md").read_text().startswith("| ")


def test_a_section_of_pyproject_above(run, folder, monkeypatch):
    configure(folder, f"[project]\nname = 'x'\n[tool.plainmark]\n{SETTINGS}", "pyproject.toml")
    monkeypatch.chdir(folder / "out")
    code, out, err = run("score", "good.txt", "--format", "json")
    assert code == 0
    assert {row["metric"] for row in json.loads(out)} == {"sari", "bleu"}
    assert f"from {folder / 'pyproject.toml'}" in err


def test_other_commands_are_left_alone(run, folder):
    configure(folder, SETTINGS)
    assert run("list", "metrics")[2] == ""
    assert run("perturb", "out/good.txt", "--with", "reorder", "-q")[0] == 0


def test_nothing_above_the_repository_counts(run, folder, monkeypatch):
    configure(folder, "nonsense = 1\n")
    inner = folder / "inner"
    (inner / ".git").mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert run("list", "metrics")[0] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "metric = ['sari']\n",
            "plainmark.toml: unknown key 'metric'. Did you mean 'metrics'? Expected one of metrics,",
        ),
        ("metrics = 3\n", "plainmark.toml: metrics is 3, expected a text or a list of texts."),
        ("format = 'xml'\n", "plainmark.toml: format is 'xml', expected one of table, csv,"),
        ("seed = 'x'\n", "plainmark.toml: seed is 'x', expected a whole number."),
        ("metrics = [\n", "plainmark.toml: not a TOML file"),
        ("references = 'gone.*'\n", "gone.*: no file matches this pattern."),
        ("metrics = ['srai']\n", "no metric is called 'srai'. Did you mean 'sari'?"),
    ],
)
def test_mistakes_in_the_configuration_are_one_line(run, folder, text, message):
    configure(folder, text)
    code, out, err = run("score", "out/good.txt", "-s", "s", "-q")
    assert (code, out) == (2, "")
    assert err.startswith("plainmark: ")
    assert message in err
    assert err.count("\n") == 1


# Completion


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_scripts(run, folder, shell):
    code, out, _ = run("completion", shell)
    assert code == 0
    assert "--per-sample" in out
    if shutil.which(shell):
        (folder / "script").write_text(out)
        subprocess.run([shell, "-n", "script"], check=True)


def test_completion_says_what_to_install(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    code, _, err = run("completion", "bash")
    assert code == 2
    assert "pip install 'plainmark[completion]'" in err
