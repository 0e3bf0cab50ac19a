"""Every table that is printed as LaTeX compiles as it is, whatever systems are called."""

import subprocess

import pytest

import plainmark as pm
from plainmark.cli.list import overview
from plainmark.result import Listing
from plainmark.table import Cell, Table

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


@pytest.mark.latex
def test_all_tables_compile(results, tmp_path):
    for name, result in results.items():
        result.save(tmp_path / f"{name.replace(', ', '-')}.tex")
    inputs = "\\clearpage".join(rf"\input{{{name.replace(', ', '-')}.tex}}" for name in results)
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
