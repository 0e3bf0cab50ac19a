"""Every table that is printed as LaTeX compiles as it is, whatever systems are called."""

import subprocess

import numpy as np
import pytest

import plainmark as pm
from plainmark.api.study_report import StudyReport
from plainmark.cli import main
from plainmark.cli.list import overview
from plainmark.cli.papers import RecomputedPapers
from plainmark.papers import Paper, PaperPart, Recomputed
from plainmark.result import Listing
from plainmark.study.analysis.analyse import analyse
from plainmark.study.analysis.responses import Response
from plainmark.table import Cell, Table
from support import studies
from support.requirements import ROOT

SOURCE = ["The committee convened in 1998.", "Owls are nocturnal birds.", "He purchased volumes."]
REFERENCES = [["The group met in 1998."], ["Owls are birds that hunt at night."], ["He bought books."]]
OUTPUTS = {
    r"100% & $5_a^b ~ {x} \end #1": [
        "The group met in 1998.",
        "Owls are birds of the night.",
        "He bought books.",
    ],
    "copy <of> |the| source – naïve": SOURCE,
    "a 'quoted' \"name\"": ["The group met.", "", "He bought books."],
}


@pytest.fixture(scope="module")
def results():
    data = {"source": SOURCE, "references": REFERENCES}
    specs = ["@easse", "sari(variant='hf')", "mean(fkgl(variant='textstat', rounded=True))", "numbers_kept"]
    scores = pm.score(OUTPUTS, **data, metrics=specs)
    compared = pm.compare(OUTPUTS, **data, metrics=specs, resamples=200)
    marks = Table(["±−×→·†∞≤≥↑↓ <= >="], [[Cell("–", best=True)]], ["100% of {these}"], caption="a_b")
    return {
        "score": scores,
        "parts": scores.with_layout(parts=True, digits=4),
        "long": scores.with_layout(long=True, parts=True),
        "compare": compared,
        "compare, parts": compared.with_layout(parts=True, digits=1),
        "metrics": overview("metrics"),
        "datasets": overview("datasets"),
        "marks": Listing.of(marks),
    }


class Printed(Paper):
    """A paper with one table; a cell differs from the printed one, and says why."""

    id = "0-none"
    citation = "Nobody 2000"

    def parts(self):
        rows = [
            ("a_b/x & y", "1.0", 1.0, ""),
            ("a_b/100%", "2.0", 3.0, r"a slip | a \slip ± 1"),
            ("c/x & y", "5", 6.0, ""),
        ]
        return [PaperPart(("Table 1",), lambda: [self.cell("Table 1", *row) for row in rows])]


def correlation(folder):
    """What `plainmark correlate` prints for the scores and ratings of three systems."""
    rng = np.random.default_rng(0)
    names = [(s, str(i)) for s in ("a_1", "b & c", "d") for i in range(12)]
    scores = [f"{m},{s},{i},{rng.normal()}" for m in ("near", "far_%") for s, i in names]
    ratings = [
        f"{s},{i},{d},{r},{rng.integers(5)}" for s, i in names for d in ("clear_1", "short") for r in "xy"
    ]
    (folder / "mine.csv").write_text("\n".join(["metric,system,sample,value", *scores]), "utf-8")
    (folder / "people.csv").write_text("\n".join(["system,sample,dimension,rater,value", *ratings]), "utf-8")
    files = ["--scores", str(folder / "mine.csv"), "--ratings", str(folder / "people.csv")]
    assert main(["correlate", *files, "-q", "-o", str(folder / "correlate.tex")]) == 0


@pytest.fixture
def others(tmp_path):
    """Results of the commands that do not score systems, and a folder with the table of `correlate`."""
    correlation(tmp_path)
    texts = [f"The group met in {year}. It had ten members." for year in range(1990, 1996)]
    condition = "50% & more_"
    study = studies.write(
        tmp_path / "study",
        studies.definition(title="a_b & c", conditions=[condition, "hard"], design={"per_participant": 2}),
        studies.items(conditions=(condition, "hard")),
    )
    answers = [
        Response(s, i.id, "q1", "r", v, "A")
        for i in study.items
        for s, v in ((condition, "A"), ("hard", "UA"))
    ]
    paper = Printed()
    cells = tuple(cell for part in paper.parts() for cell in part.compute())
    sari = pm.explain(
        "sari(order=2)", ["100% of {it} & #1"], source=["100% of this"], references=[["all of {it}"]]
    )
    return {
        "stress": pm.stress(texts, references=texts, metrics="bleu,fkgl", perturbations=["delete"], levels=2),
        "study": StudyReport(analyse(study, answers, resamples=50)),
        "papers": RecomputedPapers(Recomputed((paper,), cells)),
        "track": pm.leaderboard(str(ROOT / "examples" / "track" / "*.jsonl"), "example", resamples=50),
        "explain": sari,
        "explain-samsa": pm.explain(
            "samsa(encoder='none', wordnet='none')", ["He left."], source=["He left & ate."]
        ),
    }


@pytest.mark.latex
def test_tables_of_other_commands_compile(others, tmp_path):
    compile_tables(tmp_path, others, "correlate")


@pytest.mark.latex
def test_all_tables_compile(results, tmp_path):
    compile_tables(tmp_path, results)


def test_the_long_form_has_signatures_below(results):
    text = results["long"].to_latex()
    assert "signature" not in text
    assert r"\texttt{fkgl\textbar\allowbreak{}side:output" in text
    assert "Bold: the best by its metric." in text


def compile_tables(tmp_path, results, *written):
    """Compile the tables of these results, and files that are there already, in one document."""
    for name, result in results.items():
        result.save(tmp_path / f"{name.replace(', ', '-')}.tex")
    inputs = "\\clearpage".join(rf"\input{{{name.replace(', ', '-')}.tex}}" for name in (*written, *results))
    packages = r"\usepackage{booktabs,graphicx}"
    (tmp_path / "paper.tex").write_text(
        rf"\documentclass{{article}}{packages}\begin{{document}}{inputs}\end{{document}}"
    )
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:]
    assert "Overfull \\hbox" not in run.stdout
    assert "Missing character" not in run.stdout
    assert (tmp_path / "paper.pdf").exists()
