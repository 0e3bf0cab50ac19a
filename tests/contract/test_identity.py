"""Who computed a number: names, specifications and signatures read back, and every cache knows what changed."""

import csv
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import pytest

import plainmark as pm
from plainmark import identity, models
from plainmark.aligners import ALIGNERS
from plainmark.errors import InputError, PluginWarning
from plainmark.lm import LanguageModel
from plainmark.options import FILE

TWO = '''
from dataclasses import dataclass

import plainmark as pm


@dataclass(frozen=True)
class Longer(pm.MeanMetric):
    """Characters of the output."""

    def values(self, corpus):
        return [float(len(t)) for t in corpus.outputs]


@dataclass(frozen=True)
class Shorter(pm.MeanMetric):
    """The same with the other sign."""

    def values(self, corpus):
        return [-float(len(t)) for t in corpus.outputs]


class Outer:
    @dataclass(frozen=True)
    class Inner(pm.MeanMetric):
        """Always 3."""

        def values(self, corpus):
            return [3.0] * len(corpus)


class NoMetric:
    pass
'''
OUTPUTS = "The cat sat on the mat. It was a warm day in June. The dog ran off.\n" * 6
LANGUAGES = [
    [
        "the cat sat on the mat and a dog ran away from our big house .",
        "a cat sat on the mat and the dog ran .",
    ],
    [
        "prices rose in the market today while stocks fell again .",
        "the stocks rose while prices fell today .",
    ],
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "two.py").write_text(TWO)
    (tmp_path / "out.txt").write_text(OUTPUTS)
    return tmp_path


@pytest.fixture
def run(folder):
    """The installed command, whose path does not have the current folder."""

    def call(*words, path=()):
        code = "import sys; sys.path[0:1] = []; from plainmark.cli import main; sys.exit(main())"
        return subprocess.run(
            [sys.executable, "-c", code, *words],
            capture_output=True,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONWARNINGS": "default"},
        )

    return call


def install(folder, name, version, points="", files=()):
    """What pip leaves of a package: its metadata."""
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(points)
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))


def test_two_classes_of_one_module_are_two_metrics(run, folder):
    done = run(
        "score",
        "out.txt",
        "-m",
        "two.Longer",
        "-m",
        "two.Shorter",
        "--per-sample",
        "each.csv",
        "--workers",
        "2",
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"two\.Longer ↑ +two\.Shorter ↑\nout +67\.00 +-67\.00\n", done.stdout)
    for name in ("Longer", "Shorter"):
        assert re.search(rf"^two\.{name}\|src:[0-9a-f]{{10}}$", done.stdout, re.MULTILINE)
    rows = list(csv.DictReader((folder / "each.csv").read_text().splitlines()))
    assert {(row["two.Longer"], row["two.Shorter"]) for row in rows} == {("67.0", "-67.0")}


def test_stress_keeps_two_classes_of_one_module_apart(run, folder):
    words = [
        "stress",
        "out.txt",
        "-m",
        "two.Longer",
        "-m",
        "two.Shorter",
        "--with",
        "delete",
        "--levels",
        "2",
    ]
    for _ in range(2):  # the second run reads what the first one has left
        done = run(*words, "--folder", "bed")
        assert done.returncode == 0, done.stderr
        assert re.search(r"delete +−[\d.]+ detects \(6 documents\) +[\d.]+ wrong way", done.stdout), (
            done.stdout
        )
    assert len(list((folder / "bed" / "scores").iterdir())) == 2


def test_a_changed_module_is_another_metric_to_stress(run, folder):
    words = ["stress", "out.txt", "-m", "two.Longer", "--with", "delete", "--levels", "2", "--folder", "bed"]
    assert "detects" in run(*words).stdout
    (folder / "two.py").write_text(TWO.replace("float(len(t))", "-float(len(t))", 1))
    assert "wrong way" in run(*words).stdout


@pytest.mark.parametrize("name", ["sari", "SARI", "bleu"])
def test_a_class_that_shadows_a_built_in_is_called_by_its_path(run, folder, name):
    (folder / "theirs").mkdir()
    (folder / "theirs" / "sari.py").write_text(
        TWO.replace("Longer", name).replace('"""Characters', 'name = "sari"\n    """Characters')
    )
    done = run("score", "out.txt", "-m", f"theirs.sari.{name}", "-m", "fkgl", "--format", "json")
    assert [row["metric"] for row in json.loads(done.stdout)] == [f"theirs.sari.{name}", "fkgl"], done.stderr
    assert run("score", "out.txt", "-m", "sari").stderr == (
        "plainmark: sari needs the source texts; give them with -s FILE (or sources= in Python).\n"
    )


def test_an_entry_point_of_another_name_than_its_module(run, folder):
    site = folder / "site"
    install(site, "loud", "1.5", "[plainmark.metrics]\nLoud-Ness = loudly:Longer\n", ["loudly.py"])
    (site / "loudly.py").write_text(TWO)
    for name in ("loud_ness", "loud-ness", "loudly.Longer"):
        done = run("score", "out.txt", "-m", name, "-m", "loudly.Shorter", path=[site])
        assert "\n\nloud_ness|v:1.5\nloudly.Shorter|v:1.5\n" in done.stdout, done.stderr
    code = """
import loudly, plainmark as pm
for metric in (loudly.Longer(), loudly.Shorter(), pm.metric("agg(loud_ness)"), pm.metric("mean(loudly.Shorter)")):
    assert pm.metric(metric.spec) == metric == pm.metric(metric.signature("2")), metric
assert pm.metric("mean(loud_ness)").signature().startswith("mean|metric:loud_ness#")
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(site)})


def test_code_that_is_not_as_installed_shows_its_digest(run, folder):
    site = folder / "site"
    install(site, "loud", "1.5", "[plainmark.metrics]\nloud = loudly:Longer\n")  # as an editable package
    (site / "loudly.py").write_text(TWO)
    done = run("score", "out.txt", "-m", "loud", path=[site])
    assert re.search(r"\nloud\|v:1\.5\|src:[0-9a-f]{10}\n", done.stdout), done.stderr


BROKEN = {
    "missing": ("[plainmark.metrics]\nbad = not_there:Bad\n", "not_there fails with ModuleNotFoundError"),
    "failing": (
        "[plainmark.metrics]\nbad = failing:Bad\n",
        "failing fails with ZeroDivisionError: division by zero",
    ),
    "no such class": ("[plainmark.metrics]\nbad = empty:Bad\n", "empty fails with AttributeError"),
    "no metric": ("[plainmark.metrics]\nbad = empty:Thing\n", "empty.Thing is no metric"),
    "package": ("[plainmark.metrics]\nbad = not_there\n", "not_there fails with ModuleNotFoundError"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_entry_point_costs_one_line(run, folder, case):
    site = folder / "site"
    points, why = BROKEN[case]
    install(site, "trouble", "3.0", points)
    (site / "failing.py").write_text("1 / 0\n")
    (site / "empty.py").write_text("class Thing: pass\n")
    done = run("list", path=[site])
    assert done.returncode == 0
    assert "sari" in done.stdout
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("plainmark: ")
    assert "trouble 3.0" in done.stderr
    assert why in done.stderr
    assert run("score", "out.txt", "-m", "fkgl", path=[site]).stderr == ""
    done = run("score", "out.txt", "-m", "bad", path=[site])
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "trouble 3.0" in done.stderr


def test_an_entry_point_cannot_take_a_built_in_name(run, folder):
    site = folder / "site"
    install(site, "grab", "1.0", "[plainmark.metrics]\nfkgl = grabs:Longer\n")
    (site / "grabs.py").write_text(TWO)
    done = run("list", path=[site])
    assert "grab 1.0 has a metric 'fkgl', which plainmark has already" in done.stderr
    assert "\nfkgl|" in run("score", "out.txt", "-m", "fkgl", path=[site]).stdout
    assert "\ngrabs.Longer|" in run("score", "out.txt", "-m", "grabs.Longer", path=[site]).stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.Metric", "no module 'nowhere' in the current folder or among the installed packages"),
        ("two.Longest", "two has no 'Longest'. Did you mean 'Longer'?"),
        ("two.NoMetric", "two.NoMetric is no metric; found another class, expected a class derived from plainmark.metric.Metric."),
        ("two.Outer.Other", "two.Outer has no 'Other'."),
        ("incomplete.Metric", "incomplete fails with ModuleNotFoundError: No module named 'not_there'."),
        ("mistaken.Metric", "mistaken fails with SyntaxError: "),
        ("ending.Metric", "ending fails with SystemExit: 3."),
        ("plainmark.metric", "plainmark.metric has 3 metrics; expected one of plainmark.metric.Metric, "),
    ],
)  # fmt: skip
def test_what_cannot_be_loaded_says_why(run, folder, name, message):
    (folder / "incomplete.py").write_text("import not_there\n")
    (folder / "mistaken.py").write_text("class Metric(:\n")
    (folder / "ending.py").write_text("raise SystemExit(3)\n")
    done = run("score", "out.txt", "-m", name)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr


def test_classes_inside_classes_read_back(run):
    assert "\ntwo.Outer.Inner|src:" in run("score", "out.txt", "-m", "two.Outer.Inner").stdout


@dataclass(frozen=True)
class Odd(pm.MeanMetric):
    """Options that are hard to write."""

    text: Annotated[str, "any text"] = "x"
    maybe: Annotated[str | None, "text or none"] = "x"
    number: Annotated[float, "a number"] = 0.0
    order: Annotated[int | None, "none is not the default"] = 4
    kind: Annotated[Literal["2", "l", "yes"], "words"] = "2"
    flag: Annotated[bool, "yes or no"] = False
    several: Annotated[tuple[str, ...], "a list"] = ()
    file: Annotated[str, FILE, "a file"] = ""
    inner: Annotated[pm.Metric, "a metric"] = pm.metric("sari")  # noqa: RUF009

    def values(self, corpus):
        return [0.0] * len(corpus)


@pytest.mark.parametrize(
    "options",
    [
        {},
        *({"text": t, "maybe": t, "several": (t, t)} for t in ("yes", "no", "None", "True", "12", "1e5", "3.0", "13a")),
        *({"text": t, "maybe": t} for t in ("", " ", "a|b", "a'b", 'a"b', "it's a-\"b\"-c", "\\", "a\\|b", "#", "x#ab")),
        {"text": "a-b (c=2)", "maybe": None},
        {"text": "ünïcode 🦉\n\t"},
        {"number": float("inf")},
        {"number": float("-inf")},
        {"number": 1e-300, "order": None},
        {"kind": "yes", "flag": True},
        {"inner": pm.metric("bleu(smoothing='add-k')")},
        {"inner": pm.metric("mean(chrf(beta=3))")},
    ],
    ids=repr,
)  # fmt: skip
def test_any_value_reads_back(options):
    metric = Odd(**options)
    assert pm.metric(metric.spec) == metric
    assert pm.metric(metric.signature("2")) == metric
    assert metric.name == f"{__name__}.Odd"


def test_content_is_part_of_the_signature(tmp_path):
    file = tmp_path / "a file's|name#abc.txt"
    file.write_text("one")
    metric = Odd(file=str(file))
    first = metric.signature()
    assert f"#{identity.digest(file)}|" in first
    assert pm.metric(first) == metric
    outer = pm.metric(f"mean({metric.spec})")
    nested = outer.signature()
    assert pm.metric(nested) == outer
    file.write_text("two")
    assert metric.signature() != first
    assert outer.signature() != nested
    for signature in (first, nested):
        with pytest.raises(InputError, match="expected the file or model that the score was computed with"):
            pm.metric(signature)
    file.unlink()
    assert "#" not in Odd(file=str(file)).signature().replace("name#abc", "")


def test_a_model_trained_anew_at_the_same_path_gives_new_numbers(tmp_path):
    path = tmp_path / "model.lm.xz"
    pool = tmp_path / "pool.txt"
    pool.write_text("the cat sat .\nprices rose today .\nthe dog ran away from prices .\n")
    corpus = pm.Corpus(None, ["the cat sat on the mat ."])
    metrics = [
        pm.metric(f"perplexity(model='{path}')"),
        pm.metric(f"pomme(domain='{path}', pool='{pool}')"),
        pm.metric(f"mean(perplexity(model='{path}'))"),
    ]
    scores, signatures = [], []
    for texts in (*LANGUAGES, LANGUAGES[0]):
        LanguageModel.train_on_text(texts * 20).save(path)
        scores.append([m.score(corpus).value for m in metrics])  # of the same corpus, which remembers
        signatures.append([m.signature() for m in metrics])
    assert scores[0] == scores[2] != scores[1]
    assert all(a != b for a, b in zip(scores[0], scores[1], strict=True))
    assert signatures[0] == signatures[2]
    assert all(a != b for a, b in zip(signatures[0], signatures[1], strict=True))


def test_a_model_trained_anew_gives_new_numbers_in_the_same_stress_folder(run, folder):
    words = ["stress", "out.txt", "-m", "perplexity(model='m.lm.xz')", "--with", "delete", "--levels", "1"]
    found = []
    for texts in LANGUAGES:
        LanguageModel.train_on_text(texts * 20).save(folder / "m.lm.xz")
        done = run(*words, "--folder", "bed", "-o", "rows.csv")
        assert done.returncode == 0, done.stderr
        found.append((folder / "rows.csv").read_text())
    assert found[0] != found[1]
    assert len(list((folder / "bed" / "scores").iterdir())) == 2


def test_a_changed_pool_is_another_metric(tmp_path):
    path, pool = tmp_path / "model.lm.xz", tmp_path / "pool.txt"
    LanguageModel.train_on_text(LANGUAGES[0] * 20).save(path)
    metric = pm.metric(f"pomme(domain='{path}', pool='{pool}')")
    corpus = pm.Corpus(None, ["the cat sat on the mat ."])
    scores = []
    for text in (
        "the cat sat .\nprices rose .\n",
        "a dog ran .\nthe cat sat on the big house .\nthe mat .\n",
    ):
        pool.write_text(text)
        scores.append(metric.score(corpus).value)
    assert scores[0] != scores[1]


def test_loading_notices_every_change(tmp_path):
    loads = []

    @identity.load_once
    def load(path, extra=0):
        loads.append(path)
        return path.read_text() if path.is_file() else sorted(p.name for p in identity.files_below(path))

    file = tmp_path / "file"
    file.write_text("a")
    assert load(file) == load(file) == "a"
    before = file.stat()
    file.write_text("b")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # of the same size and date
    assert load(file) == "b"
    assert load(tmp_path) == ["file"]
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "weights").write_text("w")
    (tmp_path / ".hidden").write_text("w")
    assert load(tmp_path) == load(tmp_path) == ["file", "weights"]
    assert len(loads) == 4
    assert load(file, extra=1) == "b"
    assert len(loads) == 5


def test_digests_of_files_and_folders(tmp_path):
    assert identity.digest("") == identity.digest(tmp_path / "none") == identity.digest("\0") == ""
    (tmp_path / "a").write_text("x")
    assert re.fullmatch("[0-9a-f]{10}", identity.digest(tmp_path / "a"))
    first = identity.digest(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    assert identity.digest(tmp_path) != first
    assert identity.join_digests(["", "ab"]) == "ab"
    assert identity.join_digests([]) == ""


def test_known_models_are_known_by_their_pins():
    known = models.KNOWN["minilm"]
    assert models.MODEL.digest("minilm") == models.MODEL.digest(known.hub) == known.sha256[:10]
    assert models.MODEL.digest("ngram") == ""
    assert models.MODEL.digest("nobody/nothing") == ""


def test_every_option_that_names_a_file_or_a_model_says_so():
    """The words of the help text show which options these are."""
    from plainmark.options import option_contents, option_help

    naming = re.compile(
        r"\b(a folder|a file|\.tsv|checkpoint|an encoder|a model|the model that|pipeline|settings and token)"
    )
    harmless = {("judge", "model"), ("judge", "prompt")}
    for registry in (pm.METRICS, ALIGNERS):
        for name in registry.names():
            cls = registry.find(name)
            for option, help_text in option_help(cls).items():
                if naming.search(help_text) and (name, option) not in harmless:
                    assert option in option_contents(cls), f"{name}: {option}: {help_text}"


def test_plugin_warnings_are_ours():
    assert PluginWarning.__module__.startswith(
        "plainmark."
    )  # so that the command line prints them in one line


def test_equal_metrics_of_the_same_content_have_one_identity():
    a = pm.metric("bertscore(part='recall')")
    assert a.identity() == replace(a).identity()
    assert a.identity() != pm.metric("bertscore").identity()
    assert Path(__file__).stem in Odd().identity()
