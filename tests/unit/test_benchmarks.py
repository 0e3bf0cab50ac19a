"""The benchmarks measure what they say: both sides do the same work, a difference is never passed over, the page is whole."""

import importlib
import json
import math
import subprocess
import sys

import numpy as np
import pytest
from benchmarks import __main__ as command
from benchmarks import growth, instructions, machine, measuring
from benchmarks.growth import Run
from benchmarks.measuring import Case, Figure, Row
from benchmarks.page import Results, growth_table, page, speed_table
from benchmarks.programs import programs
from benchmarks.texts import ROOT, Texts

from support.html_outline import outline

IMPLEMENTATIONS = (
    "counters",
    "sacrebleu",
    "rouge_score",
    "textstat",
    "scipy",
)  # those that `make test` installs
TASKS = {
    "SARI", "BLEU", "chrF", "chrF++", "TER", "Bootstrap of BLEU",
    *(f"ROUGE-{kind}{stem}" for kind in ("1", "2", "L", "Lsum") for stem in ("", ", stemmed")),
    "FKGL", "All nine formulas",
    *(f"{name} and its p" for name in ("Pearson's r", "Spearman's rho", "Kendall's tau")),
    *(f"Bootstrap of {name}" for name in ("Pearson's r", "Spearman's rho", "Kendall's tau")),
}  # fmt: skip


@pytest.fixture(scope="module")
def texts():
    """The bundled examples, which every clone has."""
    return Texts(ROOT / "no such folder", 0.002)


@pytest.fixture(scope="module")
def results(texts):
    found = Results(machine.facts(), texts.name, instructions.explain("nothing"), busy=False)
    command.measure_speed(found, texts, IMPLEMENTATIONS, "nothing", repeats=1)
    found.runs += growth.measure(texts, (40, 80), dask=False)
    found.figures.append(Figure("a <b>figure</b>", 1.5, "s", note="&"))
    return found


def case(ours=1.0, theirs=1.0, **options):
    return Case("task", "1 text", "peer", "numpy", lambda: lambda: ours, lambda: lambda: theirs, **options)


def test_every_implementation_agrees(results):
    assert {row.task for row in results.rows} == TASKS
    assert [row.name for row in results.rows if not row.agrees] == []
    assert results.problems == []
    assert all(row.ratio > 0 and row.version[0].isdigit() for row in results.rows)


def test_engines_agree(results):
    assert [(r.samples, r.engine, r.same) for r in results.runs] == [
        (n, engine, True) for n in (40, 80) for engine in growth.ENGINES[:2]
    ]
    assert all(0 < r.megabytes < 1000 and r.seconds > 0 for r in results.runs)


def test_page(results):
    made = page(results)
    found = outline(made)
    assert found.headings == [
        "Benchmarks",
        "Speed-up over reference implementations",
        "Growth",
        "Own figures",
        "Machine",
    ]
    assert found.tags.count("tr") == len(results.rows) + len(results.runs) + len(results.figures) + 3
    assert found.tags.count("svg") == 4
    assert "style" not in {name for _, name, _ in found.attributes}, "the policy forbids style attributes"
    for row in results.rows:
        assert f'<th scope="row">{row.task.replace(chr(39), "&#39;")}</th>' in made
    assert "a &lt;b&gt;figure" in made
    assert "<b>figure" not in made
    assert "DIFFERS" not in made
    assert str(ROOT) not in made
    assert machine.platform.node() not in made


def test_json(results):
    read = json.loads(results.json())
    assert [r["agrees"] for r in read["speed"]] == [True] * len(TASKS)
    assert read["growth"][0]["samples"] == 40
    assert read["machine"]["cores"].isdigit()
    assert str(ROOT) not in results.json()


@pytest.mark.parametrize(
    ("ours", "theirs", "difference"),
    [
        (1.0, 1.0, 0.0),
        ([1.0, 2.0], [1.0, 2.5], 0.5),
        ([1.0, math.nan], [1.0, math.nan], 0.0),  # both undefined
        ([1.0, math.nan], [1.0, 0.0], math.inf),  # only one
        ([1.0, 2.0], [1.0], math.inf),
        ([], [], 0.0),
    ],
)
def test_difference(ours, theirs, difference):
    assert measuring.difference(np.array(ours), np.array(theirs)) == difference
    assert measuring.measure(case(ours, theirs), 1).agrees == (difference == 0)


def test_a_difference_is_told_and_fails(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(command, "cases", lambda texts, names: [case(1.0, 1.001, tolerance=1e-4)])
    output = tmp_path / "page.html"
    words = [
        "--quick",
        "--only",
        "speed",
        "--implementations",
        "counters",
        "--data",
        str(tmp_path),
        "-o",
        str(output),
    ]
    assert command.main(words) == 1
    assert "task: peer differs by 1.0e-03, more than 0.0001" in capsys.readouterr().out
    assert "DIFFERS" in output.read_text("utf-8")
    assert json.loads(output.with_suffix(".json").read_text("utf-8"))["problems"]
    monkeypatch.setattr(command, "cases", lambda texts, names: [case(1.0, 1.00001, tolerance=1e-4)])
    assert command.main(words) == 0


def test_engines_that_differ_are_told():
    run = Run(10, growth.ENGINES[1], 1.0, 1.0, 50.0, same=False)
    late = Run(10, growth.ENGINES[2], 1.0, 1.0, 50.0, note="the run ended before the worker was killed")
    found = Results({}, "", "", False, runs=[Run(10, growth.ENGINES[0], 2.0, 2.0, 50.0), run, late])
    assert found.problems == [
        "10 samples, two workers: not the numbers of one process",
        "10 samples, Dask, one killed: the run ended before the worker was killed",
    ]
    assert "DIFFERS" in growth_table(found.runs).text()


def test_ratio_is_the_median_of_the_repeats():
    row = Row("t", "s", "p", "1", 0.0, 1e-9, 1.0, 20.0, [19.0, 20.0, 90.0], 100, 2300)
    assert (row.ratio, row.instruction_ratio) == (20.0, 23.0)
    assert [c.text for c in speed_table([row]).rows[0][1:4]] == ["20×", "19–90×", "23×"]


def test_growth_exponent():
    assert growth.slope([Run(n, "", 3e-5 * n, 0, 0) for n in (10, 1000, 100_000)]) == pytest.approx(1)


def test_texts_are_distinct_and_scaled(texts):
    corpus = texts.corpus(3590)
    assert len(corpus) == len(set(corpus.outputs)) == 24
    assert len(texts.corpus(10)) == 10
    assert len(Texts(texts.data, 1.0).corpus(100)) == 100


def test_a_missing_implementation_says_what_to_install(texts, monkeypatch):
    monkeypatch.setitem(sys.modules, "kenlm", None)
    monkeypatch.delitem(sys.modules, "benchmarks.implementations.kenlm", raising=False)
    with pytest.raises(SystemExit, match=r"kenlm: kenlm is not installed; pip install '.\[test,bench\]'"):
        list(measuring.cases(texts, ["kenlm"]))


@pytest.mark.valgrind
def test_valgrind_counts_between_marks():
    code = "import os\nfor n in (1000, 3000):\n os.getsid(0); sum(range(n)); os.getsid(0)\nprint('done')"
    (small, large), printed = instructions.between_marks([sys.executable, "-I", "-S", "-c", code])
    assert printed == "done\n"
    assert 2.5 < large / small < 3.5
    assert small > 1000


def test_counts_go_into_the_rows(monkeypatch, texts):
    rows = [measuring.measure(case(), 1), measuring.measure(case(counted="not counted"), 1)]
    rows[1].task = "other"
    answer = [11, 22], 'x\n[["task | peer", "6 texts"]]\n'
    monkeypatch.setattr(instructions, "between_marks", lambda command: answer)
    instructions.count_in_valgrind(rows, "counters", texts.data)
    assert (rows[0].instructions, rows[0].reference_instructions, rows[0].counted_size) == (11, 22, "6 texts")
    assert rows[0].instruction_ratio == 2
    assert rows[1].instruction_ratio is None
    assert speed_table(rows).rows[1][3].text == "not counted"


def test_a_case_that_fails_under_valgrind(monkeypatch, texts):
    row = measuring.measure(case(), 1)

    def fail(command):
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(instructions, "between_marks", fail)
    instructions.count_in_valgrind([row], "counters", texts.data)
    assert (row.instructions, row.not_counted) == (None, "failed under valgrind")


def test_the_kernel_counts_what_runs():
    try:
        counter = instructions.Counter(instructions._SOFTWARE, instructions._TASK_CLOCK)
    except OSError:  # a container may forbid it; then valgrind is taken
        assert instructions.available_counter() in ("valgrind", "nothing")
        return
    short, long = (counter.count(lambda n=n: sum(range(n))) for n in (10_000, 1_000_000))
    assert 10 < long / short < 1000


def test_how_instructions_are_counted(monkeypatch):
    class Fake:
        def count(self, work):
            return 123_456

    monkeypatch.setattr(instructions, "Counter", Fake)
    assert instructions.available_counter() == "processor"
    row = measuring.measure(case(), 1)
    instructions.count(row, case())
    assert (row.instructions, row.reference_instructions) == (123_456, 123_456)

    def refuse():
        raise OSError

    monkeypatch.setattr(instructions, "Counter", refuse)
    monkeypatch.setattr(instructions.shutil, "which", lambda name: None)
    assert instructions.available_counter() == "nothing"
    assert "apt-get install valgrind" in instructions.explain("nothing")


def test_every_program_is_listed_and_says_what_it_measures(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    shown = capsys.readouterr().out
    for name, about in programs().items():
        assert f"  {name:20} {about}" in shown
        module = importlib.import_module(f"benchmarks.programs.{name}")
        assert f"python -m benchmarks {name}" in module.__doc__
        with pytest.raises(SystemExit) as stopped:
            command.main([name, "--help"])
        assert stopped.value.code == 0


def test_an_unknown_program_is_refused():
    with pytest.raises(SystemExit, match="speed: no such program; there are: agg_table, "):
        command.main(["speed"])
