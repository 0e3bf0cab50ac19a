"""plainmark correlate as a user types it: data sets, files, every form, and one line for every mistake."""

import csv
import json

import numpy as np
import pytest

from conftest import SHARED
from plainmark import cli
from plainmark.datasets import dataset

RNG = np.random.default_rng(0)
SYSTEMS, SAMPLES = "ABCD", range(1, 21)
QUALITY = {(s, i): RNG.normal() + k for k, s in enumerate(SYSTEMS) for i in SAMPLES}


def write(path, head, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *rows])


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path / "mine.csv",
        ["metric", "system", "sample", "value"],
        [
            (m, s, i, q + w * RNG.normal())
            for (s, i), q in QUALITY.items()
            for m, w in (("near", 0.5), ("far", 9))
        ]
        + [("flat", s, i, 1) for s, i in QUALITY],
    )
    write(
        tmp_path / "people.csv",
        ["system", "sample", "dimension", "rater", "value"],
        [
            (s, i, d, r, round(q + RNG.normal()))
            for (s, i), q in QUALITY.items()
            for d in ("clear", "short")
            for r in "xyz"
        ],
    )
    return tmp_path


@pytest.fixture
def run(files, capsys):
    def call(*words):
        code = cli.main(["correlate", *map(str, words)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


FILES = ("--scores", "mine.csv", "--ratings", "people.csv")


def test_text(run):
    code, out, err = run(*FILES, "--task", "resamples=100")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "mine: Pearson's r of 80 outputs, 4 systems, 20 source texts"
    assert lines[1].split() == ["metric", "clear", "short"]
    assert lines[2].startswith("near")
    assert "a*" in lines[2]
    assert "undefined: flat, clear: all scores are the same (1)" in out
    assert "near correlates best" in " ".join(out.split())
    assert "without D" in out or "without A" in out


def test_system_level(run):
    code, out, _ = run(*FILES, "--task", "level=system coefficient=spearman", "--dimension", "clear")
    assert code == 0
    assert "Spearman's rho of 4 systems (means over 20 source texts)" in out
    assert "With 4 systems a coefficient must exceed about 0.95" in " ".join(out.split())
    assert "short" not in out


def test_json(run, files):
    assert run(*FILES, "-o", "t.json")[0] == 0
    rows = json.loads((files / "t.json").read_text("utf-8"))
    assert len(rows) == 6
    near = next(r for r in rows if r["metric"] == "near" and r["dimension"] == "clear")
    assert near["low"] < near["value"] < near["high"]
    assert set(near["without"]) == set(SYSTEMS)
    assert near["raters_alpha"] is not None
    flat = next(r for r in rows if r["metric"] == "flat")
    assert flat["value"] is None
    assert flat["reason"] == "all scores are the same (1)"


def test_other_forms(run, files):
    for name in ("t.csv", "t.md", "t.tex", "t.html"):
        code, out, _ = run(*FILES, "-o", name, "--task", "resamples=50")
        assert code == 0
        assert out == f"{name}: 1 data set\n"
    with (files / "t.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert {(r["dimension"], r["metric"]) for r in rows} == {
        (d, m) for d in ("clear", "short") for m in ("near", "far", "flat")
    }
    assert float(next(r["value"] for r in rows if r["metric"] == "near")) > 0
    assert "### mine: Pearson's r" in (files / "t.md").read_text("utf-8")
    assert r"\begin{tabular}" in (files / "t.tex").read_text("utf-8")
    assert (files / "t.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_several_tasks(run, files):
    tasks = ("--task", "resamples=50", "--task", "level=system resamples=50")
    code, out, _ = run(*FILES, "--columns", "near,far", "--dimension", "clear", *tasks)
    assert code == 0
    assert "Pearson's r of 80 outputs" in out
    assert "Pearson's r of 4 systems" in out
    assert "flat" not in out
    assert run(*FILES, *tasks, "-o", "t.html")[1] == "t.html: 1 data set\n"


def test_partial(run):
    code, out, _ = run(*FILES, "--partial", "near", "--dimension", "clear", "--task", "resamples=50")
    assert code == 0
    assert out.startswith("mine: partial Pearson's r (controlling for near) of 80 outputs")
    assert "undefined: near, clear: nothing remains after controlling for near" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to correlate; name a data set (-d dwiki), or give --scores and --ratings."),
        (("--scores", "mine.csv"), "--scores needs human ratings: a data set (-d dwiki), or --ratings."),
        ((*FILES, "-m", "sari"), "--ratings replaces -d, -m and --pairwise; found both."),
        (("--ratings", "people.csv"), "--ratings needs the scores of the rated outputs: --scores."),
        ((*FILES, "--columns", "nere"), "mine.csv: no scores of 'nere'. Did you mean 'near'? There are: near, far, flat."),
        ((*FILES, "--partial", "size"), "partial=size: there are no scores of this name. There are: near, far, flat."),
        ((*FILES, "--partial", "near", "--task", "partial=far"), "--partial and the option partial of --task are the same; found both."),
        ((*FILES, "-o", "t.pdf"), "t.pdf: the name does not tell the format; expected it to end in .txt, .csv, .tsv, .json"),
        ((*FILES, "--task", "level=sytem"), "option level='sytem' is not allowed"),
        ((*FILES, "--dimension", "cler"), "no dimension 'cler' in the ratings. Did you mean 'clear'?"),
        (("--scores", "none.csv", "--ratings", "people.csv"), "none.csv: cannot be read"),
        (("--scores", "people.csv", "--ratings", "mine.csv"), "80 outputs have more than one score of score (A/1 in lines 2, 3, 4, 5; A/2 in lines 8"),
        ((*FILES, "--task", "without=Z"), "no system 'Z' in the ratings."),
        (("-d", "dwki", "-m", "sari"), "no dataset is called 'dwki'. Did you mean 'dwiki'?"),
        (("-d", "dwiki", "-m", "sri"), "no metric is called 'sri'. Did you mean 'sari'?"),
    ],
)  # fmt: skip
def test_mistakes(run, files, words, message):
    code, out, err = run(*words)
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert sorted(p.name for p in files.iterdir()) == ["mine.csv", "people.csv"]


def test_ratings_that_do_not_join(run, files):
    (files / "other.csv").write_text("system,sample,value\nX,1,2\nY,1,3\n")
    code, _, err = run("--scores", "other.csv", "--ratings", "people.csv", "--dimension", "clear")
    assert code == 2
    assert (
        "no system is both scored and rated; scored are 'X', 'Y', rated are 'A', 'B', 'C' and 1 more." in err
    )


def test_rated_outputs_without_scores_are_told(run, files):
    rows = [(s, i, q) for (s, i), q in QUALITY.items() if i > 1]
    write(files / "part.csv", ["system", "sample", "value"], rows)
    code, out, _ = run("--scores", "part.csv", "--ratings", "people.csv", "--dimension", "clear")
    assert code == 0
    assert "4 rated outputs have no score and are left out (A/1, B/1, C/1, …)" in " ".join(out.split())


def test_duplicates(run, files):
    text = (files / "people.csv").read_text()
    (files / "twice.csv").write_text(text + text.splitlines()[1] + "\n")
    words = ("--scores", "mine.csv", "--ratings", "twice.csv", "--dimension", "clear")
    code, _, err = run(*words)
    assert code == 2
    assert "clear: 1 outputs are rated more than once by one rater (A/1 by rater x)" in err
    assert run(*words, "--task", "duplicates=mean resamples=20")[0] == 0


@pytest.fixture
def data(monkeypatch, nltk_data):
    monkeypatch.setenv("PLAINMARK_DATA", str(SHARED / "data"))


def test_sets_without_what_is_needed(run, data):
    code, _, err = run("-d", "samsa_human", "-m", "sari")
    assert code == 2
    assert "data set samsa_human has ratings but no texts to score" in err
    code, _, err = run("-d", "swipe", "-m", "sari")
    assert code == 2
    assert "data set swipe has no ratings" in err
    code, _, err = run("-d", "dwiki", "-m", "sari", "--dimension", "fun")
    assert code == 2
    assert "no dimension 'fun' in these data. There are: simplicity-word" in err


def test_metrics_that_the_data_cannot_feed_are_left_out(run, data):
    code, out, _ = run("-d", "asset_preferences", "-m", "sari", "-m", "fkgl", "--task", "resamples=50")
    assert code == 0
    assert "left out: sari needs references" in out
    assert "fkgl ↓" in out
    code, _, err = run("-d", "asset_preferences", "-m", "sari")
    assert code == 2
    assert "data set asset_preferences: sari needs references." in err


def test_missing_data_say_how_to_get_them(run, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("PLAINMARK_DATA", raising=False)
    code, _, err = run("-d", "dwiki", "-m", "sari")
    assert code == 2
    assert "plainmark datasets get dwiki" in err


def published(files, corpora, **columns):
    """A table of scores that shows texts, with other tokens and case than those of the data set."""
    rows = [
        (s.source.lower().replace(",", " , "), s.output.upper(), k, *(c(s) for c in columns.values()))
        for k, s in enumerate(s for c in corpora.values() for s in c)
    ]
    write(files / "published.csv", ["source", "simplified", "note", *columns], rows)


def test_published_scores_and_baselines(run, files, data):
    corpora = dataset("simplicity_da").corpora()
    published(files, corpora, size=lambda s: len(s.output), FKGL=lambda s: len(s.source))
    words = ("-d", "simplicity_da", "-m", "sari", "--dimension", "meaning", "--task", "resamples=50")
    table = ("--scores", "published.csv", "--columns", "size,FKGL")
    code, out, _ = run(*words, *table)
    assert code == 0
    names = [line.partition("  ")[0] for line in out.splitlines()[2:8]]
    baselines = ["length (baseline)", "copied (baseline)", "levenshtein (baseline)"]
    assert names == ["sari", "size (published)", "FKGL ↓ (published)", *baselines]
    assert "of 600 outputs" in out
    williams = [line.split()[:3] for line in out.splitlines() if line.startswith("sari  ")][1:4]
    assert williams == [
        ["sari", "size", williams[0][2]],
        ["sari", "FKGL", williams[1][2]],
        ["sari", "best", "baseline"],
    ]
    assert "No metric is significantly better than the best baseline (levenshtein, 0." in " ".join(
        out.split()
    )
    code, out, _ = run(*words, "--no-baselines")
    assert code == 0
    assert "baseline)" not in out
    assert "against" not in out
    # Without -m only what is in the file; what is taken out need not have a row.
    code, out, _ = run(
        "-d", "simplicity_da", *table, *words[4:], "--partial", "compression", "--no-baselines"
    )
    assert code == 0
    assert "(controlling for compression)" in out
    assert "sari" not in out


def test_published_scores_of_another_set(run, files, data):
    published(files, dataset("simplicity_da").corpora(), size=lambda s: len(s.output))
    table = ("--scores", "published.csv", "--columns", "size")
    code, _, err = run("-d", "asset_ratings(references='none')", *table)
    assert code == 0, err  # both have outputs of the same systems on sentences of ASSET
    code, _, err = run("-d", "dwiki", *table)
    assert code == 2
    assert "published.csv: none of its 600 rows is an output of the data set." in err


def test_lens_salsa_as_published(run, files, data):
    """The coefficients that its authors print, from their table of scores."""
    table = str(SHARED / "data" / "published-scores" / "sda.csv")
    words = (
        "-d",
        "simplicity_da",
        "--scores",
        table,
        "--columns",
        "LENS-SALSA,Claude(simp+src+ref)",
        "-o",
        "t.json",
    )
    assert run(*words, "--dimension", "simplicity", "--no-baselines", "-q", "--task", "resamples=50")[0] == 0
    rows = {r["metric"]: r for r in json.loads((files / "t.json").read_text("utf-8"))}
    assert rows["LENS-SALSA"]["value"] == pytest.approx(0.573, abs=5e-4)
    assert rows["Claude(simp+src+ref)"]["value"] == pytest.approx(0.725, abs=5e-4)
    assert rows["LENS-SALSA"]["kind"] == "published"
    assert rows["Claude(simp+src+ref)"]["p_williams_against"]["LENS-SALSA"] < 1e-6
    assert [rows[m]["rank_low"] for m in ("LENS-SALSA", "Claude(simp+src+ref)")] == [2, 1]
